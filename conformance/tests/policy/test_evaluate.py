"""Policies are held against what they match, and findings say where."""

from __future__ import annotations

from pathlib import Path

from conformance.policy import evaluate
from conformance.policy.manifests.documents import read_text
from conformance.policy.model import Level
from conformance.policy.world import World
from conformance.tests.policy.building import POLICY, judged, policies


def test_a_policy_finds_what_does_not_hold(tmp_path: Path) -> None:
    judgement = judged(tmp_path, POLICY)

    (finding,) = judgement.findings
    assert finding.id == "DRA-ADM-01"
    assert finding.policy == "pods-have-labels"
    assert finding.level is Level.SHOULD
    assert finding.object == "Pod one/bare"
    assert str(finding.place) == "pods.yaml:1:1"
    assert judgement.applied == {"pods-have-labels": 2}


def test_when_leaves_objects_out(tmp_path: Path) -> None:
    narrow = ("{kinds: [Pod]}", '{kinds: [Pod], when: object.metadata.name == "labelled"}')
    judgement = judged(tmp_path, POLICY, narrow)

    assert judgement.findings == ()
    assert judgement.applied == {"pods-have-labels": 1}


def test_each_judges_every_element_where_it_stands(tmp_path: Path) -> None:
    judgement = judged(
        tmp_path,
        POLICY,
        ("{kinds: [Pod]}", '{kinds: [Pod], each: "pod.containers[]"}'),
        ("has(object.metadata.labels)", 'self.image == "a"'),
        ("message", "at: image\n  message"),
    )

    (finding,) = judgement.findings
    assert finding.path == "spec.containers[1].image"
    assert str(finding.place) == "pods.yaml:11:5"
    assert judgement.applied == {"pods-have-labels": 2}


def test_a_finding_points_to_the_nearest_field_that_exists(tmp_path: Path) -> None:
    judgement = judged(tmp_path, POLICY, ("message", "at: metadata.labels.app\n  message"))

    assert str(judgement.findings[0].place) == "pods.yaml:3:1"


def test_a_message_shows_what_was_found(tmp_path: Path) -> None:
    judgement = judged(tmp_path, POLICY, ("message", "show: object.metadata.name\n  message"))

    assert judgement.findings[0].message == 'This Pod has no labels (found: "bare").'


def test_an_expression_without_an_answer_is_trouble_not_a_pass(tmp_path: Path) -> None:
    judgement = judged(
        tmp_path, POLICY, ("has(object.metadata.labels)", "object.metadata.labels.a == 'b'")
    )

    (trouble,) = judgement.troubles
    assert judgement.findings == ()
    assert str(trouble.place) == "pods.yaml:1:1"
    assert "Pod one/bare cannot be judged by pods-have-labels: no such key" in trouble.sentence


def test_an_expression_that_costs_too_much_ends(tmp_path: Path) -> None:
    many = "apiVersion: v1\nkind: Pod\nmetadata: {name: many}\nitems: [" + "1, " * 3000 + "1]\n"
    judgement = judged(
        tmp_path,
        POLICY,
        ("has(object.metadata.labels)", "object.items.all(x, object.items.all(y, x == y))"),
        objects=many,
    )

    assert "costs too much" in judgement.troubles[0].sentence


def test_kinds_may_name_their_group(tmp_path: Path) -> None:
    judgement = judged(tmp_path, POLICY, ("[Pod]", "[apps/Pod]"))

    assert judgement.applied == {"pods-have-labels": 0}
    assert judgement.ignored == {"Pod": 2}
    assert judgement.judged == 0


def test_a_kind_of_somebody_else_is_another_kind(tmp_path: Path) -> None:
    (policy,) = policies(tmp_path)
    groups = ("v1", "apps/v1", "policy.k8s.io/v1", "kind.x-k8s.io/v1alpha4", "example.com/v1")
    world = World.of_manifests(
        manifest
        for group in groups
        for manifest in read_text(f"apiVersion: {group}\nkind: Pod\n", group).manifests
    )

    matching = [one.place.file for one in world.manifests if evaluate.matches(policy, one)]

    assert matching == ["v1", "apps/v1", "policy.k8s.io/v1"]


def test_expressions_see_the_other_objects(tmp_path: Path) -> None:
    judgement = judged(tmp_path, POLICY, ("has(object.metadata.labels)", "objects.Pod.size() == 2"))

    assert judgement.findings == ()
    assert judgement.applied == {"pods-have-labels": 2}


def test_levels_follow_the_requirement_unless_given(tmp_path: Path) -> None:
    (policy,) = policies(tmp_path, POLICY.replace("match", "level: advice\n  match"))

    assert policy.level is Level.ADVICE


def test_lists_are_unpacked_with_the_places_of_their_items() -> None:
    text = "apiVersion: v1\nkind: PodList\nitems:\n- metadata:\n    name: a\n- kind: Pod\n"
    reading = read_text(text, "list.yaml")

    assert [(one.kind, str(one.place)) for one in reading.manifests] == [
        ("Pod", "list.yaml:4:3"),
        ("Pod", "list.yaml:6:3"),
    ]
