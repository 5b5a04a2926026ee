"""What a metrics endpoint answers is read as strictly as its format says."""

from __future__ import annotations

import pytest

from conformance.harness.errors import Violation
from conformance.harness.observe.exposition import format_of, read
from conformance.harness.observe.scraping import Answer

TEXT = "text/plain; version=0.0.4; charset=utf-8"
OPENMETRICS = "application/openmetrics-text; version=1.0.0"

WHOLE = """\
# HELP calls_total How often
# TYPE calls_total counter
calls_total{method="a}\\"b",code="200"} 3 1395066363000
calls_total{method="c",code="500",} 0

# TYPE seconds histogram
seconds_bucket{le="1"} 1
seconds_bucket{le="+Inf"} 2
seconds_sum 1.5e+1
seconds_count 2
# a remark
up 1
"""


def answer(text: str, kind: str = TEXT) -> Answer:
    return Answer(status=200, content_type=kind, text=text)


def test_a_whole_text_is_read() -> None:
    found = read(answer(WHOLE))

    (histogram,) = found.histograms()
    assert not found.misplaced
    assert not found.repeated()
    assert (histogram.bounds, histogram.counts) == ([1.0, float("inf")], [1.0, 2.0])
    assert (histogram.total, histogram.count) == (2.0, 2.0)
    assert [(one.name, one.kind, one.value) for one in found.rising().values()] == [
        ("calls_total", "counter", 3.0),
        ("calls_total", "counter", 0.0),
        ("seconds_bucket", "histogram", 1.0),
        ("seconds_bucket", "histogram", 2.0),
        ("seconds_count", "histogram", 2.0),
    ]
    assert found.values() == {
        ("calls_total", "method"): {'a}"b', "c"},
        ("calls_total", "code"): {"200", "500"},
    }


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("calls_total", id="no value"),
        pytest.param("calls_total one", id="no number"),
        pytest.param("calls_total 1 2 3", id="one word too many"),
        pytest.param("calls_total 1 soon", id="no time"),
        pytest.param("calls_total 1\r", id="carriage return"),
        pytest.param("the driver is well", id="prose"),
        pytest.param('calls_total{code="1"', id="open brace"),
        pytest.param("calls_total{code=1} 1", id="bare value of a label"),
        pytest.param('calls_total{1="1"} 1', id="name of a label"),
        pytest.param('calls_total{a="1",a="2"} 1', id="label twice"),
        pytest.param("1calls 1", id="name of a metric"),
        pytest.param('calls_total 1 # {a="b"} 1', id="exemplar"),
        pytest.param("# TYPE calls_total", id="no type"),
        pytest.param("# TYPE calls_total tally", id="unknown type"),
        pytest.param("# HELP", id="no name"),
        pytest.param("# TYPE 1calls counter", id="described name"),
    ],
)
def test_a_line_that_is_none_is_found(line: str) -> None:
    with pytest.raises(Violation, match="line 2"):
        read(answer(f"up 1\n{line}\n"))


def test_names_may_be_quoted() -> None:
    text = '# TYPE "my counter" counter\n# HELP "my counter"\n{"my counter",a="b"} 1\n'

    found = read(answer(text, "text/plain; version=1.0.0"))

    assert not found.misplaced
    assert [(one.name, one.kind) for one in found.rising().values()] == [("my counter", "counter")]


def test_the_last_line_ends() -> None:
    with pytest.raises(Violation, match="does not end with a line feed"):
        read(answer("up 1\ndown 0"))


def test_what_is_no_utf_8_is_none() -> None:
    with pytest.raises(Violation, match="UTF-8"):
        read(Answer(status=200, content_type=TEXT, text="up 1\n", garbled="byte 0xff"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param('a 1\nb 1\na{x="1"} 1\n', "another metric", id="torn apart"),
        pytest.param("a 1\n# TYPE a gauge\n", "behind a sample", id="type behind"),
        pytest.param("a_count 1\n# TYPE a histogram\n", "behind a sample", id="type of parts"),
        pytest.param("a 1\n# HELP a what\n", "behind a sample", id="help behind"),
        pytest.param("# TYPE a gauge\n# TYPE a gauge\na 1\n", "already", id="two types"),
        pytest.param("# HELP a what\n# HELP a why\na 1\n", "already", id="two helps"),
    ],
)  # fmt: skip
def test_what_does_not_stand_in_its_place_is_found(text: str, why: str) -> None:
    (found,) = read(answer(text)).misplaced

    assert why in found


def test_a_series_that_stands_there_twice_is_found() -> None:
    found = read(answer('a{x="1",y="2"} 1\na{y="2",x="1"} 2\na{x="1"} 3\n'))

    assert found.repeated() == ['a{x="1",y="2"} 1', 'a{y="2",x="1"} 2']


def test_histograms_are_told_apart_by_their_labels() -> None:
    rows = [f'h_bucket{{le="+Inf",x="{x}"}} {x}\nh_count{{x="{x}"}} {x}\n' for x in (1, 2)]

    found = read(answer("# TYPE h histogram\n" + "".join(rows))).histograms()

    assert [(one.total, one.count) for one in found] == [(1.0, 1.0), (2.0, 2.0)]


def test_open_metrics_are_read() -> None:
    text = '# TYPE calls counter\ncalls_total{code="200"} 3.0\n# EOF\n'

    (sample,) = read(answer(text, OPENMETRICS)).samples

    assert (sample.name, sample.only_rises) == ("calls_total", True)


def test_open_metrics_have_an_end() -> None:
    with pytest.raises(Violation, match="EOF"):
        read(answer("# TYPE calls counter\ncalls_total 3.0\n", OPENMETRICS))


@pytest.mark.parametrize(
    "kind",
    [TEXT, "text/plain", "text/plain; charset=utf-8", "TEXT/PLAIN;version=1.0.0", OPENMETRICS],
)
def test_a_format_of_prometheus_is_known(kind: str) -> None:
    assert format_of(answer("", kind)) == kind.partition(";")[0].lower()


@pytest.mark.parametrize(
    "kind", ["", "text/html", "application/json", "text/plain; version=0.0.3", "metrics"]
)
def test_no_other_format_is(kind: str) -> None:
    with pytest.raises(Violation, match="Content-Type"):
        format_of(answer("", kind))
