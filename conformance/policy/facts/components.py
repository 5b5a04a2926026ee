"""Components of a cluster: which one an object starts or configures, its flags, its gates."""

from __future__ import annotations

from conformance.kube.objects import Object
from conformance.policy.facts import workloads
from conformance.policy.world import Subject, part, text, texts

_COMPONENTS = ("kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet")
_CONFIGURATIONS = {
    "KubeletConfiguration": "kubelet",
    "KubeSchedulerConfiguration": "kube-scheduler",
}
_TRUTH = {"true": True, "false": False}


def component(subject: Subject) -> str:
    """Return the component that a Pod starts or a configuration is for, or nothing."""
    configured = _CONFIGURATIONS.get(subject.kind)
    if configured:
        return configured
    for container in workloads.containers(subject):
        words = [*texts(container.get("command")), *texts(container.get("args"))]
        for word in words:
            name = word.rsplit("/", 1)[-1]
            if name in _COMPONENTS:
                return name
    return ""


def args(subject: Subject) -> dict[str, str]:
    """Return the flags of all containers: ``--name=value``, ``--name value`` and ``--name``."""
    found: dict[str, str] = {}
    for container in workloads.containers(subject):
        words = [*texts(container.get("command")), *texts(container.get("args"))]
        for word, following in zip(words, [*words[1:], ""], strict=False):
            name, equals, value = word.partition("=")
            if not name.startswith("--"):
                continue
            if not equals:
                value = "true" if following.startswith("-") else following or "true"
            found[name] = value
    return found


def gates(subject: Subject) -> dict[str, bool]:
    """Return the feature gates that flags or a configuration set."""
    configured: Object = part(subject.object, "featureGates")
    found = {name: value for name, value in configured.items() if isinstance(value, bool)}
    return found | parsed_gates(text(args(subject).get("--feature-gates")))


def parsed_gates(pairs: str) -> dict[str, bool]:
    """Return what the value of ``--feature-gates`` says: ``A=true,B=false``."""
    found: dict[str, bool] = {}
    for pair in pairs.split(","):
        name, _, value = pair.strip().partition("=")
        if name and value.lower() in _TRUTH:
            found[name] = _TRUTH[value.lower()]
    return found
