"""Saboteurs between a driver's start and end: what each does stands in ``driver_lifecycle.yaml``.

One saboteur serves every driver of a run, so that what it remembers is kept by driver.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket as socketlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from conformance.reference.faults.seams import Saboteur


class Fickle:
    """Counts how often it was asked."""

    def __init__(self) -> None:
        self._asked = 0

    def __call__(self, real: Callable[[Any], Any], info: Any) -> Any:
        """Announce another version of something each time."""
        self._asked += 1
        answer = type(info)()
        answer.CopyFrom(real(info))
        answer.supported_versions.append(f"v{self._asked}.Something")
        return answer


async def stop_to_serve(servers: Sequence[Any]) -> None:
    """End the servers once the call under way is answered."""
    await asyncio.sleep(0)
    for server, _ in servers:
        await server.stop(0)


class OneKubelet:
    """Remembers which drivers were registered."""

    def __init__(self) -> None:
        self._registered: set[Path] = set()
        self._ends: set[asyncio.Future[None]] = set()

    async def __call__(
        self, real: Callable[..., Awaitable[None]], registered: bool, servers: Sequence[Any]
    ) -> None:
        """Have had enough when it is registered again."""
        await real(registered, servers)
        _, socket = servers[0]
        if registered and socket in self._registered:
            self._ends.add(asyncio.ensure_future(stop_to_serve(servers)))
        self._registered |= {socket} if registered else set()


class GiveUp:
    """Ends a driver that nobody wants."""

    def __init__(self) -> None:
        self._ends: set[asyncio.Future[None]] = set()

    async def __call__(
        self, real: Callable[..., Awaitable[None]], registered: bool, servers: Sequence[Any]
    ) -> None:
        """Stop to serve where the registration was refused."""
        await real(registered, servers)
        if not registered:
            self._ends.add(asyncio.ensure_future(stop_to_serve(servers)))


async def hang(_real: Callable[[], Awaitable[None]]) -> None:
    """Wait for what never comes."""
    await asyncio.Event().wait()


def known_alone(_real: Callable[..., bool], _uid: str, prepared: Any) -> bool:
    """Remove the files of claims that this instance knows."""
    return prepared is not None


def keep_quiet(_real: Callable[[bool, str], str], _registered: bool, _error: str) -> str:
    """Tell nothing."""
    return ""


def failing(_real: Callable[[], int]) -> int:
    """Call it a failure to have been ended."""
    return 1


async def leave_service_socket(
    real: Callable[[Any, Path], Awaitable[None]], server: Any, socket: Path
) -> None:
    """Put a file where the socket of the service was."""
    await real(server, socket)
    if not socket.name.endswith("-reg.sock"):
        socket.touch()  # noqa: ASYNC240 - one file, local


def remove_all(real: Callable[[Any, Path], None], checkpoint: Any, folder: Path) -> None:
    """Remove the specs of everything that is prepared."""
    real(checkpoint, folder)
    for claim in checkpoint.claims():
        for path in folder.glob(f"*{claim.uid}*"):
            path.unlink(missing_ok=True)


def without_v1beta1(real: Callable[[Any], list[str]], services: Any) -> list[str]:
    """Serve v1 alone."""
    return [one for one in real(services) if not one.startswith("v1beta1")]


def long_name(real: Callable[..., Any], driver: str, endpoint: str, services: Any) -> Any:
    """Have another socket, whose name is too long for anybody to dial."""
    folder = Path(endpoint).parent
    draft = folder / "x.sock"
    with socketlib.socket(socketlib.AF_UNIX) as socket:
        socket.bind(str(draft))
    draft.rename(folder / f"{'x' * 100}.sock")
    return real(driver, endpoint, services)


def one_name(
    real: Callable[[str, str], tuple[str, str]], driver: str, _instance: str
) -> tuple[str, str]:
    """Forget which instance it is."""
    return real(driver, "")


async def take_all_sockets(
    real: Callable[[Any, Path], Awaitable[None]], server: Any, socket: Path
) -> None:
    """Remove what looks like the driver's."""
    await real(server, socket)
    driver = socket.name.removesuffix("-reg.sock")
    for path in socket.parent.glob(f"{driver.removesuffix('.sock')}*.sock"):
        path.unlink(missing_ok=True)


def blind(_real: Callable[[], bool]) -> bool:
    """Believe that nobody else writes."""
    return True


