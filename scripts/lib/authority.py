"""Receipts signed under an authority of our own, as Apple signs them, with openssl."""

import base64
import pathlib
import random
import subprocess
import time

from measured import BUNDLE, attribute, tlv

# The extension of Apple's certificates that sign receipts.
MARKER = "1.2.840.113635.100.6.11.1 = DER:05:00"
EXTENSIONS = f"""
[authority]
basicConstraints = critical, CA:true
[signer]
basicConstraints = critical, CA:false
{MARKER}
"""


def openssl(*arguments, data=None):
    done = subprocess.run(["openssl", *map(str, arguments)], input=data, capture_output=True,
                          check=True)
    return done.stdout


class Authority:
    """A root, for `--roots`, and a signer under it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.roots = self.folder / "roots"
        self.roots.mkdir(parents=True)
        extensions = self.folder / "extensions"
        extensions.write_text(EXTENSIONS)
        for name, sign in (
                ("root", []), ("signer", ["-CA", self.roots / "root.pem", "-CAkey",
                                          self.folder / "root.key", "-set_serial", "2"])):
            request = openssl(
                "req", "-new", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN=Soak {name}",
                "-keyout", self.folder / f"{name}.key")
            if not sign:
                sign = ["-signkey", self.folder / "root.key"]
            folder = self.roots if name == "root" else self.folder
            (folder / f"{name}.pem").write_bytes(openssl(
                "x509", "-req", "-days", "30", "-extfile", extensions, "-extensions",
                "authority" if name == "root" else "signer", *sign, data=request))
        self.created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()).encode()

    def receipt(self, number):
        """The bytes of a receipt, different for each number."""
        payload = tlv(0x31, attribute(0, tlv(0x0C, b"Production"))
                      + attribute(2, tlv(0x0C, BUNDLE.encode()))
                      + attribute(4, random.Random(number).randbytes(64))
                      + attribute(12, tlv(0x16, self.created)))
        return openssl(
            "cms", "-sign", "-binary", "-nodetach", "-noattr", "-outform", "DER", "-signer",
            self.folder / "signer.pem", "-inkey", self.folder / "signer.key", "-certfile",
            self.roots / "root.pem", data=payload)


def altered(receipt, number):
    """The receipt with a byte of its content changed."""
    index = receipt.index(random.Random(number).randbytes(64))
    return receipt[:index] + bytes([receipt[index] ^ 1]) + receipt[index + 1:]


def invented_ios6(number):
    """The text of an iOS 6 receipt whose signature is made up."""
    def text(data):
        return base64.b64encode(data).decode()
    info = f'{{\n\t"bid" = "{BUNDLE}";\n\t"transaction-id" = "{number}";\n}}'.encode()
    return (f'{{\n\t"signature" = "{text(random.Random(number).randbytes(200))}";\n'
            f'\t"purchase-info" = "{text(info)}";\n\t"pod" = "7";\n'
            '\t"signing-status" = "0";\n}').encode()
