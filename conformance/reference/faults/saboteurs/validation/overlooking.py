"""Saboteurs that leave out what one rule of validation says."""

from __future__ import annotations

import re
from typing import Any

from conformance.kube.fields import ErrorKind, FieldError
from conformance.reference.faults.seams import Saboteur


def overlooking(
    path: str,
    kind: ErrorKind | None,
    *,
    says: str = "",
    says_not: str = "\0",
    resource: str = "",
    whole: bool = False,
) -> Saboteur:
    """Return a saboteur that leaves out the errors of a rule.

    They are those at a path that the expression matches as a whole, of this kind, whose
    detail holds ``says`` and does not hold ``says_not``, and of one resource if it is given. With
    ``whole``, what else is said at their paths is left out with them.
    """
    pattern = re.compile(path)

    def is_of_the_rule(error: FieldError) -> bool:
        return (
            pattern.fullmatch(error.path) is not None
            and kind in {None, error.kind}
            and says in error.detail
            and says_not not in error.detail
        )

    def saboteur(real: Any, plural: str, *arguments: Any) -> list[FieldError]:
        errors: list[FieldError] = real(plural, *arguments)
        if resource not in {"", plural}:
            return errors
        places = {error.path for error in errors if whole and is_of_the_rule(error)}
        return [error for error in errors if not is_of_the_rule(error) and error.path not in places]

    return saboteur
