"""Measures the job where it asks the App Store Server API, against the simulator's.

Answers are signed, so most of the job's CPU is one P-256 signature a transaction. The simulator signs
them while it answers: its own CPU is not counted, and its speed limits only the elapsed time.
"""

import contextlib
import json
import re
import shutil
import subprocess

import measured
from cost import Broken, cost

CUSTOMERS = 1_000
STEPS = (1, 4)
IN_FLIGHT = 64
# The same customers, of whom only transaction ids are stored.
SIMULATE = ("--stored", "id", "--as-of", measured.AS_OF)


def run(world, options):
    """Prints the cost of a customer for two sizes; returns no limits."""
    first = options.receipts or CUSTOMERS
    print(f"\nApp Store Server API: {IN_FLIGHT} in flight")
    print("  customers   requests   signed strings   CPU a customer   a string   PostgreSQL's"
          "   wall   peak RSS")
    for step in STEPS:
        night(world, first * step)
    return []


def night(world, count):
    with customers(world, count) as (url, keys, roots, api, sandbox):
        before = world.database_cpu()
        reports = world.folder / "reports"
        try:
            seen = cost(
                [world.job, "run", "--database", url, "--reports", reports, "--source", "server-api",
                 "--api-keys", keys / "api-keys", "--roots", roots, "--api-url", api,
                 "--api-sandbox-url", sandbox, "--production-url", api, "--sandbox-url", sandbox,
                 "--api-rate", "100000", "--in-flight", str(IN_FLIGHT), "--as-of", measured.AS_OF,
                 "--progress", "never", "--allow-writable-role", "--guards", "off",
                 "--max-unverified", "100%", "--evidence", "all", "--log-level", "error"],
                world.folder)
            summary = json.loads((reports / "latest/summary.json").read_text())
        finally:
            shutil.rmtree(reports, ignore_errors=True)
        database = world.database_cpu() - before
        asked = int(world.sql(url, "select count(*) from reconcile.evidence where body is not null"))
        signed = int(world.sql(url, STRINGS))
        sent = summary["requests"]["server_api"] + summary["requests"]["server_api_sandbox"]
        if not asked or summary["controls"]["receipts"]["verified"] < asked / 2:
            raise Broken(f"Of {count} customers only {asked} were answered.")
        print(f"{asked:11,}{sent:11,}{signed:17,}{seen.cpu / asked * 1e6:14.0f} us"
              f"{seen.cpu / signed * 1e6:8.0f} us{database / asked * 1e6:12.0f} us"
              f"{seen.wall:6.1f} s{seen.peak / 1024:7.1f} MiB", flush=True)


STRINGS = """
select coalesce(sum(length(body) - length(replace(encode(body, 'escape'), E'\\n', ''))), 0)
from reconcile.evidence
where body is not null
"""


@contextlib.contextmanager
def customers(world, count):
    """A database of the simulator's customers, and its API: the URL, the folders of keys and roots,
    and the URLs of the API."""
    name = f"api_{count}"
    url = world.server.rsplit("/", 1)[0] + "/" + name
    keys, roots = world.folder / "api-keys", world.folder / "api-roots"
    world.sql(world.server, f"create database {name}")
    simulator = None
    try:
        subprocess.run([world.job, "migrate", "--with-reference-app", "--database", url,
                        "--log-level", "error"], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        simulator = subprocess.Popen(
            [world.job, "simulate", "--customers", str(count), *SIMULATE, "--load", url,
             "--write-api-keys", keys, "--write-roots", roots],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        ready = re.search(r" api=(\S+) api_sandbox=(\S+)", simulator.stdout.readline())
        if not ready:
            raise Broken("The simulator of the App Store Server API does not start.")
        world.sql(url, "vacuum analyze; checkpoint")
        yield url, keys, roots, ready[1], ready[2]
    finally:
        if simulator:
            simulator.terminate()
            simulator.wait()
            simulator.stdout.close()
        for folder in (keys, roots):
            shutil.rmtree(folder, ignore_errors=True)
        with contextlib.suppress(Broken):
            world.sql(world.server, f"drop database {name} with (force)")
