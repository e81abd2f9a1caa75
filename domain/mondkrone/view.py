"""What one viewer may know of a game of Mondkrone, built by allow-list.

Everyone has seen every palette and every card on the pile, also what has been turned over or covered since: that is no secret.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from ..game import DecisionId, GameView, Seat
from . import stages
from .cards import CARDS, SUITS, SUITS_OF, Card, Suit, cards_in, named
from .conditions import PLACES, best_set, results
from .effects import MondkroneEffectView, MondkroneResultView, effects, shows
from .messages import MondkroneOptions
from .refusals import leader_among
from .rules import TARGETS
from .table import MondkroneTable, Round


class MondkroneSeatView(msgspec.Struct, frozen=True, kw_only=True):
    """One seat as every viewer may know it. `out`: it has left the round and its palette lies face down, as all have seen.

    `results`: what its palette shows in each of the six conditions, also in those that do not hold now; empty if `out`.
    """

    seat: Seat
    hand_size: int
    palette: tuple[Card, ...]
    out: bool
    score: int
    scored: tuple[Card, ...]
    results: tuple[MondkroneResultView, ...]


class MondkroneConditionView(msgspec.Struct, frozen=True, kw_only=True):
    """A condition that the top card of the pile sets: who leads in it, with what count, and with which cards.

    No seat leads while no card in any palette counts for it. Of several sets of cards that make the count, it is the best.
    """

    suit: Suit
    leader: Seat | None
    count: int
    cards: tuple[Card, ...]


class MondkroneRoundView(msgspec.Struct, frozen=True, kw_only=True):
    """A round that is over: its winner, the top card of the pile then, and what was scored."""

    winner: Seat
    top: Card
    cards: tuple[Card, ...]
    points: int


class MondkroneView(GameView, frozen=True, kw_only=True, tag="mondkrone"):
    """A game of Mondkrone as one viewer may know it.

    `pile` has its first card first and the top card last. `turn` is asked: in the stage `turn` for an action, in `scoring` for
    what it lays aside. `hand` are the viewer's own cards. Cards in hands and palettes stand with the weakest first.
    `effects`: what each legal play and discard of the viewer would do, in the order of the legal commands.
    """

    options: MondkroneOptions
    seat: Seat | None
    stage: str
    decision: DecisionId
    round: int
    target: int
    turn: Seat | None
    top: Card | None
    conditions: tuple[MondkroneConditionView, ...]
    seats: tuple[MondkroneSeatView, ...]
    pile: tuple[Card, ...]
    deck_size: int
    hand: tuple[Card, ...]
    rounds: tuple[MondkroneRoundView, ...]
    winners: tuple[Seat, ...]
    effects: tuple[MondkroneEffectView, ...]


def view(table: MondkroneTable, seat: Seat | None) -> MondkroneView:
    """Return what *seat* (None: a spectator) may know."""
    return MondkroneView(
        options=table.options,
        seat=seat,
        stage=table.stage.key,
        decision=DecisionId(table.decision),
        round=table.round,
        target=TARGETS[table.seats],
        turn=Seat(table.turn) if table.stage in (stages.TURN, stages.SCORING) else None,
        top=CARDS[table.pile[-1]] if table.pile else None,
        conditions=tuple(_condition(table, suit) for suit in SUITS_OF[table.pile[-1]]) if table.pile else (),
        seats=tuple(_seat(table, place) for place in range(table.seats)),
        pile=named(table.pile),
        deck_size=len(table.deck),
        hand=named(table.hands[seat]) if seat is not None else (),
        rounds=tuple(map(_round, table.rounds)),
        winners=tuple(map(Seat, table.winners)),
        effects=tuple(effects(table, seat)) if seat is not None else (),
    )


def _seat(table: MondkroneTable, seat: int) -> MondkroneSeatView:
    return MondkroneSeatView(
        seat=Seat(seat),
        hand_size=len(table.hands[seat]),
        palette=_named_in(table.palettes[seat]),
        out=table.out[seat],
        score=table.points(seat),
        scored=_named_in(table.scored[seat]),
        results=() if table.out[seat] else shows(table.palettes[seat]),
    )


def _condition(table: MondkroneTable, suit: int) -> MondkroneConditionView:
    leader = leader_among(table, table.inside(), suit)
    count = results(table.palettes[leader])[suit] // PLACES
    cards = _named_in(best_set(table.palettes[leader], suit))
    return MondkroneConditionView(suit=SUITS[suit], leader=Seat(leader) if count else None, count=count, cards=cards)


def _round(each: Round) -> MondkroneRoundView:
    return MondkroneRoundView(winner=Seat(each.seat), top=CARDS[each.top], cards=_named_in(each.cards), points=each.points)


@lru_cache(maxsize=4_096)
def _named_in(mask: int) -> tuple[Card, ...]:
    """Return the cards of a set of bits by their names, the weakest first."""
    return named(cards_in(mask))
