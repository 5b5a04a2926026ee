"""What proves a requirement: the checks and policies that judge it, and its saboteurs."""

from __future__ import annotations

import functools
from pathlib import Path

from attrs import frozen

from conformance.catalogue import checks, policies, saboteurs
from conformance.catalogue.checks import Check
from conformance.catalogue.policies import PolicyRow
from conformance.catalogue.saboteurs import Saboteur

_PACKAGE = Path(__file__).parents[1]

#: The suite of this program, as files.
SUITE = _PACKAGE / "suite"
#: The fault tables of the bundled reference, as files.
FAULTS = _PACKAGE / "reference" / "faults"
#: The policies of this program, as files.
POLICIES = _PACKAGE / "policy" / "policies"


@frozen(kw_only=True)
class Proofs:
    """Every check, every saboteur and every policy."""

    checks: tuple[Check, ...]
    saboteurs: tuple[Saboteur, ...]
    policies: tuple[PolicyRow, ...] = ()

    def checks_of(self, name: str) -> tuple[Check, ...]:
        """Return the checks that judge the requirement with this id."""
        return tuple(check for check in self.checks if name in check.requirements)

    def saboteurs_of(self, name: str) -> tuple[Saboteur, ...]:
        """Return the saboteurs that make the requirement with this id fail."""
        return tuple(one for one in self.saboteurs if name in one.breaks)

    def policies_of(self, name: str) -> tuple[PolicyRow, ...]:
        """Return the policies that judge the requirement with this id."""
        return tuple(one for one in self.policies if name in one.requirements)


@functools.cache
def collect(suite: Path = SUITE, faults: Path = FAULTS, rules: Path = POLICIES) -> Proofs:
    """Read the three folders; raises ``CatalogueError`` where one holds something malformed."""
    return Proofs(checks=checks.scan(suite), saboteurs=saboteurs.scan(faults),
                  policies=policies.scan(rules))  # fmt: skip
