"""What a probe container wrote: its environment, its devices, its metadata files.

The probe is ``fixtures/probes/report.sh``; it writes one whole report when it starts and one
more whenever something has changed.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from conformance import data
from conformance.harness.errors import Violation
from conformance.harness.world import World
from conformance.kube.objects import Object
from conformance.kube.status import StatusError

#: Where metadata files lie in a container (KEP-5304, "Device metadata protocol").
METADATA_ROOT = "/var/run/kubernetes.io/dra-device-attributes"


@attrs.frozen(kw_only=True)
class File:
    """One file: whether it can be written, and its content."""

    mode: str
    text: str

    def objects(self) -> list[Object]:
        """Return the JSON objects of the stream; raises ``Violation`` for what is none."""
        decoder = json.JSONDecoder()
        found: list[Object] = []
        rest = self.text.strip()
        while rest:
            try:
                value, end = decoder.raw_decode(rest)
            except ValueError as error:
                raise Violation("a stream of JSON objects", observed=self.text) from error
            found.append(value)
            rest = rest[end:].lstrip()
        return found


@attrs.frozen(kw_only=True)
class Report:
    """One report of a probe."""

    environment: Mapping[str, str]
    devices: tuple[str, ...]
    files: Mapping[str, File]
    #: Every place where something is mounted.
    mounted: tuple[str, ...] = ()
    #: What its cgroup lets it use: bytes of ``memory`` and thousandths of a ``cpu``, or ``max``.
    limits: Mapping[str, str] = attrs.field(factory=dict[str, str])
    #: How readily it is killed when memory runs out (``oom_score_adj``).
    oom: int | None = None

    @property
    def visible(self) -> frozenset[str]:
        """Everything that is there, by name: variables, device nodes and mounts."""
        variables = [f"env {name}" for name in self.environment]
        return frozenset([*variables, *self.devices, *self.mounted, *self.files])

    def file(self, path: str) -> File:
        """Return a metadata file by its path below the root; raises ``Violation``."""
        full = f"{METADATA_ROOT}/{path}"
        if full not in self.files:
            raise Violation("a metadata file", path=full, observed=sorted(self.files))
        return self.files[full]

    def named(self, name: str) -> File:
        """Return the one metadata file with this last part of its path, wherever it lies.

        Raises ``Violation``. Where exactly it lies is for the checks of paths to say.
        """
        found = [file for path, file in self.files.items() if path.endswith(f"/{name}")]
        if len(found) != 1:
            raise Violation(f"one file called {name}", observed=sorted(self.files))
        return found[0]


def command() -> list[str]:
    """Return a container's command that runs the probe."""
    return ["sh", "-c", data.fixtures("probes", "report.sh").read_text("utf-8")]


def parse(log: str) -> list[Report]:
    """Return every whole report of a log."""
    reports: list[Report] = []
    lines: list[str] = []
    for line in log.splitlines():
        if line == "end":
            reports.append(_report(lines))
            lines = []
        else:
            lines.append(line)
    return reports


def first(world: World, pod: str, container: str = "c") -> Report:
    """Wait for the first report of a container, and return it."""
    return reported(world, pod, lambda reports: reports[0], container=container)


def reported(
    world: World,
    pod: str,
    choose: Callable[[list[Report]], Any],
    *,
    container: str = "c",
    bound: str = "pod-running",
) -> Any:
    """Wait until ``choose`` finds something in the reports so far, and return that."""

    def look() -> Any:
        try:
            reports = parse(world.pods.log(pod, container))
        except StatusError as error:
            raise Violation("a container that writes", observed=str(error)) from error
        if not reports:
            raise Violation("a whole report of the probe", observed="none yet")
        return choose(reports)

    return world.until(f"container {container} of Pod {pod} reports", look, bound=bound)


def _report(lines: list[str]) -> Report:
    environment: dict[str, str] = {}
    devices: list[str] = []
    places: list[str] = []
    modes: dict[str, str] = {}
    files: dict[str, File] = {}
    limits: dict[str, str] = {}
    oom: int | None = None
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "env":
            name, _, value = rest.partition("=")
            environment[name] = value
        elif word == "device":
            devices.append(rest)
        elif word == "mounted":
            places.append(rest)
        elif word == "mount":
            path, _, mode = rest.rpartition(" ")
            modes[path] = mode
        elif word == "limit":
            name, _, value = rest.partition(" ")
            limits[name] = value
        elif word == "oom":
            oom = int(rest)
        elif word == "file":
            path, _, content = rest.rpartition(" ")
            text = base64.b64decode(content).decode("utf-8", "replace")
            files[path] = File(mode=modes.get(path, ""), text=text)
    return Report(
        environment=environment,
        devices=tuple(devices),
        files=files,
        mounted=tuple(places),
        limits=limits,
        oom=oom,
    )
