"""Containers as records on disk, which outlive the kubelet as real containers do."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path

import attrs

from conformance.kube.objects import Object, name_of, namespace_of, uid_of
from conformance.reference.faults.seams import Faults
from conformance.reference.kubelet.runtime import edits, mounts
from conformance.reference.kubelet.runtime.commands import plan_of
from conformance.reference.kubelet.runtime.reports import report, with_group

_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@attrs.define(kw_only=True)
class Container:
    """One container: what it was started with, and how it goes on."""

    name: str
    container_id: str
    image: str
    started: datetime
    ends: datetime | None
    exit_code: int
    reports: bool
    restarts: int
    environment: dict[str, str]
    mounts: list[Object]
    devices: list[str]
    hooks: list[Object]
    #: What its cgroup lets it use, by resource, and its OOM score.
    limits: dict[str, str] = attrs.field(factory=dict[str, str])
    oom: int = 0
    stopped: bool = False

    def is_running(self, now: datetime) -> bool:
        """Tell whether the container has not ended yet."""
        return self.ends is None or now < self.ends


@attrs.frozen(kw_only=True)
class Cgroup:
    """What a container may use, by resource, and how readily it is killed (OOM score)."""

    limits: Mapping[str, str] = attrs.field(factory=dict[str, str])
    oom: int = 0


class Runtime:
    """Creates, stops and reads the containers of one node.

    ``root`` holds a folder per Pod uid; ``cdi_dir`` holds the CDI specs.
    """

    def __init__(
        self, root: Path, cdi_dir: Path, *, now: Callable[[], datetime], faults: Faults
    ) -> None:
        self._root = root
        self._cdi_dir = cdi_dir
        self._now = now
        self._apply = faults.wrap("kubelet.apply_cdi", edits.apply)
        self._report = faults.wrap("kubelet.probe_report", report)
        self._root.mkdir(parents=True, exist_ok=True)

    def pods(self) -> list[str]:
        """Return the uids of the Pods that have containers here."""
        return sorted(path.name for path in self._root.iterdir() if path.is_dir())

    def start(
        self, pod: Object, container: Object, cdi_ids: Iterable[str], group: Cgroup, restarts: int
    ) -> Container:
        """Start a container with these CDI devices; raises ``CdiError`` where it can't be."""
        changes = self._apply(self._cdi_dir, cdi_ids)
        environment = {**_environment(pod, container), **changes.environment}
        plan = plan_of(container, environment)
        now = self._now()
        started = Container(
            name=container["name"],
            container_id=_id_of(uid_of(pod), container["name"], restarts),
            image=container.get("image", ""),
            started=now,
            ends=None if plan.seconds is None else now + timedelta(seconds=plan.seconds),
            exit_code=plan.exit_code,
            reports=plan.reports,
            restarts=restarts,
            environment=environment,
            mounts=[],
            devices=changes.devices,
            hooks=changes.hooks,
            limits=dict(group.limits),
            oom=group.oom,
        )
        folder = self._root / uid_of(pod)
        folder.mkdir(parents=True, exist_ok=True)
        started.mounts = mounts.pinned(changes.mounts, folder / f"{started.name}.mounts")
        (folder / "pod").write_text(f"{namespace_of(pod)}/{name_of(pod)}", "utf-8")
        (folder / f"{started.name}.log").write_text("", "utf-8")
        self._write(uid_of(pod), started)
        self._catch_up(uid_of(pod), started)
        return started

    def get(self, pod_uid: str, name: str) -> Container | None:
        """Return a container, if there is one of that name."""
        path = self._root / pod_uid / f"{name}.json"
        try:
            state = json.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            return None
        started, ends = state.pop("started"), state.pop("ends")
        return Container(
            started=datetime.fromisoformat(started),
            ends=datetime.fromisoformat(ends) if ends else None,
            **state,
        )

    def stop(self, pod_uid: str, name: str) -> None:
        """Stop a container that still runs; one that ended keeps its end.

        A probe ends by itself when it is told to; whatever else sleeps dies of SIGKILL.
        """
        container = self.get(pod_uid, name)
        if container is None or not container.is_running(self._now()):
            return
        self._catch_up(pod_uid, container)
        container.ends = self._now()
        container.exit_code = 0 if container.reports else 137
        container.stopped = True
        self._write(pod_uid, container)

    def remove(self, pod_uid: str) -> None:
        """Remove every container of a Pod, with its logs."""
        shutil.rmtree(self._root / pod_uid, ignore_errors=True)

    def log(self, namespace: str, pod: str, name: str) -> str:
        """Return what a container has printed; raises ``LookupError`` where there is none."""
        found: list[tuple[datetime, str, Container]] = []
        for uid in self.pods():
            label = self._root / uid / "pod"
            container = self.get(uid, name)
            if container and label.read_text("utf-8") == f"{namespace}/{pod}":
                found.append((container.started, uid, container))
        if not found:
            raise LookupError(f"container {name} of pod {namespace}/{pod} is not here")
        # Another Pod of that name may have been there before.
        _, uid, container = max(found, key=lambda one: one[0])
        self._catch_up(uid, container)
        return (self._root / uid / f"{name}.log").read_text("utf-8")

    def _catch_up(self, pod_uid: str, container: Container) -> None:
        # The script looks once a second; whoever reads the log can't tell the difference.
        path = self._root / pod_uid / f"{container.name}.log"
        text = path.read_text("utf-8")
        if not container.reports or (text and not container.is_running(self._now())):
            return
        seen = self._report(container.environment, container.mounts, container.devices)
        fresh = with_group(seen, container.limits, container.oom)
        if not text.endswith(fresh) or not text:
            path.write_text(text + fresh, "utf-8")

    def _write(self, pod_uid: str, container: Container) -> None:
        state = attrs.asdict(container)
        state["started"] = container.started.isoformat()
        state["ends"] = container.ends.isoformat() if container.ends else None
        path = self._root / pod_uid / f"{container.name}.json"
        path.write_text(json.dumps(state), "utf-8")


def _environment(pod: Object, container: Object) -> dict[str, str]:
    given = {
        entry["name"]: entry["value"] for entry in container.get("env") or [] if "value" in entry
    }
    return {"PATH": _PATH, "HOME": "/root", "HOSTNAME": name_of(pod), **given}


def _id_of(pod_uid: str, name: str, restarts: int) -> str:
    digest = hashlib.sha256(f"{pod_uid}/{name}/{restarts}".encode()).hexdigest()
    return f"containerd://{digest}"
