"""What a kubeconfig cannot be used for is said before the first request."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from conformance.harness.client import from_kubeconfig
from conformance.harness.errors import TargetMisconfigured


@pytest.mark.parametrize(
    ("cluster", "user", "sentence"),
    [
        pytest.param(
            {"certificate-authority-data": "no certificate"},
            {},
            "its certificate authority can't be used",
            id="authority",
        ),
        pytest.param(
            {},
            {"client-certificate-data": "no certificate", "client-key-data": "no key"},
            "its client certificate or its key can't be used",
            id="client certificate",
        ),
    ],
)
def test_certificates_that_cannot_be_read_are_a_wrong_configuration(
    cluster: dict[str, str], user: dict[str, str], sentence: str, tmp_path: Path
) -> None:
    path = tmp_path / "kubeconfig"
    path.write_text(
        json.dumps(
            {
                "apiVersion": "v1",
                "kind": "Config",
                "current-context": "one",
                "contexts": [{"name": "one", "context": {"cluster": "one", "user": "one"}}],
                "clusters": [
                    {"name": "one", "cluster": {"server": "https://h", **_coded(cluster)}}
                ],
                "users": [{"name": "one", "user": _coded(user)}],
            }
        ),
        "utf-8",
    )

    with pytest.raises(TargetMisconfigured, match=sentence) as raised:
        from_kubeconfig(path)

    assert str(path) in str(raised.value)


def _coded(values: dict[str, str]) -> dict[str, str]:
    return {key: base64.b64encode(value.encode()).decode() for key, value in values.items()}
