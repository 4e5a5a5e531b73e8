"""Measures the job where it asks the App Store Server API. Answers are signed: much of the job's CPU is
the check of a P-256 signature for each transaction."""

import base64
import contextlib
import json
import subprocess

from authority import openssl
from cost import Broken

CUSTOMERS = 1_000
IN_FLIGHT = 64
# The stored receipts are transaction ids, in which the customer's 12 digits stand between these.
IDS = ("4", "00000")
# The most that is read of a customer: 1,000 pages.
LONGEST = 20_000
EXTENSIONS = """
[authority]
basicConstraints = critical, CA:true
[intermediate]
basicConstraints = critical, CA:true
1.2.840.113635.100.6.2.1 = DER:05:00
[leaf]
basicConstraints = critical, CA:false
1.2.840.113635.100.6.11.1 = DER:05:00
"""


def run(world, options):
    """Prints the cost of a customer; returns no limits."""
    first = options.receipts or CUSTOMERS
    signed = Signed(world.folder / "api")
    print(f"\nApp Store Server API: {IN_FLIGHT} in flight")
    print("  customers   transactions   requests   CPU a customer   a signature   PostgreSQL's"
          "       wall   peak RSS")
    for count, transactions in ((first, 12), (4 * first, 12), (1, LONGEST)):
        night(world, signed, count, transactions)
    return []


def night(world, signed, count, transactions):
    with world.customers(count, IDS) as url, signed.api(world, transactions) as api:
        world.sql(url, CATALOG)
        seen, summary = world.night(
            url, api, "--source", "server-api", "--api-keys", signed.keys, "--roots", signed.roots,
            "--api-url", api, "--api-sandbox-url", api, "--api-rate", "100000", "--in-flight",
            str(IN_FLIGHT), "--evidence", "all", count=count)
        if not summary["requests"]["server_api"]:
            raise Broken("The App Store Server API was not asked.")
        # Of each transaction, and of the renewal.
        signatures = count * (transactions + 1)
        print(f"{count:11,}{transactions:15,}{summary['requests']['server_api']:11,}"
              f"{seen.cpu / count * 1e6:14,.0f} us{seen.cpu / signatures * 1e6:11.0f} us"
              f"{seen.database / count * 1e6:12,.0f} us{seen.wall:9.1f} s"
              f"{seen.peak / 1024:7.1f} MiB", flush=True)


CATALOG = """
create or replace view reconcile.catalog_products as
select product_id, kind, case when kind = 'auto_renewable' then '20000001' end as subscription_group_id,
    1 as service_level, null::interval as access_duration,
    case when kind = 'auto_renewable' then interval '1 month' end as billing_period,
    price::numeric as list_price, 'USD'::text as currency
from (values ('pro.monthly'::text, 'auto_renewable'::text, 9.99), ('coins', 'consumable', 0.99))
    as it (product_id, kind, price);
"""


class Signed:
    """Certificates as Apple's for signed strings, the job's key, and the API."""

    def __init__(self, folder):
        self.folder = folder
        self.roots = folder / "roots"
        self.keys = folder / "keys"
        self.roots.mkdir(parents=True)
        (folder / "extensions").write_text(EXTENSIONS)
        root = self.certificate("root", "secp384r1", "authority")
        intermediate = self.certificate("intermediate", "secp384r1", "intermediate", "root")
        leaf = self.certificate("leaf", "prime256v1", "leaf", "intermediate")
        (self.roots / "root.pem").write_bytes(openssl("x509", "-inform", "DER", data=root))
        chain = [base64.b64encode(each).decode() for each in (leaf, intermediate, root)]
        header = json.dumps({"alg": "ES256", "x5c": chain}, separators=(",", ":"))
        (folder / "header").write_bytes(base64.urlsafe_b64encode(header.encode()).rstrip(b"="))
        (folder / "AuthKey.p8").write_bytes(key("prime256v1"))
        self.keys.write_text("com.example.acme = 6f1d2c3a-58f0-4b1e-9a77-2e0c94d1b506 BENCHKEY01 AuthKey.p8\n")
        for each in (self.keys, folder / "AuthKey.p8"):
            each.chmod(0o600)

    def certificate(self, name, curve, extensions, issuer=None):
        """The DER of a certificate, which stays in the folder with its key."""
        own = self.folder / f"{name}.key"
        own.write_bytes(key(curve))
        request = openssl("req", "-new", "-key", own, "-subj", f"/CN=Bench {name}")
        sign = ["-CA", self.folder / f"{issuer}.pem", "-CAkey", self.folder / f"{issuer}.key",
                "-CAcreateserial"] if issuer else ["-signkey", own]
        pem = openssl("x509", "-req", "-days", "30", "-sha384", "-extfile", self.folder / "extensions",
                      "-extensions", extensions, *sign, data=request)
        (self.folder / f"{name}.pem").write_bytes(pem)
        return openssl("x509", "-outform", "DER", data=pem)

    @contextlib.contextmanager
    def api(self, world, transactions):
        """The URL of an API whose customers have this many transactions."""
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libcrypto"], check=True,
                               stdout=subprocess.PIPE, text=True).stdout.split()
        program = world.compile("api_standin", *flags)
        process = subprocess.Popen(
            [program, self.folder / "header", self.folder / "leaf.key", str(transactions)],
            stdout=subprocess.PIPE, text=True)
        try:
            port = process.stdout.readline().strip()
            if not port:
                raise Broken("The stand-in for the App Store Server API does not start.")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait()
            process.stdout.close()


def key(curve):
    return openssl("genpkey", "-algorithm", "EC", "-pkeyopt", f"ec_paramgen_curve:{curve}")
