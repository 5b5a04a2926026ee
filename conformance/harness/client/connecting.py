"""A client from a kubeconfig, or from an address and a token; what is no use is told at once."""

from __future__ import annotations

import shutil
import ssl
from pathlib import Path
from typing import Any

import kubernetes.client
import kubernetes.config
import yaml

from conformance.harness.client.api import Api
from conformance.harness.errors import TargetMisconfigured
from conformance.kube import kubeconfig


def from_kubeconfig(path: Path, context: str | None = None) -> Api:
    """Return the client that a kubeconfig describes.

    Raises ``TargetMisconfigured`` for a file that cannot be read or makes no sense.
    """
    document = _document(path)
    trouble = kubeconfig.trouble(document, context)
    if trouble:
        raise TargetMisconfigured(f"kubeconfig {path}: {trouble}")
    plugin = kubeconfig.plugin(document, context)
    if plugin is not None and shutil.which(plugin) is None:
        raise TargetMisconfigured(
            f"kubeconfig {path}: the program {plugin!r}, which gives the credentials, is missing"
        )
    configuration: Any = kubernetes.client.Configuration()
    try:
        kubernetes.config.load_kube_config(
            config_file=str(path), context=context, client_configuration=configuration
        )
    except Exception as error:  # the loader raises what its YAML, base64 and file calls raise
        sentence = " ".join(str(error).split())
        raise TargetMisconfigured(f"kubeconfig {path}: {sentence}") from error
    _check_certificates(path, configuration)
    return Api(configuration)


def _check_certificates(path: Path, configuration: Any) -> None:
    """Raise ``TargetMisconfigured`` for certificates that no connection could be made with."""
    context = ssl.create_default_context()
    for what, file, load in (
        ("certificate authority", configuration.ssl_ca_cert, context.load_verify_locations),
        (
            "client certificate or its key",
            configuration.cert_file,
            lambda file: context.load_cert_chain(file, configuration.key_file),
        ),
    ):
        if not file:
            continue
        try:
            load(file)
        except OSError as error:  # ssl.SSLError is one
            reason = " ".join(str(error).split())
            raise TargetMisconfigured(
                f"kubeconfig {path}: its {what} can't be used: {reason}"
            ) from error


def with_token(server: str, token: str) -> Api:
    """Return a client for a server on loopback that knows this bearer token."""
    configuration: Any = kubernetes.client.Configuration()
    configuration.host = server
    configuration.api_key = {"authorization": f"Bearer {token}"}
    configuration.proxy = None
    return Api(configuration)


def _document(path: Path) -> Any:
    """Return what a YAML file holds; raises ``TargetMisconfigured``."""
    try:
        return yaml.safe_load(path.read_text("utf-8"))
    except OSError as error:
        sentence = f"it cannot be read: {error.strerror or error}"
    except UnicodeDecodeError:
        sentence = "it cannot be read: it is no text"
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f" at {mark.line + 1}:{mark.column + 1}" if mark else ""
        sentence = f"it is not YAML{where}: {error.problem}"
    except (ValueError, yaml.YAMLError) as error:
        sentence = f"it is not YAML: {' '.join(str(error).split())}"
    raise TargetMisconfigured(f"kubeconfig {path}: {sentence}")
