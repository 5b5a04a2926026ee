"""Expressions of policies: the dialect, what has no answer, and what they read."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.cel import CompileError, EvaluationError, compile_expression

VARIABLES = ("object", "facts")
OBJECT = {"spec": {"list": [{"a": 1}, {"a": 2}], "none": None, "real": 1.5, "text": "a.b"}}


def evaluated(text: str) -> Any:
    values = {"object": OBJECT, "facts": {}}
    return compile_expression(text, VARIABLES).evaluate(values)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("object.?spec.?other.orValue(7)", 7),
        ("object.spec.?list[?0].?a.hasValue() && !has(object.spec.other)", True),
        ("object.spec.none == null", True),
        ("object.spec.real > 1", True),
        ("object.spec.list.map(x, x.a)", [1, 2]),
        ('object.spec.text.split(".")', ["a", "b"]),
        ("cel.bind(x, object.spec.real, x + x)", 3.0),
        ('quantity("1Gi").isGreaterThan(quantity("1Mi"))', True),
        ('quantity("1k") == quantity("1000")', True),
        ('quantity("-") == quantity("Ki") && !isQuantity("Pi")', True),
        ('semver("v1.37.2", true).compareTo(semver("1.14.0"))', 1),
        ("object.spec.list.all(x, x.b == 1 || x.a > 0)", True),
    ],
)
def test_the_dialect_is_that_of_kubernetes(text: str, value: Any) -> None:
    assert evaluated(text) == value


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("object.spec.other == 1", "no such key: other"),
        ('object.spec.real.startsWith("a")', "No matching overloads"),
        ('"a".matches("(")', "invalid regular expression"),
        ('quantity("much").sign()', "quantit"),
        ("lists.size()", "undeclared"),
    ],
)
def test_what_has_no_answer_says_why(text: str, sentence: str) -> None:
    with pytest.raises((CompileError, EvaluationError), match=sentence):
        evaluated(text)


def test_a_condition_is_true_or_false() -> None:
    values = {"object": OBJECT, "facts": {}}
    condition = compile_expression("object.spec.real", VARIABLES, condition=True)

    with pytest.raises(EvaluationError, match="expected true or false, found float"):
        condition.holds(values)
    with pytest.raises(CompileError, match="must be true or false, not string"):
        compile_expression('"a"', VARIABLES, condition=True)


def test_members_that_are_read_are_known() -> None:
    text = '"facts.c" == "" || facts.a || facts.?b.orValue(false) || object.facts.d'
    expression = compile_expression(text, VARIABLES)

    assert expression.members("facts") == {"a", "b"}
    assert expression.mentions("facts") == 2


def test_too_many_iterations_end() -> None:
    text = "object.all(x, object.all(y, x >= y || true))"
    expression = compile_expression(text, VARIABLES)

    with pytest.raises(EvaluationError, match="costs too much"):
        expression.evaluate({"object": list(range(3000)), "facts": {}})
