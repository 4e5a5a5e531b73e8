"""Compares a published folder with the values that spreadsheets and data tools read."""

import csv
import datetime
import decimal
import json
import pathlib
import subprocess
import sys
import tempfile
import zoneinfo

import openpyxl
import pandas
from openpyxl.utils.escape import unescape

import prove_dialects
import prove_loading
import prove_pages
import prove_periods

TABLES = ["expirations", "refunds", "mismatches", "receipts", "cleared", "unverified",
          "not_reported", "totals", "units"]
FINDINGS = TABLES[:4]
PERIOD = ["movements", "refunds", "expirations"]
INSTANTS = {"first_seen", "stored_expires_at", "apple_expires_at", "event_at", "as_of",
            "reversed_at"}
DAYS = {"event_day", "event_day_pacific", "day_pacific"}
AMOUNTS = {"estimated_amount", "amount"}
INTEGERS = {"exposure_days", "count", "attempts", "last_status", "last_http_status",
            "entitlements_affected", "sold", "trials", "refunded", "upgraded", "customers"}
BOOLEANS = {"stored_active", "evidence_signed"}
MOST_TEXT = 32767
RECALCULATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode">
<value>0</value></prop></item></oor:items>
"""


def title(table):
    return table[0].upper() + table[1:].replace("_", " ")


def is_date(text):
    """Whether a spreadsheet can hold it as a date."""
    return "1900-03-01" <= text[:10] <= "9999-12-31" and text[4:5] == "-"


def expected(name, value):
    """A value of the JSON as the workbook holds it."""
    if value is None or value == "":
        return None
    if name in INSTANTS and is_date(value):
        return datetime.datetime.strptime(value, "%Y-%m-%dT%H:%M:%SZ")
    if name in DAYS and is_date(value):
        return datetime.datetime.strptime(value, "%Y-%m-%d")
    if (name in AMOUNTS or name.endswith("_amount")) and len(value.replace(".", "").replace("-", "")) <= 15:
        return decimal.Decimal(value)
    return value


def pacific(text):
    """The day in California of an instant since 2008, as the workbook holds it."""
    if not text or not is_date(text):
        return None
    instant = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S%z")
    day = instant.astimezone(zoneinfo.ZoneInfo("America/Los_Angeles"))
    return day.replace(hour=0, minute=0, second=0, tzinfo=None)


def shown(name, value):
    """The same value as LibreOffice writes it into a CSV."""
    value = expected(name, value)
    if value is None:
        return ""
    if isinstance(value, datetime.datetime):
        return value.strftime("%Y-%m-%d" if name in DAYS else "%Y-%m-%d %H:%M:%S")
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return value


def is_shown(value, text):
    """Whether LibreOffice's text is this value; it omits zeros at the end of an amount."""
    if isinstance(value, (int, decimal.Decimal)):
        return decimal.Decimal(text or "nan") == value
    # LibreOffice makes one line feed of a carriage return and a line feed in a cell.
    return text == (value.replace("\r\n", "\n") if isinstance(value, str) else value)


