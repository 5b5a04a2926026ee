"""Metrics from files and URLs, as an object that policies judge.

Who asks a URL shows what was given for that, and nothing else: neither the credentials of a
kubeconfig, nor, where an answer leads elsewhere, a token to another server.
"""

from __future__ import annotations

import http.client
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import attrs
import click

from conformance.cli.exits import ExitCode, Refusal
from conformance.kube import kubeconfig
from conformance.policy import metrics
from conformance.policy.manifests.files import LARGEST_BYTES
from conformance.policy.metrics import MetricsError, Scrape
from conformance.policy.model import Place, Trouble
from conformance.policy.world import Manifest

#: Seconds that a server has to answer.
_TIMEOUT = 10.0
#: Bytes that are read at once.
_CHUNK = 2**16
#: Answers about which a person can do something.
_UNKNOWN, _MAY_NOT = 401, 403
_ELSEWHERE = range(300, 400)

Command = TypeVar("Command", bound=Callable[..., Any])

_FILE = click.Path(path_type=Path)
_OPTIONS = (
    click.option("--metrics-token-file", "token_file", type=_FILE, metavar="FILE",
                 help="Bearer token for each URL of --metrics, which must be https."),
    click.option("--metrics-client-certificate", "certificate", type=_FILE, metavar="FILE",
                 help="Client certificate for them, as PEM, with its key or beside it."),
    click.option("--metrics-client-key", "key", type=_FILE, metavar="FILE",
                 help="The key of that certificate."),
    click.option("--metrics-ca", "authority", type=_FILE, metavar="FILE",
                 help="Certificate authority that they are trusted by, instead of the system's."),
    click.option("--metrics-insecure", "insecure", is_flag=True,
                 help="Trust whoever answers: never beside a token or certificate that matters."),
)  # fmt: skip


def options(command: Command) -> Command:
    """Add the options that say how URLs are asked (see ``Access``)."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@attrs.frozen(kw_only=True)
class Access:
    """What is shown to the servers of metrics, and by what they are trusted."""

    token_file: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    authority: Path | None = None
    insecure: bool = False

    @classmethod
    def taken(cls, given: dict[str, Any]) -> Access:
        """Return what options say, and take them away from the others."""
        return cls(**{name: given.pop(name) for name in attrs.fields_dict(cls)})

    def check(self, sources: Sequence[str]) -> None:
        """Raise ``Refusal`` for what does not go together, or with the sources."""
        given = [f"--metrics-{_FLAGS[name]}" for name, value in attrs.asdict(self).items() if value]
        if given and not any(one.startswith("https://") for one in sources):
            raise Refusal(ExitCode.USAGE, f"{given[0]} goes with an https URL of --metrics")
        plain = next((one for one in sources if one.startswith("http://")), None)
        if plain and (self.token_file or self.certificate):
            raise Refusal(ExitCode.USAGE, f"{given[0]} is shown over https alone, not to {plain}")
        if self.key and not self.certificate:
            raise Refusal(
                ExitCode.USAGE, "--metrics-client-key goes with --metrics-client-certificate"
            )
        if self.insecure and self.authority:
            raise Refusal(ExitCode.USAGE, "give either --metrics-ca or --metrics-insecure")

    def headers(self) -> dict[str, str]:
        """Return the headers by which we are known; raises ``Refusal``."""
        if self.token_file is None:
            return {}
        token = _text(self.token_file, "--metrics-token-file").strip()
        if not token or not token.isascii() or not token.isprintable() or " " in token:
            sentence = (
                f"--metrics-token-file {self.token_file}: expected one token and nothing else"
            )
            raise Refusal(ExitCode.USAGE, sentence)
        return {"Authorization": f"Bearer {token}"}

    def context(self) -> ssl.SSLContext:
        """Return what TLS is spoken with; raises ``Refusal`` for files that can't be used."""
        context = ssl.create_default_context()
        if self.insecure:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        if self.authority is not None:
            context = _used(
                lambda: ssl.create_default_context(cafile=self.authority), "ca", self.authority
            )
        if (certificate := self.certificate) is not None:
            # Without a password here, a key that wants one would ask whoever sits there.
            _used(
                lambda: context.load_cert_chain(certificate, self.key, password=""),
                "client-certificate",
                certificate,
            )
        return context


#: The options behind ``Access``, without what all of them begin with.
_FLAGS = {
    "token_file": "token-file",
    "certificate": "client-certificate",
    "key": "client-key",
    "authority": "ca",
    "insecure": "insecure",
}


