"""A text of YAML or JSON as objects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, cast

import yaml
from attrs import field, frozen

from conformance.kube.objects import Object
from conformance.policy.manifests.values import ValueTrouble, value_of
from conformance.policy.model import Place, Trouble
from conformance.policy.world import Manifest

#: apiVersion of what was seen, rather than applied: records of a run, metrics, a cluster.
EVIDENCE = "evidence.dra-conformance/v1"

_SEPARATOR = re.compile(r"^---(?=\s|$)", re.MULTILINE)
#: What no document of YAML can hold.
_ILLEGAL = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TEMPLATE = re.compile(r"\{\{")
#: What templates of Helm say, and what no manifest says that only quotes a template.
_HELM = re.compile(
    r"\{\{-?\s*(include|template|tpl|toYaml)\s"
    r"|\{\{[^{}]*(?<![\w.])\$?\.(Values|Release|Chart|Capabilities|Files)\b"
)
_NOT_RENDERED = "this template was not rendered: judge what helm template prints"


@frozen(kw_only=True)
class Reading:
    """What came out of files."""

    manifests: tuple[Manifest, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    #: Documents that are no Kubernetes objects, such as the values of a chart.
    others: int = 0
    files: int = field(default=0)

    def __add__(self, other: Reading) -> Reading:
        """Return both together, in that order."""
        return Reading(
            manifests=self.manifests + other.manifests,
            troubles=self.troubles + other.troubles,
            others=self.others + other.others,
            files=self.files + other.files,
        )


def read_text(text: str, file: str) -> Reading:
    """Return the objects of a text; ``file`` is what it is called in places."""
    manifests: list[Manifest] = []
    troubles: list[Trouble] = []
    others = 0
    for one in _documents(text, file):
        if isinstance(one, Trouble):
            troubles.append(one)
            continue
        found = _document(one, file)
        if isinstance(found, Trouble):
            troubles.append(found)
        elif found is None:
            others += 1
        else:
            manifests += found
    return Reading(manifests=tuple(manifests), troubles=tuple(troubles), others=others, files=1)


def read_journal(text: str, file: str) -> Reading:
    """Return the records of a run as objects of kind ``Header``, ``Check`` and so on."""
    manifests: list[Manifest] = []
    troubles: list[Trouble] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = Place(file=file, line=number, column=1)
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict):
            troubles.append(Trouble(place=place, sentence="expected a record of a journal"))
            continue
        entry = cast("Object", record)
        kind = str(entry.get("event", "record")).title()
        obj = {**entry, "apiVersion": EVIDENCE, "kind": kind}
        manifests.append(Manifest(object=obj, place=place))
    return Reading(manifests=tuple(manifests), troubles=tuple(troubles), files=1)


def _documents(text: str, file: str) -> Iterator[yaml.Node | Trouble]:
    """Yield each document; one that holds what YAML cannot hold does not spoil the others."""
    offset = 0
    while found := _ILLEGAL.search(text, offset):
        before = [one.start() for one in _SEPARATOR.finditer(text, offset, found.start())]
        yield from _parsed(text, file, (offset, before[-1] if before else offset))
        line = text.count("\n", 0, found.start()) + 1
        column = found.start() - text.rfind("\n", 0, found.start())
        place = Place(file=file, line=line, column=column)
        yield Trouble(place=place, sentence="is not YAML: it holds a control character")
        following = _SEPARATOR.search(text, found.start())
        if following is None:
            return
        offset = following.start()
    yield from _parsed(text, file, (offset, len(text)))


def _parsed(text: str, file: str, between: tuple[int, int]) -> Iterator[yaml.Node | Trouble]:
    """Yield each document between two places; behind one that does not parse, go on."""
    offset, end = between
    while offset < end:
        # Newlines keep the numbers of lines right for what follows.
        rest = "\n" * text.count("\n", 0, offset) + text[offset:end]
        try:
            yield from _composed(rest)
        except yaml.YAMLError as error:
            line = _line(error)
            yield _unparsed(error, text, Place(file=file, line=line, column=_column(error)))
            start = max(offset + 1, _start_of(text, line))
            following = _SEPARATOR.search(text, start, end)
            if following is None:
                return
            offset = following.start()
        else:
            return


def _composed(text: str) -> Iterator[yaml.Node]:
    loader = yaml.CSafeLoader(text)
    try:
        while loader.check_node():
            node = loader.get_node()
            if node is not None:
                yield node
    finally:
        loader.dispose()


def _document(node: yaml.Node, file: str) -> list[Manifest] | Trouble | None:
    """Return the objects of a document, or what is wrong, or None where it is no object."""
    try:
        value = value_of(node)
    except ValueTrouble as trouble:
        sentence = _NOT_RENDERED if _braces(node) else trouble.sentence
        return Trouble(place=_place(file, trouble.mark), sentence=sentence)
    except RecursionError:
        return Trouble(place=_place(file, node.start_mark), sentence="nests too deeply")
    if not _is_object(value):
        return None if value is not None else []
    obj = cast("Object", value)
    unrendered = _unrendered(node)
    if unrendered is not None:
        return Trouble(place=_place(file, unrendered.start_mark), sentence=_NOT_RENDERED)
    return list(_unpacked(obj, node, file))


def _is_object(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    obj = cast("Object", value)
    return isinstance(obj.get("kind"), str) and isinstance(obj.get("apiVersion"), str)


def _unpacked(obj: Object, node: yaml.Node, file: str) -> Iterator[Manifest]:
    """Yield the object, or those that it lists."""
    kind = str(obj["kind"])
    entries = obj.get("items")
    if not (kind.endswith("List") and isinstance(entries, list)):
        yield Manifest(object=obj, place=_place(file, node.start_mark), node=node)
        return
    nodes = next(value.value for key, value in reversed(node.value) if key.value == "items")
    for one, below in zip(cast("list[Any]", entries), nodes, strict=True):
        if not isinstance(one, dict):
            continue
        known = {"apiVersion": obj["apiVersion"], "kind": kind.removesuffix("List")}
        item: Object = {**(known if kind != "List" else {}), **one}
        if isinstance(item.get("kind"), str):
            yield from _unpacked(item, below, file)


def _unrendered(node: yaml.Node) -> yaml.Node | None:
    """Return the first scalar that holds a template of Helm."""
    waiting = [node]
    seen: set[int] = set()
    while waiting:
        one = waiting.pop()
        if isinstance(one, yaml.ScalarNode):
            if "{{" in one.value and _HELM.search(one.value):
                return one
        elif id(one) not in seen:
            seen.add(id(one))
            below = one.value
            if isinstance(one, yaml.MappingNode):
                below = [each for pair in below for each in pair]
            waiting += reversed(below)
    return None


def _braces(node: yaml.Node) -> bool:
    """Tell whether a mapping is the key of a mapping, as ``{{ x }}`` is read."""
    waiting = [node]
    seen: set[int] = set()
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, yaml.ScalarNode):
            continue
        seen.add(id(one))
        if isinstance(one, yaml.MappingNode):
            if any(isinstance(key, yaml.MappingNode) for key, _ in one.value):
                return True
            waiting += [value for _, value in one.value]
        else:
            waiting += one.value
    return False


def _unparsed(error: yaml.YAMLError, text: str, place: Place) -> Trouble:
    lines = text.split("\n")
    around = "\n".join(lines[max(0, place.line - 3) : place.line])
    if _TEMPLATE.search(around):
        return Trouble(place=place, sentence=_NOT_RENDERED)
    problem = error.problem if isinstance(error, yaml.MarkedYAMLError) else None
    said = problem or str(error).partition("\n")[0]
    return Trouble(place=place, sentence=f"is not YAML: {said}")


def _line(error: yaml.YAMLError) -> int:
    mark = error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None
    return mark.line + 1 if mark else 1


def _column(error: yaml.YAMLError) -> int:
    mark = error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None
    return mark.column + 1 if mark else 1


def _start_of(text: str, line: int) -> int:
    """Return where a line begins, or the end of the text."""
    start = 0
    for _ in range(line - 1):
        start = text.find("\n", start) + 1
        if not start:
            return len(text)
    return start


def _place(file: str, mark: yaml.Mark) -> Place:
    return Place(file=file, line=mark.line + 1, column=mark.column + 1)
