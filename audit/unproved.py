"""What of a right record a kept file leaves unproved: that the cards were not chosen, and that the match went as it says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ..domain.game import Seat
from ..domain.match.events import MatchAborted, MatchEnded, SeatTaken
from ..service.matches.codec import Codec
from ..service.matches.repository import Loaded
from ..service.signing.notes import BadNote, read_note
from ..service.signing.statements import FeedMark, read_statement
from ..service.views.feeds import Feed
from .known_log import Differs

if TYPE_CHECKING:
    from tafelrunde.client.keeping import Kept

NONCE, NO_NONCE, UNSHARED, EVENTS, DEALS = "nonce", "no_nonce", "unshared", "events", "deals"
UNPROVED: Mapping[str, str] = {
    NONCE: "the server knew your random number before it chose",
    NO_NONCE: "no random number of yours came after the commitment",
    UNSHARED: "no random number of yours counts in the cards of this match",
    DEALS: "whether the cards were fixed before your random number: the service shows the secret of a tournament's deals once it "
    "is over",
    EVENTS: "of the events that you were sent, not all were kept; what is missing, only the record says",
}
"""What is not proved, by the name that it has among what could not be compared."""
DOUBTS = frozenset((NONCE, NO_NONCE, DEALS, EVENTS))
"""What makes a record undecided. Who only watches, and who plays the deal of a day, has no share in the cards anyway."""


def prove_share(kept: Kept, loaded: Loaded, codec: Codec) -> Iterator[tuple[str, bool]]:
    """Yield whether the cards come from a nonce that the viewer has kept, and that came after the commitment; raise Differs."""
    if kept.nonce:
        proved = _nonce_came_later(kept, loaded, codec)
        yield from ((what, True) for what in ("commitment", NONCE) if proved)
        if not proved:
            yield NONCE, False
        return
    match = loaded.match
    yield NO_NONCE if match.daily is None and match.lesson is None and _had_seat(kept) else UNSHARED, False


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


def _feeds(kept: Kept) -> Iterator[tuple[int | None, int]]:
    """Yield each feed of which something was kept: whose it is, and how many items."""
    if kept.feed is not None:
        yield kept.feed.seat, kept.feed.n
    for text in kept.marks:
        statement = read_statement(read_note(text).text)
        if not isinstance(statement, FeedMark):
            raise BadNote("not the mark of a feed")
        yield statement.mark.seat, statement.mark.n


def _had_seat(kept: Kept) -> bool:
    """Return whether the keeper had a seat."""
    return kept.seat is not None or any(seat is not None for seat, _ in _feeds(kept))


def keeps_whole_feed(kept: Kept, loaded: Loaded, codec: Codec) -> bool:
    """Return whether a feed was kept up to the end of the match; what comes after that changes nothing in it."""
    last = loaded.version
    while last and not isinstance(codec.decode(loaded.entries[last - 1])[1], MatchEnded | MatchAborted):
        last -= 1
    for seat, n in _feeds(kept):
        feed = Feed(Seat(seat) if seat is not None else None, loaded.entries)
        feed.extend(loaded, codec)
        if n >= feed.count(last):
            return True
    return False
