"""Which functions are called for which resource, with the seams around them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from conformance.dra import strategy as dra_strategy
from conformance.dra import validation as dra_validation
from conformance.dra.features import Features
from conformance.dra.versions import paths
from conformance.kube.fields import FieldError
from conformance.kube.objects import Object
from conformance.kube.resources import Resource
from conformance.reference.apiserver.admission import (
    admin_access,
    claimstatus,
    declared,
    health,
    podgroups,
    pods,
    stored,
)
from conformance.reference.apiserver.registry.strategy import WHOLE, Strategy
from conformance.reference.faults.seams import Faults

_WORKLOAD = Strategy(
    prepare_create=stored.prepare_workload, prepare_update=stored.prepare_workload_update
)

_CORE: dict[str, Strategy] = {
    "pods": Strategy(
        prepare_create=pods.prepare_create,
        validate_create=pods.validate_create,
        prepare_update=pods.prepare_update,
        validate_update=pods.validate_update,
        graceful=True,
        grace_period=pods.grace_period,
    ),
    "podgroups": podgroups.STRATEGY,
    "namespaces": Strategy(
        prepare_create=stored.prepare_namespace, prepare_update=stored.prepare_namespace_update
    ),
    "nodes": Strategy(prepare_update=stored.prepare_node_update),
    "configmaps": Strategy(
        prepare_update=WHOLE.prepare_update, validate_update=stored.validate_config_map_update
    ),
    "secrets": Strategy(
        prepare_update=WHOLE.prepare_update, validate_update=stored.validate_config_map_update
    ),
    "deployments": _WORKLOAD,
    "daemonsets": _WORKLOAD,
    "replicasets": _WORKLOAD,
}

#: Resources whose rules are those of ``dra``.
_DRA = (
    "deviceclasses",
    "devicetaintrules",
    "resourceclaims",
    "resourceclaimtemplates",
    "resourceslices",
    "resourcepoolstatusrequests",
)


def strategies(
    features: Features,
    faults: Faults,
    namespace_of: Callable[[Object], Object | None],
    nodes: Callable[[], Sequence[Object]],
) -> Callable[[Resource], Strategy]:
    """Return the function that knows the strategy of every resource.

    ``nodes`` returns the nodes that there are.
    """
    check_nodes = faults.wrap("apiserver.check_nodes", declared.check_nodes)
    prepare_create = faults.wrap("apiserver.prepare_create", _prepare_create)
    prepare_update = faults.wrap("apiserver.prepare_update", _prepare_update)
    validate_create = faults.wrap("apiserver.validate_create", _validate_create)
    validate_update = faults.wrap("apiserver.validate_update", _validate_update)
    forbid_admin_access = faults.wrap("apiserver.forbid_admin_access", _forbid_admin_access)

    @functools.cache
    def strategy_of(resource: Resource) -> Strategy:
        plural, version = resource.plural, resource.api_version

        def update(new: Object, old: Object, now: datetime, subresource: str) -> None:
            prepare_update(plural, new, old, features, now, subresource)

        def new_errors(obj: Object) -> Iterable[FieldError]:
            found = [*paths.spelled(validate_create(plural, obj, features), version)]
            found += forbid_admin_access(plural, obj, None, namespace_of(obj))
            return found or check_nodes(plural, obj, nodes, features)

        def errors(new: Object, old: Object, subresource: str) -> Iterable[FieldError]:
            wrong = validate_update(plural, new, old, features, subresource)
            found = [*paths.spelled(wrong, version)]
            found += forbid_admin_access(plural, new, old, namespace_of(new))
            return found or check_nodes(plural, new, nodes, features)

        return Strategy(
            prepare_create=lambda obj, now: prepare_create(plural, obj, features, now),
            validate_create=new_errors,
            prepare_update=update,
            validate_update=errors,
            graceful=_core(plural).graceful,
            grace_period=_core(plural).grace_period,
        )

    return strategy_of


def _is_dra(plural: str) -> bool:
    return plural in _DRA


def _prepare_create(plural: str, obj: Object, features: Features, now: datetime) -> None:
    if _is_dra(plural):
        dra_strategy.prepare_create(plural, obj, features, now)
    else:
        podgroups.drop_disabled(plural, obj, None, features)
        _core(plural).prepare_create(obj, now)


def _prepare_update(
    plural: str, new: Object, old: Object, features: Features, now: datetime, subresource: str
) -> None:
    if _is_dra(plural):
        dra_strategy.prepare_update(plural, new, old, features, now, subresource)
        return
    podgroups.drop_disabled(plural, new, old, features)
    _core(plural).prepare_update(new, old, now, subresource)
    if plural == "pods" and subresource == "status":
        health.drop_disabled(new, old, features)
        claimstatus.drop_disabled(new, old, features)


def _validate_create(plural: str, obj: Object, features: Features) -> list[FieldError]:
    if _is_dra(plural):
        return dra_validation.create(plural, obj, features)
    return list(_core(plural).validate_create(obj))


def _validate_update(
    plural: str, new: Object, old: Object, features: Features, subresource: str
) -> list[FieldError]:
    if _is_dra(plural):
        return dra_validation.update(plural, new, old, features, subresource)
    return list(_core(plural).validate_update(new, old, subresource))


def _forbid_admin_access(
    plural: str, new: Object, old: Object | None, namespace: Object | None
) -> Iterable[FieldError]:
    if old is None:
        return admin_access.in_spec(plural, new, namespace)
    return admin_access.in_status(new, old, namespace) if plural == "resourceclaims" else ()


def _core(plural: str) -> Strategy:
    return _CORE.get(plural, WHOLE)
