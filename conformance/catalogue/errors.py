"""What can be wrong about the law, and what can be wrong about a question to it.

``CatalogueError``: a file of the law is malformed. It says where, as ``file:line:column``.

``UnknownName``: the law is fine, but somebody asked for a name that it lacks: an id
(``UnknownId``), a profile, a feature, a wait, a version. It suggests the nearest one.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class CatalogueError(Exception):
    """A file of the law is malformed: ``file:line:column: sentence``."""

    def __init__(self, where: object, sentence: str) -> None:
        super().__init__(f"{where}: {sentence}")
        self.where = where
        self.sentence = sentence


class UnknownName(LookupError):
    """No ``kind`` has this name; ``nearest`` is the most similar one, if any is similar."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
        self.kind = kind
        self.name = name
        self.nearest = close[0] if close else None
        hint = f"; did you mean {self.nearest!r}?" if self.nearest else ""
        super().__init__(f"no {kind} is called {name!r}{hint}")


class UnknownId(UnknownName):
    """No requirement has this id, and no id matches this glob."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        ids = list(known)
        # Whoever mistypes a number means the same area: DRA-POR-02 is not DRA-PRE-02.
        area = name.upper().rpartition("-")[0]
        same = [one for one in ids if one.rpartition("-")[0] == area]
        super().__init__("requirement", name, same or ids)
