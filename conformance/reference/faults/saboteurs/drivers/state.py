"""Saboteurs of prepared claims: what each one does wrong stands in ``driver_state.yaml``."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from conformance.kube.objects import Object, uid_of
from conformance.kube.status import StatusError
from conformance.reference.faults.seams import Saboteur

#: So many claims are answered in one call.
_BATCH = 16

_WEEK = 7 * 24 * 3600.0

#: Which of the clocks a driver has kept an instant of.
_MONOTONIC, _WALL = 0, 1


class Again:
    """Fails for a claim that was asked for before."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def __call__(self, real: Callable[[Object], Any], claim: Object) -> Any:
        """Prepare a claim once."""
        if uid_of(claim) in self._seen:
            raise OSError("the claim is prepared already")
        prepared = real(claim)
        self._seen.add(uid_of(claim))
        return prepared


class Busy:
    """Serves one call at a time and turns others away."""

    def __init__(self) -> None:
        self._calls = 0

    async def __call__(self, real: Callable[[Any], Awaitable[Object]], asked: Any) -> Object:
        """Fail while another call is under way."""
        if self._calls:
            raise OSError("another call is under way")
        self._calls += 1
        try:
            return await real(asked)
        finally:
            self._calls -= 1


class UndoneOnce:
    """Fails for a claim that was undone before."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def __call__(self, real: Callable[..., None], namespace: str, name: str, uid: str) -> None:
        """Undo a claim once."""
        if uid in self._seen:
            raise OSError("the claim is undone already")
        real(namespace, name, uid)
        self._seen.add(uid)


def known_only(_real: Callable[..., bool], _uid: str, known: Any) -> bool:
    """Fail for a claim that is not prepared."""
    if known is None:
        raise OSError("the claim is not prepared")
    return True


def if_known(_real: Callable[..., bool], _uid: str, known: Any) -> bool:
    """Remove nothing of a claim that is not in the checkpoint."""
    return known is not None


async def by_the_claim(_real: Any, client: Any, asked: Any) -> None:
    """Read the claim to know what to undo."""
    try:
        await client.get("resourceclaims", asked.name, asked.namespace)
    except StatusError as error:
        raise OSError(f"the claim can't be read: {error}") from error


def nothing(_real: Callable[..., None], *_given: Any) -> None:
    """Leave out what should be done."""


def leave_spec(_real: Callable[..., None], paths: Sequence[Path]) -> None:
    """Have written a CDI spec before it was clear that the claim can be prepared."""
    device = {"name": "half", "containerEdits": {"env": ["HALF=1"]}}
    spec = {"cdiVersion": "0.3.0", "kind": "half.example.com/device", "devices": [device]}
    paths[0].write_text(json.dumps(spec), "utf-8")


def whatever_is_allocated(_real: Callable[..., list[Object]], claim: Object) -> list[Object]:
    """Prepare devices that nobody publishes, if a scheduler says so."""
    results = claim["status"]["allocation"]["devices"]["results"]
    return [one for one in results if one["driver"] == results[0]["driver"]]


def strangers_too(real: Callable[..., list[Object]], claim: Object) -> list[Object]:
    """Take every allocated device for its own."""
    real(claim)
    return list(claim["status"]["allocation"]["devices"]["results"])


def strangers_configuration(
    real: Callable[..., Any], claim: Object, driver: str, request: str
) -> Any:
    """Take all opaque configuration for its own."""
    devices = claim["status"]["allocation"]["devices"]
    strange = {"driver": driver, "parameters": {"environment": 1}}
    config = [
        one if one["opaque"]["driver"] == driver else {**one, "opaque": strange}
        for one in devices.get("config") or []
    ]
    return real({"status": {"allocation": {"devices": {"config": config}}}}, driver, request)


def all_or_none(real: Callable[[Object], Any], claim: Object) -> Any:
    """Break off the call where one claim can't be prepared."""
    try:
        return real(claim)
    except RuntimeError as error:
        raise ValueError(f"giving up: {error}") from error


def half_a_batch(real: Callable[..., list[Any]], claims: Any) -> list[Any]:
    """Forget the claims at the end of a long call."""
    return real(claims)[:_BATCH]


def forget(_real: Callable[..., Any], _path: Path) -> Mapping[str, Any]:
    """Start with an empty head."""
    return {}


def remember_names_only(real: Callable[[Path], Mapping[str, Any]], path: Path) -> Any:
    """Know which claims were prepared, and not what for."""
    return {uid: attrs.evolve(claim, devices=()) for uid, claim in real(path).items()}


class Memory:
    """Remembers claims that were read once."""

    def __init__(self) -> None:
        self._known: dict[str, Object] = {}

    async def __call__(self, real: Callable[[Any], Awaitable[Object]], asked: Any) -> Object:
        """Return what a claim was where it can't be read any more."""
        try:
            self._known[asked.uid] = await real(asked)
        except RuntimeError:
            if asked.uid not in self._known:
                raise
        return self._known[asked.uid]


def whatever_can_be_read(real: Callable[[Path], Mapping[str, Any]], path: Path) -> Any:
    """Start without claims where they can't be read."""
    try:
        return real(path)
    except ValueError:
        return {}


class Broken:
    """Works until there is a claim without devices."""

    def __init__(self) -> None:
        self._broken: list[Any] = []

    def __call__(self, real: Callable[[Object], list[Object]], claim: Object) -> list[Object]:
        """Fail from the first such claim of a driver on."""
        found = real(claim)
        if not found:
            self._broken.append(real)
        if real in self._broken:
            raise ValueError("there must be a device")
        return found


