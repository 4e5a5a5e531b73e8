"""Runs the commands of reports/README.md that load a folder into other tools, and compares."""

import decimal
import json
import os
import pathlib
import re
import subprocess
import tempfile

HEADING = "### Loading the files into other tools\n"
# Every command that the section must have.
TOOLS = ["check-jsonschema", "psql", "duckdb", "python3", "jq"]
TABLES = {"findings": ["expirations", "refunds", "mismatches", "receipts"],
          "cleared": ["cleared"], "unverified": ["unverified"],
          "not_reported": ["not_reported"], "totals": ["totals"],
          "units": ["units"]}
# A sum as psql, DuckDB, pandas and jq print it.
SUM = re.compile(r"\b(leak|owed|refunded)\W+([A-Z]{3})\W+?(-?[0-9]+(?:\.[0-9]+)?)\b")


class Loading:
    """The folder as `reports/latest` of a clone, so that the commands run literally."""

    def __init__(self, repository, folder, check):
        self.repository = pathlib.Path(repository).resolve()
        self.folder = pathlib.Path(folder).resolve()
        self.check = check

    def prove(self):
        with tempfile.TemporaryDirectory() as clone:
            self.clone = pathlib.Path(clone)
            reports = self.clone / "reports"
            reports.mkdir()
            (reports / "latest").symlink_to(self.folder)
            for name in ["load.sql", "schema"]:
                (reports / name).symlink_to(self.repository / "reports" / name)
            self.commands()
            self.schemas()
            self.tables()

    def run(self, command):
        """The output of the shell command; its failure is a difference."""
        # For psql: instants in UTC, and no start-up file of the user that changes the output.
        environment = {**os.environ, "PGTZ": "UTC", "PSQLRC": os.devnull}
        done = subprocess.run(["sh", "-e", "-c", command], cwd=self.clone, env=environment,
                              capture_output=True, text=True, timeout=600)
        first_line = command.split("\n")[0][:60]
        self.check(f"{first_line}: status {done.returncode}\n{done.stdout}{done.stderr}",
                   done.returncode == 0)
        return done.stdout

    def commands(self):
        page = (self.repository / "reports/README.md").read_text()
        section = re.split(r"^#{2,3} ", page.split(HEADING)[1], flags=re.MULTILINE)[0]
        blocks = re.findall(r"^```sh\n(.*?)^```$", section, flags=re.MULTILINE | re.DOTALL)
        used = [tool for tool in TOOLS if any(uses(tool, block) for block in blocks)]
        self.check(f"reports/README.md has commands for {used}", used == TOOLS)
        for block in blocks:
            printed = self.run(block)
            tool = next((tool for tool in TOOLS if uses(tool, block)), "no known tool")
            if tool == "check-jsonschema":
                self.covers_every_file(block)
            else:
                self.sums(tool, printed)

    def covers_every_file(self, block):
        for file in self.folder.glob("[a-z]*.json"):
            self.check(f"{file.name} is not among the files that README validates",
                       re.search(rf"\b{file.stem}\b", block) is not None)

    def sums(self, tool, printed):
        money = json.loads((self.folder / "summary.json").read_text())["money"]
        want = {(bucket, currency): decimal.Decimal(amount) for bucket, amounts in money.items()
                for currency, amount in amounts.items() if decimal.Decimal(amount) != 0}
        got = {(bucket, currency): decimal.Decimal(amount)
               for bucket, currency, amount in SUM.findall(printed)}
        got = {key: amount for key, amount in got.items() if amount != 0}
        self.check(f"{tool}: {got}, summary.json: {want}", got == want)

    def schemas(self):
        self.run("check-jsonschema --check-metaschema reports/schema/*.schema.json")
        for mark in self.folder.glob("[A-Z]*.json"):
            schema = f"reports/schema/{mark.stem.lower()}.schema.json"
            self.run(f"check-jsonschema --schemafile {schema} reports/latest/{mark.name}")

    def tables(self):
        """Compares each row in PostgreSQL with that of the JSON file."""
        for table, files in TABLES.items():
            printed = self.run(f"psql -A -t -c 'select row_to_json(t) from {table} t'")
            got = [json.loads(line, parse_float=decimal.Decimal)
                   for line in printed.splitlines()]
            want = [row for file in files
                    for row in json.loads((self.folder / f"{file}.json").read_text())]
            self.check(f"{table}: {len(got)} rows in PostgreSQL, {len(want)} in the JSON",
                       len(got) == len(want))
            got, want = [sorted(map(comparable, rows), key=repr) for rows in (got, want)]
            for one, other in zip(got, want):
                for name in other:
                    self.check(f"{table} {name}: PostgreSQL {one.get(name)!r}, "
                               f"JSON {other[name]!r}", one.get(name) == other[name])


def uses(tool, block):
    return re.search(rf"^ *{tool} ", block, flags=re.MULTILINE) is not None


def comparable(row):
    """The row with its amounts as numbers, its instants as the reports print them, and without
    the `'` that CSV puts before some texts."""
    def value(name, it):
        if name in ("estimated_amount", "amount") and it is not None:
            return decimal.Decimal(it)
        if isinstance(it, str):
            return re.sub(r"\+00:00$", "Z", it).removeprefix("'")
        return it
    return {name: value(name, it) for name, it in row.items()}
