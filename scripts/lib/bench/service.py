"""Measures the receipt validation service behind nginx and TLS: answers a second, latency, memory."""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

import measured
from cost import Broken
from measured import BUNDLE

# The required speed of stored validations, on two processors.
LEAST_A_SECOND = 2_000
MOST_MILLISECONDS = 50
# The share of the rate limit to Apple.
RATE = 200
# Apple did not write the stub's receipts: after as many as in a minute at a tenth of the rate
# (decision 114), 1,200 here, they have that tenth only.
MOST_SECONDS_OF_NEW = 5
LEAST_OF_RATE = 0.9
# The allowed growth of memory over a steady part.
MOST_GROWTH = 1.25
RECEIPTS = 500
# nginx's folder is not on every PATH.
PATH = os.environ["PATH"] + ":/usr/sbin"

SHOP = f"""
insert into app.apps (bundle_id) values ('{BUNDLE}');
insert into app.products (product_id, kind) values ('pro.monthly', 'non_consumable');
insert into app.assets values ('1', 'maps', 'file-maps'), ('2', 'songs', 'file-songs');
insert into app.product_assets (product_id, asset_id)
values ('pro.monthly', '1'), ('pro.monthly', '2');
"""

SCRIPT = """
local head, tail = '{head}', '{tail}'
local headers = {{["Content-Type"] = "application/json"}}
local thread, count = 0, 0
function setup(t) thread = thread + 1; t:set("id", thread) end
function init() math.randomseed(id * 7919) end
function request()
    count = count + 1
    local number = {number}
    local body = '{{"receipt-data":"' .. head .. string.format("%012d", number) .. tail .. '"}}'
    return wrk.format("POST", "/validate", headers, body)
end
{delay}
"""


class Service:
    """`serve` and nginx in a folder of their own."""

    def __init__(self, world, url, apple):
        self.world, self.url, self.apple = world, url, apple
        self.folder = world.folder / "service"
        self.folder.mkdir(exist_ok=True)
        self.folder.chmod(0o755)
        self.process = self.nginx = None
        self.address = None

    def write_files(self):
        keys = self.folder / "keys"
        keys.touch(mode=0o600)
        keys.write_bytes(subprocess.run(
            [self.world.job, "keys", "new"], check=True, capture_output=True).stdout)
        made = subprocess.run(
            [measured.HERE / "lib/nginx-files", self.folder], check=True, stdout=subprocess.PIPE,
            text=True)
        self.address = f"https://127.0.0.1:{int(made.stdout)}"

    def start(self, rate):
        self.write_files()
        self.process = subprocess.Popen(
            [self.world.job, "serve", "--socket", self.folder / "service.sock",
             "--database", self.url, "--download-key-file", self.folder / "keys", "--production-url", self.apple.url,
             "--sandbox-url", self.apple.url, "--shared-secrets", self.world.secrets,
             "--rate", str(rate), "--in-flight", "64", "--log-level", "error"]
            + ask_unsigned(self.world.job),
            stderr=open(self.folder / "serve.log", "ab"))
        self.nginx = subprocess.Popen(
            ["nginx", "-e", self.folder / "nginx.log", "-p", self.folder, "-c",
             self.folder / "nginx.conf"], env=os.environ | {"PATH": PATH},
            stderr=subprocess.DEVNULL)
        for _ in range(200):
            done = subprocess.run(
                ["curl", "--silent", "--insecure", "--output", os.devnull, "--write-out",
                 "%{http_code}", self.address + "/healthz"], capture_output=True, text=True,
                check=False)
            if done.stdout == "200":
                return
            time.sleep(0.1)
        raise Broken("The service does not start: "
                     + (self.folder / "serve.log").read_text()[-500:])

    def stop(self):
        for process in (self.nginx, self.process):
            if process:
                process.send_signal(signal.SIGTERM)
                process.wait()
        self.process = self.nginx = None

    def resident(self):
        """Resident memory in MiB."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024

    def wrk(self, number, seconds, connections, delay=0):
        """Answers a second, and the median and 99th percentile latency in milliseconds."""
        script = self.folder / "wrk.lua"
        script.write_text(SCRIPT.format(
            head=self.world.head, tail=self.world.tail, number=number,
            delay=f"function delay() return {delay} end" if delay else ""))
        done = subprocess.run(
            ["wrk", "--threads", "2", "--connections", str(connections), "--duration",
             f"{seconds:g}s", "--timeout", "60s", "--latency", "--script", script, self.address],
            capture_output=True, text=True, check=False)
        said = done.stdout
        wrong = re.search(r"Non-2xx or 3xx responses: (\d+)|Socket errors: (.*)", said)
        if done.returncode or wrong:
            raise Broken(f"wrk: {wrong[0] if wrong else said + done.stderr}")
        return (float(re.search(r"Requests/sec:\s+([\d.]+)", said)[1]),
                milliseconds(said, 50), milliseconds(said, 99))


def ask_unsigned(job):
    """The flag without which Apple is not asked about the stub's receipts; an older job has none."""
    said = subprocess.run([job, "serve", "--help"], capture_output=True, text=True, check=True).stdout
    return ["--ask-unsigned"] if "--ask-unsigned" in said else []