class _Staying(urllib.request.HTTPRedirectHandler):
    """Goes nowhere else: a token is for the server that was named."""

    def redirect_request(  # pyright: ignore[reportIncompatibleMethodOverride]  # takes them all
        self, *_given: Any
    ) -> None:
        """Take the answer for what it is."""


@attrs.frozen(kw_only=True)
class Scraped:
    """What metrics tell."""

    manifests: tuple[Manifest, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    notes: tuple[str, ...] = ()


def read(sources: Sequence[str], access: Access) -> Scraped:
    """Return what the scrapes tell, the oldest first.

    Raises ``Refusal`` for a file that does not exist and for a server that does not answer.
    """
    access.check(sources)
    for source in sources:
        if "://" in source and not kubeconfig.is_url(source):
            raise Refusal(ExitCode.USAGE, f"--metrics {source} is no http or https URL")
    if not sources:
        return Scraped()
    place = Place(file=sources[-1])
    try:
        measured = metrics.figures([_scrape(source, access) for source in sources])
    except MetricsError as error:
        return Scraped(troubles=(Trouble(place=place, sentence=str(error)),))
    manifest = Manifest(object=measured, place=place)
    return Scraped(manifests=(manifest,), notes=(metrics.told(measured),))


def _scrape(source: str, access: Access) -> Scrape:
    is_url = source.startswith(("http://", "https://"))
    data, at = _fetched(source, access) if is_url else _read(source)
    if len(data) > LARGEST_BYTES:
        raise MetricsError(f"is larger than {LARGEST_BYTES >> 20} MiB")
    return metrics.parse(data.decode("utf-8", "replace"), at)


def _read(source: str) -> tuple[bytes, float]:
    """Return a file, and when it was written: that is when it was scraped."""
    path = Path(source)
    try:
        with path.open("rb") as stream:
            return stream.read(LARGEST_BYTES + 1), path.stat().st_mtime
    except OSError as error:
        sentence = f"{source} cannot be read: {error.strerror or error}"
        raise Refusal(ExitCode.USAGE, sentence) from error


def _fetched(source: str, access: Access) -> tuple[bytes, float]:
    secured = urllib.request.HTTPSHandler(context=access.context())
    headers = access.headers()
    opener = urllib.request.build_opener(secured, *([_Staying()] if headers else []))
    try:
        # Only http and https come here, as the caller has seen.
        request = urllib.request.Request(source, headers=headers)  # noqa: S310
        with opener.open(request, timeout=_TIMEOUT) as answer:
            return _body(answer), time.time()
    except urllib.error.HTTPError as error:
        sentence = f"{source} answers {error.code} {error.reason}{_advice(error.code, access)}"
        raise Refusal(ExitCode.UNREACHABLE, sentence) from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        cause = getattr(error, "reason", error)
        reason = " ".join(str(cause).split())
        if isinstance(cause, ssl.SSLCertVerificationError):
            reason += "; give its certificate authority (--metrics-ca), or --metrics-insecure"
        raise Refusal(ExitCode.UNREACHABLE, f"{source} does not answer: {reason}") from error


def _advice(code: int, access: Access) -> str:
    """Return what a person can do about an answer."""
    if code in (_UNKNOWN, _MAY_NOT) and not (access.token_file or access.certificate):
        return "; give --metrics-token-file or --metrics-client-certificate"
    if code in _ELSEWHERE:
        return "; what was given is shown to that server alone, so name the one it leads to"
    if code == _MAY_NOT:
        return "; its user needs the right to get the nonResourceURL /metrics"
    return ""


def _text(path: Path, option: str) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise Refusal(ExitCode.USAGE, f"{option} {path} cannot be read: {reason}") from error


def _used(use: Callable[[], Any], option: str, path: Path) -> Any:
    try:
        return use()
    except OSError as error:  # ssl.SSLError is one
        reason = " ".join(str(error.strerror or error).split())
        sentence = f"--metrics-{option} {path} can't be used: {reason}"
        raise Refusal(ExitCode.USAGE, sentence) from error


def _body(answer: http.client.HTTPResponse) -> bytes:
    """Return the whole answer; raises ``OSError`` or ``HTTPException`` where it does not come."""
    deadline = time.monotonic() + _TIMEOUT
    data = bytearray()
    while len(data) <= LARGEST_BYTES and (part := answer.read1(_CHUNK)):
        data += part
        if time.monotonic() > deadline:
            raise TimeoutError(f"the answer takes longer than {_TIMEOUT:g} s")
    if answer.length and len(data) <= LARGEST_BYTES:
        raise ConnectionError(f"the answer breaks off {answer.length} bytes before its end")
    return bytes(data)
