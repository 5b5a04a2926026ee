"""Quantities are exact, and spelled as Kubernetes spells them."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.kube.quantity import Quantity, QuantityError, is_multiple, parse, stored


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


# What resource.Quantity of Kubernetes 1.37.2 makes of it: read from JSON, and written again.
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param("-", "0", id="a sign alone"),
        pytest.param("Ki", "0", id="a suffix alone"),
        pytest.param("-Ti", "0", id="sign and suffix"),
        pytest.param(".m", "0", id="a point alone"),
        pytest.param(" 1 ", "1", id="spaces around it"),
        pytest.param("007", "007", id="leading zeros stay"),
        pytest.param("+1", "+1", id="a plus stays"),
        pytest.param("1.", "1.", id="a point at the end stays"),
        pytest.param("1.001", "1.001", id="thousandths stay"),
        pytest.param("01.50", "1500m", id="hundredths do not"),
        pytest.param("1E3", "1E3", id="a capital exponent stays"),
        pytest.param("1100Ki", "1100Ki", id="a binary suffix that suits it stays"),
        pytest.param("1024Ki", "1Mi", id="one that does not is another"),
        pytest.param("1.25Gi", "1280Mi", id="a binary fraction never stays"),
        pytest.param("-0Ki", "0", id="zero is zero"),
    ],
)
def test_what_an_api_server_keeps(text: str, kept: str) -> None:
    assert stored(text) == kept


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        pytest.param("Pi", "unable to parse numeric part of quantity", id="suffix alone, large"),
        pytest.param(".Ei", "unable to parse numeric part of quantity", id="point alone, large"),
        pytest.param("e-12", "unable to parse numeric part of quantity", id="exponent, small"),
        pytest.param("1e", "unable to parse quantity's suffix", id="exponent without digits"),
        pytest.param("--1", "unable to parse quantity's suffix", id="two signs"),
        pytest.param("1Kii", "unable to parse quantity's suffix", id="no such suffix"),
    ],
)
def test_why_it_is_no_quantity(text: str, sentence: str) -> None:
    with pytest.raises(QuantityError, match=sentence):
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
