"""Calls at one time, as kubelets make them for Pods that start together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Answer = TypeVar("Answer")


def together(calls: Iterable[Callable[[], Answer]]) -> list[Answer]:
    """Make every call in a thread of its own, and return the answers in the order of the calls.

    Raises what the first of them raised, once all have ended.
    """
    calls = list(calls)
    with ThreadPoolExecutor(len(calls)) as threads:
        futures = [threads.submit(call) for call in calls]
    return [future.result() for future in futures]
