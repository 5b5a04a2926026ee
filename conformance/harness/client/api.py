"""Plain objects in and out of an API server, and what was said kept as evidence."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import urllib3.exceptions

from conformance.harness.client.paths import path_of
from conformance.harness.client.transport import Parameters, Transport, anonymous
from conformance.harness.errors import TargetUnreachable
from conformance.harness.exchange import Exchange, Exchanges
from conformance.kube.objects import Object
from conformance.kube.resources import Resource
from conformance.kube.status import StatusError

#: Seconds until an answer is there.
_READ = 30.0

_JSON = "application/json"
_AS = f"{_JSON};g=meta.k8s.io;v=v1;as="

#: All of discovery in one answer.
_DISCOVERY = f"{_JSON};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
#: Characters that are shown of an answer that is none of Kubernetes.
_SHOWN = 100

MERGE_PATCH = "application/merge-patch+json"
JSON_PATCH = "application/json-patch+json"
STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json"
APPLY_PATCH = "application/apply-patch+yaml"


class Api:
    """Plain objects in and out, typed by resource; every exchange is remembered."""

    def __init__(self, configuration: Any, headers: Mapping[str, str] | None = None) -> None:
        #: The library's configuration: credentials, for whoever asks another server.
        self.configuration = configuration
        self._transport = Transport(configuration, headers or {})
        self.server: str = configuration.host
        self.exchanges = Exchanges()
        self.clock: Callable[[], float] = lambda: 0.0

    def close(self) -> None:
        """Close every connection."""
        self._transport.close()

    def with_token(self, token: str) -> Api:
        """Return a client of the same server for somebody else, who is known by a token."""
        configuration = anonymous(self.configuration)
        configuration.api_key = {"authorization": f"Bearer {token}"}
        return self._beside(Api(configuration))

    def acting_as(self, user: str, group: str) -> Api:
        """Return a client with our credentials that acts as another user of one group."""
        headers = {"Impersonate-User": user, "Impersonate-Group": group}
        return self._beside(Api(self.configuration, headers))

    def _beside(self, other: Api) -> Api:
        # What anybody says in a check is evidence of that check.
        other.exchanges, other.clock = self.exchanges, self.clock
        return other

    def get(self, resource: Resource, name: str, namespace: str | None = None) -> Object:
        """Return one object; raises ``StatusError``."""
        return self.ask("GET", path_of(resource, namespace, name))

    def list(
        self,
        resource: Resource,
        namespace: str | None = None,
        *,
        labels: str = "",
        fields: str = "",
    ) -> list[Object]:
        """Return the objects that the selectors match; raises ``StatusError``."""
        query = {"labelSelector": labels, "fieldSelector": fields}
        answer = self.ask("GET", path_of(resource, namespace), query=query)
        kind = {"apiVersion": resource.api_version, "kind": resource.kind}
        return [{**kind, **item} for item in answer.get("items") or []]

    def create(self, resource: Resource, body: Object, namespace: str | None = None) -> Object:
        """Create an object; raises ``StatusError``."""
        return self.ask("POST", path_of(resource, namespace), body)

    def update(
        self,
        resource: Resource,
        body: Object,
        namespace: str | None = None,
        *,
        subresource: str = "",
    ) -> Object:
        """Replace an object or its subresource; raises ``StatusError``."""
        name = body["metadata"]["name"]
        return self.ask("PUT", path_of(resource, namespace, name, subresource), body)

    def patch(
        self,
        resource: Resource,
        name: str,
        body: Any,
        namespace: str | None = None,
        *,
        subresource: str = "",
        content_type: str = MERGE_PATCH,
    ) -> Object:
        """Patch an object or its subresource; raises ``StatusError``."""
        path = path_of(resource, namespace, name, subresource)
        return self.ask("PATCH", path, body, content_type=content_type)

    def delete(
        self,
        resource: Resource,
        name: str,
        namespace: str | None = None,
        *,
        grace: int | None = None,
    ) -> None:
        """Ask for the deletion of an object; raises ``StatusError``."""
        options: Object | None = None
        if grace is not None:
            options = {"apiVersion": "v1", "kind": "DeleteOptions", "gracePeriodSeconds": grace}
        self.ask("DELETE", path_of(resource, namespace, name), options)

    def log(self, namespace: str, pod: str, container: str) -> str:
        """Return what a container wrote so far; raises ``StatusError``."""
        path = f"/api/v1/namespaces/{namespace}/pods/{pod}/log"
        return self.text(path, query={"container": container})

    def token_of(self, namespace: str, account: str, spec: Object) -> str:
        """Return a new token of a ServiceAccount; raises ``StatusError``."""
        kind = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest"}
        path = f"/api/v1/namespaces/{namespace}/serviceaccounts/{account}/token"
        return self.ask("POST", path, {**kind, "spec": spec})["status"]["token"]

    def text(self, path: str, query: Mapping[str, str] | None = None) -> str:
        """Return an answer that is no JSON; raises ``StatusError``."""
        return self._exchange("GET", path, query=query, types=(_JSON, "text/plain, */*"))[0]

    def warned(
        self, method: str, path: str, body: Any = None, *, query: Mapping[str, str] | None = None
    ) -> tuple[Object, str]:
        """Return an answer as ``ask`` does, and its Warning headers; empty where it has none."""
        return self._exchange(method, path, body, query=query)

    def table(self, path: str) -> Object:
        """Return a collection as a Table, the form that ``kubectl get`` prints."""
        return self._exchange("GET", path, types=(_JSON, f"{_AS}Table"))[0]

    def metadata(self, path: str) -> Object:
        """Return a collection as metadata alone, the form that the garbage collector reads."""
        return self._exchange("GET", path, types=(_JSON, f"{_AS}PartialObjectMetadataList"))[0]

    def discovery(self) -> Object:
        """Return what the server says of all groups at once: their versions and resources."""
        return self._exchange("GET", "/apis", types=(_JSON, _DISCOVERY))[0]

    def events(
        self, path: str, count: int, *, query: Mapping[str, str] | None = None, seconds: float
    ) -> Sequence[Object]:
        """Return the first events of a watch: ``count`` of them, or those of so many seconds.

        Raises ``StatusError`` for what the server refuses.
        """
        parameters = [("watch", "true"), *(query or {}).items()]
        found: list[Object] = []
        response = self._transport.open(
            "GET", path, None, parameters, types=(_JSON, _JSON), seconds=seconds
        )
        status, shown = response.status, _shown(path, parameters)
        if status >= 400:
            text = self._transport.read(response)
            self._remember("GET", shown, None, status, _decode(text))
            raise _refusal(status, _decode(text), text)
        rest = b""
        try:
            for chunk in response.stream():
                *lines, rest = (rest + chunk).split(b"\n")
                found += [json.loads(line) for line in lines if line.strip()]
                if len(found) >= count:
                    break
        except urllib3.exceptions.HTTPError:
            pass  # Silence is an answer: nothing else happened.
        finally:
            response.close()
        self._remember("GET", shown, None, status, found[:count])
        return found[:count]

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Mapping[str, str] | None = None,
        content_type: str = "application/json",
    ) -> Object:
        """Send a request and return the answer as JSON.

        Raises ``StatusError`` for what the server refuses, ``TargetUnreachable`` where no
        server answers or what answers is none.
        """
        return self._exchange(method, path, body, query=query, types=(content_type, _JSON))[0]

    def _exchange(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Mapping[str, str] | None = None,
        types: tuple[str, str] = (_JSON, _JSON),
    ) -> tuple[Any, str]:
        """Return the answer and its Warning headers; ``types`` are sent and accepted."""
        parameters = [(key, value) for key, value in (query or {}).items() if value]
        response = self._transport.open(method, path, body, parameters, types=types, seconds=_READ)
        status, text = response.status, self._transport.read(response)
        is_json = types[1].startswith(_JSON) or status >= 400
        answer: Any = _decode(text) if is_json else text
        shown = _shown(path, parameters)
        self._remember(method, shown, body, status, answer)
        if status >= 400:
            raise _refusal(status, answer, text)
        if answer is None:
            raise TargetUnreachable(f"{self.server}: the answer to {method} {shown} is not JSON")
        return answer, str(response.headers.get("Warning", ""))

    def _remember(self, method: str, path: str, request: Any, status: int, response: Any) -> None:
        said: dict[str, Any] = {"method": method, "path": path, "request": request}
        self.exchanges.add(Exchange(**said, status=status, response=response, at=self.clock()))


def _shown(path: str, parameters: Parameters) -> str:
    """Return a path with its query, as evidence shows it."""
    query = "&".join(f"{key}={value}" for key, value in parameters)
    return f"{path}?{query}" if query else path


def _decode(text: str) -> Any:
    try:
        return json.loads(text) if text else {}
    except json.JSONDecodeError:
        return None


def _refusal(status: int, answer: Any, text: str) -> StatusError:
    if isinstance(answer, dict) and cast("Object", answer).get("kind") == "Status":
        return StatusError.from_object(answer, status)
    said = f" but {' '.join(text.split())[:_SHOWN]!r}" if text.strip() else ""
    return StatusError(status, "Unknown", f"the server answered without a Status{said}")
