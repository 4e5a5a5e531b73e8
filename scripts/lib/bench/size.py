"""Shows that no step grows faster than the work: nights, look-ups and reports of 10 and 100 times the
size."""

import contextlib
import shutil
import subprocess
import time

from cost import Broken, cost

USERS = (10_000, 100_000, 1_000_000)
FINDINGS = (2_000, 20_000, 200_000)
# A step that took this many times as long, with ten times the work, grows faster than n log n.
MOST_GROWTH = 10 * 1.5
# Shorter steps are too noisy to compare: seconds.
LEAST = 0.5
RAPID = ("--rate", "100000", "--in-flight", "64")
TABLES = {
    "results": ("user_result", "outcome", "request_count", "batch"),
    "ledger": ("ledger", "ledger_undo", "cleared_finding", "finding"),
    "sightings": ("sighted_purchase", "sighted_receipt", "sighted_product", "undecided_user"),
    "records": ("judged_user",),
}
STORED = """
select c.relname, pg_total_relation_size(c.oid) from pg_class as c
where c.relnamespace = 'reconcile'::regnamespace and c.relkind = 'r'
"""
NEWEST = "select run_id from reconcile.run order by run_no desc limit 1"


def run(world, options):
    return nights(world, options) + findings(world, options)


def nights(world, options):
    print("\nSize: first and second night, a fiftieth of the rows changed; rows and MB that each adds")
    broken, before = [], {}
    for count in (size for size in USERS if size <= options.most):
        took = {}
        with world.customers(count) as url, world.apple(12) as apple:
            for night in (1, 2):
                world.make_mistakes(url, night)
                rows, sizes = stored(world, url)
                seen, _ = world.night(url, apple.url, *RAPID, count=count)
                added, grown = stored(world, url)
                took[f"night {night}"] = seen.wall
                print(f"{count:9,} users, night {night}: {seen.wall:6.1f} s, CPU "
                      f"{seen.cpu / count * 1e6:4.0f} us a receipt, PostgreSQL's "
                      f"{seen.database / count * 1e6:4.0f} us; "
                      + ", ".join(f"{name} {added[name] - rows[name]:,} rows "
                                  f"{(grown[name] - sizes[name]) / 1e6:,.1f} MB"
                                  for name in TABLES), flush=True)
                # Between two nights autovacuum has a day.
                world.sql(url, "vacuum analyze")
            for name, flags in lookups(count).items():
                took[name] = explain(world, url, flags)
            print(f"{count:9,} users: explain takes "
                  + ", ".join(f"{took[name] * 1000:.0f} ms ({name})" for name in lookups(count)),
                  flush=True)
        broken += grown_faster(before, took, count)
        before = took
    return broken


def lookups(count):
    middle = count // 2
    return {
        "a user": ("--user", f"u{middle:08}"),
        "a receipt": ("--receipt", f"r{middle:08}"),
        "a transaction": ("--transaction", f"48{middle:012}011"),
        "an unknown user": ("--user", "nobody"),
        "an unknown transaction": ("--transaction", "nothing"),
    }


def explain(world, url, flags):
    begin = time.monotonic()
    done = subprocess.run([world.job, "explain", "--database", url, *flags],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    took = time.monotonic() - begin
    is_known = flags[1][0] in "ur4"
    if (done.returncode == 0) != is_known:
        raise Broken(f"explain {' '.join(flags)} ended with {done.returncode}: {done.stderr}")
    return took


def stored(world, url):
    """Rows and bytes, indexes included, of each group of tables."""
    own = dict(line.split("|") for line in world.sql(url, STORED).splitlines())
    rows, sizes = {}, {}
    for name, tables in TABLES.items():
        tables = [table for table in tables if table in own]
        rows[name] = sum(int(world.sql(url, f"select count(*) from reconcile.{table}"))
                         for table in tables)
        sizes[name] = sum(int(own[table]) for table in tables)
    return rows, sizes


def findings(world, options):
    print("\nSize: runs in which every row is a finding, and their folder written again")
    broken, before = [], {}
    for count in (size for size in FINDINGS if size <= options.most):
        with world.customers(count) as url, world.apple(12) as apple:
            world.sql(url, "update team.rights set ends_at = ends_at + interval '5 days'; "
                           "vacuum analyze team.rights")
            world.night(url, apple.url, *RAPID, count=count, wrong=count)
            folder = world.folder / "again"
            run_id = world.sql(url, NEWEST)
            try:
                seen = cost([world.job, "report", run_id, "--database", url, "--reports", folder],
                            world.folder)
                sizes = {name: (folder / run_id / name).stat().st_size / 1e6
                         for name in ("report.xlsx", "index.html", "mismatches.csv")}
            finally:
                with contextlib.suppress(FileNotFoundError):
                    shutil.rmtree(folder)
        print(f"{count:9,} findings: report {seen.wall:6.1f} s, CPU {seen.cpu:6.1f} s, peak "
              f"{seen.peak / 1024:5.1f} MiB; "
              + ", ".join(f"{name} {size:.1f} MB" for name, size in sizes.items()), flush=True)
        took = {"report": seen.wall}
        broken += grown_faster(before, took, count)
        before = took
    return broken


def grown_faster(before, took, count):
    return [f"{name}: {took[name]:.1f} s for {count:,}, {before[name]:.1f} s for a tenth."
            for name in took
            if name in before and took[name] > max(LEAST, before[name] * MOST_GROWTH)]
