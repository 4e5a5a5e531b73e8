"""Replays stored answers, and compares the time with psql's for reading them."""

import os
import subprocess
import time

ROWS = "copy (select body from reconcile.evidence where run_id = '{}') to stdout"


def run(world, options):
    count = options.receipts or 100_000
    print(f"\nReplay: {count:,} stored answers, judged again and reported")
    with world.customers(count) as url, world.apple(12) as apple:
        _, summary = world.night(
            url, apple.url, "--rate", "100000", "--in-flight", "64", "--evidence", "all",
            count=count)
        again = summary["run_id"]
        megabytes = int(world.sql(
            url, f"select sum(octet_length(body)) from reconcile.evidence where run_id = '{again}'"
        )) / 1e6
        print(f"                    wall   receipts/s   MB/s   CPU a receipt   peak RSS"
              f"   ({megabytes:,.0f} MB)")
        for _ in range(options.runs):
            seen, _ = world.night(url, apple.url, "--replay", again, count=count)
            print(f"--replay       {seen.wall:7.2f} s{count / seen.wall:13,.0f}"
                  f"{megabytes / seen.wall:7.0f}{seen.cpu / count * 1e6:13.1f} us"
                  f"{seen.peak / 1024:7.1f} MiB", flush=True)
            begin = time.monotonic()
            with open(os.devnull, "wb") as nowhere:
                subprocess.run(
                    ["psql", "--quiet", "--no-psqlrc", "--command", ROWS.format(again), url],
                    stdout=nowhere, check=True)
            took = time.monotonic() - begin
            print(f"psql's copy    {took:7.2f} s{count / took:13,.0f}{megabytes / took:7.0f}"
                  f"      the replay takes {seen.wall / took:.2f} times as long", flush=True)
    return []
