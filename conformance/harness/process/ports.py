"""Ports for programs that listen where we tell them."""

from __future__ import annotations

import itertools
import os
import socket

#: Ports that no system gives to outgoing connections by default, and that few programs use.
_FIRST, _COUNT = 20000, 12000

_asked = itertools.count(os.getpid() * 37)


def loopback(port: int) -> str:
    """Return the address of a port of the loopback interface."""
    return f"127.0.0.1:{port}"


def metrics_url(port: int) -> str:
    """Return where a program tells its metrics on a port; empty for a port that is none."""
    return f"http://{loopback(port)}/metrics" if port > 0 else ""


def free_port() -> int:
    """Return a port of the loopback interface on which nobody listens; raises ``OSError``."""
    for number in itertools.islice(_asked, _COUNT):
        port = _FIRST + number % _COUNT
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)):
                return port
    raise OSError("every port is taken")
