"""The kubelet's HTTP endpoint, as far as the API server asks it: container logs and metrics."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from conformance.reference.measuring.endpoint import Endpoint, at_once

#: Reads what a container printed: namespace, Pod, container; raises LookupError.
ReadLog = Callable[[str, str, str], str]


class LogServer(Endpoint):
    """Logs of containers, and the metrics of the kubelet itself."""

    def __init__(self, read_log: ReadLog, metrics: Callable[[], str] = str) -> None:
        super().__init__(at_once(self._find))
        self._read_log = read_log
        self._metrics = metrics

    def _find(self, parts: Sequence[str]) -> tuple[int, str]:
        match parts:
            case ["containerLogs", namespace, pod, container]:
                return self._log(namespace, pod, container)
            case ["metrics"]:
                return 200, self._metrics()
            case _:
                return 404, "404 page not found\n"

    def _log(self, namespace: str, pod: str, container: str) -> tuple[int, str]:
        try:
            return 200, self._read_log(namespace, pod, container)
        except LookupError as error:
            return 404, f"{error.args[0]}\n"
