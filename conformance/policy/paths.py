"""Paths into objects: ``spec.containers[]``, ``metadata.annotations["a/b"]``, ``pod.volumes[]``.

``[]`` stands for every element of a list or every value of a map. ``pod`` at the beginning stands
for the Pod's spec, wherever objects of that kind have it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeAlias, cast

from conformance.kube.objects import Object

#: Keys and indexes, from the outside to the inside.
Steps: TypeAlias = tuple[str | int, ...]

#: Stands for every element.
EVERY = "[]"

_STEP = re.compile(r"""\.?([A-Za-z_][\w-]*)|(\[\])|\["([^"]+)"\]|\[(\d+)\]""")
_TEMPLATE: Steps = ("spec", "template", "spec")
_POD_SPECS: dict[str, Steps] = {
    "Pod": ("spec",),
    "PodTemplate": ("template", "spec"),
    "CronJob": ("spec", "jobTemplate", *_TEMPLATE),
    "Deployment": _TEMPLATE,
    "DaemonSet": _TEMPLATE,
    "StatefulSet": _TEMPLATE,
    "ReplicaSet": _TEMPLATE,
    "ReplicationController": _TEMPLATE,
    "Job": _TEMPLATE,
}


class PathError(ValueError):
    """A text is no path."""


def pod_steps(kind: str) -> Steps | None:
    """Return where objects of a kind have the spec of a Pod, or None."""
    return _POD_SPECS.get(kind)


def parse(text: str) -> Steps:
    """Return the steps that a text spells, ``[]`` as ``EVERY``; raises ``PathError``."""
    steps: list[str | int] = []
    end = 0
    for step in _STEP.finditer(text):
        if step.start() != end:
            break
        end = step.end()
        steps.append(int(step[4]) if step[4] else step[1] or step[2] or step[3])
    if end != len(text) or not steps:
        raise PathError(f"expected a path such as spec.containers[], found {text!r}")
    return tuple(steps)


def rooted(steps: Steps, kind: str) -> Steps | None:
    """Replace ``pod`` at the beginning; None where objects of the kind have no Pod."""
    if not steps or steps[0] != "pod":
        return steps
    root = pod_steps(kind)
    return None if root is None else (*root, *steps[1:])


def expand(obj: Object, steps: Steps) -> Iterator[tuple[Steps, Any]]:
    """Yield path and value of everything that stands at the steps."""
    yield from _below(obj, steps, ())


def spelled(steps: Steps) -> str:
    """Return the path as people write it."""
    text = ""
    for step in steps:
        if isinstance(step, int):
            text += f"[{step}]"
        elif re.fullmatch(r"[A-Za-z_][\w-]*", step):
            text += f".{step}" if text else step
        else:
            text += f'["{step}"]'
    return text


def _below(value: Any, steps: Steps, so_far: Steps) -> Iterator[tuple[Steps, Any]]:
    if not steps:
        yield so_far, value
        return
    for key in _keys(value, steps[0]):
        yield from _below(value[key], steps[1:], (*so_far, key))


def _keys(value: Any, step: str | int) -> list[Any]:
    if isinstance(value, dict):
        entries = cast("Object", value)
        return list(entries) if step == EVERY else [step] if step in entries else []
    if isinstance(value, list):
        size = len(cast("list[Any]", value))
        if step == EVERY:
            return list(range(size))
        return [step] if isinstance(step, int) and step < size else []
    return []
