"""How a match is opened: at a host's request, or as a rematch."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import UNSET

from ...domain.game import Seat
from ...domain.match import BotName, MatchId, MatchSettings, PlayerId
from ...domain.match.commands import OpenMatch, Seating
from ...domain.match.settings import settings_of
from ...domain.match.state import Chair, Match
from ...domain.match.terms import AWAY_SECONDS, EDITION, Dealing
from ..dealing.dealer import commitment_to, new_secret
from .repository import Loaded


class NewMatch(MatchSettings, frozen=True, kw_only=True):
    """What a host asks for: the settings, where the host sits (None: nowhere), which bots play, and whether to start at once.

    With hints the result does not count for ratings.
    """

    seat: Seat | None = Seat(0)
    bots: Mapping[Seat, BotName] = {}
    nonce: str = ""
    start: bool = False


def keeping_places(settings: MatchSettings, seconds: int = AWAY_SECONDS) -> MatchSettings:
    """Return settings that say for how long the table waits once no player is at it: *seconds*, if they do not say it."""
    if settings.clock.away_seconds is not UNSET:
        return settings
    return msgspec.structs.replace(settings, clock=msgspec.structs.replace(settings.clock, away_seconds=seconds))


def opening(match_id: MatchId, player: PlayerId, new: NewMatch, guest: bool) -> OpenMatch:
    """Return the command that opens a match as *player* (a *guest*, if it has no name) wants it, with a fresh secret."""
    secret = new_secret()
    host = () if new.seat is None else (Seating(seat=new.seat, player=player, nonce=new.nonce, guest=guest or UNSET),)
    return OpenMatch(
        settings=keeping_places(msgspec.structs.replace(settings_of(new), rated=new.rated and not new.hints)),
        host=player,
        secret=secret,
        commitment=commitment_to(match_id, secret),
        seating=host + tuple(Seating(seat=seat, bot=bot) for seat, bot in sorted(new.bots.items())),
        start=new.start,
        dealing=Dealing.CARDS,
        edition=EDITION,
    )


def rematch(successor: MatchId, parent: MatchId, loaded: Loaded) -> OpenMatch:
    """Return the opening of a rematch: the same settings and bots, a secret of its own, and a seat reserved for each player.

    Nothing is dealt by it and no nonce is taken over: the nonces of the match before are known when the secret is made.
    """
    match = loaded.match
    assert match.ended is not None, "only a finished match has a rematch"
    options = match.game.rematch(match.options, match.ended)
    secret = new_secret()
    return OpenMatch(
        settings=keeping_places(msgspec.structs.replace(_lasting(match), options=msgspec.to_builtins(options))),
        host=match.host,
        secret=secret,
        commitment=commitment_to(successor, secret),
        seating=tuple(_again(Seat(seat), chair) for seat, chair in enumerate(match.chairs)),
        parent=parent,
        dealing=Dealing.CARDS,
        edition=EDITION,
    )


def _lasting(match: Match) -> MatchSettings:
    """Return the settings of a match, without how long its table waits if that is as long as practice or a day lasts."""
    if not match.passes:
        return match.settings
    return msgspec.structs.replace(match.settings, clock=msgspec.structs.replace(match.settings.clock, away_seconds=UNSET))


def _again(seat: Seat, chair: Chair) -> Seating:
    if chair.player is None:
        return Seating(seat=seat, bot=chair.bot)
    return Seating(seat=seat, player=chair.player, reserved=True)
