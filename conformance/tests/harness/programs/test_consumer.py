"""A consumer is a program that reads a stream and prints an object."""

from __future__ import annotations

import pytest

from conformance.harness.errors import TargetMisconfigured, Violation
from conformance.harness.observe import streams
from conformance.harness.programs.consumer import Answer, CommandConsumer


def test_what_is_printed_is_the_object() -> None:
    answer = CommandConsumer("cat").read('{"kind": "DeviceMetadata"}\n')

    assert answer == Answer(object={"kind": "DeviceMetadata"})


def test_another_code_is_an_error_with_the_last_words() -> None:
    answer = CommandConsumer("sh -c 'echo first >&2; echo last >&2; exit 3'").read("")

    assert answer == Answer(error="last")


@pytest.mark.parametrize("printed", ["", "[1]", "no JSON"])
def test_what_is_no_object_is_none(printed: str) -> None:
    assert CommandConsumer("cat").read(printed) == Answer()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        pytest.param("", "is empty", id="nothing"),
        pytest.param("no-such-program --flag", "no program 'no-such-program'", id="no program"),
        pytest.param("'unbalanced", "as a shell would", id="quotes"),
    ],
)
def test_a_command_that_can_not_be_run_is_refused(command: str, said: str) -> None:
    with pytest.raises(TargetMisconfigured, match=said):
        CommandConsumer(command)


def test_an_object_of_another_claim_is_a_violation() -> None:
    wanted = streams.document("v1beta1", "wanted")

    assert streams.taken(Answer(object=wanted), "wanted") == wanted
    with pytest.raises(Violation, match="the object of claim other"):
        streams.taken(Answer(object=wanted), "other")
    with pytest.raises(Violation, match="observed none no such file"):
        streams.taken(Answer(error="no such file"), "wanted")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        pytest.param(Answer(), "an error at `exit code`", id="silence"),
        pytest.param(Answer(object={"a": 1}, error="bad"), "no object", id="both"),
    ],
)
def test_a_refusal_is_an_error_without_an_object(answer: Answer, said: str) -> None:
    with pytest.raises(Violation, match=said):
        streams.refused(answer)
