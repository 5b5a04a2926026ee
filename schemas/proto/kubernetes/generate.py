"""Make {descriptors.binpb,fields.json,lists.json} of conformance/wire/kubernetes from .proto files.

A .proto file does not say how a field looks in JSON. That stands in the struct tags of the
Go types beside it: embedded structs are inlined, pointers tell an explicit zero from an
absent value, and fields without ``omitempty`` are written even when zero. ``--go-modules``
names a module cache to read them from (directory ``k8s.io`` of ``go env GOMODCACHE``);
without it only the descriptors and the lists are made anew.

How two writers share a list or a map stands in markers of the comments (``+listType=map``,
``+listMapKey=``, ``+mapType=``, ``+structType=``); they go to ``lists.json``.

    python schemas/proto/kubernetes/generate.py [--go-modules DIR]
"""

# ruff: noqa: INP001 - a script beside its data, no package

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

from grpc_tools import protoc

HERE = Path(__file__).resolve().parent
TARGET = HERE.parents[2] / "conformance" / "wire" / "kubernetes"
VERSION = "v0.37.2"
STRUCT = re.compile(r"^type (\w+) struct \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
MARKER = re.compile(r"\s*// \+(listType|listMapKey|mapType|structType|default)=(.+?)\s*$")
MESSAGE = re.compile(r"message (\w+) \{")
PROTO_FIELD = re.compile(r"  (?:optional |repeated )?[\w.]+(?:<.*>)? (\w+) = \d+")
FIELD = re.compile(
    r"^\t(?:\w+ +)?(?P<type>[*\[\]\w.]+) +`json:\"(?P<json>[^\"]*)\"[^`]*"
    r"protobuf:\"(?P<proto>[^\"]*)\"",
    re.MULTILINE,
)


def main() -> None:
    """Write both files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--go-modules", type=Path)
    modules = parser.parse_args().go_modules
    protos = sorted(str(path.relative_to(HERE)) for path in HERE.rglob("*.proto"))
    output = TARGET / "descriptors.binpb"
    # Unused imports are upstream's; the warnings of protoc say nothing else.
    arguments = ["protoc", f"-I{HERE}", f"--descriptor_set_out={output}", *protos]
    if protoc.main(arguments):
        raise SystemExit("protoc failed")
    sharing: dict[str, dict[str, str]] = {}
    for proto in protos:
        sharing.update(read_sharing(proto))
    text = json.dumps(sharing, indent=0, sort_keys=True)
    (TARGET / "lists.json").write_text(text + "\n", "utf-8")
    if modules:
        table = {}
        for proto in protos:
            table.update(read_package(modules, Path(proto).parent))
        text = json.dumps(table, indent=0, sort_keys=True)
        (TARGET / "fields.json").write_text(text + "\n", "utf-8")


def read_sharing(proto: str) -> dict[str, dict[str, str]]:
    """Return by message and proto field: atomic, set, map=KEYS, granular or default=VALUE.

    The empty field is the message itself.
    """
    table: dict[str, dict[str, str]] = {}
    message, markers = "", []
    package = ".".join(Path(proto).parent.parts)
    for line in (HERE / proto).read_text("utf-8").splitlines():
        begun, marker, field = MESSAGE.match(line), MARKER.match(line), PROTO_FIELD.match(line)
        if marker:
            markers.append(marker.groups())
        elif begun or field:
            message = f"{package}.{begun[1]}" if begun else message
            if word := sharing_of(markers):
                table.setdefault(message, {})["" if begun else field[1]] = word
            markers = []
    return table


def sharing_of(markers: list[tuple[str, str]]) -> str:
    """Return what the markers of one field say, empty for nothing."""
    given = dict(markers)
    if given.get("listType") == "map":
        return "map=" + ",".join(value for name, value in markers if name == "listMapKey")
    for name in ("listType", "mapType", "structType"):
        if name in given:
            return given[name]
    # Of defaults only those of keys matter; keys are plain strings.
    default = given.get("default", "")
    return f"default={json.loads(default)}" if default.startswith('"') else ""


def read_package(modules: Path, package: Path) -> dict[str, dict[str, str]]:
    """Return flags by message and proto field: inline, pointer or kept."""
    module, *rest = package.parts[1:]
    folder = modules / f"{module}@{VERSION}" / Path(*rest)
    table: dict[str, dict[str, str]] = {}
    for source in sorted(folder.glob("*.go")):
        if source.name.startswith("zz_") or source.name.endswith("_test.go"):
            continue
        for name, body in STRUCT.findall(source.read_text("utf-8")):
            rows = dict(filter(None, map(read_field, FIELD.finditer(body))))
            if rows:
                table[".".join([*package.parts, name])] = rows
    return table


def read_field(match: re.Match[str]) -> tuple[str, str] | None:
    """Return the proto name of a field that is not plain omitempty, and ``FLAG[=JSON name]``."""
    proto = re.search(r"name=(\w+)", match["proto"])
    name, *options = match["json"].split(",")
    if name == "-":
        return None
    if proto is None:
        # An embedded struct may go without a name: its type is the name.
        kind = match["type"]
        return kind[0].lower() + kind[1:], "inline"
    if not name or "inline" in options:
        return proto[1], "inline"
    kept = "omitempty" not in options and "omitzero" not in options
    flag = "pointer" if match["type"].startswith("*") else "kept" if kept else ""
    if name != proto[1]:
        flag += f"={name}"
    return (proto[1], flag) if flag else None


if __name__ == "__main__":
    main()
