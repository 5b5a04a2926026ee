"""What a real API server does beyond this one: each sentence is a known difference."""

from __future__ import annotations

SIMPLIFICATIONS: tuple[str, ...] = (
    "Without serve --tls whoever asks without a token is let in: client-go sends none then.",
    "Components ask with tokens of the server's own; the accounts of controllers are no objects.",
    "Tokens of ServiceAccounts are signed with a key of the server: nobody else can verify them.",
    "Who writes roles and bindings may grant more than they have; aggregated rules are not stored.",
    "Of the default roles there are those that DRA needs, with rules for kinds that are served.",
    "Answers are JSON, also to clients that prefer protobuf.",
    "The deprecated paths with /watch/ are not served.",
    "Core and events.k8s.io Events are stored apart; neither expires.",
    (
        "Admission is NamespaceLifecycle, Priority of Pods, NodeRestriction, quota, policies and "
        "default tolerations."
    ),
    "PriorityClasses are not validated.",
    "Admission policies have no parameters or namespace selector, and types are not checked.",
    "Policies that mutate are asked once, about creations, and understand JSON patches alone.",
    "Pods get no default ServiceAccount and no token volume.",
    "Of a Pod only names, containers, their resources, claims and immutability are validated.",
    "Quotas limit claims, templates, devices and extended resources; a new one counts at once.",
    "Watch bookmarks come after the initial events and before a timeout, not periodically.",
    "A Pod's log is returned as it stands; follow is not supported.",
    "The bytes of opaque parameters are not kept: their JSON is the same however it is written.",
    "Objects are stored in memory and are gone with the process.",
    "An alpha kind that has no other version is served as soon as its gate is on.",
    (
        "Device selectors do not compile that use the device itself as a value, has() of its own "
        "fields, comprehensions with two variables, format(), sortBy(), URLs, IP addresses, CIDRs, "
        "named formats, durations, timestamps or messages."
    ),
    (
        "Where the type of an element is free in a device selector, another overload may be "
        "chosen, with another worst-case cost, or the expression be refused."
    ),
)
