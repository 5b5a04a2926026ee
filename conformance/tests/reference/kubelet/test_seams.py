"""The tables of seams say what the code does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from conformance.reference import driver, kubelet
from conformance.reference.driver.seams import SEAMS as DRIVER
from conformance.reference.kubelet.seams import SEAMS as KUBELET

_WRAP = re.compile(r'faults\.wrap\(\s*"([^"]+)"')


@pytest.mark.parametrize(
    ("package", "table"), [(kubelet, KUBELET), (driver, DRIVER)], ids=["kubelet", "driver"]
)
def test_every_seam_is_listed_and_every_listed_seam_exists(
    package: object, table: Mapping[str, str]
) -> None:
    folder = Path(str(getattr(package, "__file__", ""))).parent
    text = "\n".join(path.read_text("utf-8") for path in sorted(folder.rglob("*.py")))

    assert sorted(_WRAP.findall(text)) == sorted(table)
