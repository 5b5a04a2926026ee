"""One node: containerd and kubelet in mount and PID name spaces of their own.

``unshare`` starts a shell that is process 1 of the node. When it dies, for whatever reason,
the kernel kills the kubelet, containerd, its shims and every container, and with the last of
them all mounts of the node disappear. A crash of ours can leave no more than files and cgroup
folders. The folders that kubelet and containerd write to by fixed path (/run, /var/lib,
/var/log) are empty file systems inside, so the machine's own are never touched.
"""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

from attrs import frozen

from conformance.upstream import errors, layout, prerequisites
from conformance.upstream.node import cgroups, configuration, images
from conformance.upstream.processes import Component, children_of

_POLL = 0.05
_SECONDS = 30.0

#: Process 1 of a node. ``wait`` reaps whatever the shims leave. The file over ip_forward takes
#: the write that the CNI plugin would do to the machine's setting.
_INIT = """\
set -e
mount --make-rshared /
for folder in /run /var/lib /var/log; do mount -t tmpfs tmpfs "$folder"; done
mount --bind "$2" /proc/sys/net/ipv4/ip_forward
"$1" --config "$3" &
wait "$!"
"""


@frozen(kw_only=True)
class Binaries:
    """The programs that a node runs, already built."""

    kubernetes: Path
    containerd: Path
    ctr: Path


class Node:
    """A node with a kubelet: started, joined, restarted, stopped."""

    def __init__(self, place: layout.Layout, name: str, index: int, binaries: Binaries) -> None:
        self.name = name
        self.layout = place.node(name)
        self._place = place
        self._index = index
        self._binaries = binaries
        self._cgroup = f"{place.slug}/{name}"
        self._containerd: Component | None = None
        self._kubelet: Component | None = None
        #: The kubelet's own HTTPS port; 0 before it is started.
        self.port = 0

    @property
    def certificate(self) -> Path:
        """The certificate that the kubelet made for itself."""
        return self.layout.folder / "pki" / "kubelet.crt"

    @property
    def components(self) -> tuple[Component, ...]:
        """The processes of the node that were started."""
        return tuple(part for part in (self._containerd, self._kubelet) if part is not None)

    def start_runtime(self) -> None:
        """Start containerd and give it the images; returns when it answers."""
        self.layout.make()
        cgroups.create(self._cgroup)
        self._write_runtime_configuration()
        script = self.layout.config / "init.sh"
        script.write_text(_INIT)
        self._containerd = self._component(
            "containerd",
            [
                *("unshare", "--mount", "--propagation", "private"),
                *("--pid", "--fork", "--kill-child=KILL", "--mount-proc"),
                *("/bin/sh", str(script), str(self._binaries.containerd)),
                str(self.layout.config / "ip_forward"),
                str(self.layout.config / "containerd.toml"),
            ],
        )
        self._containerd.start()
        self._import_images()

    def start_kubelet(self, flags: list[str], port: int, gates: dict[str, bool]) -> None:
        """Start the kubelet inside the node; ``flags`` are further arguments."""
        self.port = port
        config = self.layout.config / "kubelet.json"
        config.write_text(
            configuration.kubelet(self.layout, port=port, cgroup=self._cgroup, gates=gates)
        )
        self._kubelet = self._component(
            "kubelet",
            [
                *("nsenter", "--target", str(self._init_pid()), "--mount", "--pid", "--"),
                *(str(self._binaries.kubernetes), "kubelet"),
                *("--config", str(config), "--root-dir", str(self.layout.root)),
                *("--cert-dir", str(self.layout.folder / "pki")),
                *("--hostname-override", self.name, "--cloud-provider", "external"),
                *flags,
            ],
        )
        self._kubelet.start()

    def restart_kubelet(self) -> None:
        """Stop the kubelet and start it again; containers run on meanwhile."""
        self.stop_kubelet()
        self.resume_kubelet()

    def stop_kubelet(self) -> None:
        """Stop the kubelet alone."""
        if self._kubelet is not None:
            self._kubelet.stop()

    def resume_kubelet(self) -> None:
        """Start a stopped kubelet with its former arguments."""
        if self._kubelet is not None:
            self._kubelet.start()

    def stop(self) -> None:
        """Kill process 1 of the node, and with it everything that runs there."""
        for component in self.components:
            component.stop(grace=0)

    def _component(self, program: str, command: list[str]) -> Component:
        name = f"{program}-{self.name}"
        return Component(name, command, log=self._place.log(name), pids=self._place.pids)

    def _write_runtime_configuration(self) -> None:
        tools = configuration.Tools(
            runc=str(prerequisites.RUNC), cni_plugins=str(prerequisites.CNI_PLUGINS)
        )
        folder = self.layout.config
        (folder / "cni").mkdir(exist_ok=True)
        (folder / "ip_forward").write_text("1\n")
        (folder / "containerd.toml").write_text(configuration.containerd(self.layout, tools))
        network = configuration.network(
            self.layout, configuration.subnet(self._place.slug, self._index)
        )
        (folder / "cni" / "pods.conflist").write_text(network)

    def _init_pid(self) -> int:
        """Return the machine's pid of the node's process 1, the child of ``unshare``."""
        if self._containerd is None:
            raise errors.UpstreamError(f"node {self.name} has no container runtime")
        self._containerd.must_live()
        children = children_of(self._containerd.pid)
        if not children:
            raise errors.ComponentError(
                self._containerd.name, "has no process 1", self._containerd.log
            )
        return children[0]

    def _import_images(self) -> None:
        archive = self.layout.folder / "images.tar"
        images.write(archive, os.uname().machine)
        component = self._containerd
        deadline = time.monotonic() + _SECONDS
        while component is not None:
            component.must_live()
            done = self.ctr("images", "import", str(archive))
            if done.returncode == 0:
                return
            if time.monotonic() > deadline:
                reason = done.stderr.decode(errors="replace").strip()[-300:]
                raise errors.ComponentError(
                    component.name, f"took no images in {_SECONDS:.0f} s: {reason}", component.log
                )
            time.sleep(_POLL)

    def ctr(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        """Run containerd's own client in the kubelet's containerd namespace."""
        command = [str(self._binaries.ctr), "--address", str(self.layout.socket)]
        return subprocess.run(  # noqa: S603 - our own command line
            [*command, "--namespace", "k8s.io", *arguments], capture_output=True, check=False
        )
