"""An engine of another make comes to the same answers, wherever it speaks the dialect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from conformance.cel import Expression, witness
from conformance.tests.policy.test_fixtures import cases, judged

#: So many expressions of policies the other engine must at least have answered: most of those
#: without optional syntax and functions of Kubernetes.
ANSWERED = 90


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any, Any]]:
    """Collect every expression that is evaluated: its text, its variables and its answer."""
    found: list[tuple[str, Any, Any]] = []
    real = Expression.evaluate

    def evaluate(self: Expression, values: Mapping[str, Any]) -> Any:
        answer = real(self, values)
        found.append((self.text, dict(values), answer))
        return answer

    monkeypatch.setattr(Expression, "evaluate", evaluate)
    return found


def test_both_engines_agree_on_every_fixture(asked: list[tuple[str, Any, Any]]) -> None:
    for path in [*cases("pass"), *cases("fail")]:
        judged(path)

    agreed: set[str] = set()
    for text, values, answer in asked:
        if not isinstance(answer, bool):
            continue
        try:
            second = witness.evaluate(text, values)
        except witness.NotSpoken:
            continue
        assert second == answer, f"{text}: {answer}, cel-python says {second}, of {values}"
        agreed.add(text)

    assert len(agreed) >= ANSWERED


@pytest.mark.parametrize(
    "text", ["object.?a.orValue(1) == 1", "quantity('1') == quantity('1')"], ids=["syntax", "name"]
)
def test_what_the_other_engine_lacks_is_told_apart_from_an_answer(text: str) -> None:
    with pytest.raises(witness.NotSpoken):
        witness.evaluate(text, {"object": {}})
