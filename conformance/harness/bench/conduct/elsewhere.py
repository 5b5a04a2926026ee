"""What the credentials of a driver on one node can do to the slices of another node."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import attrs

from conformance.harness.access.attempts import attempt
from conformance.harness.access.permission import reviewed
from conformance.harness.bench.bench import Bench
from conformance.harness.bench.conduct import rights
from conformance.harness.client import Api
from conformance.harness.errors import Undecided, Unsupported, Violation
from conformance.harness.subject import inventory
from conformance.harness.subject.life import Life
from conformance.kube.objects import Object

#: What may be done to slices.
_VERBS = ("create", "patch", "delete")

#: How a server refuses: by its rules, or by what a policy says of the object.
_REFUSALS = (403, 422)

#: A change that changes nothing.
_CHANGE = {"metadata": {"labels": {"dra-conformance/seen": "true"}}}

_HINT = (
    "a ValidatingAdmissionPolicy in the manifests that compares spec.nodeName with the node of the "
    "token, for versions of ResourceSlices that the server serves"
)


@attrs.frozen(kw_only=True)
class Writer:
    """Somebody with a token of the driver's account that is bound to the driver's node."""

    bench: Bench
    api: Api
    #: One of the slices that the driver publishes for this node.
    own: Object
    #: What the rules of the account allow.
    verbs: tuple[str, ...]

    def writes_at_home(self) -> None:
        """Stand on acts that are done on the driver's own node, or raise ``Undecided``.

        What is refused there as well says nothing of other nodes.
        """
        codes = self._codes(self.own, self._copy(self.bench.access.name))
        if set(codes.values()) != {200}:
            raise Undecided(f"not judged, since on the driver's own node the answers are {codes}")

    def is_refused_elsewhere(self) -> None:
        """Expect that the same acts are refused on another node; raises ``Violation``."""
        world = self.bench.world
        other = self._copy(f"{world.name}-elsewhere")
        there = world.create(other)

        def look() -> bool:
            codes = self._codes(there, other)
            if not set(codes.values()).issubset(_REFUSALS):
                expected = "each act on a ResourceSlice of another node to be refused (403 or 422)"
                raise Violation(expected, path="code", observed=codes, hint=_HINT)
            return True

        world.until("the slices of another node are guarded", look, bound="policy-counts")

    def _codes(self, there: Object, new: Object) -> dict[str, int]:
        """Return the answers to each act, tried on a slice that is there, or with a new one."""
        name = there["metadata"]["name"]
        # Creation is tried under a name that is free: of one that is taken the answer is 409.
        fresh = {**new, "metadata": {"name": f"{self.bench.world.name}-new"}}
        bodies: dict[str, Any] = {"create": fresh, "patch": _CHANGE}
        return {
            verb: attempt(
                self.api, verb, "resourceslices", bodies.get(verb), name=name, dryRun="All"
            )
            for verb in self.verbs
        }

    def _copy(self, node: str) -> Object:
        """Return a slice that differs from the driver's own in node, name and pool alone.

        The pool is another one, so that a copy that stands for a while spoils no pool.
        """
        name = self.bench.world.name
        pool = {**self.own["spec"]["pool"], "name": name}
        return {
            "apiVersion": inventory.SLICES.api_version,
            "kind": inventory.SLICES.kind,
            "metadata": {"name": name},
            "spec": {**self.own["spec"], "pool": pool, "nodeName": node},
        }


@contextlib.contextmanager
def writer(bench: Bench) -> Iterator[Writer]:
    """Yield who holds a token of the driver's account for its node.

    Raises ``Unsupported`` for a driver that acts as an administrator, whose account may not
    write slices, or that publishes none for its node alone.
    """
    namespace, name = rights.account(bench)
    node, ask = bench.access.name, bench.world.api
    published = bench.steps.after("consistent", Life(bench.world, bench.driver).consistent)
    own = [one for one in published.slices if one["spec"].get("nodeName") == node]
    if not own:
        raise Unsupported("the driver publishes no slice that names its node")
    verbs = tuple(verb for verb in _VERBS if _may(ask, bench.driver.account, verb))
    if not verbs:
        raise Unsupported("the account of the driver may not write ResourceSlices")
    bound: Object = {"apiVersion": "v1", "kind": "Node", "name": node}
    api = ask.with_token(ask.token_of(namespace, name, {"boundObjectRef": bound}))
    try:
        yield Writer(bench=bench, api=api, own=own[0], verbs=verbs)
    finally:
        api.close()


def _may(api: Api, account: str, verb: str) -> bool:
    """Ask the server rather than try: what is denied to it would count as an act of the driver."""
    *_, namespace, _ = account.split(":")
    slices = {"group": inventory.SLICES.group, "resource": inventory.SLICES.plural, "verb": verb}
    groups = [
        "system:serviceaccounts", f"system:serviceaccounts:{namespace}", "system:authenticated"
    ]  # fmt: skip
    kind = "SubjectAccessReview"
    answer = reviewed(api, kind, user=account, groups=groups, resourceAttributes=slices)
    return answer.get("allowed") is True
