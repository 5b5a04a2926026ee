"""A small DRA driver as a program of its own, right or wrong in one way that is named.

It knows nothing of the harness that judges it: only the wire, the API server and the
directories that it is told.
"""

from __future__ import annotations

import argparse
import base64
import http.server
import json
import os
import signal
import ssl
import sys
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import yaml

from conformance.wire import (
    dra_v1_pb2,
    dra_v1_pb2_grpc,
    grpc_health_v1_pb2,
    grpc_health_v1_pb2_grpc,
    pluginregistration_v1_pb2,
    pluginregistration_v1_pb2_grpc,
)

WRONGS = (
    "none", "exits", "hangs", "publishes-nothing", "never-registers", "other-type",
    "answers-garbage", "refuses-to-prepare", "unresolvable", "changes-nothing",
    "forgets-unprepare", "refuses-to-unprepare", "keeps-devices", "leaves-socket",
    "incomplete-pool", "same-name-twice", "other-node", "ready-at-once", "fears-the-future",
    "keeps-its-token", "takes-its-time", "counts-each-claim",
)  # fmt: skip


NAMES = tuple((i, f"dev-{i}") for i in range(2))
KNOWN = {f"pool/{name}" for _, name in NAMES}

#: What a container gets with a device: each way is right.
EDITS: dict[str, Any] = {
    "env": {"env": ["DEVICES=some"]},
    "mount": {"mounts": [{"hostPath": "/etc", "containerPath": "/opt/dev", "options": ["ro"]}]},
    "node": {"deviceNodes": [{"path": "/dev/small0"}]},
}


class Api:
    """As much of a client as this driver needs."""

    def __init__(self, kubeconfig: Path, *, keeps_token: bool = False) -> None:
        config = yaml.safe_load(kubeconfig.read_text("utf-8"))
        cluster = config["clusters"][0]["cluster"]
        self._server = cluster["server"]
        self._trust = None
        if authority := cluster.get("certificate-authority-data"):
            trusted = base64.b64decode(authority).decode()
            self._trust = ssl.create_default_context(cadata=trusted)
        user = config["users"][0]["user"]
        file = Path(user["tokenFile"]) if "tokenFile" in user else None
        self._first = file.read_text("utf-8") if file else user["token"]
        self._file = None if keeps_token else file

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        token = self._file.read_text("utf-8") if self._file else self._first
        request = urllib.request.Request(
            self._server + path,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
            method=method,
        )
        with urllib.request.urlopen(request, context=self._trust) as answer:
            return json.load(answer)


