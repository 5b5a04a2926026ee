"""The kubeconfig that our clusters hand out is one that the rule finds nothing wrong with."""

from __future__ import annotations

import base64
from pathlib import PurePath

import pytest

from conformance.kube import kubeconfig


@pytest.mark.parametrize("authority", [b"", b"-----BEGIN CERTIFICATE-----"])
def test_what_is_written_can_be_used(authority: bytes) -> None:
    document = kubeconfig.written("http://127.0.0.1:1", "secret", name="x", authority=authority)

    assert kubeconfig.trouble(document) is None
    assert document["users"] == [{"name": "x", "user": {"token": "secret"}}]
    (cluster,) = document["clusters"]
    told = cluster["cluster"].get("certificate-authority-data", "")
    assert base64.b64decode(told) == authority


def test_a_token_may_be_in_a_file() -> None:
    document = kubeconfig.written("http://127.0.0.1:1", PurePath("/a/token"), name="x")

    assert kubeconfig.trouble(document) is None
    assert document["users"] == [{"name": "x", "user": {"tokenFile": "/a/token"}}]
