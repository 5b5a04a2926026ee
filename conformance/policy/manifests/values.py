"""One YAML document as JSON values.

Scalars are what Kubernetes' own reader makes of them: days and times stay texts. Aliases share
their value, and merge keys are resolved; a document that contains itself, or that its aliases
blow up beyond a bound, is refused.
"""

from __future__ import annotations

from typing import Any

import yaml
from attrs import define, field

#: So many values may one document hold, each alias counted as what it stands for.
LARGEST = 2_000_000

_TAG = "tag:yaml.org,2002:"
_MERGE = f"{_TAG}merge"
_SCALARS = yaml.constructor.SafeConstructor()
_READERS = {
    f"{_TAG}null": _SCALARS.construct_yaml_null,
    f"{_TAG}bool": _SCALARS.construct_yaml_bool,
    f"{_TAG}int": _SCALARS.construct_yaml_int,
    f"{_TAG}float": _SCALARS.construct_yaml_float,
}


class ValueTrouble(ValueError):
    """A node that has no value; ``mark`` is where."""

    def __init__(self, mark: yaml.Mark, sentence: str) -> None:
        super().__init__(sentence)
        self.mark = mark
        self.sentence = sentence


def value_of(node: yaml.Node) -> Any:
    """Return the value of a document; raises ``ValueTrouble``."""
    return _Reader().read(node)[0]


@define
class _Reader:
    """Reads a document; ``seen`` keeps the value and the size of what an alias may name again."""

    seen: dict[int, tuple[Any, int]] = field(factory=dict)
    open: set[int] = field(factory=set)

    def read(self, node: yaml.Node) -> tuple[Any, int]:
        """Return the value of a node, and how many values that are."""
        if isinstance(node, yaml.ScalarNode):
            return _scalar(node), 1
        known = self.seen.get(id(node))
        if known is None:
            if id(node) in self.open:
                raise ValueTrouble(node.start_mark, "this value contains itself")
            self.open.add(id(node))
            reading = self._mapping if isinstance(node, yaml.MappingNode) else self._sequence
            known = self.seen[id(node)] = reading(node)
            self.open.discard(id(node))
        if known[1] > LARGEST:
            sentence = f"its aliases stand for more than {LARGEST} values"
            raise ValueTrouble(node.start_mark, sentence)
        return known

    def _sequence(self, node: yaml.Node) -> tuple[Any, int]:
        parts = [self.read(one) for one in node.value]
        return [value for value, _ in parts], 1 + sum(size for _, size in parts)

    def _mapping(self, node: yaml.Node) -> tuple[Any, int]:
        found: dict[str, Any] = {}
        size = 1
        for key, value in node.value:
            read, below = self.read(value)
            size += below
            if key.tag == _MERGE:
                found = {**self._merged(value, read), **found}
            else:
                found[_key(key)] = read
        # As for the API server, a field that says null is a field that is not there.
        return {name: value for name, value in found.items() if value is not None}, size

    def _merged(self, node: yaml.Node, value: Any) -> dict[str, Any]:
        sources = value if isinstance(value, list) else [value]
        merged: dict[str, Any] = {}
        for source in reversed(sources):
            if not isinstance(source, dict):
                raise ValueTrouble(node.start_mark, "only a mapping can be merged with <<")
            merged.update(source)
        return merged


def _key(node: yaml.Node) -> str:
    if not isinstance(node, yaml.ScalarNode):
        raise ValueTrouble(node.start_mark, "a key is a text, not a mapping or a list")
    return str(node.value)


def _scalar(node: yaml.ScalarNode) -> Any:
    reader = _READERS.get(node.tag)
    if reader is None:
        return node.value
    try:
        return reader(node)
    except (ValueError, KeyError):
        return node.value
