"""Where a saboteur may step into the bundled driver, and what the driver leaves out."""

from __future__ import annotations

#: Every seam: its name, and the function behind it (``async`` as marked).
SEAMS = {
    # Start and registration.
    "driver.check_configuration": "(DriverConfig) -> raises ConfigurationError",
    "driver.plugin_info": "(driver name, endpoint, services) -> PluginInfo of the handshake",
    "driver.end_server": "async (server, socket) -> stop to serve and remove the socket",
    "driver.exit_code": "() -> exit code of the driver's process",
    "driver.asked": "(PluginInfo) -> what GetInfo answers, each time",
    "driver.status": "(registered, error) -> what is told of a registration status",
    "driver.registered": "async (registered, servers) -> what the driver does about it",
    "driver.finish": "async () -> what a driver does last of all",
    "driver.served": "(services) -> those of the announced versions that are served",
    "driver.socket_names": "(driver name, instance) -> names of service and registration socket",
    "driver.wake": "(event) -> go on after a pause",
    "driver.alive": "async (sockets, client) -> whether a probe is answered by SERVING",
    "driver.ready": "(registered, published) -> whether a probe of readiness is answered so",
    "driver.probes": "(servicer, server) -> serve probes",
    "driver.end_metrics": "async (endpoint) -> stop to tell metrics",
    "driver.metrics": "(samples) -> text of the metrics",
    "driver.metrics_reply": "async (text, client, calls under way) -> the answer with the metrics",
    "driver.measured": "(operation, claim uid, error) -> labels by which it is counted",
    "driver.probe_services": "(name) -> whether it is a service that can be probed",
    "driver.leave": "(checkpoint, CDI folder) -> what a driver does to its files as it ends",
    "driver.checkpoint_up_to_date": "() -> whether the file is as this instance left it",
    "driver.load_checkpoint": "(path) -> prepared claims that a driver before this one left",
    # Publishing.
    "driver.devices": "(DriverConfig) -> the devices that a driver finds when it starts",
    "driver.inventory": "(publisher, DriverConfig) -> publish another inventory",
    "driver.offer": "(preparation, devices) -> prepare these devices and no others",
    "driver.withdrawn": "(checkpoint, CDI folder, names of the devices that are there)",
    "driver.taints": "(driver name, {device name: DeviceState}) -> taints of each device",
    "driver.taint_times": "(spec before, spec) -> the spec, with the times of taints that stay",
    "driver.refresh": "async (client, clock, driver) -> write slices that nothing has changed",
    "driver.slice_specs": "(DriverConfig, node, generation) -> specs of the pool's slices",
    "driver.slice_object": "(spec, node object) -> the ResourceSlice to create",
    "driver.publish": "async (key) -> make the slices in the API what they should be",
    "driver.pause": "(seconds that a busy server asks for) -> seconds until the next write",
    "driver.as_good_as_can_be": (
        "(stored spec, wanted spec, [(wanted, stored)]) -> whether writing again would be in vain"
    ),
    # Preparing.
    "driver.batch": "(claims of a request) -> those of them that are answered",
    "driver.fetch_claim": "async (Claim of the request) -> the claim; raises PrepareError",
    "driver.instants": "(claim uid, seconds of monotonic and wall clock) -> raises OSError",
    "driver.already_prepared": "(claim uid) -> what was prepared before, or None",
    "driver.refuse_changed": "(PreparedClaim, devices) -> raises PrepareError if they differ",
    "driver.restore": "(claim, results) -> write CDI specs of a prepared claim that are gone",
    "driver.refuse_in_use": "(uid, results, [PreparedClaim]) -> raises PrepareError",
    "driver.undo": "(paths) -> remove the CDI specs of a preparation that failed",
    "driver.cdi_name": "(claim uid, result) -> name of a CDI device",
    "driver.configuration": "(claim, driver, request) -> variables from opaque configuration",
    "driver.write_spec": "(path, spec) -> put a CDI spec where runtimes look for it",
    "driver.results": "(claim) -> the driver's own allocation results; raises PrepareError",
    "driver.prepare": "(claim) -> PreparedClaim; raises PrepareError",
    "driver.prepared_devices": "(claim, results) -> the devices that the kubelet is told of",
    "driver.environment": "(driver, node, claim uid, device) -> variables of a device",
    "driver.device_spec": "(kind, [CdiDevice]) -> CDI spec of a claim's devices",
    "driver.unprepare": "(namespace, name, uid) -> undo a preparation",
    "driver.recall": "async (client, Claim of the request) -> what undoing needs of it",
    "driver.to_remove": "(claim uid, PreparedClaim or None) -> whether its files are removed",
    "driver.remove_spec": "(SpecFolder, path) -> remove the CDI spec of a claim's devices",
    # Device metadata.
    "driver.metadata_config": "(DriverConfig) -> how metadata is written, or None: not at all",
    "driver.metadata_requests": "(claim, [Prepared]) -> devices by request that gets a file",
    "driver.metadata_attributes": "(device name) -> attributes of a device in its file",
    "driver.metadata_document": (
        "(driver, ClaimIdentity, request, [MetadataDevice]) -> content without version"
    ),
    "driver.metadata_stream": "(content, generation, versions) -> text of a file",
    "driver.metadata_path": "(driver, ClaimIdentity, top-level request) -> path in a container",
    "driver.metadata_replace": "(path, text) -> write a file, new or again",
    "driver.metadata_spec": "(kind, [CdiDevice]) -> CDI spec that mounts a file",
    "driver.metadata_generation": "(generation) -> generation of an update",
    "driver.metadata_update": "(claim, PreparedClaim) -> the deferred update of every request",
    "driver.metadata_restore": "(claim, request, file) -> write the CDI spec again if it is gone",
    "driver.metadata_host_path": "(ClaimIdentity, top-level request) -> where its file lies",
    "driver.metadata_remove": "(namespace, name, uid) -> remove a claim's files and CDI specs",
    # Health and status.
    "driver.health_stream": "async generator (service, driver) -> reports of a stream",
    "driver.health_report": "(messages module, Unix time) -> NodeWatchResourcesResponse",
    "driver.binding_condition": "(condition wanted, condition before or None, now) -> condition",
    "driver.device_status": (
        "(driver, PreparedClaim, network data, now) -> entries of status.devices"
    ),
}

#: What drivers of real devices do and this one does not; each is a row in gaps.yaml.
SIMPLIFICATIONS = (
    "Devices are names: nothing is set up on the node but files.",
    "Opaque configuration is a map of environment variables and nothing else.",
    "Slices are published as they were configured; no hardware is asked what there is.",
    "Health comes from a control file, not from hardware.",
    "A full or read-only file system of CDI specs is an error that writing them returns.",
)
