"""Adds the tables of a period up with pandas, and checks them against their schemas."""

import decimal
import pathlib
import subprocess

import pandas

SCHEMAS = {"refunds": "period_refunds", "expirations": "period_expirations",
           "movements": "movements", "summary": "period_summary", "manifest": "range_manifest"}
REFUNDS = ["refund_recorded", "refund_without_receipt"]


def added(rows, names, amount):
    """The sums of a column of texts by others, without zeros."""
    rows = rows[rows[amount].notna()]
    rows = rows.assign(sum=rows[amount].map(decimal.Decimal))
    sums = rows.groupby(names)["sum"].sum() if len(rows) else pandas.Series(dtype=object)
    return {name: amount for name, amount in sums.items() if amount}


class Period:
    def __init__(self, folder, summary, check):
        self.folder = folder
        self.summary = summary
        self.check = check

    def rows(self, table):
        return pandas.read_csv(self.folder / f"{table}.csv", dtype=str, keep_default_na=False,
                               na_values="")

    def prove(self):
        schemas = pathlib.Path(__file__).resolve().parents[2] / "reports/schema"
        for name, schema in SCHEMAS.items():
            job = subprocess.run(["check-jsonschema", "--schemafile",
                                  str(schemas / f"{schema}.schema.json"),
                                  str(self.folder / f"{name}.json")],
                                 capture_output=True, text=True)
            self.check(f"{name}.json: {job.stdout.strip()}", job.returncode == 0)
        self.refunds()
        self.movements()

    def refunds(self):
        rows = self.rows("refunds")
        got = added(rows[rows["kind"].isin(REFUNDS)], ["currency"], "estimated_amount")
        got = {name if isinstance(name, str) else name[0]: amount for name, amount in got.items()}
        want = {}
        for line in self.summary["refunds"]:
            if line["currency"]:
                amount = decimal.Decimal(line["amount"])
                want[line["currency"]] = want.get(line["currency"], 0) + amount
        want = {currency: amount for currency, amount in want.items() if amount}
        self.check(f"pandas: refunds {got}, summary.json: {want}", got == want)

    def movements(self):
        rows = self.rows("movements")
        for side in ("opening", "closing"):
            standing = self.summary[side] or {"findings": 0, "money": {}}
            count = sum(map(int, rows[f"{side}_count"]))
            self.check(f"pandas: {side} {count}, summary.json: {standing['findings']}",
                       count == standing["findings"])
            own = rows[(rows["accepted"] == "false") & rows["direction"].isin(["leak", "owed"])]
            got = added(own, ["direction", "currency"], f"{side}_amount")
            want = {(direction, currency): decimal.Decimal(amount)
                    for direction, money in standing["money"].items()
                    for currency, amount in money.items()}
            self.check(f"pandas: {side} {got}, summary.json: {want}", got == want)
