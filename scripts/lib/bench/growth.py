"""Checks that no statement costs more because of earlier runs."""

import base64
import re
import subprocess

import measured

# Runs in each of the three samples: early, midway and late. The minimum of a sample counts, since
# noise only adds. The very first run is in none, because it has no earlier run to compare with.
PART = 3
# The allowed factor of the last runs, and the smallest increase that counts. Blocks are more reliable
# than milliseconds, since a busy machine does not change them.
MOST = {"ms": (1.5, 20), "blocks": (1.25, 1_000)}
# The share of the increase in the second half; a smaller share means that a plan changed once.
STILL_GROWING = 0.25
COLUMN = {"ms": 0, "calls": 1, "blocks": 2}

COSTS = """
select round(sum(total_exec_time)::numeric, 1), sum(calls),
    sum(shared_blks_hit + shared_blks_read + temp_blks_read + temp_blks_written),
    translate(encode(convert_to(min(query), 'UTF8'), 'base64'), E'\\n', '')
from pg_stat_statements
where dbid = (select oid from pg_database where datname = current_database())
group by queryid
"""


def run(world, options):
    count, nights = options.receipts or 10_000, max(options.nights, 3 * PART + 1)
    world.sql(world.server, "alter system set shared_preload_libraries = 'pg_stat_statements'")
    subprocess.run([measured.HERE / "postgres", "restart", world.postgres], check=True)
    print(f"\nGrowth: {nights} nights over {count:,} receipts; every night another fiftieth of the "
          "rows is wrong")
    seen = []
    with world.customers(count) as url, world.apple(12) as apple:
        world.sql(url, "create extension pg_stat_statements")
        for night in range(1, nights + 1):
            world.make_mistakes(url, night)
            world.sql(url, "select pg_stat_statements_reset()")
            cost, _ = world.night(
                url, apple.url, "--rate", "100000", "--in-flight", "64", count=count)
            seen.append(costs(world, url))
            # Between two nightly runs autovacuum has a day.
            world.sql(url, "vacuum analyze")
            print(f"night {night:3}: {cost.wall:6.2f} s, CPU {cost.cpu / count * 1e6:6.1f} us a "
                  f"receipt, PostgreSQL's {cost.database / count * 1e6:6.1f} us", flush=True)
    return compare([seen[at:at + PART] for at in (1, nights // 2 - 1, nights - PART)])


def costs(world, url):
    """Milliseconds, calls and blocks by the name of each statement."""
    sums = {}
    for line in world.sql(url, COSTS).splitlines():
        time, calls, blocks, text = line.split("|")
        text = base64.b64decode(text).decode()
        name = named(text)
        new = (float(time), int(calls), int(blocks))
        sums[name] = tuple(a + b for a, b in zip(sums.get(name, (0, 0, 0)), new))
    return sums


def named(text):
    """The name in the first line of each of the job's statements, of a COPY with its table; of other
    statements the first words."""
    name = re.match(r"-- name: (\w+)", text)
    copied = re.search(r"(?m)^copy \w+\.(\w+)", text)
    if name and copied:
        return f"{name[1]}({copied[1]})"
    return name[1] if name else " ".join(text.split()[:3]).lower()


def compare(parts):
    """Prints the most expensive statements after few to many runs; returns those that grow."""
    print(f"\nWhat takes the most, early, midway and late: the least of {PART} nights")
    print(f"{'':31}milliseconds{'':22}calls{'':11}blocks")
    broken = []
    every = {name for night in parts[-1] for name in night}
    for index, name in enumerate(sorted(every, key=lambda name: -of(parts[-1], name, "ms"))):
        ms, calls, blocks = ([of(part, name, what) for part in parts] for what in COLUMN)
        if index < 15:
            print(f"{name:31}{ms[0]:8.1f}{ms[1]:8.1f}{ms[2]:8.1f}{calls[2]:15.0f}"
                  f"{blocks[0]:11.0f}{blocks[1]:8.0f}{blocks[2]:8.0f}")
        broken += [f"{name}: {early:.0f} {what} early, {middle:.0f} midway, {late:.0f} late."
                   for what, (early, middle, late) in (("ms", ms), ("blocks", blocks))
                   if grows(early, middle, late, *MOST[what])]
    print(f"{'all statements':31}" + "".join(
        f"{min(sum(cost[0] for cost in night.values()) for night in part):8.1f}"
        for part in parts), flush=True)
    return broken


def of(nights, name, what):
    return min(night.get(name, (0, 0, 0))[COLUMN[what]] for night in nights)


def grows(early, middle, late, times, least):
    return (late > max(early * times, early + least)
            and late - middle > (late - early) * STILL_GROWING)
