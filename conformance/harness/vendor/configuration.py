"""Read ``dra-conformance.yaml``."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import yaml

from conformance.catalogue import loading
from conformance.catalogue.errors import CatalogueError, UnknownName
from conformance.catalogue.reading import Cell, read
from conformance.harness.errors import TargetMisconfigured
from conformance.harness.process import command
from conformance.harness.process.hook import HOOKS, PATIENCE, Hook
from conformance.harness.subject.protocol import FEATURES, DriverOptions
from conformance.kube import names

#: The name under which the file is looked for.
FILE = "dra-conformance.yaml"

_DRIVER = ("name", "deviceClass")
_MORE = ("command", "classFile", "manifests", "parameters", "env", "features", "startWithin")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_DURATION = re.compile(r"(\d+(?:\.\d+)?(?:ms|s|m|h))+")


@attrs.frozen(kw_only=True)
class Configuration:
    """One file, as it was meant; what it leaves out is empty."""

    driver: DriverOptions
    #: A duration such as ``90s``.
    start_within: str = ""
    profiles: tuple[str, ...] = ()
    #: ``NAME=DIR[:CDI]`` of kubelets that are reached (with a kubeconfig).
    node_roots: tuple[str, ...] = ()


def load(path: Path) -> Configuration:
    """Return the configuration of a file.

    Raises ``TargetMisconfigured`` with file, line, column and one sentence.
    """
    try:
        return _configuration(read(path), path.parent)
    except CatalogueError as error:
        raise TargetMisconfigured(str(error)) from error


def _configuration(root: Cell, folder: Path) -> Configuration:
    fields = root.fields(("driver",), ("profiles", "nodeRoots", "hooks"))
    driver = fields["driver"].fields(_DRIVER, _MORE)
    return Configuration(
        driver=DriverOptions(
            name=_name(driver["name"]),
            device_class=_name(driver["deviceClass"]),
            command=_command(driver["command"]) if "command" in driver else None,
            class_file=folder / driver["classFile"].text() if "classFile" in driver else None,
            manifests=folder / driver["manifests"].text() if "manifests" in driver else None,
            parameters=_parameters(driver.get("parameters")),
            features=_known(driver.get("features"), "feature", FEATURES),
            environment=_environment(driver.get("env")),
            hooks=_hooks(fields.get("hooks")),
        ),
        start_within=_duration(driver["startWithin"]) if "startWithin" in driver else "",
        profiles=_known(fields.get("profiles"), "profile", loading.load().profiles),
        node_roots=fields["nodeRoots"].texts() if "nodeRoots" in fields else (),
    )


def _name(cell: Cell) -> str:
    text = cell.text()
    for trouble in names.dns_subdomain(text):
        raise cell.refuse(f"{text!r}: {trouble}")
    return text


def _command(cell: Cell) -> str:
    text = cell.text()
    try:
        command.check(text)
    except command.CommandError as error:
        raise cell.refuse(str(error)) from error
    return text


def _duration(cell: Cell) -> str:
    text = cell.text()
    if not _DURATION.fullmatch(text):
        raise cell.refuse(f"{text!r} is no duration; write 60s, 10m or 1h30m")
    return text


def _known(cell: Cell | None, kind: str, known: Mapping[str, object]) -> tuple[str, ...]:
    if cell is None:
        return ()
    for item in cell.items():
        if item.text() not in known:
            raise item.refuse(str(UnknownName(kind, item.text(), known)))
    return cell.texts()


def _environment(cell: Cell | None) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for name, (key, value) in (cell.entries() if cell else {}).items():
        if not _VARIABLE.fullmatch(name):
            raise key.refuse(f"{name!r} is no name of an environment variable")
        found[name] = value.text()
    return found


def _parameters(cell: Cell | None) -> Mapping[str, Any]:
    if cell is None:
        return {}
    cell.entries()
    found = yaml.constructor.SafeConstructor().construct_document(cell.node)
    try:
        json.dumps(found)
    except TypeError as error:  # a date, for example
        raise cell.refuse(f"the parameters can't be written as JSON: {error}") from error
    return found


def _hooks(cell: Cell | None) -> Mapping[str, Hook]:
    found: dict[str, Hook] = {}
    for name, (key, value) in (cell.entries() if cell else {}).items():
        if name not in HOOKS:
            raise key.refuse(str(UnknownName("hook", name, HOOKS)))
        fields = value.fields(("command",), ("seconds",))
        seconds = fields["seconds"].number() if "seconds" in fields else PATIENCE
        found[name] = Hook(name=name, command=_command(fields["command"]), seconds=seconds)
    return found