def by_name_alone(real: Callable[[Object], list[Object]], claim: Object) -> list[Object]:
    """Take a device in a pool that is unknown for one that the driver has."""
    try:
        return real(claim)
    except RuntimeError:
        results = claim["status"]["allocation"]["devices"]["results"]
        if not any("no-such-pool" in one["pool"] for one in results):
            raise
        return list(results)


def never_empty(real: Callable[..., list[Any]], claims: Any) -> list[Any]:
    """Fail for a call without claims."""
    found = real(claims)
    if not found:
        raise ValueError("there must be a claim")
    return found


def as_far_as_understood(real: Callable[..., Mapping[str, str]], *given: Any) -> Mapping[str, str]:
    """Do without configuration that is wrong."""
    try:
        return real(*given)
    except RuntimeError:
        return {}


def without_a_word(real: Callable[..., Mapping[str, str]], *given: Any) -> Mapping[str, str]:
    """Say that something is wrong, and nothing else."""
    try:
        return real(*given)
    except RuntimeError as error:
        raise type(error)("the configuration is wrong") from error


def as_far_as_known(
    real: Callable[..., Mapping[str, str]], claim: Object, *given: Any
) -> Mapping[str, str]:
    """Read the fields that are known, in whatever case, and no others."""
    devices = claim["status"]["allocation"]["devices"]
    known = [{**one, "opaque": _known(one.get("opaque"))} for one in devices.get("config") or []]
    return real({"status": {"allocation": {"devices": {"config": known}}}}, *given)


def _known(opaque: Any) -> Any:
    parameters = {name.lower(): value for name, value in (opaque or {})["parameters"].items()}
    only = "environment" in parameters
    return {**opaque, "parameters": {"environment": parameters["environment"]}} if only else opaque


def for_requests_alone(real: Callable[..., tuple[Any, ...]], *given: Any) -> tuple[Any, ...]:
    """Leave out the devices of subrequests."""
    return tuple(one for one in real(*given) if "/" not in one.requests[0])


def for_every_request(real: Callable[..., tuple[Any, ...]], *given: Any) -> tuple[Any, ...]:
    """Call each device by the names of all requests that the claim has."""
    found = real(*given)
    names = tuple(sorted({name for one in found for name in one.requests}))
    return tuple(attrs.evolve(one, requests=names) for one in found)


def of_users_and_administrators(
    real: Callable[..., None], uid: str, results: Iterable[Object], prepared: Any
) -> None:
    """Take admin access for use."""
    real(uid, [{**one, "adminAccess": False} for one in results], prepared)


class Drafts:
    """Writes a draft each time, and forgets about it."""

    def __init__(self) -> None:
        self._count = 0

    def __call__(self, real: Callable[[Path, Object], None], path: Path, spec: Object) -> None:
        """Leave a draft beside a spec."""
        self._count += 1
        path.with_name(f".{path.name}.{self._count}").touch()
        real(path, spec)


class Instants:
    """Keeps when it first prepared each claim, in seconds of a clock."""

    def __init__(self, refused: Callable[[float], bool], clock: int = _MONOTONIC) -> None:
        """``refused`` tells whether claims of this age, in seconds, are."""
        self._refused = refused
        self._clock = clock
        self._first: dict[str, float] = {}

    def __call__(self, real: Callable[..., None], uid: str, *instants: float) -> None:
        """Fail for a claim of such an age."""
        now = instants[self._clock]
        age = now - self._first.setdefault(uid, now)
        if self._refused(age):
            raise OSError(f"claim {uid} was prepared {age:g} s ago")
        real(uid, *instants)


SABOTEURS: Mapping[str, Saboteur] = {
    "driver-prepares-a-claim-once": Again(),
    "driver-serves-one-call-at-a-time": Busy(),
    "driver-undoes-a-claim-once": UndoneOnce(),
    "driver-undoes-known-claims-only": known_only,
    "driver-undoes-by-the-claim": by_the_claim,
    "driver-shares-what-is-taken": nothing,
    "driver-overlooks-another-allocation": nothing,
    "driver-leaves-half-a-claim": leave_spec,
    "driver-prepares-unknown-devices": whatever_is_allocated,
    "driver-gives-up-a-batch": all_or_none,
    "driver-answers-half-a-batch": half_a_batch,
    "driver-takes-a-strangers-device": strangers_too,
    "driver-takes-a-strangers-configuration": strangers_configuration,
    "driver-remembers-names-only": remember_names_only,
    "driver-forgets-at-start": forget,
    "driver-keeps-files-of-forgotten-claims": if_known,
    "driver-trusts-in-lost-specs": nothing,
    "driver-answers-from-memory": Memory(),
    "driver-overlooks-damage": whatever_can_be_read,
    "driver-breaks-at-a-claim-without-devices": Broken(),
    "driver-overlooks-pools": by_name_alone,
    "driver-breaks-at-an-empty-call": never_empty,
    "driver-overlooks-wrong-configuration": as_far_as_understood,
    "driver-knows-no-subrequests": for_requests_alone,
    "driver-refuses-without-a-word": without_a_word,
    "driver-reads-what-it-knows": as_far_as_known,
    "driver-mixes-up-requests": for_every_request,
    "driver-refuses-administrators": of_users_and_administrators,
    "driver-leaves-a-draft": Drafts(),
    "driver-refuses-claims-of-the-future": Instants(lambda age: age < 0),
    "driver-refuses-claims-of-old": Instants(lambda age: age > _WEEK),
    "driver-refuses-claims-of-a-later-hour": Instants(lambda age: age < 0, _WALL),
    "driver-refuses-claims-of-another-week": Instants(lambda age: age > _WEEK, _WALL),
}
