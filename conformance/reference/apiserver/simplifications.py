"""What a real API server does beyond this one: each sentence is a known difference."""

from __future__ import annotations

SIMPLIFICATIONS: tuple[str, ...] = (
    "There is no TLS; a request without a token is let in (client-go sends none without TLS).",
    "Every user may do everything; access reviews answer that all is allowed.",
    "Roles and bindings are stored and never evaluated.",
    "Answers are JSON, also to clients that prefer protobuf.",
    "Server-side apply merges without managedFields: no conflicts, and left out fields stay.",
    "A list that is continued reads the present state, not the state of its first page.",
    "Deletion in the foreground and orphaning are treated as deletion in the background.",
    "Core and events.k8s.io Events are stored apart; neither expires.",
    "No admission plugin but NamespaceLifecycle and the default tolerations of Pods runs.",
    "Pods get no default ServiceAccount and no token volume.",
    "Of a Pod only names, containers, claims and immutability are validated.",
    "Workloads (Deployment, DaemonSet) and quotas are stored and have no effect.",
    "Watch bookmarks come after the initial events and before a timeout, not periodically.",
    "A Pod's log is returned as it stands; follow is not supported.",
    "Objects are stored in memory and are gone with the process.",
)
