"""Compatibility groups: which devices may draw from one counter set together (KEP-5963)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeAlias

from conformance.dra.allocation.pools import Candidate, DeviceKey, Pool

#: Driver, pool and counter set.
_SetKey: TypeAlias = tuple[str, str, str]
#: The groups that all devices of a counter set have in common; nothing where no device draws from
#: the set.
_Common: TypeAlias = frozenset[str] | None

#: The group of devices without groups, which go together with each other and with no others.
_NONE = frozenset({""})


class Groups:
    """What the devices that draw from a counter set have in common, while more are tried out."""

    def __init__(self, pools: Sequence[Pool], allocated: AbstractSet[DeviceKey]) -> None:
        self._common: dict[_SetKey, _Common] = {}
        self._undo: list[dict[_SetKey, _Common]] = []
        for pool in (one for one in pools if one.consuming):
            for candidate in (*pool.devices, *pool.elsewhere):
                if candidate.key in allocated:
                    self._add(candidate)

    def take(self, candidate: Candidate) -> bool:
        """Add the device, or change nothing and return false where its groups do not agree."""
        if any(self._disagrees(key, groups) for key, groups in _groups(candidate)):
            return False
        self._undo.append({key: self._common.get(key) for key, _ in _groups(candidate)})
        self._add(candidate)
        return True

    def give_back(self) -> None:
        """Undo the latest ``take`` that returned true."""
        self._common.update(self._undo.pop())

    def _disagrees(self, key: _SetKey, groups: frozenset[str]) -> bool:
        present = self._common.get(key)
        return present is not None and not present & groups

    def _add(self, candidate: Candidate) -> None:
        for key, groups in _groups(candidate):
            present = self._common.get(key)
            if present is None:
                self._common[key] = groups
            elif _NONE not in (present, groups):
                # Nothing is left where devices were allocated before their groups disagreed.
                self._common[key] = present & groups


def _groups(candidate: Candidate) -> Iterator[tuple[_SetKey, frozenset[str]]]:
    for consumption in candidate.device.get("consumesCounters") or []:
        key = (candidate.driver, candidate.pool, consumption["counterSet"])
        yield key, frozenset(consumption.get("compatibilityGroups") or _NONE)
