"""Ports are given out on which nobody listens."""

from __future__ import annotations

import socket

from conformance.harness.process.ports import free_port


def test_a_port_that_is_given_can_be_taken() -> None:
    port = free_port()

    with socket.create_server(("127.0.0.1", port)) as server:
        assert server.getsockname() == ("127.0.0.1", port)


def test_a_port_is_not_given_twice_in_a_row() -> None:
    assert free_port() != free_port()
