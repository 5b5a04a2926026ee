"""No credential outlives redaction, and nothing else is touched."""

from __future__ import annotations

import json

import pytest

from conformance.evidence.redact import MARK, redact_text, redact_value

HIDDEN = "aGlkZGVu"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"Authorization: Bearer {HIDDEN}.x-y_z", id="header"),
        pytest.param(f"{{'authorization': 'bearer {HIDDEN}'}}", id="header in a Python dict"),
        pytest.param(f'{{"token": "{HIDDEN}"}}', id="token in JSON"),
        pytest.param(f'{{"client-key-data":"{HIDDEN}', id="client key in JSON that was cut"),
        pytest.param(f"users:\n- user:\n    token: {HIDDEN}\n", id="token in a kubeconfig"),
        pytest.param(f"    client-key-data: {HIDDEN}", id="client key in a kubeconfig"),
        pytest.param(f"{{'password': '{HIDDEN}'}}", id="password in a Python dict"),
        pytest.param(f"kind: Secret\ndata: {{a: {HIDDEN}}}\n", id="Secret in flow style"),
        pytest.param(f"kubectl --token={HIDDEN} get pods", id="command line"),
        pytest.param(
            f"-----BEGIN RSA PRIVATE KEY-----\n{HIDDEN}\n-----END RSA PRIVATE KEY-----",
            id="private key",
        ),
        pytest.param(f"-----BEGIN PRIVATE KEY-----\n{HIDDEN}", id="private key that was cut"),
        pytest.param(f"eyJhbGciOiJ.eyJpc3MiOi{HIDDEN}.{HIDDEN}", id="bare service account token"),
        pytest.param(f'{{"kind": "Secret", "data": {{"a": "{HIDDEN}"}}}}', id="Secret in JSON"),
        pytest.param(f'{{"kind": "Secret", "data": {{"a": "{HIDDEN}', id="Secret that was cut"),
        pytest.param(
            json.dumps({"kind": "Secret", "stringData": {"a": json.dumps({"b": HIDDEN})}}),
            id="Secret with JSON in it",
        ),
        pytest.param(f"kind: Secret\ndata:\n  a: {HIDDEN}\ntype: Opaque\n", id="Secret in YAML"),
        pytest.param(f"data:\n  a: |\n    x\n    {HIDDEN}\nkind: Secret\n", id="block in YAML"),
    ],
)
def test_a_credential_is_gone_from_text(text: str) -> None:
    redacted = redact_text(text)

    assert HIDDEN not in redacted
    assert MARK in redacted


@pytest.mark.parametrize(
    "text",
    [
        "the driver published 4 devices",
        '{"kind": "ConfigMap", "data": {"mode": "shared"}}',
        "kind: ConfigMap\ndata:\n  mode: shared\n",
        "token bucket of the client is empty",
        "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----",
    ],
)
def test_other_text_stays(text: str) -> None:
    assert redact_text(text) == text


def test_redacting_twice_is_redacting_once() -> None:
    text = f"Authorization: Bearer {HIDDEN}\ntoken: {HIDDEN}\n"

    assert redact_text(redact_text(text)) == redact_text(text)


def test_values_keep_their_shape_and_lose_their_secrets() -> None:
    applied = json.dumps({"data": {"a": HIDDEN}})
    annotation = "kubectl.kubernetes.io/last-applied-configuration"
    secret = {
        "kind": "Secret",
        "metadata": {"name": "s", "annotations": {annotation: applied}},
        "data": {"a": HIDDEN},
    }
    value = {"items": [secret], "user": {"clientKeyData": HIDDEN}, "count": 3, "on": True}

    redacted = redact_value(value)

    assert HIDDEN not in json.dumps(redacted)
    assert redacted["items"][0]["metadata"]["name"] == "s"
    assert redacted["items"][0]["data"] == {"a": MARK}
    assert redacted["count"] == 3
    assert redacted["on"] is True
    assert value["items"][0]["data"] == {"a": HIDDEN}
