"""What of a right record a kept file leaves unproved: that the cards were not chosen, and that the match went as it says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ..domain.game import Seat
from ..domain.match.events import MatchAborted, MatchEnded, SeatTaken
from ..service.features.records.verdict import Doubt
from ..service.features.records.verify import UNUSED_NONCE
from ..service.matches.codec import Codec
from ..service.matches.repository import Loaded
from ..service.signing.notes import BadNote, read_note
from ..service.signing.statements import FeedMark, read_statement
from ..service.views.feeds import Feed
from .known_log import Differs

if TYPE_CHECKING:
    from tafelrunde.client.keeping import Kept, KeptFeed

NONCE, NO_NONCE, LEFT_SEAT, UNSHARED, EVENTS, DEALS = "nonce", "no_nonce", "left_seat", "unshared", "events", "deals"
GIVEN, OLD_DRAWS, VIEWER = "given", Doubt.OLD_DRAWS.value, "viewer"
UNPROVED: Mapping[str, str] = {
    NONCE: "the server knew your random number before it chose",
    NO_NONCE: "no random number of yours came after the commitment",
    LEFT_SEAT: "by the record your seat was given up before the deal, so your random number does not count",
    GIVEN: "the cards were given by another match, so your random number does not count in them",
    OLD_DRAWS: "with draws of version 1 the server can choose a shuffle after it knows your random number",
    VIEWER: "what was kept of the feed of another viewer is not in the record, so it was not compared",
    UNSHARED: "no random number of yours counts in the cards of this match",
    DEALS: "whether the cards were fixed before your random number: the service shows the secret of a tournament's deals once it "
    "is over",
    EVENTS: "of the events that you were sent, not all were kept; what is missing, only the record says",
}
"""What is not proved, by the name that it has among what could not be compared."""
DOUBTS = frozenset((NONCE, NO_NONCE, LEFT_SEAT, GIVEN, OLD_DRAWS, VIEWER, DEALS, EVENTS))
"""What makes a record undecided. Who only watches, and who plays the deal of a day, has no share in the cards anyway."""


def prove_share(kept: Kept, loaded: Loaded, codec: Codec) -> Iterator[tuple[str, bool]]:
    """Yield whether the cards come from a nonce that the viewer has kept, and that came after the commitment; raise Differs."""
    match = loaded.match
    is_shared = match.daily is not None or match.lesson is not None
    if not kept.nonce:
        yield UNSHARED if is_shared or viewer_of(kept) is None else NO_NONCE, False
        return
    if is_shared:
        raise Differs(UNUSED_NONCE, "draws that take your nonce", "a lesson, or the deal of a day")
    left = [*_doubts(kept, loaded, codec)]
    yield from ((what, False) for what in left)
    yield from ((what, True) for what in ("commitment", NONCE) if not left)


def _doubts(kept: Kept, loaded: Loaded, codec: Codec) -> Iterator[str]:
    """Yield why a nonce that was kept does not prove that the cards were not chosen; raise Differs for another nonce."""
    if not _nonce_came_later(kept, loaded, codec):
        yield NONCE
    if loaded.match.branched is not None:
        yield GIVEN
    if kept.seat is not None and loaded.match.chairs[kept.seat].nonce != kept.nonce:
        yield LEFT_SEAT
    if loaded.match.keyed is None:
        yield OLD_DRAWS


def _nonce_came_later(kept: Kept, loaded: Loaded, codec: Codec) -> bool:
    """Return whether the nonce came after the commitment, in a command of its own."""
    commands = 0
    found = ("", 0)
    for entry in loaded.entries[: loaded.version]:
        envelope, event = codec.decode(entry)
        commands += bool(envelope.command)
        if isinstance(event, SeatTaken) and event.seat == kept.seat:
            found = event.nonce, commands
    if kept.nonce != found[0]:
        raise Differs("your nonce", kept.nonce, found[0])
    return found[1] > 1


def _feeds(kept: Kept) -> Sequence[tuple[int | None, int]]:
    """Return each feed of which something was kept, the newest first: whose it is, and how many items."""
    found = [(kept.feed.seat, kept.feed.n)] if kept.feed is not None and kept.feed.n else []
    for text in reversed(kept.marks):
        statement = read_statement(read_note(text).text)
        if not isinstance(statement, FeedMark):
            raise BadNote("not the mark of a feed")
        found.append((statement.mark.seat, statement.mark.n))
    return found


def viewer_of(kept: Kept) -> int | None:
    """Return the seat of the keeper, None for one who only watched."""
    if kept.seat is not None:
        return kept.seat
    return next((seat for seat, _ in _feeds(kept)), None)


def heard_by(feed: KeptFeed, loaded: Loaded, codec: Codec) -> int | None:
    """Return the seat whose feed was kept, None for a spectator's: where it was kept under another viewer, that of the chain.

    A client keeps a feed under another viewer if its player sat down while it followed the match, or on another device.
    """
    others = range(len(loaded.match.chairs)) if feed.seat is None else (None,)
    if feed.chain != _chain_of(feed.n, feed.seat, loaded, codec):
        return next((other for other in others if feed.chain == _chain_of(feed.n, other, loaded, codec)), feed.seat)
    return feed.seat


def _chain_of(n: int, seat: int | None, loaded: Loaded, codec: Codec) -> str:
    """Return the chain over the first items of a viewer's feed, empty if there are fewer."""
    feed = Feed(Seat(seat) if seat is not None else None, loaded.entries)
    feed.extend(loaded, codec)
    return feed.chain(n).hex() if 0 <= n <= len(feed.items) else ""


def keeps_whole_feed(kept: Kept, loaded: Loaded, codec: Codec) -> bool:
    """Return whether the keeper's feed was kept up to the end of the match; what comes after that changes nothing in it."""
    last = loaded.version
    while last and not isinstance(codec.decode(loaded.entries[last - 1])[1], MatchEnded | MatchAborted):
        last -= 1
    viewer = viewer_of(kept)
    feed = Feed(Seat(viewer) if viewer is not None else None, loaded.entries)
    feed.extend(loaded, codec)
    return any(seat == viewer and n >= feed.count(last) for seat, n in _feeds(kept))
