"""Quantities are exact, and spelled as Kubernetes spells them."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.kube.quantity import Quantity, QuantityError, is_multiple, parse


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        pytest.param("1024Mi", "1Gi", id="largest binary suffix"),
        pytest.param("1000", "1k", id="largest decimal suffix"),
        pytest.param("0.5", "500m", id="no fraction"),
        pytest.param("1.5Gi", "1536Mi", id="binary fraction"),
        pytest.param("0", "0", id="zero has no suffix"),
        pytest.param("1e3", "1e3", id="exponent stays one"),
        pytest.param("5E2", "500", id="exponent of no multiple of three"),
        pytest.param("-2k", "-2k", id="negative"),
        pytest.param("512Ki", "512Ki", id="below the next suffix"),
        pytest.param("100", "100", id="plain"),
        pytest.param("0.1n", "1n", id="less than nano rounds up"),
        pytest.param("10Ei", "9223372036854775807", id="binary is capped"),
        pytest.param("1e30", "1e30", id="decimal is not capped"),
        pytest.param("1500e27", "1500e27", id="large exponent with more digits"),
        pytest.param("9223372036854775808", "9223372036854775808", id="more than 64 bits"),
    ],
)
def test_canonical_spelling(text: str, canonical: str) -> None:
    assert str(parse(text)) == canonical


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("1.2.3", id="two points"),
        pytest.param("10GB", id="unknown suffix"),
        pytest.param("abc", id="word"),
        pytest.param(True, id="boolean"),
        pytest.param(" 1", id="space"),
    ],
)
def test_what_is_no_quantity(text: object) -> None:
    with pytest.raises(QuantityError, match="regular expression"):
        parse(text)


def test_numbers_are_quantities_too() -> None:
    assert parse(5) == parse("5")


def test_comparison_ignores_the_spelling() -> None:
    assert parse("1Gi") == parse("1024Mi")
    assert parse("1Gi") > parse("1G")
    assert hash(parse("1Gi")) == hash(parse("1024Mi"))


def test_sums_are_exact_and_keep_the_family() -> None:
    assert str(parse("1Gi") + parse("1Gi")) == "2Gi"
    assert str(parse("1") - parse("100m")) == "900m"


@given(st.integers(min_value=-(10**15), max_value=10**15), st.sampled_from(["", "m", "k", "M"]))
def test_parsing_what_was_written_gives_the_same_amount(number: int, suffix: str) -> None:
    amount = parse(f"{number}{suffix}")
    assert parse(str(amount)) == amount


@given(st.integers(min_value=0, max_value=2**60))
def test_binary_amounts_survive(number: int) -> None:
    assert parse(str(Quantity(Decimal(number), "BinarySI"))).amount == number


def test_steps_are_counted_however_many_there_are() -> None:
    huge = parse("1e300").amount

    assert is_multiple(huge, parse("1m").amount)
    assert not is_multiple(huge, parse("7").amount)
