"""Where a saboteur may step into the kubelet, and what the kubelet does not imitate."""

from __future__ import annotations

#: Every seam: its name, and the function behind it (``async`` and ``async gen`` as marked).
SEAMS = {
    # Registration.
    "kubelet.register": "async (socket) -> one attempt to register the plugin behind it",
    "kubelet.admit": "(socket, PluginInfo) -> take the plugin; raises UnusablePluginError",
    "kubelet.wiping_delay": "(seconds) -> how long a driver may be gone until its slices go",
    "kubelet.choose_services": (
        "(supported versions) -> Services(plugin, health) to use; raises UnusablePluginError"
    ),
    "kubelet.pick_plugin": "([Plugin] of a driver, oldest first) -> the one to call, or None",
    "kubelet.wipe_slices": (
        "async (client, node, driver or None) -> delete the node's slices of that driver"
    ),
    # Claims.
    "kubelet.fetch_claim": "async (namespace, name) -> the claim; raises ClaimNotUsable",
    "kubelet.heeds_groups": "(gates) -> can a claim be owned by a PodGroup, or reserved for one",
    "kubelet.check_owner": (
        "(pod, claim) -> raises ClaimNotUsable for a generated claim of another Pod"
    ),
    "kubelet.check_reserved": "(pod, claim) -> raises ClaimNotUsable unless reserved for the Pod",
    "kubelet.claim_info": (
        "(claim, *, optional_operations) -> ClaimInfo; raises ClaimNotUsable unless allocated"
    ),
    "kubelet.check_same_claim": (
        "(known, wanted ClaimInfo) -> raises ClaimNotUsable for another uid of the same name"
    ),
    "kubelet.call_prepare": (
        "async (Plugin, [ClaimRef]) -> answers by uid of one NodePrepareResources"
    ),
    "kubelet.prepared_devices": "(answer for one claim) -> [PreparedDevice] to remember",
    "kubelet.claim_entries": "(pod) -> the claims to prepare, as spec.resourceClaims names them",
    "kubelet.check_prepared": (
        "([ClaimRef] asked, uids answered, method) -> raises ClaimNotUsable unless complete"
    ),
    "kubelet.prepare": "async (pod) -> prepare all of its claims, or raise why not",
    "kubelet.is_last_user": "(ClaimInfo, pod uid) -> is the claim to be unprepared with this Pod",
    "kubelet.call_unprepare": (
        "async (Plugin, [ClaimRef]) -> answers by uid of one NodeUnprepareResources"
    ),
    "kubelet.check_unprepared": (
        "([ClaimRef] asked, uids answered, method) -> raises ClaimNotUsable unless complete"
    ),
    "kubelet.unprepare": "async (pod uid) -> release all of its claims, or raise why not",
    "kubelet.save_claims": "(path, claims) -> write the checkpoint",
    "kubelet.load_claims": "(path) -> the claims of the checkpoint of the kubelet before",
    # Health.
    "kubelet.health_enabled": "(gates) -> is device health followed and written at all",
    "kubelet.open_health_stream": "async gen (Plugin) -> the devices of each report",
    "kubelet.health_state": "(number of the health API) -> Healthy, Unhealthy or Unknown",
    "kubelet.health_timeout": "(health_check_timeout_seconds) -> seconds until Unknown",
    "kubelet.health_message": "(message) -> the message, cut to what a status takes",
    "kubelet.health_report": "(known DeviceHealth or None, fresh one) -> the one to keep",
    "kubelet.health_expired": "(DeviceHealth, now) -> is the report too old to count",
    "kubelet.notify_health": "(driver, [(pool, device)]) -> have the affected Pods updated",
    "kubelet.save_health": "(path, reports) -> write the health cache",
    "kubelet.load_health": "(path) -> the reports that the kubelet before has left",
    "kubelet.health_name": "(Pod's name of the claim, request) -> name of a status entry",
    "kubelet.health_resource_id": "(driver, PreparedDevice) -> resourceID of a device",
    "kubelet.health_entry": "(driver, PreparedDevice) -> the resource entry of a device",
    "kubelet.health_with_message": "(entry, DeviceHealth) -> the entry with the message",
    "kubelet.health_entries": "(pod, container) -> allocatedResourcesStatus of a container",
    # Pods and runtime.
    "kubelet.pod_event": "(type, pod, old or None) -> take note of a Pod of this node",
    "kubelet.restart_at": "(container) -> when a container that ended starts again, or None",
    "kubelet.cgroup": "(pod, container, bytes of the node) -> what the container may use",
    "kubelet.container_devices": "(pod, container) -> the CDI devices that it gets",
    "kubelet.apply_cdi": "(cdi directory, CDI device ids) -> Edits; raises CdiError",
    "kubelet.probe_report": "(environment, mounts, device nodes) -> what a probe prints",
    "kubelet.write_status": "async (status) -> write the Pod's status where it differs",
    "kubelet.finish_deletion": "async (pod) -> let a Pod go that was deleted and has ended",
    "kubelet.metrics": "(measures) -> the samples that it tells",
    "kubelet.dynamic_resource": "(ClaimInfo) -> DynamicResource of PodResources",
}

#: What a real kubelet does and this one does not; each is a row in gaps.yaml.
SIMPLIFICATIONS = (
    "Containers are records, not processes: a command is understood, not executed.",
    "A Pod is stopped at once, whatever its terminationGracePeriodSeconds.",
    "Probes of the Pod's own, lifecycle hooks and volumes are ignored.",
    "Limits are told to containers and not enforced; there are no cgroups of Pods.",
    "Static Pods, ephemeral containers and evictions do not exist.",
    "The container's environment has no service variables and no valueFrom.",
    "The node's lease is not renewed, and a stopped kubelet's Node stays Ready.",
    "The kubelet's HTTP endpoint serves logs, metrics and healthz alone, without TLS.",
    "Device health turns Unknown in a Pod's status at its timeout, not at the next sync.",
    "Devices of a prepared claim keep their CDI edits in the order of the drivers' answers.",
)
