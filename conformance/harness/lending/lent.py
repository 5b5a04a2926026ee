"""What a run creates for a driver that it starts: named by the vendor, and gone with the run."""

from __future__ import annotations

import os
import uuid

from conformance.harness.apply import LENT_LABEL
from conformance.harness.client import Api, known
from conformance.harness.errors import HarnessError, TargetMisconfigured, TargetUnreachable
from conformance.harness.subject.protocol import DriverOptions
from conformance.harness.target import SOCKET_PATH, NodeAccess
from conformance.kube.objects import Object
from conformance.kube.status import StatusError

_CLASSES = known("resource.k8s.io", "v1", "deviceclasses")
_SLICES = known("resource.k8s.io", "v1", "resourceslices")

_TAKEN, _NOT_FOUND = 409, 404


def must_be_free(api: Api, options: DriverOptions) -> None:
    """Raise ``TargetMisconfigured`` where a cluster has the driver, or its class, already.

    Raises ``TargetUnreachable`` where nobody tells us.
    """
    name, wanted = options.name, options.device_class
    try:
        slices = api.list(_SLICES, fields=f"spec.driver={name}")
        classes = [one for one in api.list(_CLASSES) if one["metadata"]["name"] == wanted]
    except StatusError as error:
        raise TargetUnreachable(f"slices and classes can't be listed: {error}") from error
    if slices:
        raise TargetMisconfigured(
            f"{name} has {len(slices)} ResourceSlices in this cluster already: leave out "
            "--control-plane kube to judge the driver that is installed there, or delete them if "
            "nothing serves them any more"
        )
    if classes and not _is_lent(classes[0]):
        raise TargetMisconfigured(
            f"the cluster has a DeviceClass {wanted!r} already, and it is not ours: name another "
            "one with --device-class"
        )


def must_fit(access: NodeAccess, driver: str) -> None:
    """Raise ``TargetMisconfigured`` for a node below whose folders no socket of a driver fits.

    In a rolling update its name holds the uid of a Pod, whose form is that of any uid.
    """
    longest = access.registrar_dir / f"{driver}-{uuid.UUID(int=0)}-reg.sock"
    length = len(os.fsencode(longest))
    if length > SOCKET_PATH:
        raise TargetMisconfigured(
            f"sockets below {access.registrar_dir} would have paths of {length} bytes, and Linux "
            f"allows {SOCKET_PATH}: give --node-root a shorter folder, which the kubelet has too"
        )


def _is_lent(obj: Object) -> bool:
    return LENT_LABEL in (obj["metadata"].get("labels") or {})


class Lent:
    """Objects beside the worlds of a run: a class, an account and its rights."""

    def __init__(self, api: Api, run: str) -> None:
        self._api = api
        self._run = run
        self._paths: list[str] = []

    def create(self, path: str, obj: Object) -> None:
        """Create an object of a collection; what a run that was killed has left is replaced.

        Raises ``StatusError``, with 409 for one that somebody else has created.
        """
        metadata = obj["metadata"]
        labels = {**(metadata.get("labels") or {}), LENT_LABEL: self._run}
        labelled = {**obj, "metadata": {**metadata, "labels": labels}}
        own = f"{path}/{metadata['name']}"
        try:
            self._api.ask("POST", path, labelled)
        except StatusError as error:
            if error.code != _TAKEN or not self._is_left(own):
                raise
            self._api.ask("DELETE", own)
            self._api.ask("POST", path, labelled)
        self._paths.append(own)

    def create_unless_there(self, path: str, obj: Object) -> None:
        """Do so, and leave alone what somebody else has created; raises ``StatusError``."""
        try:
            self.create(path, obj)
        except StatusError as error:
            if error.code != _TAKEN:
                raise

    def close(self) -> list[str]:
        """Delete everything, the newest first; return a sentence for each that stays."""
        troubles: list[str] = []
        while self._paths:
            path = self._paths.pop()
            try:
                self._api.ask("DELETE", path)
            except StatusError as error:
                if error.code != _NOT_FOUND:
                    troubles.append(f"{path} stays: {error}")
            except HarnessError as error:
                troubles.append(f"{path} stays: {error}")
        return troubles

    def _is_left(self, path: str) -> bool:
        found = self._api.ask("GET", path)
        return _is_lent(found) and "deletionTimestamp" not in found["metadata"]
