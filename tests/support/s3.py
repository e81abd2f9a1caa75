"""A server that speaks S3 on loopback, with a bucket: moto, in an environment of its own."""

from __future__ import annotations

import socket
import subprocess
import time
from types import TracebackType

import httpx

from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS
from tests.support.programs import required
from tests.support.servers import free_port

PROGRAM = ROOT / "build" / "moto" / "bin" / "moto_server"
BUCKET = "archives"
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}


class S3Server:
    """The server, with `url` as the address of its bucket. What it keeps is gone when it ends."""

    def __enter__(self) -> S3Server:
        program = required(str(PROGRAM) if PROGRAM.exists() else None, "there is no S3 server: run 'make archive-stores'")
        self._port = free_port()
        command = [program, "-H", "127.0.0.1", "-p", str(self._port)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self._make_bucket()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        self.url = f"s3://{BUCKET}?endpoint=http://127.0.0.1:{self._port}&region=eu-central-1"
        return self

    def _make_bucket(self) -> None:
        """Make the bucket as soon as the server answers."""
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            with socket.socket() as trial:
                if trial.connect_ex(("127.0.0.1", self._port)) == 0:
                    break
            if self._process.poll() is not None or time.monotonic() > until:
                raise AssertionError("the S3 server did not start")
            time.sleep(0.05)
        httpx.put(f"http://127.0.0.1:{self._port}/{BUCKET}", trust_env=False, timeout=PATIENCE_SECONDS).raise_for_status()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._process.kill()
        self._process.wait(PATIENCE_SECONDS)
