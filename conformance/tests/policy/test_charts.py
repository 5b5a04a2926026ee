"""The rendered charts among the published manifests are what Helm makes of the chart."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from conformance import data
from conformance.tests.policy.published import ROOT
from conformance.upstream import build

pytestmark = [pytest.mark.upstream, pytest.mark.timeout(900)]

MODULE = "sigs.k8s.io/dra-example-driver@v0.4.0"
CHART = "deployments/helm/dra-example-driver"
EVERYTHING = (
    'controller.plugins=["BindingConditions"]',
    "kubeletPlugin.bindingConditions=true",
    "resourceQuota.enabled=true",
    "webhook.enabled=true",
    'deviceClass.extendedResourceName="example.com/gpu"',
)


@pytest.fixture(scope="module")
def chart() -> Path:
    """Return the folder of the chart in Go's module cache."""
    go = shutil.which("go")
    assert go is not None, "the Go toolchain is missing"
    told = subprocess.run(
        [go, "mod", "download", "-json", MODULE],
        cwd=data.fixtures("upstream", "drivers"),
        check=True,
        capture_output=True,
        text=True,
    )
    return Path(json.loads(told.stdout)["Dir"], CHART)


@pytest.mark.parametrize(
    ("name", "values"), [("chart.yaml", ()), ("chart-with-everything.yaml", EVERYTHING)]
)
def test_chart_renders_to_the_published_manifests(
    chart: Path, name: str, values: tuple[str, ...]
) -> None:
    apis = "resource.k8s.io/v1,v1"
    release = "dra-example-driver"
    words = [build.binary("charts"), chart, release, release, "v1.37.2", apis, *values]

    rendered = subprocess.run(words, check=True, capture_output=True, text=True).stdout

    assert rendered == (ROOT / "dra-example-driver" / name).read_text("utf-8")
