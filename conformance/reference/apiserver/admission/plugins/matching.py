"""Which writes an admission policy is about, and in which version it is asked about them.

Source: https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/,
section "Matching requests: matchPolicy", which counts for policies as well (KEP-3488).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import attrs

from conformance.dra.versions import hub
from conformance.kube.objects import Object
from conformance.kube.resources import Resource
from conformance.kube.selectors import label_selector
from conformance.reference.apiserver.admission.plugins.writes import Write
from conformance.reference.store.memory import Store

GROUP = "admissionregistration.k8s.io"


@attrs.frozen(kw_only=True)
class Bound:
    """The policies of one kind in a store, each with its bindings."""

    store: Store
    served: tuple[Resource, ...]
    #: ``version_asked``, or what stands in its place.
    version_asked: Callable[[Object, Write, Iterable[Resource]], Resource | None]
    #: The plural of the kind up to its ending: ``validatingadmissionpolic``.
    kind: str

    def about(self, write: Write) -> Iterator[tuple[Object, Object, Write]]:
        """Yield policy, binding and the write in the version in which the policy sees it."""
        for binding in self.store.list(f"{GROUP}/{self.kind}ybindings"):
            spec = binding["spec"]
            policy = self.store.get(f"{GROUP}/{self.kind}ies", ("", spec.get("policyName", "")))
            if policy is None:
                continue
            resource = self._concerned(policy["spec"].get("matchConstraints"), write)
            if resource is not None and self._concerned(spec.get("matchResources"), write):
                yield policy, binding, as_asked(write, resource)

    def namespace(self, write: Write) -> Object | None:
        """Return the namespace that is written to."""
        return self.store.get("/namespaces", ("", write.namespace))

    def _concerned(self, match: Object | None, write: Write) -> Resource | None:
        return self.version_asked(match or {}, write, self.served)


def version_asked(match: Object, write: Write, served: Iterable[Resource]) -> Resource | None:
    """Return the resource in whose version a policy is asked about a write, or None.

    That of the write where a rule names it. Another served version of the same objects, where a
    rule names that one, unless ``matchPolicy`` is Exact.
    """
    labels = write.metadata.get("labels") or {}
    if not label_selector(match.get("objectSelector")).matches(labels):
        return None
    forms = [write.resource, *_equivalents(match, write, served)]
    if _first(match.get("excludeResourceRules") or [], forms, write):
        return None
    rules = match.get("resourceRules")
    return write.resource if not rules else _first(rules, forms, write)


def as_asked(write: Write, resource: Resource) -> Write:
    """Return a write with its objects as a version spells them; they are in the stored form."""
    if resource.group != hub.GROUP:
        return write
    new, old = (
        None if one is None else hub.from_hub(one, resource.api_version)
        for one in (write.new, write.old)
    )
    return attrs.evolve(write, resource=resource, new=new, old=old)


def _equivalents(match: Object, write: Write, served: Iterable[Resource]) -> Iterator[Resource]:
    if match.get("matchPolicy", "Equivalent") == "Exact":
        return
    mine = write.resource
    for one in served:
        if (one.group, one.plural) == (mine.group, mine.plural) and one != mine:
            yield one


def _first(rules: list[Object], forms: list[Resource], write: Write) -> Resource | None:
    """Return the first form that a rule names: that of the write comes before the others."""
    named = (one for one in forms if any(_matches(rule, one, write) for rule in rules))
    return next(named, None)


def _matches(rule: Object, resource: Resource, write: Write) -> bool:
    named = resource.plural + (f"/{write.subresource}" if write.subresource else "")
    wanted = {
        "apiGroups": resource.group,
        "apiVersions": resource.version,
        "operations": write.operation,
    }
    holds = all({value, "*"} & set(rule.get(key) or []) for key, value in wanted.items())
    resources = set(rule.get("resources") or [])
    names = rule.get("resourceNames") or [write.name]
    return holds and bool(resources & {named, "*/*", *_every(write)}) and write.name in names


def _every(write: Write) -> tuple[str, ...]:
    return (f"{write.resource.plural}/*",) if write.subresource else ("*",)
