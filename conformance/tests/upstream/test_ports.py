"""Ports: different, free, below the ephemeral range."""

from __future__ import annotations

import socket

import pytest

from conformance.upstream import errors, ports


def test_ports_are_different_and_free() -> None:
    found = ports.free_ports(8)

    assert len(set(found)) == 8
    assert all(ports.LOWEST <= port <= ports.HIGHEST for port in found)
    assert all(ports.is_free(port) for port in found)


def test_a_port_with_a_listener_is_not_free() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert not ports.is_free(server.getsockname()[1])


def test_no_free_port_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "is_free", lambda _port: False)

    with pytest.raises(errors.UnusableError, match="no 2 free TCP ports"):
        ports.free_ports(2)
