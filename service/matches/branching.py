"""What if: a finished match taken up again before any of its decisions, to practise against bots.

The new match is one of its own: unlisted, not rated, with hints, and with a secret of its own for whatever is drawn from
there on. Its first events name the match that it takes up, and tell again what had happened to the table until then.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ...domain.game import DecisionId, Seat
from ...domain.match import BotName, Clock, MatchId, PlayerId, Spectators, Visibility
from ...domain.match.commands import Branch, OpenMatch, Seating
from ...domain.match.events import DecisionOpened, is_match_event
from ...domain.match.refusals import MatchRefusal, MatchRefused
from ...domain.match.terms import EDITION, WEEK_SECONDS, Dealing
from ..dealing.dealer import commitment_to, new_secret
from ..ports.events import GENESIS, chain_over
from .codec import Codec
from .repository import Loaded

PRACTICE: Mapping[str, object] = {"spectators": Spectators.OFF, "visibility": Visibility.UNLISTED, "rated": False, "hints": True}
"""The settings that differ from those of the match that is taken up, but for how long its table waits."""


class WhatIf(msgspec.Struct, frozen=True, kw_only=True):
    """What a player wants to try: the decision to begin with, the seat to play, the bot of all others (None: the first)."""

    decision: DecisionId
    seat: Seat
    bot: BotName | None = None
    nonce: str = ""


def taking_up(match_id: MatchId, player: PlayerId, wish: WhatIf, origin: MatchId, loaded: Loaded, codec: Codec) -> OpenMatch:
    """Return the opening of *match_id*, which takes up the finished match *origin*; raise MatchRefused."""
    settings = loaded.match.settings
    secret = new_secret()
    if not 0 <= wish.seat < settings.seats:
        raise MatchRefused(MatchRefusal.SEAT_UNKNOWN)
    return OpenMatch(
        settings=msgspec.structs.replace(settings, **PRACTICE, clock=_slow_clock(settings.clock)),
        host=player,
        secret=secret,
        commitment=commitment_to(match_id, secret),
        seating=_seating(player, wish, loaded),
        start=True,
        dealing=Dealing.CARDS,
        branch=branch_of(origin, wish.decision, loaded, codec),
        edition=EDITION,
    )


def _slow_clock(clock: Clock) -> Clock:
    """Return the clock of a match for its practice, which waits for its player as long as it is kept."""
    return msgspec.structs.replace(clock, away_seconds=WEEK_SECONDS)


def _seating(player: PlayerId, wish: WhatIf, loaded: Loaded) -> tuple[Seating, ...]:
    bot = wish.bot or BotName(next(iter(loaded.match.game.bots())))
    return tuple(
        Seating(seat=seat, player=player, nonce=wish.nonce) if seat == wish.seat else Seating(seat=seat, bot=bot)
        for seat in map(Seat, range(loaded.match.settings.seats))
    )


def branch_of(match_id: MatchId, decision: DecisionId, loaded: Loaded, codec: Codec) -> Branch:
    """Return a match up to the opening of a decision; raise MatchRefused if it was never asked. Cost: all entries until then."""
    history: list[Mapping[str, object]] = []
    for number, entry in enumerate(loaded.entries[: loaded.version]):
        event = codec.decode(entry)[1]
        if isinstance(event, DecisionOpened) and event.decision == decision:
            chain = chain_over(GENESIS, loaded.entries[:number])
            return Branch(match=match_id, decision=decision, version=number, chain=chain.hex(), history=tuple(history))
        if not is_match_event(event):
            history.append(msgspec.to_builtins(event))
    raise MatchRefused(MatchRefusal.DECISION_UNKNOWN)
