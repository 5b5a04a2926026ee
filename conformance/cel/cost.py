"""How costly an expression can become for the largest device that the API allows.

Kubernetes estimates with the type checker of cel-go, whose tree this engine does not give away.
What dominates that estimate is the nesting of comprehensions, so this one counts words and
multiplies by the size of the largest map for each comprehension around them. It refuses what
grows without reason and accepts ordinary selectors; the numbers are not those of Kubernetes.
"""

from __future__ import annotations

import re

#: Entries of the largest map or list of a device.
LARGEST = 32

_TOKEN = re.compile(
    r"""(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')"""
    r"""|\.\s*(?P<macro>all|exists|exists_one|map|filter)\s*\("""
    r"""|(?P<word>[A-Za-z_][A-Za-z0-9_]*|\d+)|(?P<open>\()|(?P<close>\))"""
)


def estimate(expression: str) -> int:
    """Return an upper bound of steps, in no particular unit."""
    total, depth = 0, 0
    brackets: list[bool] = []
    for token in _TOKEN.finditer(expression):
        if token["macro"] or token["open"]:
            brackets.append(bool(token["macro"]))
            depth += brackets[-1]
        elif token["close"]:
            depth -= brackets.pop() if brackets else 0
        else:
            total += LARGEST**depth
    return total
