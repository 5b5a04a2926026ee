"""How a kubelet can be wrong about the drivers of its node and their claims."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import attrs

from conformance.kube.objects import Object
from conformance.reference.faults.saboteurs.access.rights import administrator
from conformance.reference.faults.seams import Saboteur


class _RegistersOnce:
    """Do not register whoever was registered before."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    async def __call__(self, real: Any, socket: Any) -> None:
        """Register a socket of a name that was not seen yet."""
        if str(socket.path) not in self._known:
            await real(socket)
            self._known.add(str(socket.path))


def _takes_everybody(real: Any, supported: Any) -> Any:
    try:
        return real(supported)
    except ValueError:
        return real(["v1.DRAPlugin"])


def _knows_v1(real: Any, supported: Any) -> Any:
    return real([one for one in supported if one != "v1beta1.DRAPlugin"])


def _prefers_the_last(real: Any, supported: Any) -> Any:
    return real(list(reversed(supported)))


class _NeverAgain:
    """Make no call again of whoever failed in this manner."""

    def __init__(self, word: str) -> None:
        self._word = word
        self._failed: dict[str, Exception] = {}

    async def __call__(self, real: Any, plugin: Any, refs: Any) -> Any:
        """Call, or repeat how an earlier call failed."""
        if plugin.endpoint in self._failed:
            raise self._failed[plugin.endpoint]
        try:
            return await real(plugin, refs)
        except Exception as error:
            if self._word in str(error):
                self._failed[plugin.endpoint] = error
            raise


def _wants_two_sockets(real: Any, socket: Any, info: Any) -> None:
    if info.endpoint == str(socket.path):
        info.type = "AnotherPlugin"
    real(socket, info)


def _lets_endpoints_be_taken(real: Any, socket: Any, info: Any) -> None:
    try:
        real(socket, info)
    except ValueError as error:
        if "already registered" not in str(error):
            raise


async def _asks_once(real: Any, socket: Any) -> None:
    try:
        await real(socket)
    except Exception:  # noqa: BLE001 - whatever it was, it is forgotten
        return


def _keeps_to_the_first(real: Any, plugins: Any) -> Any:
    return real(plugins[:1])


class _NeverGoesBack:
    """Remember how many instances of a driver there were, and use none if there are fewer."""

    def __init__(self) -> None:
        self._most: dict[str, int] = {}

    def __call__(self, real: Any, plugins: Any) -> Any:
        """Return the newest of as many instances as there ever were."""
        if not plugins:
            return real(plugins)
        driver = plugins[0].driver
        newest = max(self._number(one) for one in plugins)
        self._most[driver] = max(self._most.get(driver, 0), newest)
        return real(plugins) if newest == self._most[driver] else None

    @staticmethod
    def _number(plugin: Any) -> int:
        return 1 if "new" in plugin.endpoint else 0


async def _leaves_slices(real: Any, client: Any, node: str, driver: str | None) -> None:
    if driver is None:
        await real(client, node, driver)


async def _wipes_for_everybody(real: Any, client: Any, node: str, _: str | None) -> None:
    await real(client, node, None)


async def _wipes_every_node(real: Any, client: Any, node: str, driver: str | None) -> None:
    async with administrator(client) as api:
        nodes = [node]
        if driver is None:
            nodes = [one["metadata"]["name"] for one in (await api.list("nodes"))[0]]
        for one in nodes:
            await real(api, one, driver)


def _no_patience(*_: Any) -> float:
    return 5.0


async def _prepares_the_used(real: Any, pod: Object) -> None:
    spec = copy.deepcopy(pod["spec"])
    containers = [*(spec.get("initContainers") or []), *spec["containers"]]
    used = {
        claim["name"]
        for container in containers
        for claim in (container.get("resources") or {}).get("claims") or []
    }
    claims = [one for one in spec.get("resourceClaims") or [] if one["name"] in used]
    await real({**pod, "spec": {**spec, "resourceClaims": claims}})


def _takes_any_answer(*_: Any) -> None:
    """Find everything right."""


def _wants_devices(real: Any, answer: Any) -> Any:
    if not answer.devices:
        raise RuntimeError("a claim without devices")
    return real(answer)


def _prepares_again(real: Any, known: Any, wanted: Any) -> None:
    real(known, wanted)
    known.prepared = False


def _stops_at_prepared(real: Any, known: Any, wanted: Any) -> None:
    real(known, wanted)
    if known.prepared:
        raise RuntimeError("unable to get claim info")


class _StartsDespite:
    """Start a Pod although its preparation failed in this manner."""

    def __init__(self, word: str) -> None:
        self._word = word

    async def __call__(self, real: Any, pod: Object) -> None:
        """Prepare, and find that one failure no matter."""
        try:
            await real(pod)
        except RuntimeError as error:
            if self._word not in str(error):
                raise


