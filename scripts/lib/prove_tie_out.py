"""Compares the folder of a tie-out with what data tools read in it."""

import json
import pathlib
import subprocess
import sys

import pandas

LINE = ["bundle_id", "product_id", "measure"]
UNITS = ["apple", "ours", "difference"]
SUMS = """
select measure, sum(apple)::bigint as apple, sum(ours)::bigint as ours,
    sum(least(apple, ours))::bigint as matched
from read_csv('tie_out.csv', header = true, all_varchar = false,
    types = {'day_pacific': 'varchar', 'bundle_id': 'varchar', 'product_id': 'varchar'})
where day_pacific is null
group by measure;
"""


class Proof:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.schemas = pathlib.Path(__file__).resolve().parents[2] / "reports/schema"
        self.failures = []
        self.comparisons = 0

    def check(self, what, same):
        self.comparisons += 1
        if not same:
            self.failures.append(what)

    def run(self, *words):
        done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=600)
        self.check(f"{words[0]}: status {done.returncode}\n{done.stdout}{done.stderr}",
                   done.returncode == 0)
        return done.stdout

    def prove(self):
        for name, schema in [("tie_out", "tie_out"), ("summary", "tie_out_summary")]:
            self.run("check-jsonschema", "--schemafile",
                     str(self.schemas / f"{schema}.schema.json"), f"{name}.json")
        rows = json.loads((self.folder / "tie_out.json").read_text())
        self.cells(rows)
        self.days(pandas.DataFrame(rows, columns=["day_pacific", *LINE, *UNITS]))
        self.summary()

    def cells(self, rows):
        """Every cell of the CSV is that of the JSON."""
        table = pandas.read_csv(self.folder / "tie_out.csv", dtype=str, keep_default_na=False)
        self.check(f"{len(table)} rows in CSV, {len(rows)} in JSON", len(table) == len(rows))
        for number, (row, line) in enumerate(zip(rows, table.to_dict("records")), 2):
            for name, value in row.items():
                want = "" if value is None else str(value)
                # A text that a spreadsheet would calculate has an apostrophe in the CSV.
                same = line[name] in (want, "'" + want)
                self.check(f"{number} {name}: {want!r}, pandas {line[name]!r}", same)

    def days(self, table):
        """The days of each line add up to its line of all days."""
        table = table.fillna({"day_pacific": "", "bundle_id": ""})
        parts = table[table["day_pacific"] != ""].groupby(LINE)[UNITS].sum().sort_index()
        wholes = table[table["day_pacific"] == ""].set_index(LINE)[UNITS].sort_index()
        self.check("the days do not add up to the lines of all days",
                   parts.to_dict() == wholes.to_dict())

    def summary(self):
        summary = json.loads((self.folder / "summary.json").read_text())
        printed = self.run("duckdb", "-json", "-c", SUMS)
        sums = {row.pop("measure"): row for row in json.loads(printed or "[]")}
        for measure in ["sold", "refunded"]:
            want = {name: summary[measure][name] for name in ["apple", "ours", "matched"]}
            got = sums.get(measure, dict.fromkeys(want, 0))
            got = {name: int(value) for name, value in got.items()}
            self.check(f"{measure}: DuckDB {got}, summary.json {want}", got == want)


proof = Proof(sys.argv[1])
proof.prove()
for failure in proof.failures[:20]:
    print(failure)
print(f"{proof.comparisons} comparisons, {len(proof.failures)} different.")
sys.exit(1 if proof.failures else 0)
