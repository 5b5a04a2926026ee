"""Build the Go modules of ``fixtures/upstream`` once, and reuse the binaries everywhere.

A binary's home is a cache folder outside the tree, keyed by the module's sources and pins:
the same key means the same bytes, so every lane shares one build, and a changed pin never
meets a stale binary. Go is only needed when something is missing.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path

from attrs import field, frozen

from conformance import data
from conformance.upstream import errors

KUBERNETES_VERSION = "1.37.2"
_STAMP = "k8s.io/component-base/version"
_CONTAINERD = "github.com/containerd/containerd/v2"


@frozen(kw_only=True)
class Module:
    """One Go module: a set of pins that fit together, and the binaries that it yields."""

    name: str
    #: binary name -> Go package
    binaries: Mapping[str, str]
    #: linker settings, ``path=value``
    stamps: tuple[str, ...] = field(default=())


#: Without its stamps Kubernetes calls itself v0.0.0-master, and gates that ask for a minimum
#: compatibility version then behave as in no release.
MODULES = (
    Module(
        name="kubernetes",
        binaries={"kubernetes": "."},
        stamps=(
            f"{_STAMP}.gitVersion=v{KUBERNETES_VERSION}",
            f"{_STAMP}.gitMajor=1",
            f"{_STAMP}.gitMinor=37",
            f"{_STAMP}.gitTreeState=clean",
        ),
    ),
    Module(
        name="containerd",
        binaries={
            name: f"{_CONTAINERD}/cmd/{name}"
            for name in ("containerd", "containerd-shim-runc-v2", "ctr")
        },
        stamps=(f"{_CONTAINERD}/version.Version=2.4.2",),
    ),
    Module(
        name="drivers",
        binaries={
            name: f"sigs.k8s.io/dra-example-driver/cmd/{name}"
            for name in ("dra-example-controller", "dra-example-kubeletplugin")
        },
    ),
    # A small program of its own: certifying it needs no build of all of Kubernetes.
    Module(
        name="testdriver",
        binaries={"dra-test-driver": "k8s.io/kubernetes/test/e2e/dra/test-driver"},
    ),
    Module(name="oracle", binaries={"oracle": "."}),
    Module(name="charts", binaries={"charts": "."}),
    Module(name="client", binaries={"dra-client": "."}),
    Module(name="e2e", binaries={"dra-e2e": "."}),
    Module(name="consumer", binaries={"dra-metadata-consumer": "."}),
)


def cache() -> Path:
    """Return the folder of all builds: ``$XDG_CACHE_HOME`` or ``~/.cache``, and our name."""
    root = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(root) / "dra-conformance" / "upstream"


def key(module: Module, sources: Path) -> str:
    """Return the build key of ``module``: 12 hex digits over its pins, sources and stamps."""
    digest = hashlib.sha256("\n".join(module.stamps).encode())
    for path in sorted([sources / "go.mod", sources / "go.sum", *sources.glob("*.go")]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def home(module: Module) -> Path:
    """Return the folder where the binaries of ``module``, as it is now, belong."""
    return cache() / f"{module.name}-{key(module, _sources(module))}"


def needed(*, kubelet: bool) -> tuple[Module, ...]:
    """Return the modules that a cluster is made of; ``kubelet`` asks for a node's runtime too."""
    names = {"kubernetes", "containerd"} if kubelet else {"kubernetes"}
    return tuple(module for module in MODULES if module.name in names)


def missing(modules: Iterable[Module] = MODULES) -> tuple[Module, ...]:
    """Return those of ``modules`` that still have to be built."""
    return tuple(module for module in modules if not _is_built(module))


def binary(name: str) -> Path:
    """Return the binary called ``name``, building its module when needed.

    Raises :class:`errors.UnavailableError` without Go, :class:`errors.BuildError` when Go fails,
    and ``KeyError`` for a name that no module yields.
    """
    for module in MODULES:
        if name in module.binaries:
            return build(module) / name
    raise KeyError(name)


def kubernetes() -> Path:
    """Return the binary that holds etcd, every Kubernetes component and the test drivers."""
    return binary("kubernetes")


def build(module: Module, progress: Callable[[str], None] | None = None) -> Path:
    """Return the folder with the binaries of ``module``; build them when they are missing."""
    if _is_built(module):
        return home(module)
    go = shutil.which("go")
    if go is None:
        raise errors.UnavailableError(
            (f"the Go toolchain is missing, and {module.name} is not built yet",)
        )
    with _lock(module):
        if not _is_built(module):
            if progress is not None:
                progress(
                    f"building fixtures/upstream/{module.name} (minutes when Go's cache is cold)"
                )
            _build(module, go)
    return home(module)


def _is_built(module: Module) -> bool:
    return all((home(module) / name).is_file() for name in module.binaries)


def _sources(module: Module) -> Path:
    return data.fixtures("upstream", module.name)


@contextmanager
def _lock(module: Module) -> Generator[None]:
    """Let one process build a module while the others wait for its result."""
    folder = cache()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = (folder / f"{module.name}.lock").open("w")
    except OSError as error:
        raise errors.UnusableError(
            f"the build cache {folder} cannot be written: {error}"
        ) from error
    with handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _build(module: Module, go: str) -> None:
    """Build into a scratch folder and rename: a killed build leaves no half binary."""
    target = home(module)
    scratch = target.with_name(target.name + ".building")
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    log = target.with_name(target.name + ".log")
    flags = " ".join(["-s -w", *(f"-X {stamp}" for stamp in module.stamps)])
    with log.open("w") as output:
        for name, package in module.binaries.items():
            command = [go, "build", "-trimpath", "-ldflags", flags, "-o", str(scratch / name)]
            status = _run([*command, package], _sources(module), output.fileno())
            if status != 0:
                raise errors.BuildError(module.name, log, _last_line(log, status))
    shutil.rmtree(target, ignore_errors=True)
    scratch.rename(target)


def _run(command: list[str], folder: Path, output: int) -> int:
    environment = {
        **os.environ,
        "CGO_ENABLED": "0",
        "GOFLAGS": "-mod=readonly -buildvcs=false",
        "GOWORK": "off",
    }
    return subprocess.run(  # noqa: S603 - our own command line
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        check=False,
    ).returncode


def _last_line(log: Path, status: int) -> str:
    lines = log.read_text(errors="replace").strip().splitlines()
    return lines[-1] if lines else f"go build ended with status {status}"