class Driver:
    """The services that a kubelet calls, and the slices."""

    def __init__(self, options: argparse.Namespace, api: Api) -> None:
        self.options = options
        self.wrong: str = options.wrong
        self.api = api
        self.data = options.plugins_dir / options.name
        self.lock = threading.Lock()
        self.state = self.data / "users.json"
        self.users: dict[str, str] = {}
        self.registered = self.published = False
        self.prepared = {} if self.wrong == "counts-each-claim" else {"": 0}
        self.instants = self.data / "instants.json"
        if self.state.exists():
            self.users = json.loads(self.state.read_text("utf-8"))

    def remember(self, users: dict[str, str]) -> None:
        self.users = users
        fresh = self.state.with_suffix(".part")
        fresh.write_text(json.dumps(users), "utf-8")
        fresh.rename(self.state)

    # Publishing.

    def publish(self) -> None:
        if self.wrong == "publishes-nothing":
            return
        for one in self.api.ask("GET", "/apis/resource.k8s.io/v1/resourceslices")["items"]:
            if one["spec"]["driver"] == self.options.name:
                return
        devices = [{"name": name, "attributes": {"index": {"int": i}}} for i, name in NAMES]
        count = 2 if self.wrong in ("incomplete-pool", "same-name-twice") else 1
        for _ in range(2 if self.wrong == "same-name-twice" else 1):
            self.api.ask(
                "POST", "/apis/resource.k8s.io/v1/resourceslices", self._slice(devices, count)
            )

    def _slice(self, devices: list[Any], count: int) -> Any:
        node = "node-2" if self.wrong == "other-node" else self.options.node
        uid = self.api.ask("GET", f"/api/v1/nodes/{node}")["metadata"]["uid"]
        owner = {"apiVersion": "v1", "kind": "Node", "name": node, "uid": uid}
        return {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceSlice",
            "metadata": {"generateName": f"{self.options.node}-", "ownerReferences": [owner]},
            "spec": {
                "driver": self.options.name,
                "nodeName": node,
                "pool": {"name": "pool", "generation": 1, "resourceSliceCount": count},
                "devices": devices,
            },
        }

    def keep_published(self, ended: threading.Event) -> None:
        pause, looked = 0.1, 0.0
        while not ended.wait(pause):
            if self.wrong == "takes-its-time" and time.monotonic() < looked + 3:
                continue
            looked = time.monotonic()
            try:
                self.publish()
                self.published = True
                pause = 0.1
            except urllib.error.HTTPError as error:
                pause = max(2 * pause, float(error.headers.get("Retry-After") or 0))
            except OSError:
                pause = 2 * pause

    # Registration.

    def GetInfo(self, request: Any, context: Any) -> Any:
        return pluginregistration_v1_pb2.PluginInfo(
            type="CSIPlugin" if self.wrong == "other-type" else "DRAPlugin",
            name=self.options.name,
            endpoint=str(self.data / "dra.sock"),
            supported_versions=["v1.DRAPlugin"],
        )

    def NotifyRegistrationStatus(self, request: Any, context: Any) -> Any:
        self.registered = request.plugin_registered
        if not request.plugin_registered:
            print("the kubelet did not take the driver:", request.error, flush=True)
        return pluginregistration_v1_pb2.RegistrationStatusResponse()

    # Probes.

    def Check(self, request: Any, context: Any) -> Any:
        states = grpc_health_v1_pb2.HealthCheckResponse
        if request.service not in ("", "readiness"):
            context.abort(grpc.StatusCode.NOT_FOUND, "no such service")
        ready = self.registered and (self.published or self.wrong == "ready-at-once")
        well = ready if request.service else True
        return states(status=states.SERVING if well else states.NOT_SERVING)

    # Metrics.

    def count(self, uid: str) -> None:
        labels = f'{{claim="{uid}"}}' if self.wrong == "counts-each-claim" else ""
        self.prepared[labels] = self.prepared.get(labels, 0) + 1

    def told(self) -> str:
        rows = [f"small_prepared_total{labels} {n}\n" for labels, n in self.prepared.items()]
        return "".join(["# TYPE small_prepared_total counter\n", *rows])

    # Claims.

    def NodePrepareResources(self, request: Any, context: Any) -> Any:
        answer = dra_v1_pb2.NodePrepareResourcesResponse()
        for asked in request.claims:
            print("preparing", asked.uid, flush=True)
            self.count(asked.uid)
            if self.wrong == "answers-garbage":
                answer.claims["somebody-else"].error = ""
            elif self.wrong == "refuses-to-prepare":
                answer.claims[asked.uid].error = "the device is on fire"
            else:
                with self.lock:
                    self._prepare(asked, answer.claims[asked.uid])
        return answer

    def _prepare(self, asked: Any, entry: Any) -> None:
        path = f"/apis/resource.k8s.io/v1/namespaces/{asked.namespace}/resourceclaims/{asked.name}"
        try:
            claim = self.api.ask("GET", path)
        except urllib.error.HTTPError as error:
            entry.error = f"{asked.name} can't be read: {error}"
            return
        devices = (claim.get("status") or {}).get("allocation", {}).get("devices", {})
        results = [r for r in devices.get("results", []) if r["driver"] == self.options.name]
        keys = {self._key(one, asked.uid): asked.uid for one in results}
        mine = {key for key, uid in self.users.items() if uid == asked.uid}
        config = [one["opaque"] for one in devices.get("config", []) if "opaque" in one]
        mistaken = [one["parameters"] for one in config if one["driver"] == self.options.name]
        if self.wrong == "fears-the-future" and self._first(asked.uid) > time.monotonic():
            entry.error = "the claim was prepared in the future"
        elif not results or {one.partition("#")[0] for one in keys} - KNOWN:
            entry.error = "there is no such device"
        elif mistaken:
            entry.error = f"there is nothing to configure by {mistaken[0]}"
        elif mine and mine != set(keys):
            entry.error = "the allocation has changed"
        elif any(self.users.get(key, asked.uid) != asked.uid for key in keys):
            entry.error = f"{', '.join(keys)} is busy"
        if entry.error:
            return
        self.remember(self.users | keys)
        for one in results:
            device = entry.devices.add()
            device.request_names.append(one["request"].partition("/")[0])
            device.pool_name, device.device_name = one["pool"], one["device"]
            device.cdi_device_ids.append(f"{self.options.name}/device=c{asked.uid}-{one['device']}")
        if self.wrong != "unresolvable":
            self._write_spec(asked.uid, [one["device"] for one in results])

    @staticmethod
    def _key(result: Any, uid: str) -> str:
        """Return what can have one claim; an administrator's stands beside the user's."""
        beside = f"#{uid}" if result.get("adminAccess") else ""
        return f"{result['pool']}/{result['device']}{beside}"

    def _first(self, uid: str) -> float:
        known: dict[str, float] = {}
        if self.instants.exists():
            known = json.loads(self.instants.read_text("utf-8"))
        known.setdefault(uid, time.monotonic())
        self.instants.write_text(json.dumps(known), "utf-8")
        return known[uid]

    def _write_spec(self, uid: str, names: list[str]) -> None:
        edits = {} if self.wrong == "changes-nothing" else EDITS[self.options.inject]
        spec = {
            "cdiVersion": "0.3.0",
            "kind": f"{self.options.name}/device",
            "devices": [{"name": f"c{uid}-{name}", "containerEdits": edits} for name in names],
        }
        if (self.options.cdi_dir / f"{uid}.json").exists():
            return
        unfinished = self.options.cdi_dir / f".{uid}"
        try:
            unfinished.write_text(json.dumps(spec), "utf-8")
            unfinished.rename(self.options.cdi_dir / f"{uid}.json")
        except OSError:
            unfinished.unlink(missing_ok=True)
            raise

    def NodeUnprepareResources(self, request: Any, context: Any) -> Any:
        answer = dra_v1_pb2.NodeUnprepareResourcesResponse()
        for asked in request.claims:
            if self.wrong == "forgets-unprepare":
                continue
            answer.claims[asked.uid].error = (
                "it is stuck" if self.wrong == "refuses-to-unprepare" else ""
            )
            if self.wrong != "keeps-devices":
                with self.lock:
                    self.remember({k: uid for k, uid in self.users.items() if uid != asked.uid})
            # A read-only file system refuses to remove what is not there.
            if (spec := self.options.cdi_dir / f"{asked.uid}.json").exists():
                spec.unlink(missing_ok=True)
        return answer


