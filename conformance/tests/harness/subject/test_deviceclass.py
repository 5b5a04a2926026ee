"""The class of the judged driver: made, or read from a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.harness.errors import TargetMisconfigured
from conformance.harness.subject import deviceclass
from conformance.harness.subject.protocol import DriverOptions

TEXT = """
kind: ConfigMap
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: small}
spec: {selectors: [{cel: {expression: "true"}}]}
"""


def test_a_class_of_every_device_is_made() -> None:
    made = deviceclass.wanted(DriverOptions(name="d.example.com", device_class="small"))

    assert made["metadata"]["name"] == "small"
    (selector,) = made["spec"]["selectors"]
    assert selector["cel"]["expression"] == 'device.driver == "d.example.com"'


def test_the_class_of_a_file_is_found(tmp_path: Path) -> None:
    (tmp_path / "f").write_text(TEXT, "utf-8")
    options = DriverOptions(name="d", device_class="small", class_file=tmp_path / "f")

    assert deviceclass.wanted(options)["spec"]["selectors"][0]["cel"]["expression"] == "true"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a: [", "is not YAML"),
        ("kind: DeviceClass", "holds no DeviceClass 'small'"),
        (TEXT.replace("small", "large"), "holds no DeviceClass 'small'"),
        ("[1, 2]", "holds no DeviceClass 'small'"),
    ],
)
def test_a_file_without_the_class_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "f").write_text(text, "utf-8")
    options = DriverOptions(name="d", device_class="small", class_file=tmp_path / "f")

    with pytest.raises(TargetMisconfigured, match=sentence):
        deviceclass.wanted(options)
