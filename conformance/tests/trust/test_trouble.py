"""What a request meets, and how a refusal is spelled."""

from __future__ import annotations

from conformance.trust import trouble
from conformance.trust.trouble import WATCHED, Allotment, Trouble


def test_trouble_is_met_so_often_and_by_these_verbs_alone() -> None:
    given = Trouble(verbs=frozenset({"update"}), code=409, times=2)
    met = Allotment(given)

    assert [met.next(verb) for verb in ("get", "update", "update", "update")] == [
        WATCHED,
        given,
        given,
        WATCHED,
    ]


def test_a_refusal_is_a_status_and_says_when_to_come_again() -> None:
    given = Trouble(code=429, retry_after=3)

    told = trouble.refusal(given)

    assert (told["code"], trouble.headers(given)) == (429, {"Retry-After": "3"})
    assert (told["kind"], told["reason"]) == ("Status", "TooManyRequests")
    assert told["details"] == {"retryAfterSeconds": 3}
    assert trouble.refusal(Trouble(code=410))["reason"] == "Expired"
    assert trouble.headers(Trouble(code=410)) == {}
