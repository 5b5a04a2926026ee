"""Who may write which part of a claim's status: the synthetic subresources binding and driver.

The permission on ``resourceclaims/status`` lets a request in; what it changes there is asked
about part by part. These questions name subresources that no URL has.

Source: https://kubernetes.io/docs/concepts/security/hardening-guide/dynamic-resource-allocation/
and KEP-4817.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from conformance.kube import fields
from conformance.kube.fields import FieldError
from conformance.kube.objects import Object
from conformance.reference.apiserver.authentication import users
from conformance.reference.apiserver.authentication.users import User
from conformance.reference.apiserver.authorization.attributes import Attributes, Decision

GATE = "DRAResourceClaimGranularStatusAuthorization"

ASSOCIATED, ARBITRARY = "associated-node:", "arbitrary-node:"

#: What tells the entries of ``status.devices`` apart.
_KEY = ("driver", "pool", "device", "shareID")

Decide = Callable[[Attributes], Decision]


def errors(asked: Attributes, new: Object, old: Object, decide: Decide) -> Iterator[FieldError]:
    """Yield what the asker of a status write changes without permission.

    ``asked`` is the question about the write itself, which has been answered with yes.
    """
    now, was = new.get("status") or {}, old.get("status") or {}
    if any((now.get(key) or None) != (was.get(key) or None) for key in _BINDING):
        wanted = attrs.evolve(asked, subresource="binding", namespace="", name="")
        if not decide(wanted).allowed:
            yield _error("status.allocation", wanted)
    # The entries of a claim that loses its allocation are dropped: nobody reports them.
    if not now.get("allocation"):
        return
    prefixes = (ARBITRARY,)
    if _is_on(asked.user, node_of(now["allocation"])):
        prefixes = (ASSOCIATED, ARBITRARY)
    for driver in sorted(_changed(now.get("devices") or [], was.get("devices") or [])):
        questions = [
            attrs.evolve(asked, verb=prefix + asked.verb, subresource="driver", name=driver)
            for prefix in prefixes
        ]
        if not any(decide(question).allowed for question in questions):
            yield _error("status.devices", questions[0])


_BINDING = ("allocation", "reservedFor")


def node_of(allocation: Object) -> str:
    """Return the one node that an allocation names, empty where it names none or several."""
    terms = (allocation.get("nodeSelector") or {}).get("nodeSelectorTerms") or []
    if len(terms) != 1 or terms[0].get("matchExpressions"):
        return ""
    rows: list[Any] = terms[0].get("matchFields") or []
    if len(rows) != 1 or (rows[0].get("key"), rows[0].get("operator")) != ("metadata.name", "In"):
        return ""
    values = rows[0].get("values") or []
    return values[0] if len(values) == 1 else ""


def _is_on(user: User, node: str) -> bool:
    return bool(node) and bool(users.account_of(user.name)) and _node(user) == node


def _node(user: User) -> str:
    names = user.extra.get(users.NODE_NAME, ())
    return names[0] if len(names) == 1 else ""


def _changed(now: list[Object], was: list[Object]) -> set[str]:
    """Return the drivers whose entries come, go or differ."""
    before = {_key(row): row for row in was}
    after = {_key(row): row for row in now}
    return {key[0] for key in before.keys() | after.keys() if before.get(key) != after.get(key)}


def _key(row: Object) -> tuple[str, ...]:
    return tuple(row.get(part) or "" for part in _KEY)


def _error(path: str, asked: Attributes) -> FieldError:
    """Return the refusal; it ends as a plain one does, which clients look for."""
    where = f'in the namespace "{asked.namespace}"' if asked.namespace else "at the cluster scope"
    return fields.forbidden(
        path,
        f'changing it requires resource="{asked.qualified}", verb="{asked.verb}" permission: '
        f'{asked.resource}.{asked.group} "{asked.name}" is forbidden: User "{asked.user.name}" '
        f'cannot {asked.verb} resource "{asked.qualified}" in API group "{asked.group}" {where}',
    )
