"""Tools for measuring the built job: receipts, a simulated Apple, a database.

Standard library only. The simulated Apple answers every receipt with status 0; receipts have the
structure of Apple's, a PKCS#7 SignedData that can be read to its end, without signatures.
"""

import argparse
import asyncio
import base64
import contextlib
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
BUNDLE = "com.example.acme"
AS_OF = "2026-11-20T02:00:00Z"

SCHEMA = """
create schema team;
create table team.receipts (id text primary key, who text, data text);
create index on team.receipts (who);
create view reconcile.stored_receipts as
select id as receipt_id, who as user_id, 'com.example.acme'::text as bundle_id,
    data as receipt_data, timestamptz '2026-11-01Z' as stored_at
from team.receipts;
create view reconcile.stored_entitlements as
select 'e' || id as entitlement_id, who as user_id, 'pro.monthly'::text as product_id,
    null::text as original_transaction_id, true as is_active,
    timestamptz '2026-12-10 02:00:00Z' as expires_at, true as auto_renew,
    'PURCHASED'::text as ownership, 'app_store'::text as source,
    timestamptz '2026-10-01Z' as updated_at
from team.receipts;
create view reconcile.catalog_products as
select 'pro.monthly'::text as product_id, 'auto_renewable'::text as kind,
    null::text as subscription_group_id, null::int as service_level,
    null::interval as access_duration, interval '1 month' as billing_period,
    null::numeric as list_price, null::text as currency;
"""

# Views that the job requires and the measurements do not use.
OTHER_VIEWS = """
create view reconcile.catalog_apps as
select 'com.example.acme'::text as bundle_id, null::text as last_paid_version,
    null::timestamptz as paid_until, null::text as premium_product_id;
create view reconcile.stored_download_keys as
select ''::text as receipt_id, ''::text as product_id, ''::text as remote_product_id,
    ''::text as download_key, now() as expires_at
where false;
"""


def arguments(purpose):
    """A parser with the arguments that the scripts share."""
    parser = argparse.ArgumentParser(description=purpose)
    parser.add_argument(
        "binary", nargs="?", default=str(HERE.parent / ".build/release/reconcile-job"),
        help="the built job (default: %(default)s)")
    return parser


# Receipts


def tlv(tag, content):
    length = len(content)
    if length < 0x80:
        return bytes([tag, length]) + content
    size = (length.bit_length() + 7) // 8
    return bytes([tag, 0x80 | size]) + length.to_bytes(size, "big") + content


def attribute(kind, value):
    return tlv(0x30, tlv(2, bytes([kind])) + tlv(2, b"\x01") + tlv(4, value))


def receipt(number, size):
    """Base64 of a receipt of about `size` bytes, different for each number."""
    filler = random.Random(number).randbytes(max(16, size - 160))
    payload = tlv(0x31, attribute(0, tlv(0x0C, b"Production"))
                  + attribute(2, tlv(0x0C, BUNDLE.encode())) + attribute(4, filler))
    data = bytes.fromhex("06092a864886f70d010701")
    signed_data = bytes.fromhex("06092a864886f70d010702")
    content = tlv(0x30, data + tlv(0xA0, tlv(4, payload)))
    signed = tlv(0x30, tlv(2, b"\x01") + tlv(0x31, b"") + content + tlv(0x31, b""))
    return base64.b64encode(tlv(0x30, signed_data + tlv(0xA0, signed))).decode()


# Apple


