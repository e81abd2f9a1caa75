"""The socket that the api listens on: opened once, by `serve` or by the only process."""

from __future__ import annotations

import errno
import os
import socket

from ..service.errors import StartupRefused
from ..service.settings import Settings

BACKLOG = 2_048


def listen(settings: Settings) -> socket.socket:
    """Return a socket that listens where the settings say; raise StartupRefused."""
    try:
        family, *_, address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        return socket.create_server((str(address[0]), settings.port), family=family, backlog=BACKLOG)
    except (socket.gaierror, UnicodeError) as error:
        raise StartupRefused(
            f"TAFELRUNDE_HOST is {settings.host!r}, which is neither an address of this machine nor a name of one."
        ) from error
    except OSError as error:
        if error.errno in {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}:
            raise StartupRefused(f"TAFELRUNDE_HOST is {settings.host!r}, which is no address of this machine.") from error
        raise StartupRefused(
            f"Port {settings.port} of {settings.host} cannot be listened on ({os.strerror(error.errno or 0)}): "
            "stop what uses it, or choose another TAFELRUNDE_PORT."
        ) from error


def adopt(descriptor: int) -> socket.socket:
    """Return the listening socket that the parent process has opened."""
    return socket.socket(fileno=descriptor)


def reached_at(listener: socket.socket, settings: Settings) -> tuple[str, int]:
    """Return host and port at which this machine reaches the api."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)  # noqa: S104 - compared, not listened on
    return host, int(listener.getsockname()[1])


def url_of(host: str, port: int) -> str:
    """Return the address for people."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
