"""Runs the measurements that scripts/bench names, after it has prepared the machine."""

import argparse
import os
import pathlib
import platform
import subprocess
import sys

sys.dont_write_bytecode = True
LIBRARY = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(LIBRARY.parent), str(LIBRARY)]

import api
import closing
import gate
import growth
import measured
import rate
import replay
import scale
import service
import size
import table
from cost import Broken
from world import world


class Parser(argparse.ArgumentParser):
    def error(self, message):
        print(f"scripts/bench: {message}. See scripts/bench --help.", file=sys.stderr)
        sys.exit(64)


def options():
    parser = Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("what", nargs="?", default="table", choices=(
        "table", "gate", "api", "rate", "scale", "replay", "growth", "closing", "size", "service",
        "all"))
    parser.add_argument("--binary", type=os.path.abspath)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--receipts", type=int)
    parser.add_argument("--most", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=12)
    parser.add_argument("--rate", type=float)
    parser.add_argument("--latency", type=int)
    parser.add_argument("--in-flight", type=int)
    parser.add_argument("--nights", type=int, default=20)
    return parser.parse_args()


def machine():
    """The conditions of the measurement."""
    model = "unknown processor"
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
    return f"{model}, {os.cpu_count()} processors, {platform.system()} {platform.release()}"


def built():
    print("scripts/bench: building (the first time takes minutes, then seconds)", file=sys.stderr)
    subprocess.run([measured.HERE / "build"], check=True, stdout=sys.stderr)
    return str(measured.HERE.parent / ".build/release/reconcile-job")


def main():
    chosen = options()
    job = chosen.binary or built()
    if not os.access(job, os.X_OK):
        sys.exit(f"scripts/bench: no program {job}. Build it with scripts/build.")
    version = subprocess.run([job, "--version"], check=True, stdout=subprocess.PIPE,
                             text=True).stdout.strip()
    parts = {
        "table": [table.run, lambda it, _: rate.quick(it), lambda it, _: scale.quick(it)],
        "gate": [gate.run], "api": [api.run], "rate": [rate.run], "scale": [scale.run],
        "replay": [replay.run],
        "growth": [growth.run],
        "closing": [closing.run], "size": [size.run], "service": [service.run],
        "all": [table.run, api.run, rate.run, scale.run, replay.run, growth.run, closing.run,
                size.run, service.run],
    }[chosen.what]
    broken = []
    print(f"{version}; {machine()}")
    with world(job) as it:
        for part in parts:
            try:
                broken += part(it, chosen)
            except Broken as error:
                broken.append(str(error))
    for each in broken:
        print(f"scripts/bench: broken: {each}", file=sys.stderr)
    sys.exit(1 if broken else 0)


try:
    main()
except subprocess.CalledProcessError as error:
    # The called command has printed the reason.
    sys.exit(f"scripts/bench: {error}")
