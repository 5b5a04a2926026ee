"""Exchanges are kept within bounds, the first and the last of them."""

from __future__ import annotations

from conformance.harness.exchange import BODY, FIRST, LAST, Exchange, Exchanges


def asked(number: int, method: str = "GET") -> Exchange:
    return Exchange(method=method, path=f"/{number}", status=200, response={"number": number})


def test_polling_that_hears_the_same_counts_once() -> None:
    exchanges = Exchanges()
    for _ in range(5):
        exchanges.add(asked(1))

    assert [one.title() for one in exchanges.all()] == ["GET /1 → 200 (5 times)"]


def test_what_is_asked_otherwise_is_not_folded() -> None:
    exchanges = Exchanges()
    for accept in ("text/plain", "application/json"):
        exchanges.add(Exchange(method="GET", path="/", request=accept, status=200))

    assert len(exchanges.all()) == 2


def test_calls_that_hear_the_same_count_once() -> None:
    exchanges = Exchanges()
    for _ in range(3):
        exchanges.add(Exchange(kind="grpc", method="Check", path="Health", status="OK"))
    exchanges.add(Exchange(kind="grpc", method="Check", path="Health", status="UNAVAILABLE"))

    assert [one.title() for one in exchanges.all()] == [
        "Check Health → OK (3 times)",
        "Check Health → UNAVAILABLE",
    ]


def test_writes_are_never_folded() -> None:
    exchanges = Exchanges()
    for _ in range(2):
        exchanges.add(asked(1, "POST"))

    assert len(exchanges.all()) == 2


def test_the_middle_is_left_out_and_said_to_be() -> None:
    exchanges = Exchanges()
    count = FIRST + LAST + 7
    for number in range(count):
        exchanges.add(asked(number))

    kept = [one.path for one in exchanges.all()]
    assert kept[0] == "/0"
    assert kept[-1] == f"/{count - 1}"
    assert len(kept) == FIRST + LAST
    assert exchanges.left_out == 7


def test_a_long_body_is_cut() -> None:
    body = Exchange(method="GET", path="/", status=200, response="x" * (BODY * 2)).body()

    assert len(body) < BODY + 200
