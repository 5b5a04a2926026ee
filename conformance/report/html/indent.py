"""JSON as evidence holds it, one line for a value, in lines for people."""

from __future__ import annotations

import re
from collections.abc import Iterator

#: What changes the layout of JSON, and all between, in which nothing does: texts, other values
#: and what is empty. A text without an end is one that was cut off.
_TEXT = r'"[^"\\]*(?:\\.[^"\\]*)*"?'
_TOKEN = re.compile(rf'(?:{_TEXT}|[{{\[]\s*[}}\]]|[^"{{}}\[\],]+)+|[{{}}\[\]]|, ?')
_OPENING, _CLOSING = ("{", "["), ("}", "]")


def indented(text: str) -> str:
    """Return a text with each line that begins an object or a list laid out, by one space a level.

    What was cut off in the middle is laid out as far as it goes.
    """
    return "\n".join(
        "".join(_laid_out(line)) if line.startswith(_OPENING) and len(line) > 1 else line
        for line in text.split("\n")
    )


def _laid_out(line: str) -> Iterator[str]:
    depth = 0
    for token in _TOKEN.findall(line):
        if token in _OPENING:
            depth += 1
            yield f"{token}\n{' ' * depth}"
        elif token in _CLOSING:
            depth = max(0, depth - 1)
            yield f"\n{' ' * depth}{token}"
        elif token[0] == ",":
            yield f",\n{' ' * depth}"
        else:
            yield token
