"""The CDI specs on a node: read as a container runtime does, and judged by the specification."""

from __future__ import annotations

import contextlib
import functools
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs
import jsonschema
import yaml
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT7

from conformance import data
from conformance.harness import expect
from conformance.harness.errors import Undecided, Unsupported, Violation
from conformance.harness.kubeletside.claims import Answer
from conformance.harness.observe import files
from conformance.kube.objects import Object

#: Versions of the specification that runtimes know (SPEC.md, Released versions).
VERSIONS = ("0.3.0", "0.4.0", "0.5.0", "0.6.0", "0.7.0", "0.8.0", "1.0.0", "1.1.0")

#: A spec of nobody, which no driver has any business with.
FOREIGN = {
    "cdiVersion": "0.3.0",
    "kind": "stranger.dra-conformance.test/device",
    "devices": [{"name": "foreign", "containerEdits": {"env": ["FOREIGN=1"]}}],
}

#: The fields that a loader knows; it refuses a spec with any other.
_SPEC = {"cdiVersion", "kind", "annotations", "devices", "containerEdits"}
_DEVICE = {"name", "annotations", "containerEdits"}
_EDITS = {"env", "deviceNodes", "netDevices", "hooks", "mounts", "intelRdt", "additionalGids"}

_NAME = r"[A-Za-z0-9]([A-Za-z0-9_.:-]*[A-Za-z0-9])?"
_VENDOR = r"[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?"
_KIND = re.compile(f"{_VENDOR}/{_VENDOR}")


@attrs.frozen
class Spec:
    """One file, and what stands in it."""

    file: str
    document: Object

    @property
    def devices(self) -> Mapping[str, Object]:
        """The devices that it describes, by qualified name."""
        return {f"{self.document['kind']}={one['name']}": one for one in self.document["devices"]}


@attrs.frozen
class Specs:
    """What lay in a folder at one time: texts by file name."""

    texts: Mapping[str, str]

    def undescribed(self, ids: Iterable[str]) -> list[str]:
        """Return those of these devices that no file describes."""
        return [one for one in ids if not self.files_of(one)]

    def describing(self, ids: Iterable[str]) -> list[Spec]:
        """Return the specs that describe any of these devices."""
        wanted = set(ids)
        return [one for one in self.readable() if wanted & set(one.devices)]

    def files_of(self, device: str) -> list[str]:
        """Return each file as often as it describes a device."""
        return [
            spec.file
            for spec in self.readable()
            for one in spec.document["devices"]
            if f"{spec.document['kind']}={one['name']}" == device
        ]

    def edits_of(self, device: str) -> Any:
        """Return what a device makes of a container, None where nothing describes it."""
        for spec in self.readable():
            if device in spec.devices:
                shared = spec.document.get("containerEdits")
                return [shared, spec.devices[device].get("containerEdits")]
        return None

    def edits(self, ids: Iterable[str]) -> list[Object]:
        """Return every edit that a container with these devices gets."""
        wanted = set(ids)
        return [
            edits
            for spec in self.describing(wanted)
            for one in (spec.document, *(spec.devices.get(name, {}) for name in sorted(wanted)))
            if (edits := one.get("containerEdits"))
        ]

    def fresh(self, before: Specs) -> list[str]:
        """Return the files that were not there before, or not so."""
        return [one for one, text in self.texts.items() if before.texts.get(one) != text]

    def left(self, before: Specs, claim: Object, answer: Answer) -> list[str]:
        """Return the files that are there since before for a claim, or describe its devices."""
        ids = {one for device in answer.devices for one in device.cdi_ids}
        own = {spec.file for spec in self.describing(ids - before.devices())}
        uid = claim["metadata"]["uid"]
        return sorted(own | {name for name, text in self.texts.items() if uid in f"{name}{text}"})

    def left_of_failure(
        self, before: Specs, claim: Object, driver: str, *, alone: bool
    ) -> list[str]:
        """Return the files that are new since before, though no claim was prepared.

        Unless the driver has the folder ``alone``, they are those that name the claim or the
        driver: others write there as well.
        """
        marks = ("",) if alone else (claim["metadata"]["uid"], driver)
        new = {name: f"{name}{self.texts[name]}" for name in self.fresh(before)}
        return sorted(name for name, text in new.items() if any(one in text for one in marks))

    def torn(self, before: Specs) -> list[str]:
        """Return the files that came or changed since before and in which nobody finds a device."""
        whole = {one.file for one in self.readable()}
        return sorted(set(self.fresh(before)) - whole)

    def devices(self) -> frozenset[str]:
        """Return the qualified names of all devices."""
        return frozenset(name for spec in self.readable() for name in spec.devices)

    def readable(self) -> Iterator[Spec]:
        """Yield what a runtime would find devices in; files that are no specs have none."""
        for name, text in self.texts.items():
            with contextlib.suppress(ValueError, TypeError, KeyError, yaml.YAMLError):
                spec = Spec(name, yaml.safe_load(text))
                if spec.devices:
                    yield spec


