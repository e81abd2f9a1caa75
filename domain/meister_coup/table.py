"""The table of Meister Coup: its state and its facts. Hands are sorted; collections are tuples, so that a copy is cheap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ..fields import Derived
from ..game import Seat, Table
from ..seats import NOBODY, seat_or_none
from . import stages
from .cards import COLOUR_OF, COLOURS, FALLING, RISING, counted
from .events import (
    CardPicked,
    CardPlayed,
    CardsTaken,
    ChoiceGiven,
    MatchWon,
    MeistercoupTicked,
    MeisterDealt,
    MemberAgreed,
    MemberProposed,
    Reason,
    ResultEntered,
    RoundScored,
    TrickCleared,
    TrickRanked,
)
from .messages import MeisterOptions
from .ranking import sums
from .stages import MeisterStage

TEAMS: Final = 2


class Trick(NamedTuple):
    """A finished trick: its cards in the order of play, the seats best first, the picked card and the two cards taken."""

    number: int
    leader: int
    cards: tuple[int, ...]
    ranked: tuple[int, ...]
    picked: int
    taken: tuple[int, ...]


class Round(NamedTuple):
    """A finished round: points and Meistercoups of each seat, and the member that each team entered (none in standard mode)."""

    points: tuple[int, ...]
    coups: tuple[int, ...]
    entered: tuple[int, ...]


class MeisterTable(Table):
    """One game of Meister Coup.

    A *side* is what points and Meistercoups are entered for: a team, or in standard mode a seat. `counts` follow from `taken`.
    """

    options: Derived[MeisterOptions]
    seats: Derived[int]
    team_mode: Derived[bool]
    sides: Derived[int]
    stage: MeisterStage
    decision: int
    asked: tuple[int, ...]
    diamonds: tuple[int, ...]
    round: int
    leader: int
    hands: list[list[int]]
    points: list[int]
    entered_coups: list[int]
    rounds: tuple[Round, ...]
    winners: tuple[int, ...]
    reason: Reason | None
    last_trick: Trick | None
    taken: list[tuple[int, ...]]
    counts: Derived[list[list[int]]]
    coups: list[int]
    tricks: tuple[Trick, ...]
    number: int
    trick: list[int]
    ranked: tuple[int, ...]
    picked: int
    fixed: tuple[int, ...]
    equal: tuple[int, ...]
    voices: list[int]
    proposed: list[int]
    proposals: list[int]
    entered: list[int]

    def __init__(self, options: MeisterOptions, seats: int) -> None:
        self.emit = None
        self.options = options
        self.seats = seats
        self.team_mode = options.mode == "team"
        self.sides = TEAMS if self.team_mode else seats
        self.stage = stages.SETUP
        self.decision = 0
        self.asked = ()
        self.diamonds = diamonds_of(options)
        self.round = 0
        self.leader = NOBODY
        self.hands = [[] for _ in range(seats)]
        self.points = [0] * self.sides
        self.entered_coups = [0] * self.sides
        self.rounds = ()
        self.winners = ()
        self.reason = None
        self.last_trick = None
        self.clear_round()

    def clear_round(self) -> None:
        self.taken = [()] * self.seats
        self.counts = [[0, 0, 0, 0] for _ in range(self.seats)]
        self.coups = [0] * self.seats
        self.tricks = ()
        self.number = 1
        self.clear_trick()
        self.clear_vote()

    def clear_trick(self) -> None:
        self.trick = []
        self.ranked = ()
        self.picked = NOBODY
        self.fixed = ()
        self.equal = ()

    def clear_vote(self) -> None:
        self.voices = [NOBODY] * self.seats
        self.proposed = [NOBODY] * TEAMS
        self.proposals = [0] * TEAMS
        self.entered = [NOBODY] * TEAMS

    def side_of(self, seat: int) -> int:
        """Return for whom a seat's results are entered: its team, or itself."""
        return seat % TEAMS if self.team_mode else seat

    def team(self, team: int) -> range:
        """Return the seats of a team: they sit alternately."""
        return range(team, self.seats, TEAMS)

    def seats_of(self, side: int) -> tuple[int, ...]:
        """Return the seats of a side."""
        return tuple(self.team(side)) if self.team_mode else (side,)

    def left(self) -> list[int]:
        """Return the cards of the running trick that no one has taken."""
        return [card for card in self.trick if card != self.picked]

    def ask(self, stage: MeisterStage, *seats: int) -> None:
        self.stage = stage
        self.asked = seats
        self.decision += 1

    def gain(self, seat: int, cards: tuple[int, ...]) -> None:
        self.taken[seat] += cards
        counts = self.counts[seat]
        for card in cards:
            counts[COLOUR_OF[card]] += 1

    # Facts of a round

    def f_dealt(self, leader: int, diamonds: Sequence[int], hands: Sequence[Sequence[int]]) -> None:
        self.clear_round()
        self.round += 1
        self.leader = leader
        self.diamonds = tuple(diamonds)
        self.hands = [sorted(hand) for hand in hands]
        self.ask(stages.LEAD, leader)
        if self.emit is not None:
            colours = tuple(map(counted, self.hands))
            self.emit(MeisterDealt(self.round, Seat(leader), self.diamonds, colours, tuple(map(tuple, self.hands))))

    def f_card_played(self, seat: int, card: int, following: int) -> None:
        self.hands[seat].remove(card)
        self.trick.append(card)
        if following != NOBODY:
            self.stage = stages.PLAY
            self.asked = (following,)
            self.decision += 1
        if self.emit is not None:
            self.emit(CardPlayed(Seat(seat), card, seat_or_none(following)))

    def f_trick_ranked(self, ranked: tuple[int, ...], colour: int) -> None:
        self.ranked = ranked
        self.ask(stages.PICK, ranked[0])
        if self.emit is not None:
            seats = tuple(map(Seat, ranked))
            self.emit(TrickRanked(self.number, sums(self.trick), COLOURS[colour], seats[0], seats[1], seats))

    def f_card_picked(self, seat: int, card: int) -> None:
        self.picked = card
        self.gain(seat, (card,))
        if self.emit is not None:
            self.emit(CardPicked(Seat(seat), card))

    def f_choice_given(self, seat: int, fixed: tuple[int, ...], equal: tuple[int, ...]) -> None:
        self.fixed = fixed
        self.equal = equal
        self.ask(stages.TAKE, seat)
        if self.emit is not None:
            self.emit(ChoiceGiven(Seat(seat), fixed, equal))

    def f_cards_taken(self, seat: int, cards: tuple[int, ...]) -> None:
        self.fixed = cards
        self.equal = ()
        self.gain(seat, cards)
        if self.emit is not None:
            self.emit(CardsTaken(Seat(seat), cards))

    def f_meistercoup_ticked(self, seat: int, in_round: int, total: int) -> None:
        self.coups[seat] = in_round
        if self.emit is not None:
            self.emit(MeistercoupTicked(Seat(seat), in_round, total))

    def f_trick_cleared(self, out: tuple[int, ...], leader: int, asked: bool) -> None:
        number = self.number
        self.last_trick = Trick(number, self.leader, tuple(self.trick), self.ranked, self.picked, self.fixed)
        self.tricks += (self.last_trick,)
        self.clear_trick()
        self.leader = leader
        if asked:
            self.number += 1
            self.ask(stages.LEAD, leader)
        if self.emit is not None:
            self.emit(TrickCleared(number, out, Seat(leader), asked))

    # Facts of the end of a round

    def f_round_scored(self, points: tuple[int, ...], coups: tuple[int, ...], voters: Sequence[int]) -> None:
        self.rounds = (*self.rounds, Round(points, coups, ()))
        if voters:
            self.ask(stages.VOTE, *voters)
        else:
            for seat in range(self.seats):
                self.enter(seat, points[seat], coups[seat])
        if self.emit is not None:
            self.emit(RoundScored(self.round, points, coups, tuple(map(Seat, voters))))

    def enter(self, side: int, points: int, coups: int) -> None:
        self.points[side] += points
        self.entered_coups[side] += coups

    def f_member_proposed(self, seat: int, member: int, again: bool) -> None:
        team = seat % TEAMS
        self.voices[seat] = self.proposed[team] = member
        self.proposals[team] += 1
        others = [each for each in self.asked if each % TEAMS != team]
        self.asked = tuple(sorted([*others, *(mate for mate in self.team(team) if self.voices[mate] != member)]))
        self.decision += again
        if self.emit is not None:
            self.emit(MemberProposed(Seat(seat), Seat(member), again))

    def f_member_agreed(self, seat: int, member: int) -> None:
        self.voices[seat] = member
        self.asked = tuple(each for each in self.asked if each != seat)
        if self.emit is not None:
            self.emit(MemberAgreed(Seat(seat), Seat(member)))

    def f_result_entered(self, team: int, member: int, points: int, coups: int) -> None:
        self.entered[team] = member
        self.enter(team, points, coups)
        if NOBODY not in self.entered:
            self.rounds = (*self.rounds[:-1], self.rounds[-1]._replace(entered=tuple(self.entered)))
        if self.emit is not None:
            self.emit(ResultEntered(team, Seat(member), points, coups))

    def f_won(self, winners: tuple[int, ...], reason: Reason) -> None:
        self.stage = stages.OVER
        self.asked = ()
        self.winners, self.reason = winners, reason
        if self.emit is not None:
            self.emit(MatchWon(tuple(map(Seat, winners)), reason))


def diamonds_of(options: MeisterOptions) -> tuple[int, ...]:
    """Return the diamonds of the values 1 to 12 that the options ask for."""
    match options.diamonds:
        case "rising":
            return RISING
        case "falling":
            return FALLING
        case own:
            return tuple(own)
