"""Where a saboteur may step in: named seams around the functions of a component.

A component builds its seams once, when it is constructed::

    self._met = faults.wrap("scheduler.binding_conditions_met", conditions_met)

Without an active fault on that seam ``wrap`` gives the function back unchanged, so an
honest reference pays nothing. A fault never edits a rule; it stands between the rule and
its caller.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import attrs

Function = TypeVar("Function", bound=Callable[..., Any])

#: Called instead of the real function, which it gets first: ``saboteur(real, *args)``.
Saboteur = Callable[..., Any]


@attrs.frozen(kw_only=True)
class Fault:
    """One row of the fault tables: a way to be wrong, and who must notice."""

    name: str
    sentence: str
    seam: str
    breaks: tuple[str, ...]
    #: Other faults without which this one could not be committed.
    needs: tuple[str, ...] = ()
    #: The minor version of Kubernetes whose reference commits it; empty for the newest one.
    version: str = ""
    #: The table of a fault that may be committed together with the others of its table:
    #: none of them hides, or causes, what another one breaks. Empty for all others.
    group: str = ""


class Faults:
    """The faults that are active in one reference cluster."""

    def __init__(self, saboteurs: Mapping[str, Iterable[Saboteur]] | None = None) -> None:
        self._saboteurs = {seam: tuple(rows) for seam, rows in (saboteurs or {}).items()}

    def wrap(self, seam: str, function: Function) -> Function:
        """Return ``function``, or what the active saboteurs of ``seam`` make of it."""
        wrapped: Any = function
        for saboteur in self._saboteurs.get(seam, ()):
            wrapped = functools.partial(saboteur, wrapped)
        return wrapped


#: A cluster that obeys.
NONE = Faults()
