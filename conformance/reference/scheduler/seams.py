"""Where a saboteur may step in, and what the scheduler does not imitate."""

from __future__ import annotations

#: Every seam of the scheduler: name, and what the function behind it does.
SEAMS = {
    "scheduler.is_mine": "(pod, scheduler_name) -> is the Pod the scheduler's business",
    "scheduler.wakes": (
        "(pod, plural, kind, obj, old) -> may this event make the waiting Pod schedulable; for a "
        "claim that gives nothing back only its Pods are asked"
    ),
    "scheduler.retry_delay": "(attempts) -> seconds until a Pod is tried again after an error",
    "scheduler.group_of": (
        "(pod, find) -> the Pod's PodGroup, or nothing; raises Unfit while it does not exist"
    ),
    "scheduler.holders": (
        "(pod, group, claims) -> the PodGroup for which claims are to be reserved, by their uids"
    ),
    "scheduler.held_by": "(claim, pod, holder) -> the claim reserved for a PodGroup, not the Pod",
    "scheduler.min_count": (
        "(group, present) -> how many of so many Pods of the group must have a node at once"
    ),
    "scheduler.as_decided": (
        "(claim, decided) -> the claim with what was decided for another Pod of the group"
    ),
    "scheduler.forget_placement": (
        "(pod, placement) -> have nobody count on a place that a group makes no use of"
    ),
    "scheduler.given_up": (
        "(group, running, unavailable, own) -> a claim as a group leaves it that does not fit"
    ),
    "scheduler.group_condition": (
        "(group, reason, message, now) -> the condition to write of a group, or nothing"
    ),
    "scheduler.resolve_claims": (
        "(pod, find) -> the Pod's claims; raises Unfit while one is missing or not its own"
    ),
    "scheduler.devices_in_use": (
        "(claims, in_flight) -> what is taken: dra.allocation's InUse, or keys of devices"
    ),
    "scheduler.with_rules": "(slices, rules) -> the slices with the taints of DeviceTaintRules",
    "scheduler.metrics": "(measures) -> the samples that kube-scheduler tells",
    "scheduler.waiting_order": "(pods) -> Pods that something may help, tried first to last",
    "scheduler.may_evict": (
        "(pod, present) -> may others be evicted for the Pod; present are the Pods of its "
        "nominated node"
    ),
    "scheduler.trial": (
        "(pod, view) -> a function (node, pods) that tells whether the Pod fits on the node beside "
        "no others than these"
    ),
    "scheduler.staying": "(pods, victims) -> the Pods of a node that count once victims are gone",
    "scheduler.evict": "async (client, victim, pod) -> have a Pod end for the sake of another one",
    "scheduler.nominate": (
        "async (client, pod, node) -> write status.nominatedNodeName; node may be nothing"
    ),
    "scheduler.node_order": "(nodes) -> the nodes, preferred first",
    "scheduler.why_unfit": (
        "(pod, node, others, elsewhere) -> why the node is none for the Pod, or nothing"
    ),
    "scheduler.classes_by_resource": "(classes) -> the class that serves an extended resource",
    "scheduler.backed_resources": (
        "(pod, serving) -> the extended resources of the Pod that a class serves, with the class"
    ),
    "scheduler.from_devices": (
        "(resources, node) -> those of them that devices must provide on the node"
    ),
    "scheduler.asked_of_devices": (
        "(pod, classes, resources) -> requests for devices, and the containers that use them"
    ),
    "scheduler.existing_claim": (
        "(pod, claims) -> the claim that an earlier attempt made for extended resources"
    ),
    "scheduler.special_claim": "(pod, requests) -> the claim for the Pod's extended resources",
    "scheduler.reachable": "(claim, node) -> can the allocated devices be used on the node",
    "scheduler.is_usable": (
        "(claim, now, timeout) -> is an allocated claim ready, or may become so in time"
    ),
    "scheduler.allocate": (
        "(claims, *, slices, classes, node, allocated, features) -> allocations or nothing"
    ),
    "scheduler.with_finalizer": "(claim) -> the claim protected against removal",
    "scheduler.with_allocation": (
        "(claim, allocation, pod, now) -> the claim with allocation and reservation; "
        "allocation and now may be nothing"
    ),
    "scheduler.write_finalizer": "async (client, claim) -> write the finalizer",
    "scheduler.write_reservation": "async (client, claim) -> write allocation and reservation",
    "scheduler.has_conditions": "(claim) -> must the Pod wait for devices of the claim",
    "scheduler.conditions_met": "(claim) -> are all binding conditions of its devices True",
    "scheduler.failed_condition": "(claim) -> a binding failure condition that is True",
    "scheduler.seconds_to_wait": (
        "(elapsed, timeout) -> seconds that a Pod goes on waiting; 0 or less gives up"
    ),
    "scheduler.released": (
        "(claim, pod, useless) -> the claim without the Pod's reservation; deallocated too when "
        "it is useless and nobody else holds it"
    ),
    "scheduler.write_release": "async (client, claim) -> write a claim that was given back",
    "scheduler.taken_by_claims": (
        "(pod, [(claim, allocation)], footprints) -> what each claim takes of the node"
    ),
    "scheduler.beyond_pod_level": (
        "(pod) -> why requests or limits of the Pod do not cover containers and devices"
    ),
    "scheduler.check_sharing": (
        "(pod, claim, footprints) -> raises Unfit for a claim that Pods may not share"
    ),
    "scheduler.note_taken": (
        "async (client, pod, rows) -> write status.nodeAllocatableResourceClaimStatuses"
    ),
    "scheduler.create_claim": "async (client, claim) -> create a claim for extended resources",
    "scheduler.note_claim": (
        "async (client, pod, claim, mappings) -> write status.extendedResourceClaimStatus"
    ),
    "scheduler.remove_claim": "async (client, claim) -> remove a claim for extended resources",
    "scheduler.bind": "async (client, pod, node) -> bind the Pod through pods/binding",
}

#: In which the scheduler is simpler than kube-scheduler.
SIMPLIFICATIONS = (
    "The first node by name that fits is taken: there is no scoring.",
    (
        "Of the filters there are unschedulable, node selector, required node affinity, taints, "
        "ordinary resources, the number of Pods and required anti-affinity by host name; no "
        "other Pod affinity, spread, ports, volumes."
    ),
    "There is one profile.",
    (
        "For PodGroups nobody is evicted, and budgets of disruption are not known; a Pod that is "
        "on its way to a node is evicted like one that is there."
    ),
    (
        "The Pods of a PodGroup are tried by age, on all nodes; topology, priorities and groups "
        "of groups are ignored, and nothing is said of a gang before its claims are there."
    ),
    "Binding conditions are looked at when the claim changes, not every five seconds.",
    (
        "When binding fails, reservation and allocation are cleared in one write; kube-scheduler "
        "1.37 clears the allocation at the next attempt."
    ),
    "For a second of filterTimeout a thousand devices are tried on a node, however fast that is.",
)
