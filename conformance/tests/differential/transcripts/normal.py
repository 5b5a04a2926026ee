"""An answer without what is chance: identities, times, revisions, texts for people."""

from __future__ import annotations

import re
from typing import Any

from conformance.kube.objects import Object

_UID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_TIME = re.compile(r"20(?!20)\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")

#: Dropped wherever they stand.
_DROPPED = ("message",)


#: What tells one entry of managedFields from another.
_OWNER = ("operation", "manager", "apiVersion", "subresource")


class Symbols:
    """Names for what differs from run to run, in the order in which it was first seen."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self._newest = 0
        self._prefix = ""

    def expect_name(self, prefix: str) -> None:
        """Take what begins so and has five letters more as a generated name."""
        self._prefix = prefix

    def normal(self, body: Any) -> Any:
        """Return an answer's body with symbols."""
        if not isinstance(body, dict):
            return body
        return self._map(body, is_list=str(body.get("kind", "")).endswith("List"))

    def event(self, event: Object) -> Object:
        """Return a watch event with symbols."""
        obj = event["object"]
        if event["type"] != "BOOKMARK":
            return {"type": event["type"], "object": self.normal(obj)}
        # Of a bookmark only the metadata mean something; Go writes empty fields of its kind.
        kept = {key: obj[key] for key in ("apiVersion", "kind", "metadata")}
        bookmark = self._map(kept, is_list=True)
        # Which revision it names depends on what else a cluster wrote; that it names one is all.
        bookmark["metadata"]["resourceVersion"] = "some"
        return {"type": "BOOKMARK", "object": bookmark}

    def _map(self, value: Object, *, is_list: bool = False) -> Object:
        result: Object = {}
        for key, one in value.items():
            if key in _DROPPED or (key == "details" and not one):
                continue
            if key == "causes":
                # The order of causes is not promised.
                rows = sorted(one, key=lambda row: (row.get("field", ""), row["reason"]))
                result[key] = [self._map(row) for row in rows]
            elif key == "managedFields":
                # They stand in the order of their times, which a fast and a slow server share not.
                result[key] = self._owners(one)
            elif key == "fieldsV1":
                result[key] = self._fields(one)
            elif key == "metadata" and isinstance(one, dict):
                result[key] = self._metadata(one, is_list=is_list)
            else:
                result[key] = self._any(one)
        return result

    def _owners(self, rows: list[Object]) -> list[Object]:
        order = sorted(rows, key=lambda row: [row.get(name, "") for name in _OWNER])
        return [self._map(row) for row in order]

    def _fields(self, node: Object) -> Object:
        """Return FieldsV1 with symbols in the keys of lists."""
        named = {_UID.sub(lambda uid: self._name(uid[0], "uid"), key): key for key in node}
        return {name: self._fields(node[key]) for name, key in named.items()}

    def _metadata(self, meta: Object, *, is_list: bool) -> Object:
        rest = {key: one for key, one in meta.items() if key not in ("resourceVersion", "continue")}
        result = self._map(rest)
        revision = meta.get("resourceVersion", "")
        if revision:
            result["resourceVersion"] = self._revision(revision, is_list=is_list)
        if meta.get("continue"):
            result["continue"] = "token"
        return result

    def _revision(self, revision: str, *, is_list: bool) -> str:
        # Revisions count the writes of a whole cluster: others may have written in between.
        is_new = int(revision) >= self._newest
        self._newest = max(self._newest, int(revision))
        if is_list:
            return "recent" if is_new else self._names.get(revision, "past")
        return self._name(revision, "revision")

    def _any(self, value: Any) -> Any:
        if isinstance(value, dict):
            return self._map(value)
        if isinstance(value, list):
            return [self._any(one) for one in value]
        if not isinstance(value, str):
            return value
        if _UID.fullmatch(value):
            return self._name(value, "uid")
        if self._prefix and re.fullmatch(re.escape(self._prefix) + "[a-z0-9]{5}", value):
            return f"{self._prefix}*"
        return "time" if _TIME.fullmatch(value) else value

    def _name(self, value: str, kind: str) -> str:
        if value not in self._names:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            self._names[value] = f"{kind}-{self._counts[kind]}"
        return self._names[value]


def shown(answer: Object, paths: tuple[str, ...]) -> Object:
    """Return only these fields of an answer's body; all of it without paths."""
    body = answer.get("body")
    if not paths or not isinstance(body, dict) or body.get("kind") == "Status":
        return answer
    return {**answer, "body": {path: _get(body, path) for path in paths}}


def _get(value: Any, path: str) -> Any:
    for step in path.split("."):
        if isinstance(value, list):
            value = value[int(step)] if int(step) < len(value) else None
        else:
            value = value.get(step) if isinstance(value, dict) else None
    return value
