"""Make conformance/wire/kubernetes/{descriptors.binpb,fields.json} from these .proto files.

A .proto file does not say how a field looks in JSON. That stands in the struct tags of the
Go types beside it: embedded structs are inlined, pointers tell an explicit zero from an
absent value, and fields without ``omitempty`` are written even when zero. ``--go-modules``
names a module cache to read them from (directory ``k8s.io`` of ``go env GOMODCACHE``);
without it only the descriptors are made anew.

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
    if modules:
        table = {}
        for proto in protos:
            table.update(read_package(modules, Path(proto).parent))
        text = json.dumps(table, indent=0, sort_keys=True)
        (TARGET / "fields.json").write_text(text + "\n", "utf-8")


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
