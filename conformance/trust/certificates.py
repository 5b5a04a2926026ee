"""What a server with TLS is trusted by: an authority and a certificate, made when asked for.

Both are gone with the process, and so are their keys. Elliptic keys are made in a moment; the
library that makes them takes a tenth of a second to load, so the server loads this on demand.
"""

from __future__ import annotations

import ipaddress
import ssl
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import attrs
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

#: Clients compare with a clock of their own, whatever time it is in the cluster.
_BEGIN, _LIFETIME = datetime(2020, 1, 1, tzinfo=UTC), timedelta(days=36500)

_NO_USE = dict.fromkeys(
    (
        "digital_signature",
        "content_commitment",
        "key_encipherment",
        "data_encipherment",
        "key_agreement",
        "key_cert_sign",
        "crl_sign",
        "encipher_only",
        "decipher_only",
    ),
    False,
)


@attrs.frozen(kw_only=True)
class Trust:
    """What a server shows, and what its clients need to believe it."""

    context: ssl.SSLContext
    #: The certificate of the authority, as PEM.
    authority: bytes


def throwaway(host: str) -> Trust:
    """Return a fresh authority, and what a server on a loopback address shows of it."""
    root = ec.generate_private_key(ec.SECP256R1())
    authority = _signed(root, root, _authority_extensions(), "dra-conformance-authority")
    key = ec.generate_private_key(ec.SECP256R1())
    shown = _signed(key, root, _server_extensions(host, root), "dra-conformance-reference")
    return Trust(
        context=_context(key, shown),
        authority=authority.public_bytes(serialization.Encoding.PEM),
    )


_Extension = tuple[x509.ExtensionType, bool]


def _authority_extensions() -> list[_Extension]:
    return [
        (x509.BasicConstraints(ca=True, path_length=0), True),
        (x509.KeyUsage(**{**_NO_USE, "key_cert_sign": True, "crl_sign": True}), True),
    ]


def _server_extensions(host: str, root: ec.EllipticCurvePrivateKey) -> list[_Extension]:
    names = [x509.IPAddress(ipaddress.ip_address(host)), x509.DNSName("localhost")]
    return [
        (x509.BasicConstraints(ca=False, path_length=None), True),
        (x509.KeyUsage(**{**_NO_USE, "digital_signature": True}), True),
        (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False),
        (x509.SubjectAlternativeName(names), False),
        # Strict clients, such as those of Python 3.13, want to see who signed.
        (x509.AuthorityKeyIdentifier.from_issuer_public_key(root.public_key()), False),
    ]


def _signed(
    key: ec.EllipticCurvePrivateKey,
    root: ec.EllipticCurvePrivateKey,
    extensions: list[_Extension],
    name: str,
) -> x509.Certificate:
    builder = (
        x509.CertificateBuilder()
        .subject_name(_name(name))
        .issuer_name(_name("dra-conformance-authority"))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_BEGIN)
        .not_valid_after(_BEGIN + _LIFETIME)
    )
    identifier = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    for extension, critical in (*extensions, (identifier, False)):
        builder = builder.add_extension(extension, critical=critical)
    return builder.sign(root, hashes.SHA256())


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _context(key: ec.EllipticCurvePrivateKey, shown: x509.Certificate) -> ssl.SSLContext:
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    # Clients that would rather speak HTTP/2 learn at once that there is none.
    context.set_alpn_protocols(["http/1.1"])
    # The library reads keys from files alone; this one is gone at once.
    with tempfile.TemporaryDirectory(prefix="dra-conf-key-") as folder:
        path = Path(folder) / "server.pem"
        path.touch(mode=0o600)
        path.write_bytes(private + shown.public_bytes(serialization.Encoding.PEM))
        context.load_cert_chain(path)
    return context
