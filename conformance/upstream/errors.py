"""What can go wrong before a real cluster answers, each as one sentence.

The story runs in this order: something that the machine must bring is absent
(:class:`UnavailableError`), a binary does not build (:class:`BuildError`), the arguments or
the state folder cannot be used (:class:`UnusableError`), a component dies or never becomes
ready (:class:`ComponentError`). None of them says anything about Kubernetes' conformance.
"""

from __future__ import annotations

from pathlib import Path


class UpstreamError(Exception):
    """The real cluster could not be brought up, asked or taken down."""


class UnavailableError(UpstreamError):
    """This machine lacks something; ``missing`` names each thing and how to get it."""

    def __init__(self, missing: tuple[str, ...]) -> None:
        super().__init__("a real Kubernetes cannot run here: " + "; ".join(missing))
        self.missing = missing


class UnusableError(UpstreamError):
    """An argument, or the state folder, cannot be used as given."""


class BuildError(UpstreamError):
    """The Go toolchain did not produce a binary; ``log`` holds its output."""

    def __init__(self, module: str, log: Path, reason: str) -> None:
        super().__init__(f"building fixtures/upstream/{module} failed: {reason} (log: {log})")
        self.log = log


class ComponentError(UpstreamError):
    """A component ended or did not become ready; ``log`` holds its output."""

    def __init__(self, component: str, what: str, log: Path) -> None:
        super().__init__(f"{component} {what} (log: {log})")
        self.component = component
        self.log = log
