"""What devices have in common by an expression of the request that they serve."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect

RESULTS = "status.allocation.devices.results"
SIDE = "derived/side"

pytestmark = pytest.mark.variant(gates={"DRADerivedAttributes": True})


def numbered(name: str, **attributes: int) -> dict[str, Any]:
    """Return a device whose attributes are these numbers."""
    return {"name": name, "attributes": {key: {"int": one} for key, one in attributes.items()}}


class Deriving:
    """Requests that derive attributes from those of the world's devices."""

    def __init__(self, flow: Any) -> None:
        self._flow = flow
        self._own = f'device.attributes["{flow.world.driver}"]'

    def from_(self, attribute: str, operation: str = "", *, name: str = SIDE) -> Any:
        """Return an attribute that is derived from one of the device."""
        return [{"name": name, "expression": f"{self._own}.{attribute}{operation}"}]

    def having(self, attribute: str) -> Any:
        """Return selectors of devices that have an attribute."""
        return [{"cel": {"expression": f'"{attribute}" in {self._own}'}}]

    def lacking(self, attribute: str) -> Any:
        """Return selectors of devices that do not have an attribute."""
        return [{"cel": {"expression": f'!("{attribute}" in {self._own})'}}]

    def claim(self, *requests: Any, name: str = SIDE) -> None:
        """Create a claim whose devices must match in the derived attribute, and its Pod."""
        self._flow.claim(*requests, constraints=[{"matchAttribute": name}])
        self._flow.pod()


@pytest.fixture
def deriving(flow: Any) -> Deriving:
    """Return what derives attributes of the world's devices."""
    return Deriving(flow)


@pytest.mark.requirement("DRA-ALC-41")
def test_devices_match_in_what_is_derived(flow: Any, deriving: Deriving) -> None:
    """Devices differ in their index; two of them are of one pair."""
    flow.publish(*(numbered(name, index=one) for name, one in [("a", 1), ("b", 2), ("c", 3)]))

    deriving.claim(flow.exactly(count=2, derivedAttributes=deriving.from_("index", " / 2")))

    expect.same(sorted(flow.devices()), ["b", "c"], path=RESULTS)


@pytest.mark.requirement("DRA-ALC-42")
def test_what_is_derived_hides_what_a_device_has(flow: Any, deriving: Deriving) -> None:
    """The first two devices agree in what they have, the last two in what is derived."""
    rows = [("a", 1, 1), ("b", 1, 2), ("c", 2, 2)]
    flow.publish(*(numbered(name, side=side, index=index) for name, side, index in rows))
    name = f"{flow.world.driver}/side"
    derived = deriving.from_("index", name=name)

    deriving.claim(flow.exactly(count=2, derivedAttributes=derived), name=name)

    expect.same(sorted(flow.devices()), ["b", "c"], path=RESULTS)


@pytest.mark.requirement("DRA-ALC-43")
def test_each_request_derives_by_its_own_expression(flow: Any, deriving: Deriving) -> None:
    """A card tells its socket, a link its bus, of which there are ten for each socket."""
    flow.publish(
        numbered("card", socket=2),
        numbered("far", socket=2, bus=12),
        numbered("near", socket=0, bus=25),
    )
    socket, bus = deriving.from_("socket"), deriving.from_("bus", " / 10")
    card = flow.exactly(name="card", selectors=deriving.lacking("bus"), derivedAttributes=socket)
    link = flow.exactly(name="link", selectors=deriving.having("bus"), derivedAttributes=bus)

    deriving.claim(card, link)

    expect.same(flow.devices(), ["card", "near"], path=RESULTS)


@pytest.mark.requirement("DRA-ALC-44")
def test_a_derivation_that_fails_fails_the_claim(flow: Any, deriving: Deriving) -> None:
    """The preferred alternative needs both devices, one of which lacks what it derives from."""
    flow.publish(numbered("with", index=1, other=1), numbered("without", other=1))
    wanted = flow.exactly(count=2, derivedAttributes=deriving.from_("index"))["exactly"]
    instead = flow.exactly(derivedAttributes=deriving.from_("other"))["exactly"]
    subrequests = [{"name": "both", **wanted}, {"name": "either", **instead}]

    deriving.claim({"name": "device", "firstAvailable": subrequests})

    flow.refused()


@pytest.mark.requirement("DRA-ALC-45")
def test_nothing_is_derived_of_a_device_that_is_not_selected(flow: Any, deriving: Deriving) -> None:
    """The first device lacks what is derived from, and the request does not select it."""
    flow.publish(numbered("without", other=1), numbered("with", index=1))
    wanted = flow.exactly(
        selectors=deriving.having("index"), derivedAttributes=deriving.from_("index")
    )

    deriving.claim(wanted)

    expect.same(flow.devices(), ["with"], path=RESULTS)
