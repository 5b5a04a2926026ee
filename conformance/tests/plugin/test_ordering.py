"""The order of the checks follows from the seed alone."""

from __future__ import annotations

from conformance.plugin.ordering import shuffled

ITEMS = list(range(20))


def test_the_same_seed_gives_the_same_order() -> None:
    first = shuffled(ITEMS, lambda _: True, 7)

    assert first == shuffled(ITEMS, lambda _: True, 7)
    assert first != ITEMS
    assert sorted(first) == ITEMS


def test_another_seed_gives_another_order() -> None:
    assert shuffled(ITEMS, lambda _: True, 7) != shuffled(ITEMS, lambda _: True, 8)


def test_what_is_not_ours_stays_where_it_is() -> None:
    order = shuffled(ITEMS, lambda item: item % 2 == 0, 7)

    assert [item for item in order if item % 2] == [item for item in ITEMS if item % 2]
    assert [order.index(item) for item in ITEMS if item % 2] == [n for n in ITEMS if n % 2]
