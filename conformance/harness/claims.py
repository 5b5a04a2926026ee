"""The ResourceClaims of one world: allocation, reservation, and the status of devices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from conformance.harness import expect
from conformance.harness.client import Api, known
from conformance.harness.errors import Violation
from conformance.harness.wait import Patience
from conformance.kube.objects import Object
from conformance.kube.status import StatusError

CLAIMS = known("resource.k8s.io", "v1", "resourceclaims")

#: An allocation without devices: no driver has to be asked about it.
NO_DEVICES: Object = {"devices": {"results": []}}

#: As many holders as a claim takes, none of them a Pod or a group: nobody else can be added.
STRANGERS: Sequence[Object] = [
    {
        "apiGroup": "conformance.test",
        "resource": "others",
        "name": f"other-{number}",
        "uid": f"00000000-0000-4000-8000-{number:012d}",
    }
    for number in range(256)
]

#: The only time stamp that the suite writes; a driver's own clock plays no part in a check.
_STAMP = "2026-01-01T00:00:00Z"

#: How often a write is tried again when somebody else wrote in between.
_TRIES = 5


@attrs.frozen
class Claims:
    """The claims of one namespace."""

    api: Api
    namespace: str
    patience: Patience

    def get(self, name: str) -> Object:
        """Return a claim; raises ``StatusError``."""
        return self.api.get(CLAIMS, name, self.namespace)

    def noted(self, consumer: Object, entry: str) -> Object:
        """Return the claim that the status of a Pod or PodGroup names; raises ``Violation``."""
        rows: list[Any] = (consumer.get("status") or {}).get("resourceClaimStatuses") or []
        names = [row.get("resourceClaimName") for row in rows if row["name"] == entry]
        if not names or not names[0]:
            raise Violation(f"a claim for {entry}", path="resourceClaimStatuses", observed=rows)
        try:
            return self.get(names[0])
        except StatusError as error:
            raise Violation(f"claim {names[0]}", observed=str(error)) from error

    def allocated(self, name: str, *, bound: str = "claim-allocated") -> Object:
        """Wait until a claim is allocated, and return it."""
        return self.patience.until(
            f"claim {name} is allocated", lambda: self._allocated(name), bound=bound
        )

    def deallocated(self, name: str, *, bound: str = "claim-deallocated") -> Object:
        """Wait until a claim is not allocated any more, and return it."""
        return self.patience.until(
            f"claim {name} is not allocated any more",
            lambda: expect.unset(self.get(name), "status.allocation"),
            bound=bound,
        )

    def stays_allocated(self, name: str, *, for_: str) -> None:
        """Watch that a claim is allocated and its allocation is never another one."""
        first = expect.present(self.get(name), "status.allocation")
        self.patience.stays(
            f"claim {name} keeps its allocation",
            lambda: expect.field(self.get(name), "status.allocation", first),
            for_=for_,
        )

    def stays_unallocated(self, name: str, *, for_: str = "stays") -> None:
        """Watch that a claim is not allocated."""
        self.patience.stays(
            f"claim {name} is not allocated",
            lambda: expect.unset(self.get(name), "status.allocation"),
            for_=for_,
        )

    def reserved(self, name: str, pod: Object) -> Object:
        """Wait until a claim is reserved for a Pod, and return the claim."""
        return self.patience.until(
            f"claim {name} is reserved for Pod {pod['metadata']['name']}",
            lambda: self._reserved(name, pod),
            bound="claim-allocated",
        )

    def condition(self, name: str, kind: str, status: str = "True", *, device: str = "") -> Object:
        """Set a condition of the allocated devices, as an external controller does.

        ``device`` limits it to one device; raises ``StatusError``.
        """
        return self._write(name, lambda claim: _set_conditions(claim, {kind: status}, device))

    def conditions(self, name: str, statuses: Mapping[str, str]) -> Object:
        """Set several conditions of every allocated device in one write."""
        return self._write(name, lambda claim: _set_conditions(claim, statuses, ""))

    def write_status(self, name: str, **fields: Any) -> Object:
        """Replace fields of a claim's status, as a scheduler or driver does."""

        def change(claim: Object) -> None:
            claim.setdefault("status", {}).update(fields)

        return self._write(name, change)

    def _write(self, name: str, change: Any) -> Object:
        """Read, change and write the status; a conflict means that the claim is read again."""
        for tries_left in reversed(range(_TRIES)):
            claim = self.get(name)
            change(claim)
            try:
                return self.api.update(CLAIMS, claim, self.namespace, subresource="status")
            except StatusError as error:
                if error.code != 409 or not tries_left:
                    raise
        raise AssertionError("unreachable: the last try returns or raises")

    def _allocated(self, name: str) -> Object:
        claim = self.get(name)
        expect.present(claim, "status.allocation")
        return claim

    def _reserved(self, name: str, pod: Object) -> Object:
        claim = self.get(name)
        rows = expect.at(claim, "status.reservedFor") or []
        if pod["metadata"]["uid"] not in [row.get("uid") for row in rows]:
            raise Violation(
                f"a reservation for Pod {pod['metadata']['name']}",
                path="status.reservedFor",
                observed=rows,
            )
        return claim


def _set_conditions(claim: Object, statuses: Mapping[str, str], device: str) -> None:
    results = expect.present(claim, "status.allocation.devices.results")
    rows: list[Object] = claim["status"].setdefault("devices", [])
    for result in results:
        if device and result["device"] != device:
            continue
        row = _row(rows, result)
        kept = [one for one in row.get("conditions") or [] if one["type"] not in statuses]
        row["conditions"] = [*kept, *(_condition(*item) for item in statuses.items())]


def _condition(kind: str, status: str) -> Object:
    return {
        "type": kind,
        "status": status,
        "reason": "DRAConformance",
        "message": "set by the suite, in the place of an external controller",
        "lastTransitionTime": _STAMP,
    }


def _row(rows: list[Object], result: Object) -> Object:
    key = {part: result[part] for part in ("driver", "pool", "device")}
    for row in rows:
        if all(row.get(part) == value for part, value in key.items()):
            return row
    row: Object = dict(key)
    rows.append(row)
    return row