async def _keeps_unstarted(real: Any, pod: Object) -> None:
    rows: list[Object] = (pod.get("status") or {}).get("containerStatuses") or []
    if any(row.get("containerID") for row in rows):
        await real(pod)


def _gives_whole_claims(real: Any, pod: Object, container: Object) -> Any:
    whole = copy.deepcopy(container)
    for claim in (whole.get("resources") or {}).get("claims") or []:
        claim.pop("request", None)
    return real(pod, whole)


def _nothing_for_inits(real: Any, pod: Object, container: Object) -> Any:
    inits = [one["name"] for one in pod["spec"].get("initContainers") or []]
    return [] if container["name"] in inits else real(pod, container)


def _overlooks_vanished(real: Any, kind: str, pod: Object, *rest: Any) -> None:
    if kind != "DELETED":
        real(kind, pod, *rest)


def _by_name(real: Any, known: Any, wanted: Any) -> None:
    if known.ref.uid == wanted.ref.uid:
        real(known, wanted)


def _joins(real: Any, known: Any, wanted: Any) -> None:
    if known.ref.uid != wanted.ref.uid:
        real(known, wanted)


def _last_of_prepared(real: Any, claim: Any, uid: str) -> bool:
    return claim.prepared and real(claim, uid)


async def _wants_names(real: Any, pod: Object) -> None:
    entries: list[Object] = pod["spec"].get("resourceClaims") or []
    made = [one for one in entries if one.get("resourceClaimTemplateName")]
    named = (pod.get("status") or {}).get("resourceClaimStatuses")
    if named or not made:
        await real(pod)


async def _undoes_with_one(real: Any, plugin: Any, refs: Any) -> Any:
    if plugin.driver.startswith("other."):
        return {ref.uid: SimpleNamespace(error="") for ref in refs}
    return await real(plugin, refs)


def _believes(real: Any, path: Any) -> Any:
    return [attrs.evolve(claim, prepared=True) for claim in real(path)]


def _forgets(*_: Any) -> Any:
    return []


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "kubelet-registers-a-driver-once": _RegistersOnce(),
    "kubelet-takes-everybody": _takes_everybody,
    "kubelet-knows-v1-alone": _knows_v1,
    "kubelet-prefers-the-older-version": _prefers_the_last,
    "kubelet-forgives-no-late-service": _NeverAgain("UNAVAILABLE"),
    "kubelet-wants-two-sockets": _wants_two_sockets,
    "kubelet-takes-a-break-for-the-end": _NeverAgain("UNAVAILABLE"),
    "kubelet-keeps-to-the-first-instance": _keeps_to_the_first,
    "kubelet-never-goes-back": _NeverGoesBack(),
    "kubelet-lets-endpoints-be-taken": _lets_endpoints_be_taken,
    "kubelet-asks-once-who-is-there": _asks_once,
    "kubelet-leaves-slices": _leaves_slices,
    "kubelet-wipes-for-everybody": _wipes_for_everybody,
    "kubelet-has-no-patience": _no_patience,
    "kubelet-prepares-what-containers-use": _prepares_the_used,
    "kubelet-takes-any-answer": _takes_any_answer,
    "kubelet-wants-devices": _wants_devices,
    "kubelet-prepares-for-each-pod": _prepares_again,
    "kubelet-stops-at-a-prepared-claim": _stops_at_prepared,
    "kubelet-starts-when-nobody-answers": _StartsDespite("DeadlineExceeded"),
    "kubelet-gives-up-after-a-failed-call": _NeverAgain("INTERNAL"),
    "kubelet-waits-for-one-driver": _StartsDespite("the other is not ready"),
    "kubelet-does-not-ask-who-owns-a-claim": _takes_any_answer,
    "kubelet-keeps-pods-that-never-started": _keeps_unstarted,
    "kubelet-gives-whole-claims": _gives_whole_claims,
    "kubelet-gives-init-containers-nothing": _nothing_for_inits,
    "kubelet-takes-silence-for-undone": _takes_any_answer,
    "kubelet-overlooks-vanished-pods": _overlooks_vanished,
    "kubelet-knows-claims-by-name": _by_name,
    "kubelet-undoes-what-succeeded": _last_of_prepared,
    "kubelet-wants-names-in-the-status": _wants_names,
    "kubelet-joins-a-claim-that-goes": _joins,
    "kubelet-undoes-with-one-driver": _undoes_with_one,
    "kubelet-wipes-every-node": _wipes_every_node,
    "kubelet-believes-its-checkpoint": _believes,
    "kubelet-forgets-its-claims": _forgets,
}
