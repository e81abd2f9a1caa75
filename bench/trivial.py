"""The yardstick: the same server and framework answering a POST that does nothing."""

from __future__ import annotations

import sys

import msgspec
from litestar import Litestar, post

from tafelrunde.service.runtime.logging_setup import configure
from tafelrunde.service.settings import Settings
from tafelrunde.workers.api_process import listen, run_api
from tafelrunde.workers.watchdog import Pulse


class Note(msgspec.Struct):
    """The request body: as large as a command."""

    decision: int
    command: dict[str, str]


class Echo(msgspec.Struct):
    """The response body: as large as a receipt."""

    decision: int
    text: str


ECHO = "x" * 300


@post("/echo")
async def echo(data: Note) -> Echo:
    """Answer."""
    return Echo(data.decision, ECHO)


def main() -> None:
    """Serve on the given port."""
    settings = Settings(port=int(sys.argv[1]), log_level="warning")
    configure(settings, "trivial")
    app = Litestar([echo], openapi_config=None, logging_config=None)
    run_api(app, lambda: None, listen(settings), settings, Pulse())


if __name__ == "__main__":
    main()
