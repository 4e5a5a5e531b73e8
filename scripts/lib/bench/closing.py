"""The time to close a run with many findings: comparing users, clearing, updating the ledger."""

import subprocess

import growth
import measured
from customers import ENDS_AT

# The statements that run when every user is recorded; not those whose rows the reports read one by
# one, since their time is mostly the reports'.
CLOSING = {
    "begin_comparison", "drop_reported_refunds", "drop_unclaimed_events", "count_refunds_once",
    "avoid_nested_loops",
    "shared_purchases", "shared_receipts", "unknown_products", "clear_findings", "move_ledger",
    "finish_run", "run_totals", "run_requests", "count_outcomes", "count_findings", "count_money",
    "count_no_amounts", "count_unverified", "count_entitlements_with_finding", "run_facts",
    "run_acceptances", "sum_findings",
}
# Seconds for all of these statements together.
MOST = 10
LEDGER = "select count(*) from reconcile.ledger"
ALL_WRONG = """
update team.rights
set ends_at = timestamptz 'epoch' + interval '1 millisecond' * :ends_at + interval '{} days'
where number % 10 < {}
"""


def run(world, options):
    count = options.receipts or 100_000
    world.sql(world.server, "alter system set shared_preload_libraries = 'pg_stat_statements'")
    subprocess.run([measured.HERE / "postgres", "restart", world.postgres], check=True)
    print(f"\nClosing: nights of {count:,} receipts; seconds of PostgreSQL's to close each")
    broken = []
    with world.customers(count) as url, world.apple(12) as apple:
        world.sql(url, "create extension pg_stat_statements")
        nights = [("every row is wrong", 5, 10), ("all as before", 5, 10),
                  ("half of them corrected", 0, 5), ("none is wrong", 0, 10)]
        for name, days, tenths in nights:
            world.sql(url, ALL_WRONG.format(days, tenths), ends_at=ENDS_AT)
            world.sql(url, "vacuum analyze team.rights; select pg_stat_statements_reset()")
            wrong = count if days else count * (10 - tenths) // 10
            before = int(world.sql(url, LEDGER))
            world.night(url, apple.url, "--rate", "100000", "--in-flight", "64", count=count,
                        wrong=wrong)
            costs = {of: cost for of, cost in growth.costs(world, url).items() if of in CLOSING}
            took = sum(ms for ms, _, _ in costs.values()) / 1000
            dearest = sorted(costs, key=lambda of: -costs[of][0])[:3]
            print(f"{name:24}{took:7.2f} s; the ledger gained"
                  f" {int(world.sql(url, LEDGER)) - before:,} rows; the most took "
                  + ", ".join(f"{of} {costs[of][0] / 1000:.2f} s" for of in dearest), flush=True)
            if took > MOST:
                broken.append(f"closing, {name}: {took:.1f} s, more than {MOST}")
    return broken
