"""Where everything of one cluster lies: one folder, and nothing outside of it.

Paths are short on purpose: drivers put Unix sockets below a node's folder, and Linux gives
a socket path 107 bytes.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from pathlib import Path

from attrs import frozen

from conformance.upstream import errors

#: Longest state folder that leaves room for n/1/k/plugins/DRIVER/dra.sock with a driver name of
#: 42 characters. In a rolling update registration sockets have the uid of a Pod in their names as
#: well: then state folder and driver name may have 37 characters together.
LONGEST = 36
#: A node hides these behind empty file systems of its own (see ``node.kubelet``).
HIDDEN = ("/run", "/var/lib", "/var/log", "/var/run")


@frozen
class NodeLayout:
    """The folder of one node with a kubelet."""

    name: str
    folder: Path

    @property
    def root(self) -> Path:
        """The kubelet's ``--root-dir``."""
        return self.folder / "k"

    @property
    def plugins(self) -> Path:
        """Where drivers keep their DRA sockets and state."""
        return self.root / "plugins"

    @property
    def registrar(self) -> Path:
        """The folder that the kubelet watches for registration sockets."""
        return self.root / "plugins_registry"

    @property
    def cdi(self) -> Path:
        """The folder that the container runtime reads CDI specifications from."""
        return self.folder / "cdi"

    @property
    def reached(self) -> str:
        """The folders as ``--node-root`` of ``run`` and ``certify`` takes them."""
        return f"{self.name}={self.root}:{self.cdi}"

    @property
    def socket(self) -> Path:
        """The container runtime's CRI socket."""
        return self.folder / "containerd.sock"

    @property
    def config(self) -> Path:
        """Rendered configuration files."""
        return self.folder / "config"

    def make(self) -> None:
        """Create the folders that must exist before anything starts."""
        for folder in (self.plugins, self.registrar, self.cdi, self.config):
            folder.mkdir(parents=True, exist_ok=True)


@frozen
class Layout:
    """The folder of one cluster."""

    state: Path

    @property
    def logs(self) -> Path:
        """One log per component; kept after the cluster is gone."""
        return self.state / "logs"

    @property
    def pids(self) -> Path:
        """One pid file per component."""
        return self.state / "pids"

    @property
    def supervisor(self) -> Path:
        """The pid file of the process that started the cluster and holds it."""
        return self.state / "supervisor.pid"

    @property
    def keys(self) -> Path:
        """Tokens, keys and certificates."""
        return self.state / "keys"

    @property
    def etcd(self) -> Path:
        """The data folder of etcd."""
        return self.state / "etcd"

    @property
    def kubeconfig(self) -> Path:
        """The administrator's kubeconfig."""
        return self.state / "kubeconfig"

    @property
    def facts(self) -> Path:
        """What runs, as JSON, for other processes."""
        return self.state / "cluster.json"

    @property
    def ending(self) -> Path:
        """Why the last cluster ended, when it was not asked to; kept with the logs."""
        return self.logs / "ended.txt"

    @property
    def requests(self) -> Path:
        """What other processes ask of the one that holds the cluster: one file each."""
        return self.state / "requests"

    @property
    def nodes(self) -> Path:
        """The folders of the nodes with a kubelet."""
        return self.state / "n"

    @property
    def slug(self) -> str:
        """A name that is unique per state folder, for cgroups and addresses."""
        return "dra-upstream-" + hashlib.sha256(str(self.state).encode()).hexdigest()[:8]

    def node(self, name: str) -> NodeLayout:
        """Return the layout of the node called ``name``, such as ``kubelet-1``."""
        return NodeLayout(name, self.nodes / name.rpartition("-")[2])

    def log(self, component: str) -> Path:
        """Return the log file of ``component``."""
        return self.logs / f"{component}.log"

    def make(self) -> None:
        """Create the folder, private to its owner.

        Raises :class:`errors.UnusableError` for a folder that cannot be used.
        """
        _must_suit(self.state)
        try:
            self.state.mkdir(parents=True, exist_ok=True, mode=0o700)
            for folder in (self.logs, self.pids, self.keys, self.nodes, self.requests):
                folder.mkdir(exist_ok=True)
        except OSError as error:
            raise errors.UnusableError(f"state folder {self.state}: {error.strerror}") from error
        found = self.state.stat()
        if found.st_uid != os.geteuid() or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise errors.UnusableError(f"state folder {self.state} can be written by somebody else")


def default_state() -> Path:
    """Return the state folder that commands use when none is named."""
    return Path(tempfile.gettempdir()) / f"dra-upstream-{os.geteuid()}"


def layout(state: Path) -> Layout:
    """Return the layout of the cluster in ``state``, made absolute and free of links."""
    return Layout(state.resolve())


def _must_suit(state: Path) -> None:
    if len(str(state)) > LONGEST:
        raise errors.UnusableError(
            f"state folder {state} is longer than {LONGEST} characters,"
            " too long for the Unix sockets below it"
        )
    for hidden in HIDDEN:
        if state.is_relative_to(hidden):
            raise errors.UnusableError(f"state folder {state} may not lie below {hidden}")
