"""Discovery documents: /api, /apis, /version, one per group version, and the aggregated form."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable

import attrs

from conformance.kube.objects import Object
from conformance.kube.resources import Resource
from conformance.reference.apiserver.discovery import openapi
from conformance.reference.apiserver.discovery.openapi import Sharing
from conformance.reference.apiserver.ownership import types

_AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
_JSON = "application/json"

#: Verbs of the subresources that are not plain objects.
_SUBRESOURCE_VERBS = {
    "status": ["get", "patch", "update"],
    "binding": ["create"],
    "token": ["create"],
    "eviction": ["create"],
    "log": ["get"],
}
_SUBRESOURCE_KINDS = {
    "binding": ("", "v1", "Binding"),
    "token": ("authentication.k8s.io", "v1", "TokenRequest"),
    "eviction": ("policy", "v1", "Eviction"),
}


@attrs.frozen(kw_only=True)
class Document:
    """A document as it is sent."""

    body: bytes
    media_type: str = _JSON


def as_told(group: Object) -> Object:
    """Return what aggregated discovery says of a group: what is so."""
    return group


class Discovery:
    """The documents about one set of resources."""

    def __init__(
        self,
        resources: Iterable[Resource],
        version: str,
        preference: Callable[[list[str]], list[str]] = list,
        sharing: Sharing = types.extensions,
        aggregated: Callable[[Object], Object] = as_told,
    ) -> None:
        self._sharing = sharing
        self._aggregated_group = aggregated
        self._preference = preference
        self._resources = tuple(resources)
        self._version = version
        self._makers: dict[str, Callable[[], Object]] = {
            "/api": self._core_versions,
            "/apis": self._groups,
            "/version": self._server_version,
            "/openapi/v3": self._openapi_index,
        }
        for group, version_ in self._group_versions():
            path = f"/apis/{group}/{version_}" if group else f"/api/{version_}"
            self._makers[path] = functools.partial(self._resource_list, group, version_)
            self._makers[f"/openapi/v3{path}"] = functools.partial(
                self._openapi_document, group, version_
            )
            if group:
                self._makers[f"/apis/{group}"] = functools.partial(self._group, group)
        self._made: dict[str, Document] = {}

    def find(self, path: str, accept: str) -> Document | None:
        """Return the document at a path, in the form that is accepted, or nothing."""
        path = path.rstrip("/")
        if path in ("/api", "/apis") and _wants_aggregated(accept):
            return self._make(f"{path} aggregated", functools.partial(self._aggregated, path))
        maker = self._makers.get(path)
        return self._make(path, maker) if maker else None

    def _make(self, name: str, maker: Callable[[], Object]) -> Document:
        if name not in self._made:
            body = json.dumps(maker(), separators=(",", ":")).encode()
            media_type = _AGGREGATED if name.endswith(" aggregated") else _JSON
            self._made[name] = Document(body=body, media_type=media_type)
        return self._made[name]

    def _group_versions(self) -> list[tuple[str, str]]:
        return list(dict.fromkeys((row.group, row.version) for row in self._resources))

    def _of(self, group: str, version: str) -> list[Resource]:
        return [row for row in self._resources if (row.group, row.version) == (group, version)]

    def _core_versions(self) -> Object:
        return {"kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": []}

    def _groups(self) -> Object:
        names = dict.fromkeys(group for group, _ in self._group_versions() if group)
        groups = [_untyped(self._group(name)) for name in names]
        return {"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}

    def _group(self, group: str) -> Object:
        versions = [
            {"groupVersion": f"{group}/{version}", "version": version}
            for version in self._preference([v for g, v in self._group_versions() if g == group])
        ]
        return {
            "kind": "APIGroup",
            "apiVersion": "v1",
            "name": group,
            "versions": versions,
            "preferredVersion": versions[0],
        }

    def _resource_list(self, group: str, version: str) -> Object:
        rows = self._of(group, version)
        return {
            "kind": "APIResourceList",
            "apiVersion": "v1",
            "groupVersion": rows[0].api_version,
            "resources": [entry for row in rows for entry in _resource_entries(row)],
        }

    def _aggregated(self, path: str) -> Object:
        items: list[Object] = []
        names = dict.fromkeys(group for group, _ in self._group_versions())
        for name in names:
            if bool(name) != (path == "/apis"):
                continue
            versions = [
                {
                    "version": version,
                    "resources": [_aggregated_entry(row) for row in self._of(name, version)],
                    "freshness": "Current",
                }
                for group, version in self._group_versions()
                if group == name
            ]
            group = {"metadata": {"name": name} if name else {}, "versions": versions}
            items.append(self._aggregated_group(group))
        return {
            "kind": "APIGroupDiscoveryList",
            "apiVersion": "apidiscovery.k8s.io/v2",
            "metadata": {},
            "items": items,
        }

    def _server_version(self) -> Object:
        major, minor = self._version.split(".")[:2]
        return {
            "major": major,
            "minor": minor,
            "emulationMajor": major,
            "emulationMinor": minor,
            "gitVersion": f"v{major}.{minor}.0+reference",
            "gitCommit": "",
            "gitTreeState": "clean",
            "buildDate": "1970-01-01T00:00:00Z",
            "goVersion": "",
            "compiler": "",
            "platform": "linux/amd64",
        }

    def _openapi_index(self) -> Object:
        paths = [
            f"apis/{group}/{version}" if group else f"api/{version}"
            for group, version in self._group_versions()
        ]
        return {
            "paths": {
                path: {"serverRelativeURL": f"/openapi/v3/{path}?hash={self._version}"}
                for path in paths
            }
        }

    def _openapi_document(self, group: str, version: str) -> Object:
        return openapi.describe(self._of(group, version), self._version, self._sharing)


def _wants_aggregated(accept: str) -> bool:
    clauses = [clause.replace(" ", "").split(";") for clause in accept.split(",")]
    return any("as=APIGroupDiscoveryList" in one and "v=v2" in one for one in clauses)


def _untyped(obj: Object) -> Object:
    return {key: value for key, value in obj.items() if key not in ("kind", "apiVersion")}


def _resource_entries(row: Resource) -> list[Object]:
    entry: Object = {
        "name": row.plural,
        "singularName": row.singular,
        "namespaced": row.namespaced,
        "kind": row.kind,
        "verbs": sorted(row.verbs),
    }
    if row.short_names:
        entry["shortNames"] = list(row.short_names)
    if row.categories:
        entry["categories"] = list(row.categories)
    entries = [entry]
    for name in row.subresources:
        if name not in _SUBRESOURCE_VERBS:
            continue
        group, version, kind = _SUBRESOURCE_KINDS.get(name, ("", "", row.kind))
        sub: Object = {
            "name": f"{row.plural}/{name}",
            "singularName": "",
            "namespaced": row.namespaced,
            "kind": kind,
            "verbs": _SUBRESOURCE_VERBS[name],
        }
        if version:
            sub |= {"group": group, "version": version}
        entries.append(sub)
    return entries


def _aggregated_entry(row: Resource) -> Object:
    main, *subs = _resource_entries(row)
    entry: Object = {
        "resource": main["name"],
        "responseKind": _kind(row.group, row.version, row.kind),
        "scope": "Namespaced" if row.namespaced else "Cluster",
        "singularResource": row.singular,
        "verbs": main["verbs"],
    }
    for key in ("shortNames", "categories"):
        if key in main:
            entry[key] = main[key]
    if subs:
        entry["subresources"] = [
            {
                "subresource": sub["name"].partition("/")[2],
                "responseKind": _kind(
                    sub.get("group", row.group), sub.get("version", row.version), sub["kind"]
                ),
                "verbs": sub["verbs"],
            }
            for sub in subs
        ]
    return entry


def _kind(group: str, version: str, kind: str) -> Object:
    return {"group": group, "version": version, "kind": kind}
