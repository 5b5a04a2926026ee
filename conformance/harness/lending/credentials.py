"""The credentials of a driver that is started here: a kubeconfig that names a file with a token.

As in a Pod the token is replaced while the driver runs; who it is stays the same.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import attrs
import yaml

from conformance.harness.lending import manifests
from conformance.harness.lending.lent import Lent
from conformance.harness.lending.plane import Plane
from conformance.harness.subject.protocol import Rotation
from conformance.kube.kubeconfig import written


@attrs.frozen(kw_only=True)
class Credentials:
    """What a driver shows to the API server of one cluster."""

    cluster: Plane
    #: Where its files lie.
    folder: Path
    #: Who the driver is, as the API server calls it.
    user: str
    #: Returns another token of the driver's account.
    mint: Callable[[], str]

    @classmethod
    def given(
        cls, cluster: Plane, lent: Lent, folder: Path, node: str, account: Path | None
    ) -> Credentials:
        """Make the account that manifests describe, or an administrator's, and its kubeconfig.

        Raises ``TargetMisconfigured`` for manifests that can't be read or are not taken.
        """
        documents = manifests.ADMINISTRATOR if account is None else manifests.read(account)
        manifests.apply(lent, documents)

        def mint() -> str:
            return manifests.token(cluster.api, documents, node)

        user = ":".join(("system", "serviceaccount", *manifests.account(documents)))
        made = cls(cluster=cluster, folder=folder, user=user, mint=mint)
        cluster.known_as(user)
        # client-go sends its token with TLS alone, and would be let in as an administrator.
        server, authority = cluster.secured()
        file = cluster.token_file(made.volume)
        file.write(mint())
        document = written(server, file.path, name="reference", authority=authority)
        made.kubeconfig.touch(mode=0o600)
        made.kubeconfig.write_text(yaml.safe_dump(document), "utf-8")
        return made

    @property
    def kubeconfig(self) -> Path:
        """The file that the driver is told."""
        return self.folder / "kubeconfig"

    @property
    def volume(self) -> Path:
        """The folder of the token."""
        return self.folder / "serviceaccount"

    def rotate(self) -> Rotation:
        """Put another token in the place of the one that is in the file."""
        return self.cluster.rotated(self.cluster.token_file(self.volume), self.mint())
