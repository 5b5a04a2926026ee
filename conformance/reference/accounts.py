"""Who the parts of a cluster are: the components by fixed tokens, drivers by ServiceAccounts.

Each has the rights that it has in a real cluster and no others: the roles of components are
there from the beginning (``apiserver.authorization.bootstrap``), a driver brings its own.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from conformance.kube.objects import Object
from conformance.kube.status import StatusError
from conformance.reference.apiserver.authentication import users
from conformance.reference.apiserver.authentication.users import User
from conformance.reference.client.api import ApiClient
from conformance.reference.faults.seams import Faults
from conformance.trust.projected import TokenFile, token_in
from conformance.trust.rotation import Rotation, Turn

NAMESPACE = "kube-system"
NAME = "conformance-driver"

SCHEDULER = "system:kube-scheduler"
#: As whom the informers are filled that all controllers share.
CONTROLLER_MANAGER = "system:kube-controller-manager"

#: The controllers that ask, each as a ServiceAccount of its name.
CONTROLLERS = (
    "device-taint-eviction-controller",
    "generic-garbage-collector",
    "pod-garbage-collector",
    "podgroup-protection-controller",
    "replicaset-controller",
    "resource-claim-controller",
    "resourcepoolstatusrequest-controller",
    "resourcequota-controller",
)

#: A bundled driver that was started: its name, node and instance.
Started = tuple[str, str, str]

_GROUP = "rbac.authorization.k8s.io"
_ADMISSION = "admissionregistration.k8s.io/v1"

#: Seconds that the token of a driver is valid: virtual time passes in leaps.
_LIFETIME = 2**31

#: Verbs and resources of resource.k8s.io. The node-aware verbs are those of the hardening guide:
#: a driver writes the status of devices on its own node alone.
_RULES: tuple[tuple[tuple[str, ...], str], ...] = (
    (("get", "list", "watch", "create", "update", "patch", "delete"), "resourceslices"),
    (("get", "list", "watch"), "resourceclaims"),
    (("update", "patch"), "resourceclaims/status"),
    (("associated-node:update", "associated-node:patch"), "resourceclaims/driver"),
)


def components(nodes: Iterable[str]) -> Iterator[User]:
    """Yield who asks from the beginning: scheduler, controllers, kubelets of these nodes."""
    for name in (SCHEDULER, CONTROLLER_MANAGER):
        yield User(name=name, groups=(users.AUTHENTICATED,))
    for name in CONTROLLERS:
        yield users.account(NAMESPACE, name)
    for name in nodes:
        yield User(name=kubelet(name), groups=(users.NODES, users.AUTHENTICATED))


def kubelet(node: str) -> str:
    """Return the user that the kubelet of a node is."""
    return f"{users.NODE_PREFIX}{node}"


def controller(name: str) -> str:
    """Return the user that a controller is."""
    return f"{users.ACCOUNT_PREFIX}{NAMESPACE}:{name}"


def fixed_token(secret: str, user: str) -> str:
    """Return the token of a component, which only who knows the secret can tell."""
    return hashlib.sha256(f"{secret}\n{user}".encode()).hexdigest()


class DriverTokens:
    """The tokens of the bundled drivers of one cluster, each in a file of its own."""

    def __init__(self, rotation: Rotation, faults: Faults) -> None:
        #: Which tokens were replaced.
        self.rotation = rotation
        self._faults = faults
        self._starts = itertools.count()
        self._given: dict[Started, tuple[ApiClient, TokenFile]] = {}

    async def give(self, api: ApiClient, driver: Started, root: Path) -> Callable[[], str]:
        """Return what reads the token of a driver that starts on a node with this folder.

        Every start has another volume, as Pods have.
        """
        file = TokenFile(root / "tokens" / str(next(self._starts)))
        self._given[driver] = api, file
        file.write(await driver_token(api, driver[1], self._faults))
        return partial(self._faults.wrap("cluster.driver_token", token_in), file.path)

    async def replace(self, driver: Started) -> Turn:
        """Put another token in the place of a driver's, as a kubelet does in good time."""
        api, file = self._given[driver]
        return self.put(file, await driver_token(api, driver[1], self._faults))

    def put(self, file: TokenFile, new: str) -> Turn:
        """Put a token in the place of the one in a file, and return what becomes of both."""
        turn = self.rotation.begin(file.read(), new)
        file.write(new)
        return turn


