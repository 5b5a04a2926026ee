"""What the components of a cluster tell about themselves, in the text format of Prometheus."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, cast

import attrs
import urllib3
import urllib3.exceptions
from prometheus_client.parser import text_string_to_metric_families

from conformance.harness.client import Api
from conformance.harness.errors import HarnessError, TargetUnreachable, Unsupported, Violation
from conformance.harness.target import KUBELETS
from conformance.kube.status import StatusError

#: The API server does not proxy to these; whoever reaches it there reaches the kubelet as well.
_LOOPBACK = ("127.", "::1")

#: Seconds that a component may take.
_SECONDS = 30.0


@attrs.frozen
class Metrics:
    """The samples of one moment."""

    samples: tuple[tuple[str, Mapping[str, str], float], ...]

    @classmethod
    def read(cls, text: str) -> Metrics:
        """Return what a text tells; raises ``Violation`` for one that is not of Prometheus."""
        try:
            families = list(text_string_to_metric_families(text))
        except ValueError as error:
            raise Violation("a text of Prometheus", observed=str(error)) from error
        rows = [one for family in families for one in family.samples]
        return cls(tuple((one.name, one.labels, float(one.value)) for one in rows))

    def value(self, name: str, /, **labels: str) -> float:
        """Return the sum of the samples of a name with these labels; none is zero."""
        return sum(self._found(name, labels))

    def present(self, name: str, /, **labels: str) -> float:
        """Return the same; raises ``Violation`` where there is no such sample."""
        found = self._found(name, labels)
        if not found:
            known = sorted({one for one, _, _ in self.samples if one.startswith(name[:12])})
            raise Violation(f"a sample of {name} with {labels}", path="metrics", observed=known)
        return sum(found)

    def _found(self, name: str, labels: Mapping[str, str]) -> list[float]:
        return [
            value
            for one, its, value in self.samples
            if one == name and all(its.get(key) == wanted for key, wanted in labels.items())
        ]


def told(api: Api, component: str, urls: Mapping[str, str]) -> str:
    """Return the metrics of a component: from its URL, a kubelet's through the API server.

    Raises ``Unsupported`` where nobody said where it is, ``TargetUnreachable`` where it does
    not answer there.
    """
    if component in urls:
        return _told_at(api, urls[component])
    if not component.startswith(KUBELETS):
        raise Unsupported(f"nobody said where {component} tells its metrics (--metrics-url)")
    node = component.removeprefix(KUBELETS)
    try:
        return api.text(f"/api/v1/nodes/{node}/proxy/metrics")
    except StatusError as error:
        url = _on_loopback(api, node)
        if url is None:
            raise Unsupported(f"the API server proxies to no kubelet of {node}: {error}") from error
    try:
        return _told_at(api, url)
    except TargetUnreachable as error:
        raise Unsupported(f"the kubelet of {node} tells us nothing: {error}") from error


def _told_at(api: Api, url: str) -> str:
    """Return what another server tells, asked with the same credentials.

    Components of a control plane have certificates of their own making: theirs are not
    verified. Raises ``TargetUnreachable``.
    """
    granted = api.configuration.auth_settings().get("BearerToken") or {}
    headers = {"Authorization": granted["value"]} if granted.get("value") else {}
    pool: Any = urllib3.PoolManager(
        cert_reqs="CERT_NONE",
        cert_file=api.configuration.cert_file,
        key_file=api.configuration.key_file,
        retries=False,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", urllib3.exceptions.InsecureRequestWarning)
        try:
            answer: Any = pool.request("GET", url, headers=headers, timeout=_SECONDS)
        except urllib3.exceptions.HTTPError as error:
            reason = " ".join(str(error).split())
            raise TargetUnreachable(f"{url} does not answer: {reason}") from error
    if answer.status != 200:
        raise TargetUnreachable(f"{url} answers {answer.status}")
    return cast("bytes", answer.data).decode("utf-8", "replace")


def _on_loopback(api: Api, node: str) -> str | None:
    """Return the kubelet's URL where its node is this machine."""
    try:
        status = api.ask("GET", f"/api/v1/nodes/{node}").get("status") or {}
    except (StatusError, HarnessError):
        return None
    port = ((status.get("daemonEndpoints") or {}).get("kubeletEndpoint") or {}).get("Port")
    for row in status.get("addresses") or []:
        address = str(row.get("address"))
        if address.startswith(_LOOPBACK) and port:
            return f"https://{address}:{port}/metrics"
    return None
