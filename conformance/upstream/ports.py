"""Free loopback ports for the components of one cluster."""

from __future__ import annotations

import random
import socket

from conformance.upstream import errors

#: Below Linux' ephemeral range (32768 and up): a port from inside it can be taken by any
#: outgoing connection between our looking and the component's binding.
LOWEST, HIGHEST = 21000, 31999
_ATTEMPTS = 500


def free_ports(count: int) -> tuple[int, ...]:
    """Return ``count`` different TCP ports that nobody listens on at 127.0.0.1.

    Raises :class:`errors.UnusableError` when the machine has no free ports left.
    """
    chosen = random.SystemRandom()
    found: set[int] = set()
    for _ in range(_ATTEMPTS):
        if len(found) == count:
            break
        port = chosen.randint(LOWEST, HIGHEST)
        if is_free(port):
            found.add(port)
    if len(found) < count:
        raise errors.UnusableError(f"no {count} free TCP ports between {LOWEST} and {HIGHEST}")
    return tuple(sorted(found))


def is_free(port: int) -> bool:
    """Say whether 127.0.0.1 and every other address can be bound at ``port``."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        try:
            probe.bind(("", port))
        except OSError:
            return False
    return True
