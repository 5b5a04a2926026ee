"""Finding a driver in the registrar directory of a kubelet."""

from __future__ import annotations

import contextlib
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import grpc

from conformance.harness.errors import Violation
from conformance.harness.kubeletside.noting import Note, noted, nowhere
from conformance.wire import pluginregistration_v1_pb2 as messages
from conformance.wire import pluginregistration_v1_pb2_grpc as services

#: The type of plugin that a kubelet takes a DRA driver for.
PLUGIN_TYPE = "DRAPlugin"

#: The versions of the DRAPlugin service that kubelets since 1.34 speak.
PLUGIN_SERVICES = ("v1.DRAPlugin", "v1beta1.DRAPlugin")

_SERVICE = "pluginregistration.Registration"

#: Seconds for the handshake, which needs nothing but an answer.
_HANDSHAKE = 2.0

#: A Unix socket has no host name: without this, servers written in Go refuse the request.
_OPTIONS: list[tuple[str, Any]] = [
    ("grpc.default_authority", "localhost"),
    ("grpc.enable_http_proxy", 0),
    ("grpc.use_local_subchannel_pool", 1),
]


@attrs.frozen(kw_only=True)
class Registration:
    """What a driver says of itself, and where it says so."""

    socket: Path
    kind: str
    name: str
    endpoint: str
    services: tuple[str, ...]
    #: Keeps what is said to it.
    note: Note = attrs.field(default=nowhere, eq=False, repr=False)

    @property
    def service(self) -> str:
        """The first version of DRAPlugin that a kubelet speaks; raises ``Violation``."""
        for service in self.services:
            if service in PLUGIN_SERVICES:
                return service
        raise Violation(
            f"one of {', '.join(PLUGIN_SERVICES)}",
            path="PluginInfo.supported_versions",
            observed=list(self.services),
        )


@contextlib.contextmanager
def channel(socket: Path | str) -> Iterator[grpc.Channel]:
    """Open a channel to a Unix socket."""
    opened = grpc.insecure_channel(f"unix:{socket}", options=_OPTIONS)
    try:
        yield opened
    finally:
        opened.close()


def find(folder: Path, name: str, note: Note = nowhere) -> Registration:
    """Return what the driver of this name says; raises ``Violation`` where it says nothing.

    Every socket of the directory is asked, since its file name is the driver's own affair. What is
    said to it, now and later, is handed to ``note``.
    """
    seen: list[str] = []
    for path in sockets(folder):
        try:
            found = _ask(path, note)
        except grpc.RpcError as error:
            seen.append(f"{path.name}: {reason(error)}")
            continue
        if found.name == name:
            return _valid(found)
        seen.append(f"{path.name}: {found.name}")
    raise Violation(
        f"a socket on which {name} answers GetInfo",
        path="the kubelet's plugin registration directory",
        observed="; ".join(seen) or "no socket",
    )


def find_all(folder: Path, name: str, note: Note = nowhere) -> list[Registration]:
    """Return what every instance of the driver says that answers, by the name of its socket."""
    found: list[Registration] = []
    for path in sockets(folder):
        with contextlib.suppress(grpc.RpcError):
            found.append(_ask(path, note))
    return [_valid(one) for one in found if one.name == name]


def asked_again(found: Registration) -> Registration:
    """Return what the driver says on the same socket now; raises ``Violation``."""
    try:
        return _valid(_ask(found.socket, found.note))
    except grpc.RpcError as error:
        raise Violation("an answer to GetInfo", observed=reason(error)) from error


def refuse(found: Registration, why: str) -> None:
    """Tell the driver that a kubelet does not take it, and why.

    The driver may answer with an error of its own: that the kubelet hears it or not is the same.
    """
    status = messages.RegistrationStatus(plugin_registered=False, error=why)
    with contextlib.suppress(grpc.RpcError):
        _notify(found, status)


def accept(found: Registration) -> None:
    """Tell the driver that a kubelet takes it; raises ``Violation`` where it does not listen."""
    status = messages.RegistrationStatus(plugin_registered=True)
    try:
        _notify(found, status)
    except grpc.RpcError as error:
        path = "NotifyRegistrationStatus"
        raise Violation("an answer", path=path, observed=reason(error)) from error


def sockets(folder: Path) -> list[Path]:
    """Return the sockets of a directory, by name."""
    found: list[Path] = []
    for path in sorted(folder.iterdir()):
        with contextlib.suppress(FileNotFoundError):
            if stat.S_ISSOCK(path.lstat().st_mode):
                found.append(path)
    return found


def age(found: Registration) -> float:
    """Return for how many real seconds a registration socket has been there."""
    try:
        return time.time() - found.socket.lstat().st_ctime
    except FileNotFoundError:
        return 0.0


def reason(error: Any) -> str:
    """Return a gRPC error in words."""
    return f"{error.code().name}: {error.details()}"


def _notify(found: Registration, status: Any) -> None:
    with channel(found.socket) as opened:
        call = services.RegistrationStub(opened).NotifyRegistrationStatus
        noted(found.note, (_SERVICE, "NotifyRegistrationStatus"), call, status, _HANDSHAKE)


def _ask(path: Path, note: Note) -> Registration:
    with channel(path) as opened:
        call = services.RegistrationStub(opened).GetInfo
        info = noted(note, (_SERVICE, "GetInfo"), call, messages.InfoRequest(), _HANDSHAKE)
    return Registration(
        note=note,
        socket=path,
        kind=info.type,
        name=info.name,
        endpoint=info.endpoint or str(path),
        services=tuple(info.supported_versions),
    )


def _valid(found: Registration) -> Registration:
    """Return the registration if a kubelet takes it; raises ``Violation``."""
    if found.kind != PLUGIN_TYPE:
        raise Violation(repr(PLUGIN_TYPE), path="PluginInfo.type", observed=found.kind)
    assert found.service
    return found
