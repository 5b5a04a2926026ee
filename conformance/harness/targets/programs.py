"""Who is judged without a cluster: a consumer of metadata, and a component with its gates."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from conformance.harness.errors import Unsupported
from conformance.harness.programs import component, consumer
from conformance.harness.programs.component import CommandComponent, Component
from conformance.harness.programs.consumer import Answer, CommandConsumer, Consumer
from conformance.harness.target import Cluster, Target
from conformance.harness.targets.bundled import BundledCluster, BundledTarget
from conformance.harness.targets.opening import TargetOptions


def open_consumer(options: TargetOptions, cluster: Cluster) -> Consumer:
    """Return the consumer that is judged; raises ``Unsupported``, ``TargetMisconfigured``."""
    if options.consumer_command is not None:
        return CommandConsumer(options.consumer_command)
    if isinstance(cluster, BundledCluster):
        return BundledConsumer(cluster=cluster)
    raise Unsupported(f"the check judges a consumer, and none was named ({consumer.OPTION})")


def open_component(options: TargetOptions, target: Target) -> Component:
    """Return the component that is started; raises ``Unsupported``, ``TargetMisconfigured``."""
    if options.component_command is not None:
        return CommandComponent(options.component_command)
    if isinstance(target, BundledTarget):
        return BundledComponent(target=target)
    raise Unsupported(f"the check starts a component, and none was named ({component.OPTION})")


@attrs.frozen(kw_only=True)
class BundledConsumer:
    """The consumer of the reference, asked in this process."""

    cluster: BundledCluster

    def read(self, stream: str) -> Answer:
        """Return what it makes of a stream."""
        found, error = self.cluster.consume(stream)
        return Answer(object=found, error=error)


@attrs.frozen(kw_only=True)
class BundledComponent:
    """The components of the reference, which take their gates together."""

    target: BundledTarget

    def refusal(self, gates: Mapping[str, bool]) -> str:
        """Return what they said when they refused the gates, empty where they start."""
        return self.target.refusal(gates)
