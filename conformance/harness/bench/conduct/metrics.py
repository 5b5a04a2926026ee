"""What a driver tells of its work to whoever scrapes its metrics."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import attrs

from conformance.harness import expect
from conformance.harness.bench.bench import Bench
from conformance.harness.bench.together import together
from conformance.harness.errors import Undecided, Unsupported, Violation
from conformance.harness.observe import exposition, scraping
from conformance.harness.observe.exposition import Exposition, Histogram
from conformance.harness.observe.scraping import Answer
from conformance.kube.objects import Object

#: As whom the driver is asked, by what is taken: the text format alone, or whatever Prometheus 3
#: takes.
SCRAPERS = {"text-format": scraping.TEXT, "prometheus": scraping.PROMETHEUS}

#: How many scrapers ask at one time.
SCRAPERS_AT_ONCE = 8

#: How many claims come and go, one after the other; more than a label has values by chance.
CLAIMS = 12

#: How often claims come and go while the driver is scraped.
_ROUNDS = 5

#: Counters of Go's runtime that are estimates: what a CPU did for the program is the rest that is
#: left of the whole, and may become less (https://github.com/golang/go/issues/74627).
_ESTIMATED = "go_cpu_classes_"

_STATUS = "HTTP status"


def scraped(bench: Bench, accept: str = scraping.TEXT) -> Answer:
    """Return what is answered; raises ``Unsupported`` where it is not known where."""
    url = bench.driver.metrics_url
    if not url:
        raise Unsupported("the check scrapes the driver's metrics, and their port is not known")
    return scraping.scraped(bench.world, url, accept)


def served(bench: Bench, accept: str = scraping.TEXT) -> Answer:
    """Wait until the metrics are answered, and return them; raises ``Violation``."""

    def look() -> Answer:
        answer = scraped(bench, accept)
        answers(answer)
        return answer

    bench.registration()
    return bench.world.until("the driver tells its metrics", look, bound="driver-recovers")


def answers(answer: Answer) -> None:
    """Expect that it is one; raises ``Violation``."""
    expect.that(answer.status == 200, "200", path=_STATUS, observed=str(answer))


def alike(answer: Answer) -> None:
    """Stand on an answer of a format that scrapers know, or raise ``Undecided``."""
    try:
        exposition.format_of(answer)
    except Violation as violation:
        raise Undecided(f"not judged, since its format is not known: {violation}") from violation


def available(bench: Bench, accept: str = scraping.TEXT) -> Answer:
    """Stand on a driver that tells its metrics, or raise ``Undecided``."""
    try:
        return served(bench, accept)
    except Violation as violation:
        raise Undecided(f"not judged, since no metrics are told: {violation}") from violation


def told(bench: Bench) -> Exposition:
    """Stand on metrics that can be read, or raise ``Undecided``."""
    answer = available(bench)
    try:
        return exposition.read(answer)
    except Violation as violation:
        raise Undecided(f"not judged, since its metrics can't be read: {violation}") from violation


def told_after_work(bench: Bench) -> Exposition:
    """Stand on metrics of a driver that has prepared a claim and undone it."""
    available(bench)
    bench.settled()
    return told(bench)


def histograms(bench: Bench) -> list[Histogram]:
    """Stand on histograms that were told after some work; raises ``Unsupported`` for none."""
    found = told_after_work(bench).histograms()
    if not found:
        raise Unsupported("the check needs a histogram, and the driver tells none")
    return found


def incomplete(found: Sequence[Histogram]) -> list[str]:
    """Return the histograms whose bucket up to +Inf is not their count."""
    return [
        f"{one.name}: {one.total} up to +Inf, {one.count} in all"
        for one in found
        if one.total is None or one.total != one.count
    ]


def disordered(found: Sequence[Histogram]) -> list[str]:
    """Return the histograms whose buckets do not stand from the lowest bound to the highest."""
    return [f"{one.name}: {one.bounds}" for one in found if one.bounds != sorted(one.bounds)]


def not_cumulative(found: Sequence[Histogram]) -> list[str]:
    """Return the histograms of which a bucket counts less than one with a lower bound."""
    return [f"{one.name}: {one.counts}" for one in found if one.counts != sorted(one.counts)]


@attrs.frozen
class Course:
    """What was told at one moment after the other."""

    moments: tuple[Exposition, ...]
    #: By what a claim is known that came and went meanwhile.
    words: tuple[str, ...]

    def fallen(self) -> list[str]:
        """Return what counts and has fallen, as it was and as it is."""
        return [
            f"{before} fell to {after.value:g}"
            for earlier, later in self._steps()
            for series, before in earlier.items()
            if (after := later.get(series)) is not None
            and after.value < before.value
            and not before.name.startswith(_ESTIMATED)
        ]

    def gone(self) -> list[str]:
        """Return what counts and is told no more; what tells of the claim alone may go with it."""
        return [
            str(before)
            for earlier, later in self._steps()
            for series, before in earlier.items()
            if series not in later and not _names(before.labels.values(), self.words)
        ]

    def _steps(self) -> Iterator[tuple[dict[object, exposition.Sample], ...]]:
        rising = [moment.rising() for moment in self.moments]
        yield from itertools.pairwise(rising)


def over_work(bench: Bench) -> Course:
    """Scrape before a claim is prepared, while it is, and after it was undone.

    Raises ``Unsupported`` for a driver that counts nothing.
    """
    moments = [told_after_work(bench)]
    if not moments[0].rising():
        raise Unsupported("the check needs a counter, and the driver tells none")
    claim = bench.simple("counted")
    for act in (bench.prepared, bench.unprepared):
        act(claim)
        moments.append(told(bench))
    return Course(tuple(moments), _words(claim))


def left_by_claims(bench: Bench) -> list[str]:
    """Let claims come and go, and return what they have left in the metrics in the end."""
    before, place = told_after_work(bench), bench.devices(1)
    words: list[str] = []
    for number in range(CLAIMS):
        claim = bench.claim(f"measured-{number}", *place)
        words += _words(claim)
        bench.prepared(claim)
        bench.unprepared(claim)
        bench.delete(claim)
    left: list[str] = []

    def look() -> bool:
        left[:] = _left(before, told(bench), words)
        expect.that(not left, "no series of claims that are gone", path="labels", observed=left)
        return True

    try:
        bench.steps.until("no series of the claims is left", look, bound="metrics-cleared")
    except Violation:
        return left
    return []


def _left(before: Exposition, after: Exposition, words: Sequence[str]) -> list[str]:
    """Return labels with values that name a claim, or that have become more with each."""
    known = before.values()
    found: list[str] = []
    for (name, label), values in after.values().items():
        new = sorted(values - known.get((name, label), set()))
        if _names(new, words) or len(new) >= CLAIMS:
            found.append(f"{name}, label {label}: {len(new)} new values, such as {new[0]!r}")
    return found


def _words(claim: Object) -> tuple[str, ...]:
    return claim["metadata"]["uid"], claim["metadata"]["name"]


def _names(values: Iterable[str], words: Sequence[str]) -> bool:
    return any(word in value for value in values for word in words)


def at_one_time(bench: Bench) -> list[Answer]:
    """Let several scrapers ask at one time."""
    available(bench)
    return together(functools.partial(scraped, bench) for _ in range(SCRAPERS_AT_ONCE))


def at_work(bench: Bench) -> list[Answer]:
    """Scrape for as long as claims come and go, whatever comes of them."""
    available(bench)
    places = bench.devices(1, at_most=4)
    claims = [bench.claim(f"busy-{number}", place) for number, place in enumerate(places)]
    work: Callable[[], object] = functools.partial(bench.come_and_go, claims, _ROUNDS)
    found: list[Answer] = []
    with ThreadPoolExecutor(1) as thread:
        done = thread.submit(work)
        while not done.done():
            found.append(scraped(bench))
    done.result()
    return [*found, scraped(bench)]


def unanswered(found: Sequence[Answer]) -> list[str]:
    """Return the answers that are none, as they are told."""
    return [str(one) for one in found if one.status != 200]