@attrs.frozen
class Folder:
    """The folder in which the runtime of a node looks."""

    path: Path

    def read(self) -> Specs:
        """Return what lies there now."""
        texts: dict[str, str] = {}
        for path in sorted(self.path.iterdir()):
            if path.suffix in {".json", ".yaml"}:
                with contextlib.suppress(FileNotFoundError):
                    texts[path.name] = path.read_text("utf-8", "replace")
        return Specs(texts)

    def others(self) -> frozenset[str]:
        """Return the names of what lies there and is not read."""
        return frozenset(
            path.name for path in self.path.iterdir() if path.suffix not in {".json", ".yaml"}
        )

    def remove(self, ids: Iterable[str]) -> None:
        """Remove every file that describes one of these devices."""
        for spec in self.read().describing(ids):
            (self.path / spec.file).unlink(missing_ok=True)

    @contextlib.contextmanager
    def blocked(self) -> Iterator[None]:
        """Have a file in the folder's place for a while: nobody can write below it.

        Permissions would not keep a driver from writing that runs as root.
        """
        aside = self.path.with_name(f".{self.path.name}.aside")
        self.path.rename(aside)
        self.path.touch()
        try:
            yield
        finally:
            self.path.unlink()
            aside.rename(self.path)

    @contextlib.contextmanager
    def foreign(self, name: str) -> Iterator[Path]:
        """Have a spec of nobody in the folder for a while."""
        path = self.path / f"{name}-foreign.json"
        path.write_text(json.dumps(FOREIGN), "utf-8")
        try:
            yield path
        finally:
            path.unlink(missing_ok=True)


def ids_of(answer: Answer) -> list[str]:
    """Return the CDI devices of an answer; raises ``Unsupported`` where it names none."""
    ids = sorted({one for device in answer.devices for one in device.cdi_ids})
    if not ids:
        raise Unsupported("the check looks at CDI specs, and the driver returns no CDI device")
    return ids


def resolved(specs: Specs, answer: Answer) -> list[Spec]:
    """Return the specs of an answer; raises ``Violation`` for a device that none describes."""
    ids = ids_of(answer)
    missing = specs.undescribed(ids)
    hint = "writing the spec before the answer"
    expect.same(missing, [], path="devices[].cdi_device_ids", hint=hint)
    return specs.describing(ids)


def standing(specs: Specs, answer: Answer) -> list[Spec]:
    """Stand on the specs of an answer: valid, and one for each device, or ``Undecided``."""
    try:
        return valid(resolved(specs, answer))
    except Violation as violation:
        raise Undecided(f"not judged, since a CDI spec is wrong: {violation}") from violation


def valid(specs: list[Spec]) -> list[Spec]:
    """Return specs that a runtime loads; raises ``Violation`` for the first that it does not."""
    for spec in specs:
        for trouble in _troubles(spec.document):
            raise Violation("a valid CDI spec", path=spec.file, observed=trouble)
    return specs


def empty(specs: list[Spec]) -> list[str]:
    """Return the devices that change nothing in a container."""
    return [
        name
        for spec in specs
        for name, device in spec.devices.items()
        if not any((device.get("containerEdits") or {}).values())
    ]


def too_low(specs: list[Spec]) -> list[str]:
    """Return the specs whose content needs a higher version than they say."""
    return [_story(spec) for spec in specs if _key(_said(spec)) < _key(_needed(spec))]


def too_high(specs: list[Spec]) -> list[str]:
    """Return the specs that say a higher version than their content needs."""
    return [_story(spec) for spec in specs if _key(_said(spec)) > _key(_needed(spec))]


def _story(spec: Spec) -> str:
    return f"{spec.file}: says {_said(spec)}, needs {_needed(spec)}"


def _said(spec: Spec) -> str:
    return str(spec.document["cdiVersion"]).removeprefix("v")


def _needed(spec: Spec) -> str:
    return files.lowest_cdi_version(spec.document)


def _key(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _troubles(document: Object) -> Iterator[str]:
    for error in _validator().iter_errors(document):
        yield f"{error.message} at {error.json_path}"
    if str(document["cdiVersion"]).removeprefix("v") not in VERSIONS:
        yield f"unknown version {document['cdiVersion']!r}"
    if not _KIND.fullmatch(document["kind"]):
        yield f"kind {document['kind']!r} is not <vendor>/<class>"
    yield from _unknown("spec", document, _SPEC)
    yield from _unknown("containerEdits", document.get("containerEdits") or {}, _EDITS)
    for device in document["devices"]:
        if not re.fullmatch(_NAME, device["name"]):
            yield f"device name {device['name']!r}"
        yield from _unknown("device", device, _DEVICE)
        yield from _edits(device["containerEdits"])


def _edits(edits: Object) -> Iterator[str]:
    yield from _unknown("containerEdits", edits, _EDITS)
    for one in edits.get("env") or []:
        if not isinstance(one, str) or "=" not in one[1:]:
            yield f"env entry {one!r} is not <name>=<value>"


def _unknown(what: str, found: Object, known: set[str]) -> Iterator[str]:
    for name in sorted(set(found) - known):
        yield f"unknown field {name!r} of {what}"


@functools.cache
def _validator() -> jsonschema.Draft7Validator:
    """Return the schema of the CDI project, v1.1.0."""
    schema, definitions = (
        json.loads(data.schemas("cdi", name).read_text("utf-8"))
        for name in ("schema.json", "defs.json")
    )
    known: Registry[Any] = Registry()
    resource = Resource.from_contents(definitions, default_specification=DRAFT7)
    return jsonschema.Draft7Validator(schema, registry=known.with_resource("defs.json", resource))
