"""A file by which somebody outside the process makes the driver's devices fail.

``control.json`` in the driver's data directory::

    {"silent": false,
     "health": {"gpu-0": {"health": "Unhealthy", "message": "ECC", "timeoutSeconds": 5}}}

It is read when the driver starts and whenever it changes. Devices that it leaves out are
healthy. It stands for what a vendor's driver learns from its hardware.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable
from pathlib import Path

from conformance.kube.objects import Object
from conformance.reference.driver.health import DeviceState, Health
from conformance.reference.inotify import DirectoryWatch

_LOG = logging.getLogger(__name__)

FILE_NAME = "control.json"


class ControlFile:
    """Applies the file to the health of the devices for as long as it is open."""

    def __init__(
        self,
        directory: Path,
        health: Health,
        devices: Iterable[str],
        applied: Callable[[], None],
    ) -> None:
        """Start to follow the file, which need not exist; ``applied`` is called each time."""
        self._path = directory / FILE_NAME
        self._health = health
        self._devices = tuple(devices)
        self._applied = applied
        self._last = ""
        self._watch = DirectoryWatch(directory, self._read)
        self._read()

    def close(self) -> None:
        """Follow the file no longer."""
        self._watch.close()

    def _read(self) -> None:
        text = self._path.read_text("utf-8") if self._path.exists() else "{}"
        if text == self._last:
            return
        try:
            document: Object = json.loads(text)
        except ValueError as error:
            # Half a file: whoever writes it will finish, and then it is read again.
            _LOG.debug("%s: %s", FILE_NAME, error)
            return
        self._last = text
        self._apply(document)

    def _apply(self, document: Object) -> None:
        wanted: Object = document.get("health") or {}
        for device in self._devices:
            entry = wanted.get(device) or {}
            self._health.set(device, state_of(entry))
        self._health.be_silent(bool(document.get("silent", False)))
        self._applied()


def state_of(entry: Object) -> DeviceState:
    """Return the state that an entry of the file asks for."""
    return DeviceState(
        health=entry.get("health", "Healthy"),
        message=entry.get("message", ""),
        timeout_seconds=int(entry.get("timeoutSeconds", 0)),
    )
