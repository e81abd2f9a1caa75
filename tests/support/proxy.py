"""The proxy of compose.yaml, as a process on this machine."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS
from tests.support.programs import required
from tests.support.servers import free_port

CONFIGURATION = ROOT / "docs" / "deploy" / "haproxy.cfg"


def need_haproxy() -> str:
    """Return the path of HAProxy; skip or fail the test without it."""
    found = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
    return required(found, "there is no HAProxy: install it with 'apt-get install haproxy' or 'brew install haproxy'")


@contextmanager
def proxied(api: str, names: str, log: Path, trusted: str = "127.0.0.1") -> Generator[str]:
    """Run it before the api processes of a name; yield its address."""
    listen = f"127.0.0.1:{free_port()}"
    variables = {"LISTEN": listen, "API": api, "DNS": names, "TRUSTED_PROXIES": trusted}
    with log.open("ab") as said:
        process = subprocess.Popen([need_haproxy(), "-db", "-f", str(CONFIGURATION)], env=variables, stdout=said, stderr=said)
    try:
        _await_listener(listen, process, log)
        yield f"http://{listen}"
    finally:
        process.kill()
        process.wait(PATIENCE_SECONDS)


def _await_listener(listen: str, process: subprocess.Popen[bytes], log: Path) -> None:
    host, _, port = listen.partition(":")
    until = time.monotonic() + PATIENCE_SECONDS
    while process.poll() is None and time.monotonic() < until:
        with socket.socket() as trial:
            if trial.connect_ex((host, int(port))) == 0:
                return
        time.sleep(0.01)
    raise AssertionError(log.read_text(encoding="utf-8"))
