"""Which versions a server serves, and of which it warns."""

from __future__ import annotations

import pytest

from conformance.dra.versions.serving import RuntimeConfigError, Serving
from conformance.kube.resources import RESOURCES, find

_DRA = "resource.k8s.io"


def _served(version: str, config: dict[str, bool] | None = None) -> set[str]:
    serving = Serving(version=version, config=config or {})
    return {row.version for row in RESOURCES if row.group == _DRA and serving.serves(row)}


@pytest.mark.parametrize(
    ("config", "versions"),
    [
        pytest.param({}, {"v1", "v1alpha3"}, id="nothing asked"),
        pytest.param({"api/all": True}, {"v1", "v1beta1", "v1beta2", "v1alpha3"}, id="all"),
        pytest.param({"api/beta": True}, {"v1", "v1beta1", "v1beta2", "v1alpha3"}, id="betas"),
        pytest.param({f"{_DRA}/v1beta1": True}, {"v1", "v1beta1", "v1alpha3"}, id="one of them"),
        pytest.param(
            {"api/all": True, f"{_DRA}/v1beta2": False},
            {"v1", "v1beta1", "v1alpha3"},
            id="all but one",
        ),
        pytest.param({"api/alpha": False}, {"v1"}, id="no alphas"),
    ],
)
def test_versions_are_served_as_the_runtime_config_says(
    config: dict[str, bool], versions: set[str]
) -> None:
    assert _served("1.37", config) == versions


def test_only_a_kind_that_has_no_other_version_is_served_as_alpha_unasked() -> None:
    serving = Serving(version="1.37")

    alpha = [row.plural for row in RESOURCES if row.version == "v1alpha3" and serving.serves(row)]

    assert alpha == ["resourcepoolstatusrequests"]


def test_a_version_that_is_not_there_yet_cannot_be_asked_for() -> None:
    rules = find(_DRA, "v1beta2", "devicetaintrules")
    assert rules is not None

    assert [
        Serving(version=minor, config={"api/all": True}).serves(rules) for minor in ("1.35", "1.36")
    ] == [False, True]


def test_a_name_that_no_server_knows_is_refused() -> None:
    with pytest.raises(RuntimeConfigError, match="v9"):
        Serving(version="1.37", config={f"{_DRA}/v9": True})


@pytest.mark.parametrize(
    ("version", "of", "warning"),
    [
        ("1.37", "v1", ""),
        ("1.34", "v1beta1", ""),
        (
            "1.35",
            "v1beta1",
            "resource.k8s.io/v1beta1 ResourceClaim is deprecated in v1.35+, unavailable in v1.38+",
        ),
        ("1.35", "v1beta2", ""),
        (
            "1.37",
            "v1beta2",
            "resource.k8s.io/v1beta2 ResourceClaim is deprecated in v1.36+, unavailable in v1.39+",
        ),
    ],
)
def test_deprecated_versions_warn(version: str, of: str, warning: str) -> None:
    resource = find(_DRA, of, "resourceclaims")
    assert resource is not None

    assert Serving(version=version).warning(resource) == warning


def test_a_rule_that_taints_is_stable_from_its_minor_on() -> None:
    config = {"resource.k8s.io/v1beta2": True, "resource.k8s.io/v1alpha3": True}
    rows = [row for row in RESOURCES if row.plural == "devicetaintrules"]

    def versions(minor: str) -> set[str]:
        serving = Serving(version=minor, config=config)
        return {row.version for row in rows if serving.serves(row)}

    assert versions("1.35") == {"v1alpha3"}
    assert versions("1.36") == {"v1beta2", "v1alpha3"}
    assert versions("1.37") == {"v1", "v1beta2", "v1alpha3"}
