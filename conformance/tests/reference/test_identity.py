"""Uids and suffixes follow from the seed."""

from __future__ import annotations

import re
import uuid

from conformance.reference.identity import Identity


def test_the_same_seed_gives_the_same_sequence() -> None:
    one, two, other = Identity(7), Identity(7), Identity(8)

    assert [one.uid(), one.suffix()] == [two.uid(), two.suffix()]
    assert one.uid() != other.uid()


def test_uids_and_suffixes_look_like_kubernetes_own() -> None:
    identity = Identity()

    assert uuid.UUID(identity.uid()).version == 4
    assert re.fullmatch(r"[bcdfghjklmnpqrstvwxz2456789]{8}", identity.suffix(8))