def answer(size):
    """A verifyReceipt answer of about `size` bytes, for a subscription that is active."""
    def period(number, months_ago):
        bought = 1_794_276_000_000 - months_ago * 2_592_000_000
        return {
            "quantity": "1", "product_id": "pro.monthly",
            "transaction_id": str(540_000_000_000_000 + number),
            "original_transaction_id": "540000000000000",
            "purchase_date_ms": str(bought), "original_purchase_date_ms": str(bought),
            "expires_date_ms": str(bought + 2_592_000_000), "web_order_line_item_id": str(number),
            "is_trial_period": "false", "is_in_intro_offer_period": "false",
            "in_app_ownership_type": "PURCHASED", "subscription_group_identifier": "20000001",
        }

    body = {
        "status": 0, "environment": "Production",
        "receipt": {
            "bundle_id": BUNDLE, "original_application_version": "5",
            "receipt_creation_date_ms": "1795000000000", "request_date_ms": "1795140000000",
            "in_app": [period(0, 0)],
        },
        "latest_receipt_info": [],
    }
    body["receipt"]["in_app"][0]["expires_date_ms"] = "1796868000000"
    while len(json.dumps(body)) < size:
        count = len(body["latest_receipt_info"]) + 1
        body["latest_receipt_info"].append(period(count, count))
    return json.dumps(body).encode()


class Apple:
    """Answers after `latency` seconds, and records when each request arrived."""

    def __init__(self, latency=0.0, answer_bytes=600):
        self.latency = latency
        self.arrivals = []
        # The longest scheduling delay of this process, in seconds.
        self.lag = 0.0
        body = answer(answer_bytes)
        self.answer_bytes = len(body)
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
        self.reply = head.encode() + b"\r\n\r\n" + body

    @contextlib.asynccontextmanager
    async def serving(self):
        """Yields the URL."""
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: Connection(self, loop), "127.0.0.1", 0, backlog=1024)
        watch = asyncio.create_task(self.watch())
        try:
            yield "http://127.0.0.1:%d/verifyReceipt" % server.sockets[0].getsockname()[1]
        finally:
            watch.cancel()
            server.close()

    async def watch(self):
        while True:
            due = time.monotonic() + 0.005
            await asyncio.sleep(0.005)
            self.lag = max(self.lag, time.monotonic() - due)


class Connection(asyncio.Protocol):
    def __init__(self, apple, loop):
        self.apple, self.loop = apple, loop
        self.unread = bytearray()
        self.missing = None

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        now = time.monotonic()
        if not self.unread:
            self.apple.arrivals.append(now)
        self.unread += data
        if self.missing is None:
            end = self.unread.find(b"\r\n\r\n")
            if end < 0:
                return
            head = bytes(self.unread[:end]).lower()
            length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
            self.missing = end + 4 + length
        if len(self.unread) < self.missing:
            return
        self.unread.clear()
        self.missing = None
        self.loop.call_later(self.apple.latency, self.transport.write, self.apple.reply)


# The database


@contextlib.contextmanager
def postgres():
    """A PostgreSQL of our own; yields a superuser's URL."""
    directory = tempfile.mkdtemp(prefix="reconcile.", dir="/tmp")
    started = subprocess.run(
        [HERE / "postgres", "start", directory], check=True, stdout=subprocess.PIPE, text=True)
    try:
        yield started.stdout.strip()
    finally:
        subprocess.run([HERE / "postgres", "stop", directory], check=True)


def psql(url):
    return subprocess.Popen(
        ["psql", "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", url],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)


def fill(server, name, job, count, receipt_bytes):
    """Makes database `name` with `count` users of a receipt and an entitlement each."""
    url = server.rsplit("/", 1)[0] + "/" + name
    subprocess.run(["createdb", "--maintenance-db", server, name], check=True)
    subprocess.run(
        [job, "migrate", "--database", url, "--log-level", "error"], check=True,
        stderr=subprocess.DEVNULL)
    with psql(url) as script:
        script.stdin.write(SCHEMA + OTHER_VIEWS + "copy team.receipts from stdin;\n")
        for number in range(count):
            text = receipt(number, receipt_bytes)
            script.stdin.write(f"r{number:07}\tu{number:07}\t{text}\n")
        script.stdin.write("\\.\nanalyze;\n")
    if script.returncode != 0:
        sys.exit(f"{name}: the database cannot be filled.")
    return url
