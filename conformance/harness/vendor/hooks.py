"""Run the hooks of a vendor for a driver: one that was started here, or an installed one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from conformance.harness.errors import Undecided, Unsupported
from conformance.harness.process.command import CommandError, Surroundings
from conformance.harness.process.hook import HOOKS, HookError, HookUnable
from conformance.harness.subject.protocol import DriverOptions
from conformance.kube.objects import Object

#: The hook that brings a device into a state of health.
_MARKS: Mapping[str, str] = {"Unhealthy": "mark-unhealthy", "Healthy": "mark-healthy"}


@attrs.frozen(kw_only=True)
class Hooks:
    """The hooks of one driver, and which devices they have let fail or be gone."""

    options: DriverOptions
    #: None where the node of the driver is not reached from here.
    surroundings: Surroundings | None
    _failed: set[str] = attrs.field(factory=set[str], init=False)
    _gone: set[str] = attrs.field(factory=set[str], init=False)

    def run(self, name: str, **told: str) -> Any:
        """Run a hook and return what it printed.

        Raises ``Unsupported`` where there is none or it says that it can't, and ``Undecided``
        where it fails: that accuses nobody.
        """
        hook = self.options.hooks.get(name)
        if hook is None:
            raise Unsupported(f"the check needs the hook {name}, which {HOOKS[name]} (--config)")
        if self.surroundings is None:
            raise Unsupported(
                f"the check runs the hook {name} on the driver's node, and none is reached from "
                "here (--node-root)"
            )
        try:
            return hook.run(self.surroundings, {"DRA_DRIVER_NAME": self.options.name, **told})
        except HookUnable as error:
            raise Unsupported(str(error)) from error
        except (HookError, CommandError) as error:
            raise Undecided(str(error)) from error

    def mark(self, device: str, health: str, message: str) -> None:
        """Let a device fail or be well again."""
        if health not in _MARKS:
            raise Unsupported(f"the check needs a device whose health is {health}")
        self.run(_MARKS[health], DRA_DEVICE=device, DRA_MESSAGE=message)
        (self._failed.discard if health == "Healthy" else self._failed.add)(device)

    def remove(self, device: str) -> None:
        """Let a device be gone."""
        self.run("remove-device", DRA_DEVICE=device)
        self._gone.add(device)

    def bring_back(self, device: str) -> None:
        """Let a device be there again."""
        self.run("return-device", DRA_DEVICE=device)
        self._gone.discard(device)

    def recover(self) -> None:
        """Let every device be there again that was taken away, and well that failed."""
        for device in sorted(self._gone):
            self.bring_back(device)
        for device in sorted(self._failed):
            self.mark(device, "Healthy", "")

    def use(self, devices: Sequence[str], edits: Sequence[Object]) -> str:
        """Return why devices can't be used with these edits, empty where they can."""
        variables = dict(
            one.split("=", 1) for edit in edits for one in edit.get("env") or [] if "=" in one
        )
        told = {"DRA_DEVICES": json.dumps(list(devices)), "DRA_EDITS": json.dumps(list(edits))}
        found = self.run("prove-access", **{**variables, **told})
        if not isinstance(found.get("usable"), bool):
            raise Undecided('the hook prove-access printed no {"usable": true} or false')
        return "" if found["usable"] else str(found.get("why") or "the hook does not say why")
