"""How long the checks of drivers take, which is mostly how long drivers wait on purpose.

It spreads the checks over several instances of a driver; no verdict hangs on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from attrs import frozen

from conformance.report.model import Report

_SUITE = "conformance/suite/"

#: Real seconds by module and function where they are many, of the others of a module without a
#: function; measured with dra-example-driver 0.4.0.
_KNOWN: Mapping[str, Mapping[str, float]] = {
    "driver_lifecycle/test_absence.py": {
        "test_an_absence_of_the_api_server_is_survived": 5,
    },
    "driver_lifecycle/test_credentials.py": {
        "test_another_token_is_taken_up": 15,
    },
    "driver_lifecycle/test_end.py": {"test_the_driver_ends_without_an_error": 6},
    "driver_lifecycle/test_registration.py": {"test_a_restart_of_the_kubelet_is_survived": 4},
    "driver_publishing/test_trouble.py": {
        "test_a_busy_server_is_left_alone_as_long_as_it_asks": 5,
        "test_a_slice_is_written_in_the_end": 2.5,
        "test_dropped_fields_are_no_storm": 7,
        "test_no_slice_is_invalid": 5,
        "test_nothing_is_asked_for_while_nothing_changes": 13,
        "test_what_was_missed_is_found_out": 14,
        "test_writes_that_fail_are_no_storm": 7,
    },
    "driver_publishing/test_upkeep.py": {
        "test_a_deleted_slice_is_published_again": 7,
        "test_an_allocated_device_stays_published": 4,
        "test_names_stand_for_the_same_devices_after_a_restart": 5,
        "test_nothing_is_written_while_nothing_changes": 15,
    },
    "driver_state/test_crash.py": {
        "": 3,
        "test_an_undoing_that_was_cut_short_is_repeated": 8,
    },
    "driver_state/test_forms.py": {"": 1},
    "driver_state/test_refusal.py": {"": 1.5},
    "driver_state/test_repetition.py": {
        "": 2,
        "test_a_batch_of_32_is_answered_for_each": 10,
        "test_repetition_wears_nothing_out": 7,
    },
    "driver_state/test_restart.py": {"": 2},
}

#: The same by check, or by module for its others.
KNOWN: Mapping[str, float] = {
    f"{_SUITE}{module}::{function}".removesuffix("::"): seconds
    for module, functions in _KNOWN.items()
    for function, seconds in functions.items()
}

#: What a check takes of which nothing is known, and one that was not asked for.
USUAL = 0.6
UNASKED = 0.003


@frozen(kw_only=True)
class Paces:
    """What is expected of the checks of one run."""

    #: The checks that were asked for, as pytest spells them without the row of parameters.
    asked: frozenset[str]
    #: An earlier run that told how long its checks took.
    earlier: Report | None = None

    def of(self, check: str) -> float:
        """Return the seconds that a check takes at best: as is known, or as it once did."""
        function, module = check.partition("[")[0], check.partition("::")[0]
        if function not in self.asked:
            return UNASKED
        known = [KNOWN[one] for one in (function, module) if one in KNOWN][:1]
        return min([*known, *self._then.get(check, ())], default=USUAL)

    @cached_property
    def _then(self) -> Mapping[str, list[float]]:
        """What each check took in the earlier run."""
        found: dict[str, list[float]] = {}
        for one in self.earlier.checks if self.earlier else ():
            found.setdefault(one.name, []).append(one.seconds)
        return found
