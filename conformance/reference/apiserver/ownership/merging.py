"""What is applied, laid over what is there: lists with keys keep what others have set."""

from __future__ import annotations

from collections import deque
from typing import Any

from conformance.reference.apiserver.ownership import paths
from conformance.reference.apiserver.ownership.comparing import ABSENT
from conformance.reference.apiserver.ownership.types import Type
from conformance.reference.apiserver.ownership.walking import (
    as_list,
    as_map,
    has_items,
    is_shared_list,
    is_shared_object,
)


def merge(live: Any, applied: Any, type_: Type) -> Any:
    """Return the live value with the applied one in it. Raises ``OwnershipError``.

    Values may be ``ABSENT``, and so may the result.
    """
    present = live if applied is ABSENT or applied is None else applied
    is_empty = not has_items(live) and not has_items(applied)
    if not is_empty and is_shared_object(type_, present):
        return _maps(as_map(live), as_map(applied), type_)
    if not is_empty and is_shared_list(type_, present):
        return _Lists(as_list(live), as_list(applied), type_).merged()
    return live if applied is ABSENT else applied


def _maps(live: dict[str, Any], applied: dict[str, Any], type_: Type) -> Any:
    result: dict[str, Any] = {}
    for key in {**live, **applied}:
        one = merge(live.get(key, ABSENT), applied.get(key, ABSENT), type_.at(key))
        if one is not ABSENT:
            result[key] = one
    return result or ABSENT


class _Lists:
    """Merges two lists by element.

    The applied order rules among what is applied; what only the live list has stays before
    what it stood before.
    """

    def __init__(self, live: list[Any], applied: list[Any], type_: Type) -> None:
        self._element = type_.element or type_
        self._live = deque((paths.of_item(type_, item), item) for item in live)
        self._applied = deque((paths.of_item(type_, item), item) for item in applied)
        elements = [element for element, _ in self._live]
        # Elements that stand there twice are not merged with what is applied.
        self._known = {
            element: item if elements.count(element) == 1 else None for element, item in self._live
        }
        self._wanted = {element for element, _ in self._applied}
        self._shared = deque(one for one, _ in self._applied if one in self._known)
        self._done: set[str] = set()
        self._result: list[Any] = []

    def merged(self) -> Any:
        while self._live or self._applied:
            self._step()
        return self._result or ABSENT

    def _step(self) -> None:
        if self._live and self._applied and self._live[0][0] == self._applied[0][0]:
            self._live.popleft()
            self._take_applied()
            return
        if self._live and self._is_out_of_turn(self._live[0][0]):
            self._live.popleft()
            return
        if self._live and self._live[0][0] not in self._wanted:
            self._result.append(self._live.popleft()[1])
            return
        if self._live and self._live[0][0] in self._done:
            self._live.popleft()
        if self._applied:
            self._take_applied()

    def _is_out_of_turn(self, element: str) -> bool:
        """Say whether the applied order puts another shared element first."""
        if not self._applied or not self._shared:
            return False
        return element in self._wanted and element != self._shared[0]

    def _take_applied(self) -> None:
        element, item = self._applied.popleft()
        self._done.add(element)
        self._result.append(merge(self._known.get(element, ABSENT), item, self._element))
        if self._shared and self._shared[0] == element:
            self._shared.popleft()
