"""Small policies and objects for the tests of the engine."""

from __future__ import annotations

from pathlib import Path

from conformance.catalogue import loading as catalogue
from conformance.policy import evaluate, loading
from conformance.policy.manifests.documents import read_text
from conformance.policy.model import Judgement, Policy
from conformance.policy.world import World

POLICY = """
area: small
policies:
- id: pods-have-labels
  requirements: [DRA-ADM-01]
  match: {kinds: [Pod]}
  require: has(object.metadata.labels)
  message: This Pod has no labels.
"""

PODS = """apiVersion: v1
kind: Pod
metadata:
  name: bare
  namespace: one
spec:
  containers:
  - name: first
    image: a
  - name: second
    image: b
---
apiVersion: v1
kind: Pod
metadata:
  name: labelled
  labels: {a: b}
"""


def policies(folder: Path, text: str = POLICY) -> tuple[Policy, ...]:
    """Return the policies of a file, without those of the program."""
    (folder / "small.yaml").write_text(text, "utf-8")
    return loading.of_folders(catalogue.load(), [folder])


def judged(folder: Path, text: str, *changes: tuple[str, str], objects: str = PODS) -> Judgement:
    """Judge objects by the small policy after replacing texts in it."""
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    reading = read_text(objects, "pods.yaml")
    assert reading.troubles == ()
    return evaluate.judge(policies(folder, text), World.of_manifests(reading.manifests))
