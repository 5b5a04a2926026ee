"""The binding conditions of a driver that publishes them: in its slices, and as it reports them."""

from __future__ import annotations

import attrs

from conformance.harness import expect
from conformance.harness.errors import Undecided, Unsupported, Violation
from conformance.harness.subject import inventory
from conformance.harness.subject.inventory import Inventory
from conformance.harness.subject.life import Life, Use
from conformance.kube.objects import Object

#: The fields of a device by which its driver uses the feature.
FIELDS = ("bindingConditions", "bindingFailureConditions", "bindsToNode")

#: What every condition has; a message may be empty, but stands there.
_PARTS = ("type", "status", "reason", "message", "lastTransitionTime")

#: What a status of a condition may be.
_STATUSES = ("True", "False", "Unknown")

#: Resolution of the times in conditions, in seconds, and how long a first status is watched.
_SECOND = 1.0
_LINGER = 3.0

_PATH = "status.devices[].conditions[]"


def using(found: Inventory) -> list[Object]:
    """Return the devices that use the feature; raises ``Unsupported`` where none does."""
    devices = [one for one in found.devices if any(one.get(field) for field in FIELDS)]
    if not devices:
        raise Unsupported("the check needs a driver that publishes binding conditions")
    return devices


def incomplete(devices: list[Object]) -> list[str]:
    """Return the names of devices that lack conditions or failure conditions."""
    return [one["name"] for one in devices if not all(one.get(field) for field in FIELDS[:2])]


def waited_for(life: Life, use: Use) -> Object:
    """Let a Pod wait for devices with conditions, and return its claim; raises ``Undecided``."""
    using(life.inventory())
    claim = life.allocated(use)
    if not _types(claim):
        raise Undecided("the devices that were allocated have no binding conditions")
    return claim


def reported(life: Life, use: Use) -> list[Object]:
    """Wait until each binding condition of the claim's devices is reported, and return them."""
    wanted = _types(waited_for(life, use))

    def look() -> list[Object]:
        rows = _conditions(life.world.claims.get(use.claim))
        expect.same(sorted(wanted - set(rows)), [], path=_PATH, hint="as bindingConditions say")
        return [rows[key] for key in sorted(wanted)]

    return life.world.until("the conditions are reported", look, bound="binding-timeout-default")


def whole(conditions: list[Object]) -> None:
    """Expect every condition to have all its parts; only its message may be empty."""
    for one in conditions:
        missing = [part for part in _PARTS if not one.get(part) and part != "message"]
        expect.same(missing, [], path=_PATH, hint=", ".join(_PARTS))
        expect.that("message" in one, "a message", path=_PATH, observed=one)
        expect.that(
            one["status"] in _STATUSES,
            ", ".join(_STATUSES),
            path=f"{_PATH}.status",
            observed=one["status"],
        )


def followed(life: Life, use: Use) -> None:
    """Look at the conditions until they are True and for a while after.

    Raises ``Violation`` where a time moves without its status, or stays when it changes.
    """
    reported(life, use)
    diary = Diary(life=life, use=use)
    world = life.world
    diary.look()
    world.patience.elapse(_LINGER)
    world.until("the conditions are True", diary.look, bound="binding-timeout-default")
    world.stays("each time is that of the last change of its status", diary.is_right)


@attrs.frozen(kw_only=True)
class Entry:
    """A condition as it was seen, and when it was first and last seen with its status."""

    condition: Object
    first: float
    last: float


@attrs.frozen(kw_only=True)
class Diary:
    """What the conditions of one claim were at each look, and what was wrong with them."""

    life: Life
    use: Use
    _entries: dict[tuple[str, str], Entry] = attrs.field(factory=dict)
    _troubles: list[Violation] = attrs.field(factory=list)

    def look(self) -> bool:
        """Write down what is there; tell whether all is True, or something was wrong."""
        claim = self.life.world.claims.get(self.use.claim)
        rows, wanted = _conditions(claim), _types(claim)
        for key, condition in rows.items():
            self._note(key, condition)
        settled = all(rows.get(key, {}).get("status") == "True" for key in wanted)
        return bool(self._troubles) or (bool(wanted) and settled)

    def is_right(self) -> bool:
        """Look once more; raises the first ``Violation`` that was seen."""
        self.look()
        for trouble in self._troubles:
            raise trouble
        return True

    def _note(self, key: tuple[str, str], condition: Object) -> None:
        now = self.life.world.cluster.time.now()
        before = self._entries.get(key)
        same = before is not None and before.condition["status"] == condition["status"]
        if before is not None and _is_wrong(before, condition):
            self._troubles.append(_violation(before.condition, condition))
        first = before.first if before is not None and same else now
        self._entries[key] = Entry(condition=condition, first=first, last=now)


def _is_wrong(before: Entry, now: Object) -> bool:
    moved = before.condition["lastTransitionTime"] != now["lastTransitionTime"]
    if before.condition["status"] == now["status"]:
        return moved
    # Times are whole seconds: two changes in one second have the same.
    return not moved and before.last - before.first > _SECOND


def _violation(before: Object, now: Object) -> Violation:
    shown = [f"{one['status']} since {one['lastTransitionTime']}" for one in (before, now)]
    return Violation(
        "the time of the last change of status",
        path=f"{_PATH}.lastTransitionTime",
        observed=f"{now['type']} {shown[0]}, then {shown[1]}",
    )


def _types(claim: Object) -> set[tuple[str, str]]:
    """Return device and type of each condition that binding waits for."""
    return {
        (one["device"], kind)
        for one in inventory.results(claim)
        for kind in one.get("bindingConditions") or []
    }


def _conditions(claim: Object) -> dict[tuple[str, str], Object]:
    devices: list[Object] = (claim.get("status") or {}).get("devices") or []
    return {
        (one["device"], condition["type"]): condition
        for one in devices
        for condition in one.get("conditions") or []
    }