class NeverAgain:
    """Remembers for which namespaces the API server could not be reached."""

    def __init__(self) -> None:
        self._lost: set[str] = set()

    async def __call__(self, real: Callable[[Any], Awaitable[Any]], asked: Any) -> Any:
        """Be lost from then on."""
        if asked.namespace in self._lost:
            raise OSError("the connection to the API server is lost")
        try:
            return await real(asked)
        except Exception as error:
            if "can't be reached" in str(error):
                self._lost.add(asked.namespace)
            raise


async def ask_the_api(real: Callable[[Any, Any], Awaitable[None]], client: Any, asked: Any) -> None:
    """Read all slices, which a driver may do, for no good reason."""
    await real(client, asked)
    try:
        await client.list("resourceslices")
    except Exception as error:
        raise OSError(f"the claim can't be looked at: {error}") from error


def sleep_on(_real: Callable[[asyncio.Event], None], _awake: asyncio.Event) -> None:
    """Do not hear the alarm."""


def write_or_not(real: Callable[[Path, Any], None], path: Path, spec: Any) -> None:
    """Take no notice of errors."""
    with contextlib.suppress(OSError):
        real(path, spec)


def another_device(real: Callable[..., Mapping[str, str]], *given: Any) -> Mapping[str, str]:
    """Tell of a device that the claim does not have."""
    driver, node, uid, device = given
    return real(driver, node, uid, f"not-{device}")


def overlook(_real: Callable[..., None], _publisher: Any, _config: Any) -> None:
    """Take no notice."""


async def dead(_real: Any, _sockets: Any, _client: Any) -> bool:
    """Be dead."""
    return False


async def immortal(_real: Any, _sockets: Any, _client: Any) -> bool:
    """Be alive."""
    return True


async def alive_by_the_api(real: Callable[..., Awaitable[bool]], sockets: Any, client: Any) -> bool:
    """Be alive with the API server alone."""
    try:
        await client.list("resourceslices")
    except Exception:  # noqa: BLE001 - whatever stands between them
        return False
    return await real(sockets, client)


def unready(_real: Callable[[bool, bool], bool], _registered: bool, _published: bool) -> bool:
    """Be never ready."""
    return False


def ready_once_registered(
    real: Callable[[bool, bool], bool], registered: bool, _published: bool
) -> bool:
    """Ask for no slices."""
    return real(registered, True)


def ready_once_published(
    real: Callable[[bool, bool], bool], _registered: bool, published: bool
) -> bool:
    """Ask for no kubelet."""
    return real(True, published)


def join_nothing(_real: Callable[[Any, Any], None], _servicer: Any, _server: Any) -> None:
    """Listen, and serve nothing."""


def any_service(_real: Callable[[str], bool], _asked: str) -> bool:
    """Take every name for one's own."""
    return True


class FirstToken:
    """Remembers what stood in each file when it was first read."""

    def __init__(self) -> None:
        self._first: dict[Path, str] = {}

    def __call__(self, real: Callable[[Path], str], path: Path) -> str:
        """Read a file once; that of a driver which is started again has a name of its own."""
        if path not in self._first:
            self._first[path] = real(path)
        return self._first[path]


SABOTEURS: Mapping[str, Saboteur] = {
    "driver-tells-each-kubelet-another-thing": Fickle(),
    "driver-gives-up-when-refused": GiveUp(),
    "driver-serves-one-kubelet": OneKubelet(),
    "driver-does-not-end": hang,
    "driver-instances-keep-each-others-files": known_alone,
    "driver-keeps-a-refusal-to-itself": keep_quiet,
    "driver-ends-with-an-error": failing,
    "driver-leaves-its-service-socket": leave_service_socket,
    "driver-tidies-up-too-much": remove_all,
    "driver-promises-v1beta1": without_v1beta1,
    "driver-with-a-long-socket-name": long_name,
    "driver-instances-share-a-socket": one_name,
    "driver-ends-for-its-successor": take_all_sockets,
    "driver-instances-do-not-share": blind,
    "driver-loses-the-api-server": NeverAgain(),
    "driver-undoes-by-the-api": ask_the_api,
    "driver-never-wakes": sleep_on,
    "driver-describes-another-device": another_device,
    "driver-looks-once": overlook,
    "driver-hides-a-lost-spec": write_or_not,
    "driver-calls-itself-dead": dead,
    "driver-calls-itself-alive": immortal,
    "driver-answers-any-probe": any_service,
    "driver-has-no-health-service": join_nothing,
    "driver-is-never-ready": unready,
    "driver-is-ready-without-slices": ready_once_registered,
    "driver-is-ready-without-kubelet": ready_once_published,
    "driver-reads-its-token-once": FirstToken(),
    "driver-dies-with-the-api-server": alive_by_the_api,
}
