"""The house: everything a caller may ask of the service, in one place.

Callers (the API, workers, the CLI, a host app) know players, matches, commands and cursors; logs, folding and feeds stay
behind this module. Every method may raise StoreUnavailable besides what it names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from ..domain.game import AnyGame, Command, DecisionId, GameId, Seat
from ..domain.match import BotName, Clock, MatchId, PlayerId, Spectators, Visibility
from ..domain.match.messages import OptionValue
from ..domain.match.view import MatchView
from ..domain.registry import GAMES
from .feeds import Cursor, FeedItem, FeedPage
from .players import Principal
from .projections import Summary
from .settings import Settings
from .store import Listing, PlayerRecord, Stores, TokenRecord


class NewMatch(msgspec.Struct, frozen=True, kw_only=True):
    """What a host asks for. `seat`: where the host sits (None: nowhere); `bots`: who plays which seat; `start`: begin at once."""

    game: GameId
    seats: int
    options: Mapping[str, OptionValue] = {}
    clock: Clock = Clock()
    spectators: Spectators = Spectators.OFF
    visibility: Visibility = Visibility.LISTED
    seat: Seat | None = Seat(0)
    bots: Mapping[Seat, BotName] = {}
    nonce: str = ""
    start: bool = False


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to an accepted command: what the asking viewer sees of its events, and the cursor of its feed after them.

    The same request with the same key gets the same receipt, `replayed` apart.
    """

    match: MatchId
    items: tuple[FeedItem, ...]
    cursor: Cursor
    replayed: bool


class Viewer(msgspec.Struct, frozen=True):
    """Who looks at a match: a seat, or (None) a spectator; `delayed` spectators see it a minute late."""

    seat: Seat | None
    delayed: bool = False


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """A view and the cursor of the viewer's feed that it stands at."""

    match: MatchId
    cursor: Cursor
    view: MatchView


class House:
    """One service over one set of stores. Made per process; safe for any number of tasks of one event loop.

    `games` are the registered games, `stores` the store bundle, `now_ms` the clock (Unix milliseconds), `on_bot_work` is told
    of a match where a bot's turn is due at once (the agenda offers it again if nobody cares).
    """

    def __init__(
        self,
        stores: Stores,
        settings: Settings,
        *,
        games: Mapping[GameId, AnyGame] = GAMES,
        now_ms: Callable[[], int] | None = None,
        on_bot_work: Callable[[MatchId], None] | None = None,
    ) -> None: ...

    # Players and tokens (players.py)

    async def register(self, name: str | None) -> tuple[PlayerRecord, TokenRecord, str]:
        """Make a player (a guest if *name* is None) and a first token with all a player's scopes; the text is shown once."""
        ...

    async def authenticate(self, token: str) -> Principal:
        """Return who holds a token; raise Unauthenticated. A revoked token is refused at once here and within 2 s elsewhere."""
        ...

    async def player(self, player: PlayerId) -> PlayerRecord:
        """Return a player; raise NotFound."""
        ...

    async def rename(self, player: PlayerId, name: str) -> PlayerRecord:
        """Give a player a display name."""
        ...

    async def names(self, players: Sequence[PlayerId]) -> Mapping[PlayerId, str]:
        """Return display names."""
        ...

    async def tokens(self, player: PlayerId) -> Sequence[TokenRecord]:
        """Return a player's tokens, oldest first, without their text."""
        ...

    async def issue_token(
        self, player: PlayerId, label: str, scopes: Sequence[str], expires_ms: int | None
    ) -> tuple[TokenRecord, str]:
        """Make a further token; the text is shown once. Raises Forbidden("scope-unknown")."""
        ...

    async def revoke_token(self, player: PlayerId, token: str) -> None:
        """End a token; raise NotFound."""
        ...

    # Matches (handler.py). Each takes the player's idempotency key and raises KeyReused, RuleViolation, NotFound.

    async def open_match(self, player: PlayerId, new: NewMatch, key: str) -> Receipt:
        """Open a match; raise InvalidOptions. The same player and key lead to the same match."""
        ...

    async def take_seat(self, player: PlayerId, match: MatchId, seat: Seat | None, nonce: str, key: str) -> Receipt:
        """Sit down on a seat, or on the first empty one."""
        ...

    async def leave_seat(self, player: PlayerId, match: MatchId, key: str) -> Receipt:
        """Stand up; in a running match a bot plays on."""
        ...

    async def seat_bot(self, player: PlayerId, match: MatchId, seat: Seat, bot: BotName, key: str) -> Receipt:
        """Give an empty seat to a bot (host only)."""
        ...

    async def clear_seat(self, player: PlayerId, match: MatchId, seat: Seat, key: str) -> Receipt:
        """Empty a seat before the start (host only)."""
        ...

    async def start(self, player: PlayerId, match: MatchId, key: str) -> Receipt:
        """Start with all seats filled (host only)."""
        ...

    async def play(self, player: PlayerId, match: MatchId, decision: DecisionId, command: Command, key: str) -> Receipt:
        """Answer a decision; raise DecisionNotOpen or the game's RuleViolation. Retries while the decision stays open."""
        ...

    async def dry_run(self, player: PlayerId, match: MatchId, decision: DecisionId, command: Command) -> None:
        """Raise what `play` would refuse; store nothing, and tell nothing of what would follow."""
        ...

    async def abort(self, player: PlayerId, match: MatchId, key: str) -> Receipt:
        """End an open match (host), or agree to end a running one without a result."""
        ...

    async def rematch(self, player: PlayerId, match: MatchId, key: str) -> Receipt:
        """Agree to play again; with the last agreement the rematch opens (its id appears in the old match's feed and view)."""
        ...

    # Looking (feeds.py, projections.py)

    async def viewer(self, player: PlayerId | None, match: MatchId) -> Viewer:
        """Return as whom a player may look; raise NotFound if the match does not concern it, Forbidden("spectators-off")."""
        ...

    async def view(self, viewer: Viewer, match: MatchId, at: Cursor | None = None) -> Seen:
        """Return the viewer's view, now or at an earlier cursor of its own feed; raise CursorUnknown."""
        ...

    async def feed(self, viewer: Viewer, match: MatchId, after: Cursor | None, limit: int) -> FeedPage:
        """Return the items after a cursor; raise CursorUnknown if that cursor is not of this feed's history."""
        ...

    async def wait(self, viewer: Viewer, match: MatchId, after: Cursor | None, timeout_ms: int) -> FeedPage:
        """Like `feed`, but wait up to *timeout_ms* for the first item."""
        ...

    async def summary(self, player: PlayerId | None, match: MatchId) -> Summary:
        """Return a match's public facts from its log; raise NotFound if it does not concern the player."""
        ...

    async def lobby(self, listing: Listing) -> Sequence[Summary]:
        """Return listed matches from the projection."""
        ...

    async def matches_of(self, player: PlayerId, listing: Listing) -> Sequence[Summary]:
        """Return a player's matches from the projection, `your_turn` filled in for it."""
        ...

    # For workers

    async def play_bots(self, match: MatchId) -> None:
        """Let the bots answer whatever they are asked now, and open an agreed rematch."""
        ...

    async def time_out(self, match: MatchId) -> None:
        """Play the defaults of a decision whose deadline has passed; otherwise nothing."""
        ...

    # Life

    async def run(self) -> None:
        """Follow the shard logs and wake whoever waits, until cancelled. One per process that serves feeds."""
        ...

    def drain(self) -> None:
        """Wake all waiters and make further waits return at once: the process is about to stop."""
        ...
