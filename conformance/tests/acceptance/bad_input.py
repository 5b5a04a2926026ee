"""Start the program as a person or a gate does, against servers that answer as they should not."""

from __future__ import annotations

import http.server
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

PROGRAM = [sys.executable, "-m", "conformance"]

#: A requirement whose checks take a moment only.
QUICK = "DRA-BND-09"

#: What a server answers to a path: status and body.
Answers = Mapping[str, tuple[int, Any]]

VERSION = (200, {"major": "1", "minor": "37"})
DRA = (200, {"kind": "APIResourceList", "groupVersion": "resource.k8s.io/v1", "resources": []})


def kubeconfig(path: Path, server: str | None, **user: Any) -> Path:
    """Write a kubeconfig for one server and return its path."""
    cluster = {} if server is None else {"server": server}
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "there", "cluster": cluster}],
        "users": [{"name": "me", "user": user or {"token": "x"}}],
        "contexts": [{"name": "there", "context": {"cluster": "there", "user": "me"}}],
        "current-context": "there",
    }
    path.write_text(yaml.safe_dump(document), "utf-8")
    return path


@contextmanager
def server(answers: Answers) -> Iterator[str]:
    """Serve fixed answers on loopback; whatever is not among them is 404 without a Status."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status, body = answers.get(self.path, (404, "nothing here"))
            text = body if isinstance(body, str) else json.dumps(body)
            self.send_response(status)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text.encode())

        do_GET = do_POST = answer  # noqa: N815 - the names are the library's

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Say nothing."""

    httpd = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=httpd.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{httpd.server_address[1]}"
    finally:
        httpd.shutdown()
        httpd.server_close()
        thread.join()


def status(code: int, reason: str, message: str) -> tuple[int, Any]:
    """Return the answer of an API server that refuses."""
    body = {"kind": "Status", "apiVersion": "v1", "status": "Failure"}
    return code, {**body, "code": code, "reason": reason, "message": message}


def run(*arguments: str, **how: Any) -> subprocess.CompletedProcess[str]:
    """Run the program to its end."""
    return subprocess.run(
        [*PROGRAM, *arguments], capture_output=True, text=True, timeout=110, check=False, **how
    )


def environment(**more: str) -> dict[str, str]:
    """Return an environment as a shell has it, without what pytest adds to ours."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    return {**kept, **more}


@contextmanager
def running(*arguments: str, **how: Any) -> Iterator[subprocess.Popen[str]]:
    """Run the program in a process group of its own, and end all of it whatever happens."""
    process = subprocess.Popen(
        [*PROGRAM, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **how,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=30)


def until_lines(journal: Path, count: int, seconds: float = 60) -> None:
    """Wait until a journal holds so many lines."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if journal.exists() and journal.read_bytes().count(b"\n") >= count:
            return
        time.sleep(0.02)
    raise AssertionError(f"{journal} never got {count} lines")
