"""How far a certification is, profile by profile, while its checks run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import pytest

from conformance.catalogue import proofs
from conformance.catalogue.model import Catalogue
from conformance.cli import console
from conformance.evidence.verdict import Outcome
from conformance.plugin.recording import from_fields

#: A profile that holds all others says nothing by itself.
_WHOLE = "driver/all"

#: What a person wants to know at once.
_LOUD = (Outcome.FAILED, Outcome.ERRORED, Outcome.INCONCLUSIVE)


class Progress:
    """A plugin of pytest: a line for each failure, and one for each profile when it is done."""

    def __init__(self, law: Catalogue, profiles: Iterable[str]) -> None:
        self._ids = _parts(law, tuple(profiles))
        self._left: Counter[str] = Counter()
        self._found: dict[str, Counter[Outcome]] = {name: Counter() for name in self._ids}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Count the checks of each profile, and say so."""
        for item in session.items:
            names = [str(one) for mark in item.iter_markers("requirement") for one in mark.args]
            self._left.update(self._profiles(names))
        self._begin()

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Do so where others run the checks, once: all of them collect the same."""
        if self._left:
            return
        judged = {one.nodeid: one.requirements for one in proofs.collect().checks}
        for name in ids:
            self._left.update(self._profiles(judged.get(name.partition("[")[0], ())))
        self._begin()

    def _begin(self) -> None:
        for name, ids in self._ids.items():
            checks = f"{self._left[name]} checks of {len(ids)} requirements"
            console.words(f"{name}: {checks}")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Tell of a failure at once, and of a profile when its last check has ended."""
        fields = getattr(report, "dra_record", None)
        if fields is None:
            return
        record = from_fields(fields)
        if record.outcome in _LOUD:
            ids = ", ".join(record.requirements)
            console.words(f"{record.outcome} {ids}: {record.check.rpartition('::')[2]}")
        for name in self._profiles(record.requirements):
            self._found[name][record.outcome] += 1
            self._left[name] -= 1
            if not self._left[name]:
                console.words(f"{name}: {_spelled(self._found[name])}")

    def _profiles(self, ids: Iterable[str]) -> list[str]:
        asked = set(ids)
        return [name for name, members in self._ids.items() if asked & members]


def _parts(law: Catalogue, profiles: tuple[str, ...]) -> Mapping[str, frozenset[str]]:
    """Return the profiles that were asked for with their ids, the whole one in its parts."""
    names = [one for one in profiles if one != _WHOLE]
    if _WHOLE in profiles:
        names += [one for one in law.profiles if one.startswith("driver/") and one != _WHOLE]
    chosen = {name: law.select((name,), (), ()) for name in dict.fromkeys(names)}
    return {name: frozenset(one.id for one in members) for name, members in chosen.items()}


def _spelled(found: Mapping[Outcome, int]) -> str:
    said = {key: count for key, count in found.items() if key is not Outcome.SKIPPED and count}
    return ", ".join(f"{said[one]} {one}" for one in sorted(said)) or "no check ran"
