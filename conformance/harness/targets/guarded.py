"""A live cluster on which a driver of ours is started: it reaches the API server by a gateway."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from conformance.harness.client import Api, from_kubeconfig
from conformance.harness.gateway import way
from conformance.harness.gateway.gateway import Gateway
from conformance.harness.target import API_AWAY, DISTURBANCE, Act, Description, Target
from conformance.harness.targets import kube
from conformance.harness.targets.disturbance import Disturbance
from conformance.harness.targets.kube import LiveCluster
from conformance.harness.targets.opening import TargetOptions
from conformance.trust.projected import TokenFile
from conformance.trust.rotation import Turn
from conformance.trust.trouble import Trouble


class GuardedCluster(LiveCluster):
    """A live cluster; what a check does to its API server, our driver alone meets."""

    def __init__(self, api: Api, options: TargetOptions, description: Description) -> None:
        super().__init__(api, options, description)
        self._options = options
        self._opened: Gateway | None = None

    @property
    def _gateway(self) -> Gateway:
        """The gateway, which is there once a driver or a check needs it."""
        if self._opened is None:
            assert self._options.kubeconfig is not None
            own = from_kubeconfig(self._options.kubeconfig, self._options.context)
            self._opened = Gateway(own, way.to(own))
        return self._opened

    @property
    def capabilities(self) -> frozenset[str]:
        """What the cluster offers, and what the gateway does."""
        return super().capabilities | {DISTURBANCE, API_AWAY}

    def disturbed(self, driver: str, trouble: Trouble) -> AbstractContextManager[Disturbance]:
        """Let the driver meet trouble on its way for a while."""
        return self._gateway.disturbed(driver, trouble)

    def access_log(self) -> Sequence[Act]:
        """Return what the driver asked so far; what others did is not known here."""
        return self._gateway.acts()

    def without_api(self) -> AbstractContextManager[None]:
        """Let the driver reach no API server for a while; everybody else does."""
        return self._gateway.away()

    @property
    def is_shared(self) -> bool:
        """Say that others use it."""
        return True

    def secured(self) -> tuple[str, bytes]:
        """Return the URL of the gateway, and by what it is trusted, as PEM."""
        return self._gateway.reached

    def known_as(self, user: str) -> None:
        """Say as whom the driver acts."""
        self._gateway.known_as(user)

    def token_file(self, folder: Path) -> TokenFile:
        """Return the file in which the driver finds its token."""
        return TokenFile(folder)

    def rotated(self, file: TokenFile, new: str) -> Turn:
        """Put a token in the place of the one in a file, and return what becomes of both."""
        turn = self._gateway.replaced(file.read(), new)
        file.write(new)
        return turn

    def close(self) -> None:
        """End the gateway, if it was needed."""
        if self._opened is not None:
            self._opened.close()


def open_target(options: TargetOptions) -> Target:
    """Return the target of a kubeconfig; raises ``TargetMisconfigured``."""
    return kube.open_target(options, GuardedCluster)
