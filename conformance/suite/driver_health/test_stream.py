"""The stream while nothing happens: complete, in bounds, renewed in time, open."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.bench.bench import Bench
from conformance.harness.bench.conduct import health
from conformance.harness.bench.conduct.health import Watch
from conformance.harness.target import NODE_ACCESS

pytestmark = pytest.mark.needs(NODE_ACCESS)


@pytest.mark.requirement("DRA-DHL-01")
def test_the_first_report_is_complete(bench: Bench, watch: Watch) -> None:
    """Each device that the driver publishes for the node stands in the first report."""
    published = health.published(bench)

    report = watch.first()

    missing = sorted(published - report.names)
    expect.same(missing, [], path="NodeWatchResourcesResponse.devices", hint="all that there are")


@pytest.mark.requirement("DRA-DHL-02")
def test_every_announced_version_is_served(bench: Bench) -> None:
    """A kubelet may choose any version that the driver announces, and gets a report."""
    announced = health.services(bench)

    reports = health.reports_by_all(bench)

    expect.same(len(reports), len(announced), path="NodeWatchResources")


@pytest.mark.requirement("DRA-DHL-03")
def test_unpublished_devices_are_not_reported(bench: Bench, watch: Watch) -> None:
    """Nothing is said of devices that stand in no slice of the driver."""
    report = watch.first()

    strangers = sorted(report.names - health.everywhere(bench))

    expect.same(strangers, [], path="NodeWatchResourcesResponse.devices[].device")


@pytest.mark.requirement("DRA-DHL-04")
def test_health_is_renewed_before_it_expires(watch: Watch) -> None:
    """Each device is reported again within its timeout, although nothing has changed."""
    report = watch.first()

    watch.refreshed(report)


@pytest.mark.requirement("DRA-DHL-07")
def test_the_stream_stays_open(watch: Watch) -> None:
    """The driver does not end the stream: a kubelet would open it again and again."""
    watch.first()

    watch.stays_open()


@pytest.mark.requirement("DRA-DHL-08")
def test_a_stream_can_be_opened_again(bench: Bench) -> None:
    """A kubelet that was restarted gets a report as well."""
    before = health.report_by(bench, health.preferred(bench))

    with health.watched(bench) as watch:
        after = watch.answered()

    expect.same(sorted(after.names), sorted(before.names), path="NodeWatchResourcesResponse")


@pytest.mark.requirement("DRA-DHL-09")
def test_what_is_reported_is_in_bounds(watch: Watch) -> None:
    """Messages are not too long, times are in seconds, states are known."""
    watch.first()

    wrong = health.out_of_bounds(watch.seen())

    expect.same(wrong, [], path="NodeWatchResourcesResponse.devices[]")
