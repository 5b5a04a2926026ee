"""A server's answers, without what is chance: identities, times, versions, message text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from conformance.kube.objects import Object
from conformance.tests.differential.access import Access
from conformance.tests.differential.api.pairs import Write, bases, namespace

_CHANCE = ("managedFields", "uid", "creationTimestamp", "resourceVersion")


class Server:
    """One API server, asked as its administrator over one connection."""

    def __init__(self, access: Access) -> None:
        self._connection = access.connect()
        self._headers = {**access.headers, "Content-Type": "application/json"}

    def close(self) -> None:
        """End the connection."""
        self._connection.close()

    def send(self, write: Write, versions: dict[str, str] | bool = False) -> tuple[int, Object]:
        """Return the code and the decoded answer; ``versions`` are those to name in updates."""
        meta = write.body.get("metadata")
        version, sent = None, write.body
        if versions and isinstance(meta, dict):
            version = versions.get(str(meta.get("name")))
        if version and write.method == "PUT":
            sent = {**sent, "metadata": {**meta, "resourceVersion": version}}
        body = json.dumps(sent)
        self._connection.request(write.method, write.path, body, self._headers)
        response = self._connection.getresponse()
        return response.status, json.loads(response.read())


def ask_all(server: Server, gates: str) -> Iterator[tuple[Write, Object]]:
    """Store the bases, then yield every write with its answer.

    Raises ``AssertionError`` when a base is refused: nothing could be said of its changes.
    """
    code, body = server.send(namespace())
    assert code == 201, body
    for base in bases(gates):
        versions: dict[str, str] = {}
        for write in base.stored():
            code, body = server.send(write, base.conditional and versions)
            assert code in (200, 201), (write.id, body)
            versions[body["metadata"]["name"]] = body["metadata"]["resourceVersion"]
        for write in base.asked():
            yield write, _answer(*server.send(write, base.conditional and versions))


def _answer(code: int, body: Object) -> Object:
    if code >= 400:
        causes = (body.get("details") or {}).get("causes") or []
        pairs = {(one.get("field", ""), one.get("reason", "")) for one in causes}
        return {"code": code, "reason": body.get("reason"), "causes": sorted(map(list, pairs))}
    for key in _CHANCE:
        body["metadata"].pop(key, None)
    return {"code": code, "object": _without_now(body)}


def _without_now(value: Any) -> Any:
    """Replace the times that a server set; those of the bases lie in 2020."""
    if isinstance(value, dict):
        return {
            key: "now"
            if key in ("timeAdded", "lastTransitionTime") and "2020" not in str(one)
            else _without_now(one)
            for key, one in value.items()
        }
    return [_without_now(one) for one in value] if isinstance(value, list) else value
