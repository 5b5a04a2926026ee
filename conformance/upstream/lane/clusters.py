"""The clusters of the lane, and which checks each of them is asked.

No cluster can be everything: a gate is on or off, and a scheduler has one binding timeout.
Every check is decided on at least one of these, or ``UNREACHABLE`` says why not.
"""

from __future__ import annotations

from attrs import frozen

from conformance.upstream import errors
from conformance.upstream.plan import Plan

#: The one node with a kubelet, on every cluster that has one.
NODE = "kubelet-1"

#: The driver that is installed there for a whole run, and its class.
DRIVER = "scripted.example.com"
DEVICE_CLASS = "scripted"


@frozen(kw_only=True)
class Run:
    """One run of the suite on a cluster."""

    name: str
    #: Globs of requirement ids; none is all.
    only: tuple[str, ...] = ()
    #: The same of those that are left out.
    skip: tuple[str, ...] = ()
    #: Longest single wait, as ``--dra-max-wait`` takes it.
    max_wait: str = "270s"
    #: Processes that run checks at the same time: they wait far more than they work.
    workers: int = 6
    #: The checks that restart the kubelet of the node run: nothing may run beside them.
    restarts: bool = False


@frozen(kw_only=True)
class Witness:
    """A cluster that is brought up, and the runs on it, one after the other."""

    name: str
    plan: Plan
    runs: tuple[Run, ...]
    #: What the scheduler was told, as ``--dra-binding-timeout`` takes it.
    binding_timeout: str = ""
    #: The driver is set up anew for each check, on upstream's plugin library; where not, it is
    #: upstream's test driver as it is, installed for the whole run, without metadata files.
    configured: bool = False
    #: It waits longer than CI does: only when asked for.
    long: bool = False


#: Requirements whose checks need a gate that is on by default to be off.
_WITHOUT_GATES = (
    "DRA-AUT-28",
    "DRA-BND-08",
    "DRA-BND-14",
    "DRA-HLT-13",
    "DRA-PGR-03",
    "DRA-PGR-32",
    "DRA-PST-21b",
    "DRA-PST-24",
    "DRA-TNT-32",
    "DRA-TNT-33",
    "DRA-VPG-18",
)

#: Checks that taint every device of the cluster for a moment, or keep its scheduler busy for ten
#: seconds at a time: nothing may run beside them.
_ALONE = ("DRA-TNT-22", "DRA-ALC-3[456]")

#: Requirements whose checks restart the kubelet of their node.
_WITH_RESTARTS = ("DRA-HLT-11", "DRA-DLC-18", "DRA-KUB-3[5-9]", "DRA-KUB-4?", "DRA-PGR-37")

WITNESSES = (
    Witness(
        name="alpha",
        plan=Plan(alpha=True, bare_nodes=3, kubelet_nodes=1),
        configured=True,
        runs=(
            Run(name="all", skip=_ALONE, workers=8),
            Run(
                name="restart",
                only=(*_WITH_RESTARTS, *_ALONE),
                workers=1,
                restarts=True,
            ),
        ),
    ),
    Witness(
        name="defaults",
        plan=Plan(bare_nodes=3, kubelet_nodes=1, scheduler_config={"bindingTimeout": "60s"}),
        # Upstream's test driver prepares whatever it is asked to, writes CDI specs in place, and
        # reports those devices alone whose health was set: that says nothing of a cluster.
        runs=(
            Run(
                name="all",
                skip=("DRA-DST-*", "DRA-CDI-10", "DRA-DHL-01", *_ALONE),
                max_wait="100s",
                workers=5,
            ),
        ),
        binding_timeout="60s",
    ),
    Witness(
        name="gates-off",
        plan=Plan(
            gates={
                "DRADeviceBindingConditions": False,
                "DRADeviceTaintRules": False,
                "DRADeviceTaints": False,
                "DRAResourceClaimGranularStatusAuthorization": False,
                "DRAResourcePoolStatus": True,
                "GenericWorkload": True,
                "ResourceHealthStatus": False,
                "ResourceHealthStatusMessage": False,
            },
            bare_nodes=3,
            kubelet_nodes=1,
        ),
        runs=(Run(name="off", only=_WITHOUT_GATES),),
    ),
    Witness(
        name="ten-minutes",
        plan=Plan(bare_nodes=3),
        runs=(Run(name="waits", only=("DRA-BND-03*", "DRA-BND-11"), max_wait="700s", workers=4),),
        long=True,
    ),
    Witness(
        name="hours",
        plan=Plan(alpha=True, bare_nodes=2, kubelet_nodes=1),
        configured=True,
        runs=(Run(name="waits", only=("DRA-PST-11*", "DRA-MET-20a"), max_wait="7500s", workers=2),),
        long=True,
    ),
)

_NO_METRICS = (
    "The drivers of the lane tell none: `certify --driver-feature metrics` asks those that do."
)

#: Checks that no cluster of the lane can decide, by the end of their names, and why. The bundled
#: target and `certify` without a cluster decide them.
UNREACHABLE = {
    "driver_cdi/test_room.py": (
        "The folder of CDI specs is shared with the checks that run beside these."
    ),
    "driver_lifecycle/test_credentials.py": (
        "The drivers of the lane act as administrators, whose credentials nobody replaces."
    ),
    "driver_publishing/test_trouble.py": (
        "The drivers of the lane reach the API server as everybody does: `certify --control-plane"
        " kube` gives trouble on the way to a driver that it has started."
    ),
    "driver_lifecycle/test_update.py": (
        "The drivers of the lane run once each: they have no second instance to update to."
    ),
    "driver_lifecycle/test_absence.py": (
        "API server, node and inventory are shared with the checks that run beside these."
    ),
    "driver_lifecycle/test_liveness.py": (
        "The drivers of the lane have no probe: `certify --driver-feature liveness` asks those"
        " that have one."
    ),
    "driver_lifecycle/test_readiness.py": (
        "The drivers of the lane have no probe: `certify --driver-feature readiness` asks those"
        " that have one."
    ),
    "driver_metrics/test_text.py": _NO_METRICS,
    "driver_metrics/test_time.py": _NO_METRICS,
    "driver_rights/test_rights.py": "The drivers of the lane act as administrators.",
    "driver_state/test_refusal.py::test_known_configuration_is_read_strictly": (
        "Nobody tells what parameters the drivers of the lane take."
    ),
    "device_status/test_entries.py::test_without_the_gate": (
        "The gate is locked in 1.37, which is what the lane runs."
    ),
    "driver_lifecycle/test_registration.py::test_a_prepared_device_can_be_used": (
        "Whether edits of a container work is asked by a hook of a vendor, on the vendor's node."
    ),
}

#: The lane as CI runs it; the others run when they are asked for by name.
REGULAR = tuple(witness for witness in WITNESSES if not witness.long)


def named(names: tuple[str, ...]) -> tuple[Witness, ...]:
    """Return the clusters of these names, the regular ones for none.

    Raises :class:`errors.UnusableError` for a name that the table lacks.
    """
    known = {witness.name: witness for witness in WITNESSES}
    for name in names:
        if name not in known:
            raise errors.UnusableError(f"no cluster {name!r} in the lane: {', '.join(known)}")
    return tuple(known[name] for name in names) or REGULAR