class Proof:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.summary = json.loads((self.folder / "summary.json").read_text())
        self.is_period = "period" in self.summary
        self.tables = PERIOD if self.is_period else TABLES
        self.failures = []
        self.cells = 0

    def rows(self, table):
        return json.loads((self.folder / f"{table}.json").read_text())

    def check(self, what, same):
        self.cells += 1
        if not same:
            self.failures.append(what)

    def openpyxl(self):
        book = openpyxl.load_workbook(self.folder / "report.xlsx")
        for table in self.tables:
            sheet = book[title(table)]
            lines = sheet.iter_rows()
            names = [cell.value for cell in next(lines)]
            rows = self.rows(table)
            self.check(f"{table}: header frozen", sheet.freeze_panes == "A2")
            self.check(f"{table}: filter", bool(sheet.auto_filter.ref))
            for number, (row, cells) in enumerate(zip(rows, lines), 2):
                for name, cell in zip(names, cells):
                    if name == "event_day_pacific" and name not in row:
                        self.check(f"{table} {number} {name}: {cell.value!r}",
                                   cell.value == pacific(row["event_at"]))
                        continue
                    want = expected(name, row[name])
                    got = cell.value
                    if isinstance(got, str):
                        # `_x000D_` is a carriage return (ECMA-376); openpyxl leaves it as it is.
                        got = unescape(got)
                    if isinstance(want, decimal.Decimal):
                        got = decimal.Decimal(str(got)).quantize(want)
                    if isinstance(got, datetime.datetime):
                        got = (got + datetime.timedelta(microseconds=500000)).replace(microsecond=0)
                    kinds = {str: "s", decimal.Decimal: "n", int: "n", bool: "b",
                             datetime.datetime: "d"}
                    right = want is None or cell.data_type == kinds[type(want)]
                    same = got == want and type(got) is type(want)
                    # An empty text and a missing text look the same.
                    same = same or want is None and got == ""
                    self.check(f"{table} {number} {name}: {want!r}, openpyxl has {got!r}",
                               right and same)
            self.check(f"{table}: {len(rows)} rows, the sheet {sheet.max_row - 1}",
                       sheet.max_row - 1 == len(rows))

    def libreoffice(self):
        with tempfile.TemporaryDirectory() as folder:
            # Recalculates every formula: otherwise LibreOffice shows the cached numbers of the file.
            profile = pathlib.Path(folder) / "profile" / "user"
            profile.mkdir(parents=True)
            (profile / "registrymodifications.xcu").write_text(RECALCULATE)
            subprocess.run(
                ["soffice", "--headless", f"-env:UserInstallation=file://{folder}/profile",
                 "--convert-to", "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,"
                 "false,false,-1", "--outdir", folder, str(self.folder / "report.xlsx")],
                check=True, capture_output=True, timeout=300)
            for table in self.tables:
                path = pathlib.Path(folder) / f"report-{title(table)}.csv"
                with open(path, newline="") as file:
                    lines = list(csv.DictReader(file))
                rows = self.rows(table)
                self.check(f"{table}: LibreOffice has {len(lines)} rows", len(lines) == len(rows))
                for number, (row, line) in enumerate(zip(rows, lines), 2):
                    for name in row:
                        want = shown(name, row[name])
                        self.check(f"{table} {number} {name}: {want!r}, LibreOffice {line[name]!r}",
                                   is_shown(want, line[name]))
            with open(pathlib.Path(folder) / "report-Summary.csv", newline="") as file:
                verdicts = [cell for line in csv.reader(file) for cell in line
                            if cell in ("yes", "NO")]
            self.check(f"the summary's formulas: {verdicts}",
                       len(verdicts) >= (0 if self.is_period else 3) and set(verdicts) <= {"yes"})

    def sums(self):
        money = json.loads((self.folder / "summary.json").read_text())["money"]
        want = {(bucket, currency): decimal.Decimal(amount) for bucket, amounts in money.items()
                for currency, amount in amounts.items() if decimal.Decimal(amount) != 0}
        frames = [pandas.read_excel(self.folder / "report.xlsx", sheet_name=title(table),
                                    dtype={"finding_id": str, "transaction_id": str})
                  for table in FINDINGS]
        every = pandas.concat([frame for frame in frames if len(frame)] or frames[:1])
        paid = every[every["estimated_amount"].notna()]
        sums = paid.groupby(["money_bucket", "currency"])["estimated_amount"].sum()
        got = {key: decimal.Decimal(str(round(value, 4))).quantize(
                   want.get(key, decimal.Decimal("0.0001")))
               for key, value in sums.items() if round(value, 4) != 0}
        self.check(f"pandas: {got}, summary.json: {want}", got == want)
        totals = sum(row["count"] for row in self.rows("totals"))
        total = json.loads((self.folder / "summary.json").read_text())["findings"]["total"]
        self.check(f"totals: {totals}, findings: {total}", totals == total)


proof = Proof(sys.argv[1])
proof.openpyxl()
proof.libreoffice()
if proof.is_period:
    prove_periods.Period(proof.folder, proof.summary, proof.check).prove()
else:
    proof.sums()
repository = pathlib.Path(__file__).resolve().parents[2]
dialect = json.loads((proof.folder / "manifest.json").read_text()).get("csv_dialect")
if dialect:
    prove_dialects.Dialect(proof.folder, dialect, proof.check).prove(TABLES)
if dialect != "excel-eu" and not proof.is_period:
    prove_loading.Loading(repository, proof.folder, proof.check).prove()
for fault in prove_pages.prove([proof.folder]):
    proof.check(fault, False)
for failure in proof.failures[:20]:
    print(failure)
print(f"{proof.cells} comparisons, {len(proof.failures)} different.")
sys.exit(1 if proof.failures else 0)
