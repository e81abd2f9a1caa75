"""Tests every store of archives, also S3: with a server from a package (moto), installed for that in a folder of its own.

`make archive-stores`. It is no part of CI, because installing the server takes longer than all of its tests.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import venv
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "moto"
SERVER = "moto[s3,server]>=5.1,<6"
TESTS = "tests/service/ports/test_blobs.py"
PATIENCE_SECONDS = 120.0


def main() -> int:
    """Install the server, start it with a bucket, run the tests, and return how they ended."""
    program = FOLDER / "bin" / "moto_server"
    if not program.exists():
        venv.create(FOLDER, with_pip=True)
        subprocess.run([FOLDER / "bin" / "pip", "install", "--quiet", SERVER], check=True)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    server = subprocess.Popen([program, "-H", "127.0.0.1", "-p", str(port)], stderr=subprocess.DEVNULL)
    try:
        _make_bucket(f"http://127.0.0.1:{port}/archives")
        given = {
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "ARCHIVE_TEST_S3": f"s3://archives?endpoint=http://127.0.0.1:{port}&region=eu-central-1",
        }
        return subprocess.run([sys.executable, "-m", "pytest", "-q", TESTS], check=False, env={**os.environ, **given}).returncode
    finally:
        server.terminate()
        server.wait()


def _make_bucket(url: str) -> None:
    """Make the bucket as soon as the server answers."""
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            httpx.put(url, trust_env=False).raise_for_status()
            return
        except httpx.TransportError:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)


if __name__ == "__main__":
    sys.exit(main())