async def driver_token(api: ApiClient, node: str, faults: Faults) -> str:
    """Return a token of the bundled driver's account that is bound to a node."""
    rules = faults.wrap("cluster.driver_rules", driver_rules)()
    policy = faults.wrap("cluster.driver_policy", driver_policy)()
    for resource, obj in (*_objects(rules), *_policies(policy)):
        await _ensure(api, resource, obj)
    request: Object = {
        "apiVersion": "authentication.k8s.io/v1",
        "kind": "TokenRequest",
        "spec": {
            "expirationSeconds": _LIFETIME,
            "boundObjectRef": {"apiVersion": "v1", "kind": "Node", "name": node},
        },
    }
    answer = await api.create("serviceaccounts", request, NAMESPACE, "token", NAME)
    return answer["status"]["token"]


def driver_rules() -> list[Object]:
    """Return the rules of the driver's role."""
    rules = [
        {"apiGroups": ["resource.k8s.io"], "resources": [resource], "verbs": list(verbs)}
        for verbs, resource in _RULES
    ]
    return [*rules, {"apiGroups": [""], "resources": ["nodes"], "verbs": ["get"]}]


def driver_policy() -> Object:
    """Return what an admission policy says of the driver, which rules can't: where it writes.

    A slice that names a node names the one of the token with which it is written.
    """
    about = {
        "apiGroups": ["resource.k8s.io"],
        "apiVersions": ["*"],
        "operations": ["CREATE", "UPDATE", "DELETE"],
        "resources": ["resourceslices"],
    }
    named = '(request.operation == "DELETE" ? oldObject : object).spec.?nodeName.orValue("")'
    writer = 'request.userInfo.extra[?"authentication.kubernetes.io/node-name"][0].orValue("")'
    user = f"{users.ACCOUNT_PREFIX}{NAMESPACE}:{NAME}"
    return {
        "failurePolicy": "Fail",
        "matchConstraints": {"resourceRules": [about]},
        "matchConditions": [
            {"name": "the-driver", "expression": f'request.userInfo.username == "{user}"'}
        ],
        "validations": [{"expression": f'{named} in ["", {writer}]'}],
    }


def _policies(policy: Object) -> list[tuple[str, Object]]:
    kind = "ValidatingAdmissionPolicy"
    binding = {"policyName": NAME, "validationActions": ["Deny"]}
    return [
        ("validatingadmissionpolicies", {**_object(_ADMISSION, kind), "spec": policy}),
        (
            "validatingadmissionpolicybindings",
            {**_object(_ADMISSION, f"{kind}Binding"), "spec": binding},
        ),
    ]


def _objects(rules: list[Object]) -> list[tuple[str, Object]]:
    account = {"kind": "ServiceAccount", "name": NAME, "namespace": NAMESPACE}
    role = {"apiGroup": _GROUP, "kind": "ClusterRole", "name": NAME}
    return [
        ("serviceaccounts", _object("v1", "ServiceAccount", namespace=NAMESPACE)),
        ("clusterroles", {**_object(f"{_GROUP}/v1", "ClusterRole"), "rules": rules}),
        (
            "clusterrolebindings",
            {
                **_object(f"{_GROUP}/v1", "ClusterRoleBinding"),
                "subjects": [account],
                "roleRef": role,
            },
        ),
    ]


def _object(version: str, kind: str, **metadata: Any) -> Object:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": NAME, **metadata}}


async def _ensure(api: ApiClient, resource: str, obj: Object) -> None:
    try:
        await api.create(resource, obj)
    except StatusError as error:
        if error.code != 409:
            raise
