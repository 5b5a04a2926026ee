"""Where a saboteur may step in, and what the controllers do not imitate."""

from __future__ import annotations

#: Every seam of the controllers: name, and what the function behind it does.
SEAMS = {
    "controllers.claim_from_template": (
        "(pod, pod_claim, template) -> the ResourceClaim to create for one Pod"
    ),
    "controllers.generated_for": (
        "(pod, pod_claim, claims) -> the claim that was already generated for the entry"
    ),
    "controllers.create_claim": "async (client, claim) -> create a generated claim in the API",
    "controllers.note_claims": (
        "async (client, pod, names) -> write status.resourceClaimStatuses of the Pod"
    ),
    "controllers.is_of_group": (
        "(pod_claim, group or None) -> is an entry of a Pod one of its group"
    ),
    "controllers.awaits_group": (
        "(pod, group or None) -> has a Pod to wait until its PodGroup is there"
    ),
    "controllers.group_template_event": (
        "(type, template, old or None) -> wake the PodGroups that wait for it"
    ),
    "controllers.with_group": "(holder, claim) -> the claim reserved for a PodGroup as well",
    "controllers.group_entries": "(group) -> the entries for which a PodGroup gets claims",
    "controllers.claim_for_group": (
        "(group, entry, template) -> the ResourceClaim to create for one PodGroup"
    ),
    "controllers.create_group_claim": "async (client, claim) -> create a claim of a PodGroup",
    "controllers.note_group_claims": (
        "async (client, group, names) -> write status.resourceClaimStatuses of the PodGroup"
    ),
    "controllers.group_has_claim": (
        "(group, entry) -> has the entry the claim that the status of the PodGroup names"
    ),
    "controllers.keeps_group": "(pod) -> may the Pod still run, so that its PodGroup must stay",
    "controllers.let_group_go": "async (client, group) -> take the protection of a PodGroup away",
    "controllers.quota_status": "(quota, Holding) -> the status of a ResourceQuota",
    "controllers.can_reserve": (
        "(pod, claim) -> may the claim be reserved for a Pod that has a node already"
    ),
    "controllers.with_consumer": "(pod, claim) -> the claim with one more reservation",
    "controllers.reserve": "async (client, claim) -> write the reservation of a pre-scheduled Pod",
    "controllers.holds": "(consumer, pod) -> is the reservation for the Pod of that name",
    "controllers.is_done": "(pod) -> will the Pod not run any more",
    "controllers.is_stale": "async (claim, consumer) -> is the reservation void",
    "controllers.lingers": "(claim) -> does a deleted claim wait for its finalizer alone",
    "controllers.has_claim": "async (pod, pod_claim) -> has the entry the claim that it needs",
    "controllers.template_event": "(type, template, old or None) -> wake the Pods that wait for it",
    "controllers.without_consumers": (
        "(claim, stale uids) -> the claim without them, deallocated when none remains"
    ),
    "controllers.release": "async (client, claim) -> write the claim after reservations went",
    "controllers.remove_finalizer": "async (client, claim) -> let a deallocated claim go",
    "controllers.delete_generated": (
        "async (client, claim) -> delete the generated claim of a Pod that is done"
    ),
    "controllers.matching_pools": (
        "(request, slices) -> the pools that a request asks about, at their newest generation"
    ),
    "controllers.pool_status": ("(pool, request, claims, partitions) -> one entry of status.pools"),
    "controllers.request_status": "(pools, limit, now) -> the whole status of a request",
    "controllers.is_processed": "(request) -> was the request answered before",
    "controllers.seconds_to_live": ("(request, now) -> seconds until a request is removed"),
    "controllers.write_pool_status": "async (client, request) -> write the status of a request",
    "controllers.delete_pool_request": "async (client, request) -> remove an old request",
    "controllers.consumers": "(claim) -> names of the Pods that a claim is reserved for",
    "controllers.evicting_taints": (
        "(result, slices, rules) -> the taints that drive Pods away from an allocated device, "
        "each with its rule or nothing; the slices are those of its pool"
    ),
    "controllers.earlier": "(eviction, other) -> the one that counts, with the rules of both",
    "controllers.end_of_patience": (
        "(taint, tolerations) -> until when a taint is borne, or nothing for ever"
    ),
    "controllers.claims_in_use": "(pod) -> names of its claims, each with: must it be its own",
    "controllers.can_be_evicted": "(pod) -> is it on a node and not deleted yet",
    "controllers.mark_disrupted": "async (client, pod, now) -> say why the Pod ends",
    "controllers.evict_pod": "async (client, pod) -> delete a Pod",
    "controllers.eviction_condition": "(rule, tally) -> the condition EvictionInProgress",
    "controllers.write_rule_status": "async (client, rule) -> write the status of a rule",
    "controllers.metrics": "(measures) -> the samples that kube-controller-manager tells",
    "controllers.is_orphan": "(object, owners found) -> has the object lost all its owners",
    "controllers.blocks": (
        "(dependent, owner) -> has the owner's foreground deletion to wait for the dependent"
    ),
    "controllers.release_dependent": (
        "async (client, plural, dependent, uids) -> let a dependent name these owners no more"
    ),
    "controllers.collect": "async (client, plural, object) -> delete an object without owners",
}

#: In which the controllers are simpler than those of a real cluster.
SIMPLIFICATIONS = (
    "Metrics of created claims do not count those of PodGroups.",
    (
        "An incomplete pool is answered after five retries with a validationError; "
        "kube-controller-manager 1.37 leaves the request unanswered."
    ),
    "DeviceTaintRules do not enter the pool status.",
    (
        "A completed pool status request is removed exactly one hour later; "
        "kube-controller-manager looks every ten minutes."
    ),
    (
        "Only Pods, ResourceClaims, ResourceClaimTemplates and ResourceSlices are collected, "
        "orphaned or waited for."
    ),
    "A Pod whose node is gone is deleted after 40 s without a DisruptionTarget condition.",
    "The status of a DeviceTaintRule is replaced by an update; upstream applies its condition.",
    "Nodes are never found unhealthy: there is no node life cycle controller.",
    "Deployments, DaemonSets and Jobs are stored, not acted upon.",
)