def serve(socket: Path, add: Any, servicer: Any) -> grpc.Server:
    socket.parent.mkdir(parents=True, exist_ok=True)
    socket.unlink(missing_ok=True)
    return listen(f"unix:{socket}", add, servicer)


def tell(driver: Driver, port: int) -> None:
    """Answer whoever asks for metrics, for as long as the process runs."""

    class Metrics(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/metrics" else 404)
            self.send_header("Content-Type", "text/plain; version=0.0.4")
            self.end_headers()
            self.wfile.write(driver.told().encode())

    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Metrics)
    threading.Thread(target=server.serve_forever, daemon=True).start()


def listen(address: str, add: Any, servicer: Any) -> grpc.Server:
    server = grpc.server(ThreadPoolExecutor(2))
    add(servicer, server)
    server.add_insecure_port(address)
    server.start()
    return server


def served(options: argparse.Namespace, api: Api) -> tuple[Driver, list[grpc.Server], Path]:
    """Serve one driver; return it, its servers and its registration socket."""
    driver = Driver(options, api)
    socket = Path(os.environ["REGISTRAR_DIR"]) / f"{options.name}-reg.sock"
    servers = [
        serve(driver.data / "dra.sock", dra_v1_pb2_grpc.add_DRAPluginServicer_to_server, driver)
    ]
    if options.wrong != "never-registers":
        join = pluginregistration_v1_pb2_grpc.add_RegistrationServicer_to_server
        servers.append(serve(socket, join, driver))
    return driver, servers, socket


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--wrong", choices=WRONGS, default="none")
    parser.add_argument("--inject", choices=sorted(EDITS), default="env")
    parser.add_argument("--name", default="small.example.com")
    parser.add_argument("--also", default="", help="the name of a second driver of this process")
    options = parser.parse_args()
    options.node = os.environ["NODE_NAME"]
    options.plugins_dir = Path(os.environ["PLUGINS_DIR"])
    options.cdi_dir = Path(os.environ["CDI_DIR"])
    print("small driver:", options.wrong, flush=True)
    if options.wrong == "exits":
        sys.exit("no such hardware")
    if options.wrong == "hangs":
        time.sleep(600)
    keeps_token = options.wrong == "keeps-its-token"
    api = Api(Path(os.environ["KUBECONFIG"]), keeps_token=keeps_token)
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    driver, servers, socket = served(options, api)
    sockets = [socket]
    if options.also:
        told = argparse.Namespace(**{**vars(options), "name": options.also, "wrong": "none"})
        other, more, socket = served(told, api)
        servers, sockets = [*servers, *more], [*sockets, socket]
        threading.Thread(target=other.keep_published, args=(ended,), daemon=True).start()
    if (port := int(os.environ.get("HEALTHCHECK_PORT", "-1"))) > 0:
        join = grpc_health_v1_pb2_grpc.add_HealthServicer_to_server
        servers.append(listen(f"127.0.0.1:{port}", join, driver))
    if (port := int(os.environ.get("METRICS_PORT", "-1"))) > 0:
        tell(driver, port)
    driver.keep_published(ended)
    if options.wrong == "leaves-socket":
        os._exit(0)
    for server in servers:
        server.stop(None)
    for socket in sockets:
        socket.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
