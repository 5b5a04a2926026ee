"""Identity as a parameter: uids and name suffixes that follow from a seed."""

from __future__ import annotations

import random
import uuid

#: The letters that Kubernetes draws generated names from: no vowels, no look-alikes.
_ALPHABET = "bcdfghjklmnpqrstvwxz2456789"


class Identity:
    """A source of uids and suffixes; the same seed gives the same sequence."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)  # noqa: S311 - reproducibility is the purpose

    def uid(self) -> str:
        """Return a fresh version 4 UUID as Kubernetes spells it."""
        return str(uuid.UUID(int=self._random.getrandbits(128), version=4))

    def suffix(self, length: int = 5) -> str:
        """Return what ``generateName`` is completed with."""
        return "".join(self._random.choice(_ALPHABET) for _ in range(length))
