"""Subresources that are no part of the object: binding, eviction, log; token of an account."""

from __future__ import annotations

from aiohttp import web

from conformance.kube import conditions, status
from conformance.kube.objects import Object
from conformance.kube.status import StatusError
from conformance.reference.apiserver.authentication.tokens import Tokens
from conformance.reference.apiserver.http import answers, bodies
from conformance.reference.apiserver.http.verbs import Call
from conformance.reference.apiserver.registry import reading, refusals, removing, writing
from conformance.reference.apiserver.registry.removing import DeleteOptions
from conformance.reference.client.transport import Transport, Unreachable

#: Query parameters of a log that the kubelet understands.
_LOG_OPTIONS = ("previous", "tailLines", "sinceSeconds", "limitBytes", "timestamps")


async def bind(call: Call) -> web.StreamResponse:
    """Assign a Pod to the node that a Binding names."""
    data = await call.request.read()
    binding = bodies.read_aside(data, call.content_type, "v1", "Binding")
    node = binding.get("target", {}).get("name", "")
    if not node:
        raise status.bad_request("target.name: Required value")
    uid = binding.get("metadata", {}).get("uid", "")

    def assign(pod: Object) -> Object:
        name = pod["metadata"]["name"]
        if uid and uid != pod["metadata"]["uid"]:
            raise refusals.precondition(call.target, "uid", uid, pod["metadata"]["uid"])
        if "deletionTimestamp" in pod["metadata"]:
            raise _cannot_bind(call, f"pod {name} is being deleted, cannot be assigned to a host")
        if pod["spec"].get("nodeName"):
            where = pod["spec"]["nodeName"]
            raise _cannot_bind(call, f'pod {name} is already assigned to node "{where}"')
        pod["spec"]["nodeName"] = node
        pod.setdefault("status", {}).pop("nominatedNodeName", None)
        scheduled = pod["status"].setdefault("conditions", [])
        condition: Object = {"type": "PodScheduled", "status": "True"}
        found = conditions.find(scheduled, "PodScheduled")
        if found is not None:
            for key in ("reason", "message"):
                found.pop(key, None)
        conditions.put(scheduled, condition, call.registry.clock.now())
        return pod

    writing.update(call.registry, call.target, assign, dry_run=call.dry_run)
    return answers.done()


async def evict(call: Call) -> web.StreamResponse:
    """Delete a Pod on behalf of an Eviction; disruption budgets are not known here."""
    data = await call.request.read()
    eviction = bodies.read_aside(data, call.content_type, "policy/v1", "Eviction")
    wish: Object = eviction.get("deleteOptions", {})
    options = DeleteOptions(
        uid=wish.get("preconditions", {}).get("uid", ""),
        grace_period_seconds=wish.get("gracePeriodSeconds"),
        dry_run=call.dry_run,
    )
    removing.delete(call.registry, call.target, options)
    return answers.done()


async def log(call: Call) -> web.StreamResponse:
    """Ask the kubelet of the Pod's node for a container's log, over HTTP as a real server."""
    pod = reading.get(call.registry, call.target)
    container = _container(call, pod)
    node_name = pod["spec"].get("nodeName", "")
    if not node_name:
        return answers.text("")
    base_url = _kubelet(call, node_name)
    path = f"/containerLogs/{call.target.namespace}/{call.target.name}/{container}"
    query = {key: call.query[key] for key in _LOG_OPTIONS if key in call.query}
    async with Transport(base_url, "", clock=call.registry.clock) as kubelet:
        try:
            code, printed = await kubelet.text("GET", path, query=query)
        except Unreachable as error:
            raise status.internal(f"error dialing backend: {error}") from error
    if code != 200:
        raise StatusError(code, "BadRequest", printed.strip())
    return answers.text(printed)


async def node_metrics(call: Call) -> web.StreamResponse:
    """Ask the kubelet of a node for its metrics; nothing else of it is proxied."""
    base_url = _kubelet(call, call.target.name)
    async with Transport(base_url, "", clock=call.registry.clock) as kubelet:
        try:
            code, told = await kubelet.text("GET", "/metrics")
        except Unreachable as error:
            raise status.internal(f"error dialing backend: {error}") from error
    return answers.text(told, code)


async def token(call: Call, tokens: Tokens) -> web.StreamResponse:
    """Mint a token of a ServiceAccount, as a TokenRequest asks."""
    data = await call.request.read()
    request = bodies.read_aside(data, call.content_type, "authentication.k8s.io/v1", "TokenRequest")
    account = reading.get(call.registry, call.target)
    return answers.respond(tokens.mint(account, request), 201)


def _cannot_bind(call: Call, why: str) -> StatusError:
    return status.conflict("pods/binding", call.target.resource.group, call.target.name, why)


def _container(call: Call, pod: Object) -> str:
    spec = pod["spec"]
    known = [row["name"] for row in (*spec.get("initContainers", []), *spec["containers"])]
    wanted = call.query.get("container", "")
    if wanted:
        if wanted not in known:
            raise status.bad_request(f"container {wanted} is not valid for pod {call.target.name}")
        return wanted
    if len(known) > 1:
        raise status.bad_request(
            f"a container name must be specified for pod {call.target.name}, "
            f"choose one of: [{' '.join(known)}]"
        )
    return known[0]


def _kubelet(call: Call, node_name: str) -> str:
    node = call.registry.store.get("/nodes", ("", node_name))
    if node is None:
        raise status.not_found("nodes", "", node_name)
    state = node.get("status", {})
    addresses = {row["type"]: row["address"] for row in state.get("addresses", [])}
    port = state.get("daemonEndpoints", {}).get("kubeletEndpoint", {}).get("Port")
    address = addresses.get("InternalIP") or addresses.get("Hostname")
    if not address or not port:
        raise status.internal(f"node {node_name} has no kubelet endpoint")
    return f"http://{address}:{port}"
