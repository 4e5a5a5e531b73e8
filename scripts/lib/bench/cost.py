"""Processes, and what they cost."""

import contextlib
import dataclasses
import os
import pathlib
import select
import statistics
import subprocess
import time


class Broken(Exception):
    """A measurement that is none: the message says what went wrong."""


@dataclasses.dataclass
class Cost:
    """What a process took: seconds of CPU and of time, and KiB at the peak."""
    cpu: float
    wall: float
    peak: int
    output: str = ""
    # Seconds of CPU that PostgreSQL took meanwhile.
    database: float = 0.0


def cost(command, folder):
    """Runs `command`. Its peak is read while it runs: what wait4 tells has this process's in it."""
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
