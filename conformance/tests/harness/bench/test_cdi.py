"""CDI specs are read as a runtime reads them, and judged by the specification."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conformance.harness.bench import cdi
from conformance.harness.bench.cdi import Folder, Spec, Specs
from conformance.harness.errors import Undecided, Unsupported, Violation
from conformance.harness.kubeletside.claims import Answer, Device

KIND = "d.example/device"


def document(*names: str, **more: Any) -> dict[str, Any]:
    devices = [{"name": one, "containerEdits": {"env": [f"NAME={one}"]}} for one in names or ("a",)]
    return {"cdiVersion": "0.3.0", "kind": KIND, "devices": devices, **more}


def with_edits(**edits: Any) -> dict[str, Any]:
    return document(devices=[{"name": "a", "containerEdits": edits}])


def specs(**documents: Any) -> Specs:
    return Specs({f"{name}.json": json.dumps(one) for name, one in documents.items()})


def answer(*ids: str) -> Answer:
    return Answer(devices=(Device(pool="p", name="d", requests=("r",), cdi_ids=ids),))


def test_devices_are_found_whatever_else_lies_there(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(document("a")), "utf-8")
    (tmp_path / "b.yaml").write_text("cdiVersion: 0.3.0\nkind: d.example/device\n", "utf-8")
    (tmp_path / "c.json").write_text("{half", "utf-8")
    (tmp_path / "d.txt").write_text(json.dumps(document("d")), "utf-8")

    found = Folder(tmp_path).read()

    assert sorted(found.texts) == ["a.json", "b.yaml", "c.json"]
    assert found.devices() == {f"{KIND}=a"}
    assert [one.file for one in found.describing([f"{KIND}=a"])] == ["a.json"]


def test_files_of_devices_are_removed_and_no_others(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_text(json.dumps(document(name)), "utf-8")

    Folder(tmp_path).remove([f"{KIND}=a"])

    assert [one.name for one in tmp_path.iterdir()] == ["b.json"]


def test_a_foreign_spec_is_valid_and_does_not_stay(tmp_path: Path) -> None:
    with Folder(tmp_path).foreign("x") as path:
        (found,) = Folder(tmp_path).read().readable()
        assert cdi.valid([found]) == [found]
        assert path.exists()

    assert list(tmp_path.iterdir()) == []


def test_an_answer_is_resolved_or_accused() -> None:
    found = specs(a=document("a"))

    assert [one.file for one in cdi.resolved(found, answer(f"{KIND}=a"))] == ["a.json"]
    with pytest.raises(Violation, match="cdi_device_ids"):
        cdi.resolved(found, answer(f"{KIND}=a", f"{KIND}=b"))
    with pytest.raises(Undecided):
        cdi.standing(found, answer(f"{KIND}=b"))
    with pytest.raises(Unsupported):
        cdi.resolved(found, answer())


@pytest.mark.parametrize(
    ("wrong", "trouble"),
    [
        ({"kind": KIND, "devices": []}, "'cdiVersion' is a required property"),
        (document(cdiVersion="9.9.9"), "unknown version"),
        (document(kind="device"), "is not <vendor>/<class>"),
        (document("-a"), "device name '-a'"),
        (document(hooks=[]), "unknown field 'hooks' of spec"),
        (with_edits(mounts=[{"containerPath": "/a"}]), "'hostPath' is a required property"),
        (with_edits(devices=[]), "unknown field 'devices' of containerEdits"),
        (with_edits(env=["=1"]), "is not <name>=<value>"),
    ],
)
def test_what_no_runtime_loads_is_a_violation(wrong: dict[str, Any], trouble: str) -> None:
    with pytest.raises(Violation, match=trouble):
        cdi.valid([Spec("a.json", wrong)])


def test_empty_edits_are_told() -> None:
    assert cdi.empty([Spec("a.json", with_edits(env=[]))]) == [f"{KIND}=a"]
    assert cdi.empty([Spec("a.json", document("a"))]) == []


def test_versions_are_compared_with_what_the_content_needs() -> None:
    low = Spec("low.json", document("0a"))
    high = Spec("high.json", document("a", cdiVersion="v0.5.0"))

    assert cdi.too_low([low, high]) == ["low.json: says 0.3.0, needs 0.5.0"]
    assert cdi.too_high([low, high]) == ["high.json: says 0.5.0, needs 0.3.0"]


def test_what_is_left_of_a_claim_is_told_by_its_uid_and_its_devices() -> None:
    claim = {"metadata": {"uid": "uid-1"}}
    before = specs(common=document("common"))
    after = specs(common=document("common"), own=document("x"), named=document("uid-1-y"))

    left = after.left(before, claim, answer(f"{KIND}=common", f"{KIND}=x"))

    assert left == ["named.json", "own.json"]
    assert after.fresh(before) == ["own.json", "named.json"]


def test_what_is_left_of_a_failure_is_new_and_in_a_shared_folder_names_claim_or_driver() -> None:
    claim = {"metadata": {"uid": "uid-1"}}
    before = specs(common=document("common"))
    after = specs(
        common=document("common"),
        claims=document("uid-1-y"),
        drivers=document("x", kind="gpu.example.com/gpu"),
        strangers=document("z"),
    )

    shared = after.left_of_failure(before, claim, "gpu.example.com", alone=False)
    alone = after.left_of_failure(before, claim, "gpu.example.com", alone=True)

    assert shared == ["claims.json", "drivers.json"]
    assert alone == ["claims.json", "drivers.json", "strangers.json"]


def test_a_device_that_is_described_twice_is_counted_twice() -> None:
    assert specs(a=document("a", "a"), b=document("a")).files_of(f"{KIND}=a") == [
        "a.json",
        "a.json",
        "b.json",
    ]
