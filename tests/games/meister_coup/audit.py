"""An auditor for matches of Meister Coup: it knows the rules in its own words, and reads nothing but the events.

It shares no code with the game but the words of its events. Cards are pairs of a colour (0 to 3) and a value here.
"""

from __future__ import annotations

import itertools
from collections import Counter

from tafelrunde.domain.game import Standing
from tafelrunde.domain.meister_coup.events import (
    CardPicked,
    CardPlayed,
    CardsTaken,
    ChoiceGiven,
    MatchWon,
    MeistercoupTicked,
    MeisterDealt,
    MeisterEvent,
    MemberAgreed,
    MemberProposed,
    Reason,
    ResultEntered,
    RoundScored,
    TrickCleared,
    TrickRanked,
)
from tafelrunde.domain.meister_coup.messages import MeisterOptions

Card = tuple[int, int]
LISTS = {"rising": (0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3), "falling": (3, 2, 2, 1, 1, 1, 0, 0, 0, 0, 0, 0)}


def card(number: int) -> Card:
    """Return a card as colour and value."""
    return divmod(number, 12)[0], number % 12 + 1


def order(trick: list[tuple[int, Card]]) -> list[int]:
    """Return the seats of a trick, best first: the best colour's cards downward, then those of the best colour of the rest."""
    rest = trick.copy()
    found = list[int]()
    while rest:
        totals = Counter[int]()
        for _, (colour, value) in rest:
            totals[colour] += value
        majority = max(totals.values())
        level = [(seat, each) for seat, each in rest if totals[each[0]] == majority]
        highest = max(value for _, (_, value) in level)
        best = next(each[0] for _, each in level if each[1] == highest)  # of equal ones the earliest
        mine = sorted((entry for entry in rest if entry[1][0] == best), key=lambda entry: -entry[1][1])
        found += [seat for seat, _ in mine]
        rest = [entry for entry in rest if entry[1][0] != best]
    return found


