"""What the server must be set to for each level of durability; checked at start.

| level | appendonly | appendfsync | more |
|---|---|---|---|
| embedded | yes | everysec (or always) | maxmemory-policy noeviction |
| durable | yes | always | the same, and no-appendfsync-on-rewrite no |
| replicated | yes | always | the same, and min-replicas-to-write 1 or more; every append waits for a replica |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..errors import StartupRefused, StoreError, StoreUnavailable
from ..settings import Durability
from .client import items, text
from .store_client import StoreClient


async def check(client: StoreClient, level: Durability) -> None:
    """Raise StartupRefused, naming the setting and the wanted value, unless the server's CONFIG keeps what *level* promises."""
    if level is Durability.UNCHECKED:
        return
    for setting, wanted, suits in _demands(level):
        for found in await _settings(client, setting):
            if suits(found):
                continue
            raise StartupRefused(
                f"The server has {setting} {found or 'unset'}, but durability '{level.value}' needs {setting} {wanted}: "
                f"set it there (CONFIG SET {setting} {wanted.split()[0]}, and in its file), "
                "or choose another TAFELRUNDE_DURABILITY."
            )


def _demands(level: Durability) -> Iterator[tuple[str, str, Callable[[str], bool]]]:
    """Yield setting, wanted value and test."""
    yield "appendonly", "yes", "yes".__eq__
    yield "maxmemory-policy", "noeviction", "noeviction".__eq__
    if level is Durability.EMBEDDED:
        yield "appendfsync", "everysec", {"everysec", "always"}.__contains__
        return
    yield "appendfsync", "always", "always".__eq__
    yield "no-appendfsync-on-rewrite", "no", "no".__eq__
    if level is Durability.REPLICATED:
        yield "min-replicas-to-write", "1 or more", lambda found: found.isdigit() and int(found) >= 1


async def _settings(client: StoreClient, setting: str) -> list[str]:
    """Return what every primary has set."""
    try:
        replies = [items(reply) for reply in await client.everywhere("CONFIG", "GET", setting)]
    except StoreError as error:
        if isinstance(error, StoreUnavailable) and error.refusal != "NOPERM":
            raise
        raise StartupRefused(
            f"The server does not tell its CONFIG ({error}), so its durability is unknown: "
            "allow CONFIG GET, or set TAFELRUNDE_DURABILITY=unchecked to start without this check."
        ) from error
    return [text(found[1]) if len(found) == 2 else "" for found in replies]
