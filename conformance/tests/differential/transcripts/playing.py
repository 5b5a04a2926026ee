"""Hold a conversation: ask every step, return every answer in its normal form."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Iterator
from typing import Any

from conformance.kube.objects import Object
from conformance.tests.differential.access import Access
from conformance.tests.differential.transcripts.normal import Symbols, shown
from conformance.tests.differential.transcripts.script import Script, Step, fill

#: How long an event is waited for that does not come.
_PATIENCE = 5.0


class Player:
    """Asks one server; ``forget`` makes it forget its past."""

    def __init__(self, access: Access, forget: Callable[[], None]) -> None:
        self._access = access
        self._forget = forget

    def play(self, script: Script) -> list[Object]:
        """Return the answers, each with the sentence of its step."""
        conversation = _Conversation(self._access, script.name, self._forget)
        try:
            return [row for step in script.steps for row in conversation.rows(step)]
        finally:
            conversation.close()


class _Conversation:
    def __init__(self, access: Access, name: str, forget: Callable[[], None]) -> None:
        self._access = access
        self._forget = forget
        self._symbols = Symbols()
        self._known: dict[str, Any] = {"ns": name}
        self._watches: dict[str, tuple[http.client.HTTPConnection, http.client.HTTPResponse]] = {}
        space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
        code, answer, _ = self._send("POST", "/api/v1/namespaces", json.dumps(space), {})
        assert code == 201, answer

    def close(self) -> None:
        for connection, _ in self._watches.values():
            connection.close()

    def rows(self, step: Step) -> Iterator[Object]:
        if step.forget:
            self._forget()
            yield {"say": step.say}
        elif step.watch:
            yield {"say": step.say, **self._watch(step)}
        elif step.read:
            yield {"say": step.say, **self._read(step)}
        else:
            yield from self._ask(step)

    def _ask(self, step: Step) -> Iterator[Object]:
        method, _, path = step.do.partition(" ")
        for value in step.each or ("",):
            known = {**self._known, "each": value}
            body = step.raw
            if step.body is not None:
                # Compact, as Go writes: a server keeps the bytes of JSON without a schema.
                body = json.dumps(fill(step.body, known), separators=(",", ":"))
                self._symbols.expect_name(_prefix(step.body))
            headers = {"Content-Type": step.type, "Accept": step.accept}
            code, answer, warnings = self._send(method, fill(path, known), body, headers)
            if step.save:
                self._known[step.save] = answer
            row: Object = {"say": f"{step.say}: {value}" if value else step.say, "code": code}
            if warnings:
                row["warnings"] = warnings
            yield shown({**row, "body": self._symbols.normal(answer)}, step.show)

    def _send(
        self, method: str, path: str, body: str | None, headers: dict[str, str]
    ) -> tuple[int, Any, list[str]]:
        connection = self._access.connect()
        try:
            data = None if body is None else body.encode()
            connection.request(method, path, data, {**self._access.headers, **headers})
            response = connection.getresponse()
            warnings = response.headers.get_all("Warning") or []
            return response.status, _document(response.read()), list(warnings)
        finally:
            connection.close()

    def _watch(self, step: Step) -> Object:
        connection = self._access.connect(_PATIENCE)
        path = fill(step.watch, self._known)
        connection.request("GET", path, headers={**self._access.headers, "Accept": step.accept})
        response = connection.getresponse()
        self._watches[step.name] = (connection, response)
        if response.status == 200:
            return {"code": 200}
        return {
            "code": response.status,
            "body": self._symbols.normal(_document(response.read())),
        }

    def _read(self, step: Step) -> Object:
        _, response = self._watches[step.read]
        events: list[Object] = []
        while len(events) < step.count:
            try:
                line = response.readline()
            except TimeoutError:
                return {"events": events, "then": "silence"}
            if not line:
                return {"events": events, "then": "end"}
            event = json.loads(line)
            if _is_at_will(event):
                continue
            one = self._symbols.event(event)
            events.append({"type": one["type"], **shown({"body": one["object"]}, step.show)})
        return {"events": events}


def _is_at_will(event: Object) -> bool:
    """Whether a server sends this when it likes: a bookmark that ends no list."""
    notes = event["object"].get("metadata", {}).get("annotations", {})
    return event["type"] == "BOOKMARK" and "k8s.io/initial-events-end" not in notes


def _prefix(body: Any) -> str:
    meta = body.get("metadata") if isinstance(body, dict) else None
    return str(meta.get("generateName", "")) if isinstance(meta, dict) else ""


def _document(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        return data.decode(errors="replace")
