"""Runs processes and measures their cost."""

import contextlib
import dataclasses
import os
import pathlib
import select
import statistics
import subprocess
import time


class Broken(Exception):
    """A failed measurement; the message gives the reason."""


@dataclasses.dataclass
class Cost:
    """The cost of a process: seconds of CPU, seconds elapsed, and peak memory in KiB."""
    cpu: float
    wall: float
    peak: int
    output: str = ""
    # Seconds of CPU that PostgreSQL used in that time.
    database: float = 0.0


def cost(command, folder):
    """Runs `command`. Reads its peak memory while it runs: that of wait4 includes this process's."""
    with open(folder / "out", "w+b") as out, open(folder / "error", "w+b") as error:
        begin = time.monotonic()
        process = subprocess.Popen(command, stdout=out, stderr=error, cwd=folder)
        peak = 0
        try:
            end = select.poll()
            descriptor = os.pidfd_open(process.pid)
            end.register(descriptor, select.POLLIN)
            while not end.poll(20):
                peak = max(peak, high_water(process.pid))
            wall = time.monotonic() - begin
            os.close(descriptor)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        finally:
            if process.returncode is None:
                process.kill()
                process.wait()
        out.seek(0)
        error.seek(0)
        output = out.read().decode()
        if process.returncode != 0:
            raise Broken(f"{pathlib.Path(command[0]).name} ended with {process.returncode}:\n"
                         + error.read().decode()[-2000:])
        return Cost(used.ru_utime + used.ru_stime, wall, peak, output)


def high_water(pid):
    with contextlib.suppress(OSError):
        for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0


def median(costs, name):
    return statistics.median(getattr(each, name) for each in costs)
