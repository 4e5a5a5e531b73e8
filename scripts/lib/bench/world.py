"""The parts of all measurements: PostgreSQL, customers, a simulated Apple, and runs over them."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import measured
from cost import Broken, cost
from customers import (
    CUSTOMERS, ENDS_AT, MISTAKES, NUMBER, RECEIPT_CHARACTERS, SCHEMA, WRONG, answer, receipt)

LIBRARY = pathlib.Path(__file__).resolve().parent.parent
SECRET = "x" * 32
ENDS = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)


class World:
    """A PostgreSQL of its own and the other parts of all measurements."""

    def __init__(self, job, folder):
        self.job = job
        self.folder = folder
        self.secrets = folder / "secrets"
        self.secrets.touch(mode=0o600)
        self.secrets.write_text(f"* = {SECRET}\n")
        self.postgres = folder / "postgres"
        self.server = None
        self.head, self.tail = receipt(RECEIPT_CHARACTERS)

    def start(self):
        # A half-started server cannot be stopped, so signals wait until it has started.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDS)
        try:
            started = subprocess.run(
                [measured.HERE / "postgres", "start", self.postgres], check=True,
                stdout=subprocess.PIPE, text=True, start_new_session=True,
                preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_SETMASK, before))
            self.server = started.stdout.strip()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def stop(self):
        """Always runs; signals wait until it is done."""
        for each in ENDS:
            signal.signal(each, signal.SIG_IGN)
        if (self.postgres / "initdb.log").exists():
            subprocess.run([measured.HERE / "postgres", "stop", self.postgres], check=False)

    def compile(self, name, *flags):
        """The program built from `name`.c, built once."""
        program = self.folder / name
        if not program.exists():
            swift = shutil.which("swiftc")
            clang = pathlib.Path(swift).resolve().parent / "clang" if swift else None
            compiler = str(clang) if clang and clang.exists() else "cc"
            subprocess.run(
                [compiler, "-O2", "-o", program, LIBRARY / f"{name}.c", *flags], check=True)
        return program

    # The database

    def sql(self, url, text, **values):
        """psql's output for `text`, in which `:name` is a value."""
        settings = [f"--set={name}={value}" for name, value in values.items()]
        done = subprocess.run(
            ["psql", "--quiet", "--no-psqlrc", "--tuples-only", "--no-align",
             "--set=ON_ERROR_STOP=1", *settings, url],
            input=text, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Broken(f"psql: {done.stderr}")
        return done.stdout.strip()

    @contextlib.contextmanager
    def customers(self, count, receipt=None):
        """A database of this many customers with a receipt and an entitlement each; yields its URL.
        It is dropped afterwards: a million customers need gigabytes. `receipt` is what stands in the
        stored receipts before and after the 12 digits of the customer."""
        head, tail = receipt or (self.head, self.tail)
        name = f"customers_{count}"
        url = self.server.rsplit("/", 1)[0] + "/" + name
        self.sql(self.server, f"create database {name}")
        try:
            subprocess.run([self.job, "migrate", "--database", url, "--log-level", "error"],
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            begin = time.monotonic()
            self.sql(url, SCHEMA + CUSTOMERS, count=count, head=head, tail=tail,
                     ends_at=ENDS_AT)
            self.make_mistakes(url, night=0)
            # Finishes the writing of the customers before the measured run.
            self.sql(url, "vacuum analyze team.receipts, team.rights; checkpoint")
            if count >= 100_000:
                print(f"{count:,} customers made in {time.monotonic() - begin:.0f} s", flush=True)
            yield url
        finally:
            with contextlib.suppress(Broken):
                self.sql(self.server, f"drop database {name} with (force)")

    def make_mistakes(self, url, night):
        self.sql(url, MISTAKES, night=night, ends_at=ENDS_AT)

    def database_cpu(self):
        """CPU seconds of all PostgreSQL processes since the start."""
        ticks = 0
        postmaster = int((self.postgres / "data/postmaster.pid").read_text().split()[0])
        for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                pid = int(entry.parent.name)
                fields = entry.read_text().rpartition(") ")[2].split()
                if pid == postmaster:
                    # Includes the children that have ended.
                    ticks += sum(map(int, fields[11:15]))
                elif int(fields[1]) == postmaster:
                    ticks += sum(map(int, fields[11:13]))
        return ticks / os.sysconf("SC_CLK_TCK")

    # Apple

    @contextlib.contextmanager
    def apple(self, transactions, latency=0):
        """A simulated Apple that answers with this many transactions after `latency` ms."""
        program = self.compile("standin")
        body = self.folder / "answer"
        body.write_text(answer(transactions, self.head + NUMBER + self.tail))
        arrivals = self.folder / "arrivals"
        process = subprocess.Popen(
            [program, body, str(latency), arrivals], stdout=subprocess.PIPE, text=True)
        try:
            port = process.stdout.readline().strip()
            if not port:
                raise Broken("The stand-in for Apple does not start.")
            yield Apple(process, f"http://127.0.0.1:{port}/verifyReceipt", body, arrivals)
        finally:
            process.terminate()
            process.wait()
            process.stdout.close()

    # Nights

    def night(self, url, apple, *flags, count, wrong=None, under=()):
        """Runs over `count` receipts, under another program if one is given. Returns the cost with
        the printed text, and the summary. The number of findings must be that of the wrong rows: one
        in `WRONG`, or `wrong`."""
        reports = self.folder / "reports"
        before = self.database_cpu()
        try:
            seen = cost(
                [*under, self.job, "run", "--database", url, "--reports", reports, "--production-url",
                 apple, "--sandbox-url", apple, "--shared-secrets", self.secrets, "--as-of",
                 measured.AS_OF, "--progress", "never", "--allow-writable-role", "--guards", "off",
                 *flags],
                self.folder)
            file, = reports.glob("[0-9]*/summary.json")
            summary = json.loads(file.read_text())
        finally:
            shutil.rmtree(reports, ignore_errors=True)
        seen.database = self.database_cpu() - before
        wrong = count // WRONG if wrong is None else wrong
        expected = {"expiry_too_late": wrong} if wrong else {}
        if (summary["controls"]["receipts"]["verified"] != count
                or summary["findings"]["by_kind"] != expected):
            raise Broken(f"Of {count} receipts {summary['controls']['receipts']['verified']} were "
                         f"verified; found was {summary['findings']['by_kind']}, not {expected}.")
        return seen, summary

    def floor(self, apple, count, in_flight):
        request = self.folder / "request"
        request.write_text(json.dumps({
            "receipt-data": self.head + "0" * 12 + self.tail, "password": SECRET,
            "exclude-old-transactions": False}))
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libcurl"], check=True,
                               stdout=subprocess.PIPE, text=True).stdout.split()
        program = self.compile("floor", *flags)
        return cost([program, apple, request, str(count), str(in_flight)], self.folder)


class Apple:
    """A running simulated Apple."""

    def __init__(self, process, url, body, arrivals):
        self.process, self.url, self.arrivals_file = process, url, arrivals
        self.answer_bytes = body.stat().st_size

    def arrivals(self):
        """Ends it. Returns pairs in order: when a request arrived, in seconds since the first, and
        the seconds that all requests together had been in flight by then."""
        self.process.terminate()
        self.process.wait()
        lines = self.arrivals_file.read_text().splitlines()
        pairs = sorted(tuple(map(float, line.split())) for line in lines)
        return [(at - pairs[0][0], waited) for at, waited in pairs]


@contextlib.contextmanager
def world(job):
    """Removes everything that was created, also after an error."""
    def stop(number, _):
        sys.exit(128 + number)

    for each in ENDS:
        signal.signal(each, stop)
    with tempfile.TemporaryDirectory(prefix="reconcile-bench.", dir="/tmp") as folder:
        # PostgreSQL may run as another user.
        os.chmod(folder, 0o755)
        it = World(job, pathlib.Path(folder))
        try:
            it.start()
            yield it
        finally:
            it.stop()
