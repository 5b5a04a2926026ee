"""The DeviceClass of the driver that is judged: made, read from a file, or looked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from conformance.harness.client import Api, known, path_of
from conformance.harness.errors import TargetMisconfigured, TargetUnreachable
from conformance.harness.expect import NOT_FOUND
from conformance.harness.lending.lent import Lent
from conformance.harness.subject.protocol import DriverOptions
from conformance.kube.objects import Object
from conformance.kube.status import StatusError

CLASSES = known("resource.k8s.io", "v1", "deviceclasses")


def wanted(options: DriverOptions) -> Object:
    """Return the class of a file, or one for every device of the driver.

    Raises ``TargetMisconfigured`` for a file that does not hold this class.
    """
    if options.class_file is not None:
        return _read(options.class_file, options.device_class)
    return {
        "apiVersion": CLASSES.api_version,
        "kind": CLASSES.kind,
        "metadata": {"name": options.device_class},
        "spec": {"selectors": [{"cel": {"expression": f'device.driver == "{options.name}"'}}]},
    }


def create(lent: Lent, options: DriverOptions) -> None:
    """Create the class for the run; raises ``TargetMisconfigured``, also where there is one."""
    try:
        lent.create(path_of(CLASSES), wanted(options))
    except StatusError as error:
        name = options.device_class
        raise TargetMisconfigured(f"the class {name} can't be created: {error}") from error


def look_for(api: Api, name: str) -> None:
    """Find the class in a cluster that is not ours.

    Raises ``TargetMisconfigured`` where there is none, ``TargetUnreachable`` where nobody
    tells us.
    """
    try:
        api.get(CLASSES, name)
    except StatusError as error:
        if error.code != NOT_FOUND:
            raise TargetUnreachable(f"DeviceClass {name} can't be read: {error}") from error
        raise TargetMisconfigured(f"the cluster has no DeviceClass {name!r}") from error


def _read(path: Path, name: str) -> Object:
    try:
        documents: list[Any] = list(yaml.load_all(path.read_text("utf-8"), yaml.CSafeLoader))
    except OSError as error:
        raise TargetMisconfigured(f"{path} can't be read: {error.strerror or error}") from error
    except (ValueError, yaml.YAMLError) as error:
        raise TargetMisconfigured(f"{path} is not YAML: {' '.join(str(error).split())}") from error
    for one in documents:
        if isinstance(one, dict) and _is_class(one, name):
            return one
    raise TargetMisconfigured(f"{path} holds no DeviceClass {name!r} of {CLASSES.api_version}")


def _is_class(document: Object, name: str) -> bool:
    metadata: Any = document.get("metadata")
    return (
        document.get("kind") == CLASSES.kind
        and document.get("apiVersion") == CLASSES.api_version
        and isinstance(metadata, dict)
        and metadata.get("name") == name
    )
