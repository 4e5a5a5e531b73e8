"""Checks what a receipt costs against limits, in figures that a busy machine hardly changes.

The job's instructions are counted by valgrind, as the difference between two runs, so that start and
end of a run play no part. PostgreSQL's part is counted in bytes of its write-ahead log and in rows.
"""

import math
import platform
import re
import statistics

import limits

FEW, MANY = 300, 900
ATTEMPTS = 3
# So many that a run's own rows are a small part.
RECEIPTS = 4_000
TRANSACTIONS = 12
# The rate must never limit the run: valgrind makes it forty times slower, and who waits for a token
# executes other instructions. Nor may a time limit pass.
STEADY = ("--rate", "100000", "--burst", "1000", "--in-flight", "64", "--timeout", "120s",
          "--connect-timeout", "60s")
# Whether autovacuum comes to the new tables during a run is chance.
QUIET = "alter system set autovacuum = off; select pg_reload_conf()"
LOG = "select pg_current_wal_insert_lsn() - '0/0'"
WRITTEN = """
select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0) from pg_stat_user_tables
where schemaname = 'reconcile'
"""


def run(world, _):
    """Prints the figures with their limits; returns those that are exceeded."""
    print(f"\nGate: the cost of a receipt with {TRANSACTIONS} transactions, and its limits")
    world.sql(world.server, QUIET)
    count = instructions(world)
    first, later = nights(world)
    figures = [
        ("instructions of the job", count, "", limits.INSTRUCTIONS),
        ("write-ahead log, first night", first.log, "bytes", limits.LOG_FIRST),
        ("write-ahead log, later night", later.log, "bytes", limits.LOG_LATER),
        ("rows written, first night", first.rows, "", limits.ROWS_FIRST),
        ("rows written, later night", later.rows, "", limits.ROWS_LATER),
        ("peak memory of the job", max(first.peak, later.peak) / 1024, "MiB", limits.MEMORY),
    ]
    broken = []
    for name, figure, unit, limit in figures:
        figure = round(figure, 2) if limit < 100 else round(figure)
        print(f"{name:30}{figure:>12,} {unit:6}{limit:>12,}", flush=True)
        if figure > limit:
            broken.append(f"{name}: {figure:,} {unit}".rstrip() + f", more than {limit:,}. Find the "
                          "cause; scripts/lib/bench/limits.py says when a limit may be raised.")
    shown = statistics.mean([first.database, later.database]) / RECEIPTS * 1e6
    print(f"{'CPU of PostgreSQL':30}{shown:>12,.0f} us    {'only shown':>12}", flush=True)
    return broken


def instructions(world):
    if platform.machine() != "x86_64":
        print("Instructions are not counted: the limit is for x86-64.")
        return 0
    # Commits and leases that are due by time add to the instructions of a slow run, never less. So a
    # figure over the limit is measured again, and the least of each size counts.
    least = {}
    for _ in range(ATTEMPTS):
        for count in (FEW, MANY):
            least[count] = min(counted(world, count), least.get(count, math.inf))
        figure = (least[MANY] - least[FEW]) / (MANY - FEW)
        if figure <= limits.INSTRUCTIONS:
            break
    return figure


def counted(world, count):
    """The instructions of a first night of so many receipts."""
    profile = world.folder / f"profile-{count}"
    under = ("valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={profile}")
    with world.customers(count) as url, world.apple(TRANSACTIONS) as apple:
        world.night(url, apple.url, *STEADY, count=count, under=under)
    return int(re.search(r"^totals: (\d+)", profile.read_text(), re.MULTILINE)[1])


def nights(world):
    """The costs of a first night and of one without changes, with log and rows a receipt."""
    with world.customers(RECEIPTS) as url, world.apple(TRANSACTIONS) as apple:
        costs = []
        for _ in range(2):
            log, rows = (int(world.sql(url, text)) for text in (LOG, WRITTEN))
            cost, _ = world.night(url, apple.url, *STEADY, count=RECEIPTS)
            cost.log = (int(world.sql(url, LOG)) - log) / RECEIPTS
            cost.rows = (int(world.sql(url, WRITTEN)) - rows) / RECEIPTS
            costs.append(cost)
        return costs
