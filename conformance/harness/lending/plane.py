"""What a cluster offers on which a driver is started: a way to its API server, and trust."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol, runtime_checkable

from conformance.harness.client import Api
from conformance.harness.subject.protocol import Rotation
from conformance.trust.projected import TokenFile


@runtime_checkable
class Plane(Protocol):
    """A control plane as a driver of ours finds it."""

    @property
    def api(self) -> Api:
        """The client of its API server, with the rights of an administrator."""
        ...

    @property
    def is_shared(self) -> bool:
        """Whether others use the cluster, and its nodes, as well."""
        ...

    def secured(self) -> tuple[str, bytes]:
        """Return the URL with TLS, and by what it is trusted, as PEM."""
        ...

    def known_as(self, user: str) -> None:
        """Say as whom the driver acts, by the name that the API server gives it."""
        ...

    def token_file(self, folder: Path) -> TokenFile:
        """Return the file in which the driver finds its token."""
        ...

    def rotated(self, file: TokenFile, new: str) -> Rotation:
        """Put a token in the place of the one in a file, and return what becomes of both."""
        ...
