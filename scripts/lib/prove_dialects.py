"""Opens the CSV of a dialect for spreadsheets with LibreOffice, set to a language that it is for."""

import decimal
import json
import pathlib
import subprocess
import tempfile

import openpyxl
from openpyxl.utils.escape import unescape

AMOUNTS = {"estimated_amount", "amount"}
IDS = {"finding_id", "user_id", "entitlement_id", "receipt_id", "original_transaction_id",
       "transaction_id", "product_id", "product_stored", "product_apple"}
SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale">
<value>LANGUAGE</value></prop></item></oor:items>
"""
# The language, and the character between cells.
DIALECTS = {"excel": ("en-US", ","), "excel-eu": ("de-DE", ";")}


class Dialect:
    def __init__(self, folder, dialect, check):
        self.folder = folder
        self.check = check
        self.language, self.separator = DIALECTS[dialect]
        self.sums = {}

    def prove(self, tables):
        with tempfile.TemporaryDirectory() as place:
            place = pathlib.Path(place)
            profile = place / "profile" / "user"
            profile.mkdir(parents=True)
            (profile / "registrymodifications.xcu").write_text(
                SETTINGS.replace("LANGUAGE", self.language))
            files = [str(self.folder / f"{table}.csv") for table in tables]
            # `"` around text, UTF-8, from line 1, in the language of the settings, and with special
            # numbers such as dates recognised, which changes most.
            options = f"CSV:{ord(self.separator)},34,76,1,,0,false,true"
            subprocess.run(
                ["soffice", "--headless", f"-env:UserInstallation=file://{place}/profile",
                 f"--infilter={options}", "--convert-to", "xlsx", "--outdir", str(place), *files],
                check=True, capture_output=True, timeout=300)
            for table in tables:
                self.table(table, openpyxl.load_workbook(place / f"{table}.xlsx").active)
        money = json.loads((self.folder / "summary.json").read_text())["money"]
        want = {(bucket, currency): decimal.Decimal(amount) for bucket, amounts in money.items()
                for currency, amount in amounts.items() if decimal.Decimal(amount) != 0}
        got = {key: value for key, value in self.sums.items() if value != 0}
        self.check(f"{self.language} sums: {got}, summary.json: {want}", got == want)

    def table(self, table, sheet):
        rows = json.loads((self.folder / f"{table}.json").read_text())
        lines = list(sheet.iter_rows(values_only=True))
        names = lines[0]
        self.check(f"{table}: {len(lines) - 1} rows in {self.language}, not {len(rows)}",
                   len(lines) - 1 == len(rows))
        for number, (row, cells) in enumerate(zip(rows, lines[1:]), 2):
            for name, cell in zip(names, cells):
                want = row[name]
                if name in AMOUNTS and want is not None:
                    number_read = isinstance(cell, (int, float))
                    self.check(f"{table} {number} {name}: {want!r} is {cell!r} in {self.language}",
                               number_read and decimal.Decimal(str(cell)) == decimal.Decimal(want))
                    if table in ("expirations", "refunds", "mismatches", "receipts"):
                        key = (row["money_bucket"], row["currency"])
                        self.sums[key] = self.sums.get(key, 0) + decimal.Decimal(str(cell))
                elif name in IDS and want:
                    text = unescape(cell) if isinstance(cell, str) else repr(cell)
                    want = want.replace("\r\n", "\n")
                    self.check(f"{table} {number} {name}: {want!r} is {cell!r} in {self.language}",
                               text.replace("\r\n", "\n") in (want, "'" + want))
