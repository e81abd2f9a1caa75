"""What one viewer may know of a game of Meister Coup, built by allow-list."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from ..game import DecisionId, GameView, Seat
from ..seats import seat_or_none
from .cards import COLOUR_OF, COLOURS, Colour, counted, worth
from .events import Reason
from .messages import CardNumber, MeisterOptions, TeamNumber
from .ranking import sums
from .table import NOBODY, TEAMS, MeisterTable, Round, Trick


class Play(msgspec.Struct, frozen=True):
    """A card that a seat played."""

    seat: Seat
    card: CardNumber


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """One seat as every viewer may know it. Colour counts are in the order violet, blue, green, yellow.

    `hand` counts the cards that it holds, `collected` those of `cards`, which it took in this round, in the order of taking.
    `points` and `meistercoups` are those of this round; `total_meistercoups` has those entered before for it, or its team.
    """

    seat: Seat
    team: TeamNumber | None
    hand: tuple[int, ...]
    cards: tuple[CardNumber, ...]
    collected: tuple[int, ...]
    points: int
    meistercoups: int
    total_meistercoups: int


class SideView(msgspec.Struct, frozen=True, kw_only=True):
    """For whom results are entered, a team or a seat alone: points and Meistercoups of the rounds entered so far."""

    seats: tuple[Seat, ...]
    points: int
    meistercoups: int


class TrickView(msgspec.Struct, frozen=True, kw_only=True):
    """A trick. `sums` are the totals of violet, blue, green, yellow so far.

    Once it is complete, `colour` is the one with the majority, and `ranking` the seats, winner and runner-up first. `picked` is
    the winner's card, `taken` what the runner-up gets; `choice` are the equal cards of which it chooses the rest; `out` are
    the cards left over.
    """

    number: int
    plays: tuple[Play, ...]
    sums: tuple[int, ...]
    colour: Colour | None
    ranking: tuple[Seat, ...]
    picked: CardNumber | None
    taken: tuple[CardNumber, ...]
    choice: tuple[CardNumber, ...]
    out: tuple[CardNumber, ...]


class VoteView(msgspec.Struct, frozen=True, kw_only=True):
    """A team's vote: who is proposed, for whom each of `seats` speaks, how many proposals there were, and who was entered."""

    team: TeamNumber
    seats: tuple[Seat, ...]
    voices: tuple[Seat | None, ...]
    proposed: Seat | None
    proposals: int
    entered: Seat | None


class RoundView(msgspec.Struct, frozen=True, kw_only=True):
    """A finished round: points and Meistercoups of each seat, and the member whose result each team entered."""

    round: int
    points: tuple[int, ...]
    meistercoups: tuple[int, ...]
    entered: tuple[Seat, ...]


class MeisterView(GameView, frozen=True, kw_only=True, tag="meister-coup"):
    """A game of Meister Coup as one viewer may know it.

    `diamonds` are those of the values 1 to 12. `hand` is the viewer's own. `leader` leads the running trick, or the next round
    once the last trick is done. `sides` are teams 0 and 1, or in standard mode the seats. `tricks` are those finished in this
    round; `last_trick` stays over the end of a round. `votes` are those of both teams at the end of the round, none in
    standard mode.
    """

    options: MeisterOptions
    seat: Seat | None
    stage: str
    decision: DecisionId
    round: int
    diamonds: tuple[int, ...]
    leader: Seat | None
    asked: tuple[Seat, ...]
    hand: tuple[CardNumber, ...]
    seats: tuple[SeatView, ...]
    sides: tuple[SideView, ...]
    trick: TrickView
    last_trick: TrickView | None
    tricks: tuple[TrickView, ...]
    votes: tuple[VoteView, ...]
    rounds: tuple[RoundView, ...]
    winners: tuple[Seat, ...]
    reason: Reason | None