def milliseconds(said, percent):
    value, unit = re.search(rf"^\s+{percent}%\s+([\d.]+)(us|ms|s|m)$", said, re.M).groups()
    return float(value) * {"us": 0.001, "ms": 1, "s": 1_000, "m": 60_000}[unit]


@contextlib.contextmanager
def served(world, apple, rate):
    url = world.server.rsplit("/", 1)[0] + "/shop"
    with contextlib.suppress(Broken):
        world.sql(world.server, "create database shop")
        subprocess.run([world.job, "migrate", "--with-reference-app", "--database", url],
                       check=True, capture_output=True)
        world.sql(url, SHOP)
    service = Service(world, url, apple)
    try:
        service.start(rate)
        yield service
    finally:
        service.stop()


def run(world, options):
    """Prints three lines; returns the violated limits."""
    missing = [each for each in ("wrk", "nginx", "curl", "openssl")
               if not shutil.which(each, path=PATH)]
    if missing:
        raise Broken(f"missing: {' '.join(missing)}. Install them: apt-get install "
                     + " ".join(missing))
    print(f"\nThe receipt validation service through nginx and TLS, {options.seconds:g} s each")
    print("                                answers/s      p50       p99   memory")
    with world.apple(1, 20) as apple:
        with served(world, apple, 5_000) as service:
            service.wrk(f"math.random(1, {RECEIPTS})", 8, 16)
            begin = service.resident()
            stored = f"math.random(1, {RECEIPTS})"
            full, p50, p99 = service.wrk(stored, options.seconds, 50)
            line("stored", full, p50, p99, begin, service.resident())
            if full < LEAST_A_SECOND:
                yield f"{full:.0f} stored answers a second, not {LEAST_A_SECOND:,}."
            half, p50, p99 = service.wrk(stored, options.seconds, 50, delay=45)
            end = service.resident()
            line(f"at half of {LEAST_A_SECOND:,}", half, p50, p99, begin, end)
            if p99 > MOST_MILLISECONDS:
                yield f"p99 is {p99:.0f} ms at {half:.0f} a second, over {MOST_MILLISECONDS} ms."
            if end > begin * MOST_GROWTH:
                yield f"memory grew from {begin:.0f} to {end:.0f} MiB."
        with served(world, apple, RATE) as service:
            begin = service.resident()
            fresh = f"{int(time.time()) % 1_000_000} * 100000 + id * 10000000 + count"
            seconds = min(options.seconds, MOST_SECONDS_OF_NEW)
            rate, p50, p99 = service.wrk(fresh, seconds, 64)
            end = service.resident()
            line(f"not stored, --rate {RATE}", rate, p50, p99, begin, end)
            if not RATE * LEAST_OF_RATE <= rate <= RATE * 1.2 + RATE / seconds:
                yield f"{rate:.0f} new receipts a second at --rate {RATE}."


def line(name, rate, p50, p99, begin, end):
    print(f"  {name:28}{rate:10,.0f}{p50:9.1f} ms{p99:7.1f} ms   {begin:.0f} → {end:.0f} MiB",
          flush=True)
