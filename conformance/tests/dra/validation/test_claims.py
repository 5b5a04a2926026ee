"""What is refused in claims and templates."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.dra import validation
from conformance.dra.features import Features
from conformance.kube.fields import FieldError
from conformance.tests.dra.objects import changed, claim, exactly, opaque, said_of, selector

_ON = Features()
_LONG = "a" * 64


def _many(count: int, item: Any = None) -> list[Any]:
    return [item if item is not None else f"n{index}" for index in range(count)]


_CLAIM = claim(
    exactly("one", selectors=[selector('device.driver == "x"')], tolerations=[
        {"operator": "Exists"}, {"key": "k", "operator": "Equal", "value": "v", "effect": "None"}]),
    {"name": "two", "firstAvailable": [
        {"name": "s", "deviceClassName": "c", "allocationMode": "All"}]},
    constraints=[
        {"matchAttribute": "x.io/a", "requests": ["one", "two/s"]},
        {"distinctAttribute": "x.io/a"}],
    config=[{**opaque(), "requests": ["two"]}],
)  # fmt: skip

_ONE = "spec.devices.requests.0.exactly"
_CLAIM_ROWS = [
    ("no name", "spec.devices.requests.0.name", "", ["requests[0].name Invalid",
        "constraints[0].requests[0] Invalid"]),
    ("name in upper case", "spec.devices.requests.0.name", "One", ["requests[0].name Invalid",
        "constraints[0].requests[0] Invalid"]),
    ("too many requests", "spec.devices.requests", _many(33, exactly("one")),
        ["requests TooMany", "constraints[0].requests[1] Invalid",
         "config[0].requests[0] Invalid"]),
    ("a name twice", "spec.devices.requests.1.name", "one", ["requests[1] Duplicate",
        "constraints[0].requests[1] Invalid", "config[0].requests[0] Invalid"]),
    ("nothing asked", "spec.devices.requests.0", {"name": "one"}, ["requests[0] Required"]),
    ("both ways", "spec.devices.requests.1.exactly", {}, ["requests[1] Invalid"]),
    ("too many alternatives", "spec.devices.requests.1.firstAvailable",
        [{"name": "s", "deviceClassName": "c", "allocationMode": "All"}] * 9,
        ["requests[1].firstAvailable TooMany"]),
    ("an alternative twice", "spec.devices.requests.1.firstAvailable",
        [{"name": "s", "deviceClassName": "c", "allocationMode": "All"}] * 2,
        ["requests[1].firstAvailable[1] Duplicate"]),
    ("no class", f"{_ONE}.deviceClassName", "", ["requests[0].exactly.deviceClassName Required"]),
    ("wrong class", f"{_ONE}.deviceClassName", "A",
        ["requests[0].exactly.deviceClassName Invalid"]),
    ("unknown mode", f"{_ONE}.allocationMode", "Some",
        ["requests[0].exactly.allocationMode NotSupported"]),
    ("a count with all", f"{_ONE}.allocationMode", "All", ["requests[0].exactly.count Invalid"]),
    ("no count", f"{_ONE}.count", -1, ["requests[0].exactly.count Invalid"]),
    ("too many selectors", f"{_ONE}.selectors", _many(33, selector("true")),
        ["requests[0].exactly.selectors TooMany"]),
    ("an empty selector", f"{_ONE}.selectors.0", {},
        ["requests[0].exactly.selectors[0].cel Required"]),
    ("an expression that does not compile", f"{_ONE}.selectors.0", selector("1 +"),
        ["requests[0].exactly.selectors[0].cel.expression Invalid"]),
    ("an expression that is too long", f"{_ONE}.selectors.0", selector("1 == 1 || " * 2000),
        ["requests[0].exactly.selectors[0].cel.expression TooLong"]),
    ("an expression that is too costly", f"{_ONE}.selectors.0", selector(
        "lists.range(1000000).size() == 1000000"),
        ["requests[0].exactly.selectors[0].cel.expression Forbidden"]),
    ("a capacity of no name", f"{_ONE}.capacity", {"requests": {"1": "1"}}, []),
    ("many tolerations", f"{_ONE}.tolerations", _many(17, {"operator": "Exists"}), []),
    ("a toleration without operator", f"{_ONE}.tolerations.0", {},
        ["requests[0].exactly.tolerations[0].operator Required"]),
    ("an unknown operator", f"{_ONE}.tolerations.0.operator", "Like",
        ["requests[0].exactly.tolerations[0].operator NotSupported"]),
    ("a value with exists", f"{_ONE}.tolerations.0.value", "v",
        ["requests[0].exactly.tolerations[0].value Invalid"]),
    ("a value that is no label's", f"{_ONE}.tolerations.1.value", "-",
        ["requests[0].exactly.tolerations[1].value Invalid"]),
    ("a key that is no label's", f"{_ONE}.tolerations.1.key", "-",
        ["requests[0].exactly.tolerations[1].key Invalid"]),
    ("an unknown effect", f"{_ONE}.tolerations.1.effect", "Evict",
        ["requests[0].exactly.tolerations[1].effect NotSupported"]),
    ("too many constraints", "spec.devices.constraints", _many(33, {}), ["constraints TooMany"]),
    ("no attribute", "spec.devices.constraints.0.matchAttribute", None,
        ["constraints[0] Required"]),
    ("two attributes", "spec.devices.constraints.0.distinctAttribute", "x.io/a", []),
    ("an attribute without domain", "spec.devices.constraints.1.distinctAttribute", "a",
        ["constraints[1].distinctAttribute Invalid"]),
    ("an attribute without name", "spec.devices.constraints.0.matchAttribute", "x.io/",
        ["constraints[0].matchAttribute Invalid"]),
    ("an attribute with an empty domain", "spec.devices.constraints.0.matchAttribute", "/a",
        ["constraints[0].matchAttribute Invalid"]),
    ("an identifier that is too long", "spec.devices.constraints.0.matchAttribute",
        "x.io/" + "a" * 33, ["constraints[0].matchAttribute TooLong"]),
    ("a domain that is too long", "spec.devices.constraints.0.matchAttribute", f"{_LONG}.io/a",
        ["constraints[0].matchAttribute TooLong"]),
    ("a request that is not there", "spec.devices.constraints.0.requests", ["three"],
        ["constraints[0].requests[0] Invalid"]),
    ("a subrequest that is not there", "spec.devices.constraints.0.requests", ["two/t"],
        ["constraints[0].requests[0] Invalid"]),
    ("a reference with two slashes", "spec.devices.constraints.0.requests", ["two/s/t"],
        ["constraints[0].requests[0] Invalid"]),
    ("a reference twice", "spec.devices.constraints.0.requests", ["one", "one"],
        ["constraints[0].requests[1] Duplicate"]),
    ("too many configurations", "spec.devices.config", _many(33, opaque()), ["config TooMany"]),
    ("no parameters at all", "spec.devices.config.0", {}, ["config[0].opaque Required"]),
    ("no driver", "spec.devices.config.0.opaque.driver", "", ["config[0].opaque.driver Required"]),
    ("parameters are missing", "spec.devices.config.0.opaque.parameters", None,
        ["config[0].opaque.parameters Required"]),
    ("parameters are no object", "spec.devices.config.0.opaque.parameters", [1],
        ["config[0].opaque.parameters Invalid"]),
    ("parameters are too long", "spec.devices.config.0.opaque.parameters", {"a": "x" * 10240},
        ["config[0].opaque.parameters TooLong"]),
]  # fmt: skip


def test_a_well_formed_claim_is_accepted() -> None:
    assert validation.create("resourceclaims", _CLAIM, _ON) == []


@pytest.mark.parametrize(
    ("path", "value", "said"), [pytest.param(*row[1:], id=row[0]) for row in _CLAIM_ROWS]
)
def test_claims(path: str, value: Any, said: list[str]) -> None:
    errors = validation.create("resourceclaims", changed(_CLAIM, path, value), _ON)

    assert [f"spec.devices.{' '.join(one)}" for one in map(_strip, errors)] == [
        f"spec.devices.{one}" for one in said
    ]


def _strip(error: FieldError) -> tuple[str, str]:
    path, kind = said_of([error])[0]
    return path.removeprefix("spec.devices."), kind


def test_templates_hold_the_spec_of_a_claim() -> None:
    template = {"spec": {"spec": claim(exactly("A"))["spec"]}}

    assert said_of(validation.create("resourceclaimtemplates", template, _ON)) == [
        ("spec.spec.devices.requests[0].name", "Invalid")
    ]


@pytest.mark.parametrize("resource", ["resourceclaims", "resourceclaimtemplates"])
def test_specs_never_change(resource: str) -> None:
    relabelled = changed(_CLAIM, "metadata.labels", {"a": "b"})
    with_nothing = changed(_CLAIM, "spec.devices.requests.0.exactly.selectors.0.more", [])
    other = changed(_CLAIM, f"{_ONE}.count", 2)

    assert validation.update(resource, relabelled, _CLAIM, _ON) == []
    assert validation.update(resource, with_nothing, _CLAIM, _ON) == []
    (error,) = validation.update(resource, other, _CLAIM, _ON)
    assert (error.path, error.detail) == ("spec", "field is immutable")


def test_without_consumable_capacity_a_constraint_matches() -> None:
    obj = claim(exactly(), constraints=[{}])

    errors = validation.create("resourceclaims", obj, Features(version="1.35"))

    assert said_of(errors) == [("spec.devices.constraints[0].matchAttribute", "Required")]


def test_admin_access_needs_a_label_on_the_namespace() -> None:
    spec = claim(exactly("a"), exactly("b", adminAccess=True))["spec"]
    labelled = {"metadata": {"labels": {"resource.kubernetes.io/admin-access": "true"}}}

    (error,) = validation.admin_access(spec, {"metadata": {}})

    assert str(error) == (
        "spec.devices.requests[1].adminAccess: Forbidden: admin access to devices requires the "
        "`resource.kubernetes.io/admin-access: true` label on the containing namespace"
    )
    assert validation.admin_access(spec, labelled) == []
    assert validation.admin_access(claim()["spec"], {}) == []
