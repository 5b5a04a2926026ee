"""Where a saboteur may step into the API server (see ``reference.faults.seams``).

A saboteur gets the real function first, then the arguments of the seam. ``resource`` is the
plural, such as ``resourceclaims``; objects are prepared in place.
"""

from __future__ import annotations

#: Seam, arguments and what the honest function does.
SEAMS: dict[str, str] = {
    "apiserver.authorize": "(Attributes) -> Decision: may this user do that",
    "apiserver.authorize_node": "(store, Attributes) -> Decision of the Node authorizer",
    "apiserver.authorize_parts": (
        "(Attributes, new, old, decide) -> field errors of the parts of a claim's status that the "
        "asker changes without permission"
    ),
    "apiserver.granular_status": "(features) -> bool: whether parts of a status are authorized",
    "apiserver.usage_of_claim": "(Holding, claim) -> what a new claim counts for, by limit",
    "apiserver.usage_of_pod": "(pod) -> what a new Pod counts for, by limit",
    "apiserver.exceeds": "(limit, used, requested, hard) -> bool: is it more than the quota allows",
    "apiserver.policy_version": (
        "(match constraints, Write, served) -> the resource in whose version a policy is asked "
        "about the write, or None"
    ),
    "apiserver.policy_objections": (
        "(spec of a ValidatingAdmissionPolicy, Write, namespace) -> why it refuses the write"
    ),
    "apiserver.mutated": (
        "(spec of a MutatingAdmissionPolicy, Write, namespace) -> the new object as it leaves it"
    ),
    "apiserver.review_access": "(Attributes) -> Decision: what an access review answers",
    "apiserver.token_owner": "(token) -> User whose ServiceAccount token it is, or None",
    "apiserver.restrict_node": "(Write) -> raises StatusError for what is not a kubelet's own",
    "apiserver.rule_allows": "(rule, Attributes) -> bool: whether a rule of a role allows it",
    "apiserver.serves": (
        "(resource: Resource, features) -> bool: whether a resource is served under these gates"
    ),
    "apiserver.describe": "(resource: Resource) -> Resource: what discovery says of a resource",
    "apiserver.warning": "(resource: Resource) -> str: what a client of a version is told",
    "apiserver.to_hub": "(obj) -> the stored form of an object of any version of its kind",
    "apiserver.from_hub": "(obj, version: str) -> a stored object as that version spells it",
    "apiserver.listed": "the same of the items of a list",
    "apiserver.watched": "the same of the objects in the events of a watch",
    "apiserver.understood": (
        "(verb, target, query) -> query: what is understood of the query of a request"
    ),
    "apiserver.accepted": "(form: Accepted) -> the form of an answer",
    "apiserver.patched": (
        "(content_type, patched) -> what a patch made of an object, as its version spells it"
    ),
    "apiserver.told": "(error, verb, target) -> StatusError: the refusal that a client is told",
    "apiserver.preference": "(versions) -> the versions of a group as discovery orders them",
    "apiserver.aggregated": "(group) -> what aggregated discovery says of a group",
    "apiserver.prepare_create": (
        "(resource, obj, features, now): defaults, drops fields of disabled gates, resets status"
    ),
    "apiserver.prepare_update": (
        "(resource, new, old, features, now, subresource): the same for an update, and keeps what "
        "this subresource may not write"
    ),
    "apiserver.validate_create": "(resource, obj, features) -> list of field errors",
    "apiserver.validate_update": (
        "(resource, new, old, features, subresource) -> list of field errors, immutability included"
    ),
    "apiserver.forbid_admin_access": (
        "(resource, new, old or None, namespace or None) -> field errors of admin access in a "
        "namespace without its label"
    ),
    "apiserver.sharing": (
        "(message: str) -> what OpenAPI says of sharing its lists and maps, by field"
    ),
    "apiserver.apply": (
        "(registry, target, live or None, document, writer) -> the object that server-side apply "
        "makes, its managedFields included; raises StatusError for conflicts"
    ),
    "apiserver.note_owners": (
        "(registry, target, old or None, new, writer or None) -> metadata.managedFields of an "
        "object that is written"
    ),
    "apiserver.check_preconditions": (
        "(target, current, options): raises StatusError where a precondition of a deletion fails"
    ),
    "apiserver.finalizers_for_collector": (
        "(obj, propagation: str) -> the object with what a deletion leaves to the garbage "
        "collector: the finalizer orphan or foregroundDeletion"
    ),
    "apiserver.check_nodes": (
        "(resource, slice, nodes, features): raises 403 where a device takes CPU or memory of a "
        "node that does not declare the feature"
    ),
    "apiserver.delete_at_once": (
        "(obj, grace: int) -> bool: whether a deletion removes the object now: no grace period "
        "left and no finalizer"
    ),
}
