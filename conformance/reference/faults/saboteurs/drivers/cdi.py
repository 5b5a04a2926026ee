"""Saboteurs of CDI specs: what each one does wrong stands in ``driver_cdi.yaml``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs

from conformance.kube.objects import Object
from conformance.reference.faults.seams import Saboteur


def _edited(spec: Object, **edits: Any) -> Object:
    devices = [
        {**one, "containerEdits": {**one["containerEdits"], **edits}} for one in spec["devices"]
    ]
    return {**spec, "devices": devices}


def half_a_mount(real: Callable[..., Object], *given: Any) -> Object:
    """Mount what does not say where it lies on the node."""
    return _edited(real(*given), mounts=[{"containerPath": "/opt/device"}])


def lost_name(real: Callable[..., tuple[Any, ...]], *given: Any) -> tuple[Any, ...]:
    """Return names that no spec holds."""
    return tuple(
        attrs.evolve(one, cdi_ids=tuple(f"{name}-lost" for name in one.cdi_ids))
        for one in real(*given)
    )


def name_of_the_device(_real: Callable[..., str], _uid: str, result: Object) -> str:
    """Call a device the same for every claim."""
    return str(result["device"])


def keep(_real: Callable[..., None], *_given: Any) -> None:
    """Remove nothing."""


def no_environment(_real: Callable[..., Mapping[str, str]], *_given: Any) -> Mapping[str, str]:
    """Have nothing to tell the container."""
    return {}


def tidy_up(real: Callable[[Path, Object], None], path: Path, spec: Object) -> None:
    """Remove the specs of others, which nobody seems to need."""
    real(path, spec)
    for other in path.parent.glob("*-foreign.json"):
        other.unlink()


def too_old(real: Callable[..., Object], *given: Any) -> Object:
    """Use a field of 0.5.0 in a spec of 0.3.0."""
    nodes = [{"path": "/dev/null", "hostPath": "/dev/null"}]
    return {**_edited(real(*given), deviceNodes=nodes), "cdiVersion": "0.3.0"}


def too_new(real: Callable[..., Object], *given: Any) -> Object:
    """Say the newest version, whatever is needed."""
    return {**real(*given), "cdiVersion": "1.1.0"}


def twice(real: Callable[..., Object], *given: Any) -> Object:
    """Describe each device twice."""
    spec = real(*given)
    return {**spec, "devices": spec["devices"] * 2}


def in_place(_real: Callable[[Path, Object], None], path: Path, spec: Object) -> None:
    """Write a spec where everybody reads it already."""
    path.write_text(json.dumps(spec), "utf-8")


def all_again(real: Callable[[Path, Object], None], path: Path, spec: Object) -> None:
    """Write the specs of other claims of the driver as well, each time a little longer."""
    real(path, spec)
    for other in path.parent.glob(f"{path.name.partition('_')[0]}_*.json"):
        if other != path:
            other.write_text(f"{other.read_text('utf-8')}\n", "utf-8")


SABOTEURS: Mapping[str, Saboteur] = {
    "driver-cdi-invalid": half_a_mount,
    "driver-cdi-not-described": lost_name,
    "driver-cdi-name-again": name_of_the_device,
    "driver-cdi-left": keep,
    "driver-cdi-empty": no_environment,
    "driver-cdi-of-others-removed": tidy_up,
    "driver-cdi-version-too-low": too_old,
    "driver-cdi-version-too-high": too_new,
    "driver-cdi-described-twice": twice,
    "driver-cdi-in-place": in_place,
    "driver-cdi-all-rewritten": all_again,
}
