"""The keys that a key of a service has handed over to, as its log shows to everyone."""

from __future__ import annotations

from collections.abc import Iterator

from tafelrunde.client import ApiError, Client

from ..service.features.transparency.checks import check_consistency
from ..service.features.transparency.hand_over import is_added, leaf_of, successor
from ..service.signing.notes import PublicKey
from ..service.signing.statements import TreeHead
from .remote import BUSY, FAILED, read_entries


def find_successors(client: Client, key: PublicKey, head: TreeHead, start: int = 0) -> Iterator[PublicKey]:
    """Yield the keys that a key has handed over to, one after the other, by leaves of the log with that head from *start* on.

    A hand-over that is shown, but that the service does not prove to be in this log, is none. Raises what the client raises.
    """
    for place, entry in enumerate(read_entries(client, start, head.size), start):
        following = successor(key, entry.text or "")
        if following is not None and _is_in_log(client, head, entry.text or "", place):
            key = following
            yield key


def _is_in_log(client: Client, head: TreeHead, text: str, place: int) -> bool:
    """Return whether the log with that head has a leaf at a place: with it, and with nothing else, it has grown there."""
    try:
        grown = client.log_consistency(place, place + 1)
        before = bytes.fromhex(grown.earlier_root)
        after = bytes.fromhex(grown.later_root)
        path = _decode(grown.path)
        if not is_added(leaf_of(text), place, before, after, path):
            return False
        if place + 1 == head.size:
            return after == head.root
        rest = _decode(client.log_consistency(place + 1, head.size).path)
    except ApiError as error:
        if error.problem.status == BUSY or error.problem.status >= FAILED:
            raise
        return False
    except ValueError:
        return False
    return check_consistency(place + 1, after, head.size, head.root, rest)


def _decode(path: tuple[str, ...]) -> list[bytes]:
    return [bytes.fromhex(each) for each in path]