def view(table: MeisterTable, seat: Seat | None) -> MeisterView:
    """Return what *seat* (None: a spectator) may know."""
    return MeisterView(
        options=table.options,
        seat=seat,
        stage=table.stage.key,
        decision=DecisionId(table.decision),
        round=table.round,
        diamonds=table.diamonds,
        leader=seat_or_none(table.leader),
        asked=tuple(map(Seat, table.asked)),
        hand=() if seat is None else tuple(table.hands[seat]),
        seats=tuple(_seat(table, place) for place in range(table.seats)),
        sides=tuple(_side(table, side) for side in range(table.sides)),
        trick=_running(table),
        last_trick=None if table.last_trick is None else _finished(table.last_trick, table.seats),
        tricks=tuple(_finished(trick, table.seats) for trick in table.tricks),
        votes=tuple(_vote(table, team) for team in range(TEAMS)) if table.team_mode else (),
        rounds=tuple(_round(number, each) for number, each in enumerate(table.rounds, 1)),
        winners=tuple(map(Seat, table.winners)),
        reason=table.reason,
    )


def _seat(table: MeisterTable, seat: int) -> SeatView:
    """Return one seat. While a round is being entered, its Meistercoups are not counted twice."""
    side = table.side_of(seat)
    entered = table.entered_coups[side]
    return SeatView(
        seat=Seat(seat),
        team=side if table.team_mode else None,
        hand=counted(table.hands[seat]),
        cards=table.taken[seat],
        collected=tuple(table.counts[seat]),
        points=worth(table.taken[seat], table.diamonds),
        meistercoups=table.coups[seat],
        total_meistercoups=entered if _is_entered(table, side) else entered + table.coups[seat],
    )


def _is_entered(table: MeisterTable, side: int) -> bool:
    """Return whether the results of the running round are entered already."""
    return len(table.rounds) == table.round and (not table.team_mode or table.entered[side] != NOBODY)


def _side(table: MeisterTable, side: int) -> SideView:
    return SideView(
        seats=tuple(map(Seat, table.seats_of(side))), points=table.points[side], meistercoups=table.entered_coups[side]
    )


def _running(table: MeisterTable) -> TrickView:
    left = (card for card in table.left() if card not in table.fixed)
    settled = bool(table.fixed) and not table.equal
    return TrickView(
        number=table.number,
        plays=_plays(table.leader, table.trick, table.seats),
        sums=sums(table.trick),
        colour=_majority(table.leader, table.trick, table.ranked, table.seats),
        ranking=tuple(map(Seat, table.ranked)),
        picked=None if table.picked == NOBODY else table.picked,
        taken=table.fixed,
        choice=table.equal,
        out=tuple(left) if settled else (),
    )


def _plays(leader: int, cards: Sequence[int], seats: int) -> tuple[Play, ...]:
    return tuple(Play(Seat((leader + place) % seats), card) for place, card in enumerate(cards))


def _majority(leader: int, cards: Sequence[int], ranked: Sequence[int], seats: int) -> Colour | None:
    """Return the colour of the best card, None before the trick is complete."""
    return COLOURS[COLOUR_OF[cards[(ranked[0] - leader) % seats]]] if ranked else None


@lru_cache(maxsize=4_096)
def _finished(trick: Trick, seats: int) -> TrickView:
    number, leader, cards, ranked, picked, taken = trick
    return TrickView(
        number=number,
        plays=_plays(leader, cards, seats),
        sums=sums(cards),
        colour=_majority(leader, cards, ranked, seats),
        ranking=tuple(map(Seat, ranked)),
        picked=picked,
        taken=taken,
        choice=(),
        out=tuple(card for card in cards if card != picked and card not in taken),
    )


def _vote(table: MeisterTable, team: int) -> VoteView:
    seats = table.team(team)
    return VoteView(
        team=team,
        seats=tuple(map(Seat, seats)),
        voices=tuple(seat_or_none(table.voices[seat]) for seat in seats),
        proposed=seat_or_none(table.proposed[team]),
        proposals=table.proposals[team],
        entered=seat_or_none(table.entered[team]),
    )


def _round(number: int, each: Round) -> RoundView:
    points, coups, entered = each
    return RoundView(round=number, points=points, meistercoups=coups, entered=tuple(map(Seat, entered)))