class Audit:
    """A match, checked event by event."""

    def __init__(self, seats: int, options: MeisterOptions) -> None:
        self.seats = seats
        self.options = options
        sides = 2 if options.mode == "team" else seats
        self.teams = [list(range(side, seats, sides)) for side in range(sides)]
        self.totals = [(0, 0)] * len(self.teams)
        self.rounds = 0
        self.leader = -1
        self.over: MatchWon | None = None
        self.hands: list[set[Card]] = []
        self.taken: list[list[Card]] = []
        self.ticked: list[int] = []
        self.out: list[Card] = []
        self.trick: list[tuple[int, Card]] = []
        self.ranking: list[int] = []
        self.picked: Card | None = None
        self.two: set[Card] = set()
        self.tricks = 0
        self.voices: dict[int, int] = {}
        self.entered: dict[int, int] = {}
        self.scores: list[tuple[int, int]] = []

    def check(self, event: MeisterEvent) -> None:
        """Check one event against all before it."""
        assert self.over is None, "something happened after the end"
        match event:
            case MeisterDealt():
                self.dealt(event)
            case CardPlayed(seat, number, following):
                self.played(seat, card(number), following)
            case TrickRanked():
                self.ranked(event)
            case CardPicked(seat, number):
                self.took_one(seat, card(number))
            case ChoiceGiven(seat, fixed, equal):
                self.chooses(seat, set(map(card, fixed)), set(map(card, equal)))
            case CardsTaken(seat, numbers):
                self.took_two(seat, set(map(card, numbers)))
            case MeistercoupTicked(seat, in_round, total):
                self.ticks(seat, in_round, total)
            case TrickCleared():
                self.cleared(event)
            case _:
                self.check_end(event)

    def check_end(self, event: MeisterEvent) -> None:
        """Check an event of the end of a round or of the match."""
        match event:
            case RoundScored(number, points, coups, voters):
                self.scored(number, points, coups, voters)
            case MemberProposed(seat, member, again):
                assert member % 2 == seat % 2
                spoken = {voice for mate, voice in self.voices.items() if mate % 2 == seat % 2 and mate != seat}
                assert again == bool(spoken - {member})
                self.voices[seat] = member
            case MemberAgreed(seat, member):
                assert self.voices.get(seat) != member
                assert member in {voice for mate, voice in self.voices.items() if mate % 2 == seat % 2}
                self.voices[seat] = member
            case ResultEntered(team, member, points, coups):
                assert {self.voices[mate] for mate in self.teams[team]} == {member}
                assert (points, coups) == self.scores[member]
                self.enter(team, member)
            case MatchWon():
                self.won(event)
            case _:
                raise AssertionError(f"nobody audits {event}")

    def dealt(self, event: MeisterDealt) -> None:
        """Eight different cards each; the last runner-up leads; the colours are those of the cards."""
        self.rounds += 1
        assert event.round == self.rounds <= 3
        assert self.leader in (-1, event.leader)
        self.leader = event.leader
        own = self.options.diamonds
        assert event.diamonds == (LISTS[own] if isinstance(own, str) else own)
        self.diamonds = event.diamonds
        self.hands = [set(map(card, hand or ())) for hand in event.hands]
        assert [len(hand) for hand in self.hands] == [8] * self.seats
        assert len(set().union(*self.hands)) == 8 * self.seats
        counts = [Counter(colour for colour, _ in hand) for hand in self.hands]
        assert event.colours == tuple(tuple(count[colour] for colour in range(4)) for count in counts)
        self.taken = [[] for _ in range(self.seats)]
        self.ticked = [0] * self.seats
        self.out = []
        self.tricks = 0
        self.voices = {}
        self.entered = {}

    def played(self, seat: int, found: Card, following: int | None) -> None:
        """Each in turn, from its own hand."""
        place = len(self.trick)
        assert seat == (self.leader + place) % self.seats
        assert following == ((seat + 1) % self.seats if place + 1 < self.seats else None)
        self.hands[seat].remove(found)
        self.trick.append((seat, found))

    def ranked(self, event: TrickRanked) -> None:
        """The order is that of the rules, and the totals are those of the colours."""
        self.tricks += 1
        self.ranking = order(self.trick)
        assert (event.number, list(event.ranking)) == (self.tricks, self.ranking)
        assert [event.winner, event.runner_up] == self.ranking[:2]
        assert event.sums == tuple(sum(value for _, (own, value) in self.trick if own == colour) for colour in range(4))
        assert ("violet", "blue", "green", "yellow").index(event.colour.value) == dict(self.trick)[event.winner][0]

    def left(self) -> list[Card]:
        """Return the cards of the trick but for the pick."""
        return [each for _, each in self.trick if each != self.picked]

    def took_one(self, seat: int, found: Card) -> None:
        """The winner picks a card of the trick."""
        assert seat == self.ranking[0]
        assert found in self.left()
        self.picked = found
        self.taken[seat].append(found)

    def choices(self) -> set[frozenset[Card]]:
        """Return every two of the cards left of which none is higher than one that stays."""
        left = self.left()
        found = set[frozenset[Card]]()
        for two in itertools.combinations(left, 2):
            highest = max(value for _, value in two)
            if all(highest <= value for colour, value in left if (colour, value) not in two):
                found.add(frozenset(two))
        return found

    def chooses(self, seat: int, fixed: set[Card], equal: set[Card]) -> None:
        """There is a choice exactly between the possible pairs."""
        assert seat == self.ranking[1]
        found = {frozenset(fixed | set(some)) for some in itertools.combinations(equal, 2 - len(fixed))}
        assert found == self.choices()
        assert len(found) > 1
        self.two = fixed | equal

    def took_two(self, seat: int, found: set[Card]) -> None:
        """The runner-up takes two of the lowest cards left, unasked only if nothing else is possible."""
        assert seat == self.ranking[1]
        assert frozenset(found) in self.choices()
        assert self.two or len(self.choices()) == 1
        self.taken[seat] += found

    def sets(self, seat: int) -> int:
        """Return the complete sets of four colours that a seat has."""
        return min(sum(each[0] == colour for each in self.taken[seat]) for colour in range(4))

    def side(self, seat: int) -> int:
        """Return the team of a seat, or its own number."""
        return next(number for number, team in enumerate(self.teams) if seat in team)

    def ticks(self, seat: int, in_round: int, total: int) -> None:
        """A Meistercoup is ticked when its set is complete, one after the other."""
        self.ticked[seat] += 1
        assert self.ticked[seat] == in_round <= self.sets(seat)
        assert total == self.totals[self.side(seat)][1] + in_round <= 3

    def cleared(self, event: TrickCleared) -> None:
        """The rest is out, the runner-up leads, and no Meistercoup was forgotten."""
        assert self.ticked == [self.sets(seat) for seat in range(self.seats)]
        gone = {each for cards in self.taken for each in cards}
        rest = [each for each in self.left() if each not in gone]
        assert sorted(map(card, event.out)) == sorted(rest)
        self.out += rest
        assert (event.number, event.leader, event.asked) == (self.tricks, self.ranking[1], self.tricks < 8)
        self.leader = event.leader
        self.trick = []
        self.picked = None
        self.two = set()
        held = [each for cards in (*self.hands, *self.taken) for each in cards]
        assert len({*held, *self.out}) == len(held) + len(self.out) == 8 * self.seats

    def scored(self, number: int, points: tuple[int, ...], coups: tuple[int, ...], voters: tuple[int, ...]) -> None:
        """One point for each card and each diamond on it; in teams all are asked."""
        assert (number, self.tricks) == (self.rounds, 8)
        assert not any(self.hands)
        worth = [sum(1 + self.diamonds[value - 1] for _, value in cards) for cards in self.taken]
        assert (list(points), list(coups)) == (worth, self.ticked)
        self.scores = list(zip(points, coups, strict=True))
        team_mode = len(self.teams) != self.seats
        assert voters == (tuple(range(self.seats)) if team_mode else ())
        for seat in () if team_mode else range(self.seats):
            self.enter(seat, seat)

    def enter(self, team: int, member: int) -> None:
        """Add a member's result to the team's, once."""
        assert team not in self.entered
        self.entered[team] = member
        points, coups = self.totals[team]
        more, ticked = self.scores[member]
        self.totals[team] = points + more, coups + ticked

    def won(self, event: MatchWon) -> None:
        """By the third Meistercoup at once, otherwise by points after three rounds."""
        self.over = event
        third = [seat for seat in range(self.seats) if len(self.entered) == 0 and self.live(seat) == 3]
        if event.reason is Reason.MEISTERCOUPS:
            assert [list(event.winners)] == [self.teams[self.side(seat)] for seat in third]
            return
        assert (self.rounds, len(self.entered), third) == (3, len(self.teams), [])
        best = max(self.totals)
        winners = {seat for team, total in zip(self.teams, self.totals, strict=True) if total == best for seat in team}
        assert set(event.winners) == winners

    def live(self, seat: int) -> int:
        """Return the Meistercoups that count for a seat in the running round."""
        return self.totals[self.side(seat)][1] + self.ticked[seat]

    def check_standing(self, standing: Standing) -> None:
        """Ranks and scores follow from the totals; members share those of their team."""
        assert self.over is not None
        assert standing.winners == tuple(sorted(self.over.winners))
        for placing in standing.placings:
            mine = self.totals[self.side(placing.seat)]
            better = sum(total > mine for total in self.totals)
            if self.over.reason is Reason.POINTS:
                assert (placing.rank, placing.score) == (1 + better, mine[0])
            else:
                assert (placing.rank, placing.score) == (1 if placing.seat in self.over.winners else 2, None)
