"""An auditor of Stich-Meister: reads the events of a match, nothing else, and has the oracle judge all that they claim.

Whatever disagrees is an AssertionError. Cards of the events are ints; here they are (suit, value).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tafelrunde.domain.stich_meister.events import (
    CardHiddenPlayed,
    CardPlayed,
    CardSetAside,
    CardsOpened,
    CardsPassed,
    CardsReceived,
    CardsSetAside,
    CardsTurnedUp,
    CardTakenOut,
    ChoosersShown,
    GatheringBegun,
    HandTricksMade,
    OpeningChosen,
    RoundScored,
    RuleChosen,
    RulesShown,
    StichDealt,
    StichEvent,
    TrickBegun,
    TricksGivenAway,
    TrickTaken,
    TrickWon,
    TrumpSet,
)
from tests.games.stich_meister.oracle import SAMURAI, SUITS, Card, Oracle, Pile, Play

PREPARED = ((22, "pass-right"), (23, "pass-left"), (24, "set-aside"), (25, "open-cards"))


def card(number: int) -> Card:
    """Return the card of a number."""
    return SUITS[number // 15], number % 15 + 1


def number_of(suit: str, value: int) -> int:
    """Return the number of a card."""
    return SUITS.index(suit) * 15 + value - 1


def cards(numbers: Iterable[int]) -> set[Card]:
    """Return the cards of some numbers."""
    return {card(number) for number in numbers}


def deck(seats: int) -> set[Card]:
    """Return the cards in play: three seats play without samurai."""
    return {(suit, value) for suit in SUITS for value in range(1, 16) if seats > 3 or value not in SAMURAI}


class Audit:
    """One match, event by event."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.round = 0
        self.dealer = -1
        self.law = Oracle(frozenset())
        self.rule_hands: list[set[int]] = [set() for _ in range(seats)]
        self.rule_deck: list[int] = []
        self.chosen: list[list[int | None]] = []
        self.used_rules: set[int] = set()
        self.scores = [0] * seats
        self.tricks = 0
        self.over = False
        self._clear()

    def _clear(self) -> None:
        self.hands: list[set[Card]] = [set() for _ in range(self.seats)]
        self.answers: dict[int, set[Card]] = {}
        self.asides: dict[int, Card] = {}
        self.opened: list[set[Card]] = [set() for _ in range(self.seats)]
        self.gathered: list[str] = []
        self.number = 0
        self.leader = self.winner = -1
        self.trick: list[Play] = []
        self.piles: list[Pile] = []
        self.out: list[Card] = []
        self.given_away = False

    def read(self, events: Iterable[StichEvent]) -> Audit:
        """Check some more events."""
        for event in events:
            self.check(event)
        return self

    def playable(self, seat: int) -> set[int]:
        """Return the numbers of the cards that a seat may play now."""
        lying = [play.card for play in self.trick]
        return {number_of(*found) for found in self.law.may_play(sorted(self.hands[seat]), lying)}

    @property
    def dealt(self) -> int:
        """The number of cards dealt to each seat."""
        return len(deck(self.seats)) // self.seats

    @property
    def last(self) -> int:
        """The number of the round's last trick."""
        return self.law.tricks_played(self.dealt)

    def check(self, event: StichEvent) -> None:  # noqa: PLR0915 - one case for each event, in one place
        """Check one event, and take it over."""
        match event:
            case StichDealt():
                self._dealt(event)
            case RuleChosen(seat, rule):
                self._rule_chosen(seat, rule)
            case RulesShown(rules):
                self._rules(rules)
            case GatheringBegun(gathering, seats):
                self._gathering(gathering.value, seats)
            case CardsPassed(seat, given) | OpeningChosen(seat, given):
                self._answered(seat, cards(given), 3)
            case CardsReceived():
                self._received(event)
            case CardSetAside(seat, aside):
                self._answered(seat, {card(aside)}, 1)
            case CardsSetAside(asides):
                self._set_aside(asides)
            case CardsOpened(opened):
                self._opened(opened)
            case TrickBegun():
                self._begun(event)
            case CardPlayed(seat, played):
                self._played(seat, played)
            case TrumpSet(suit):
                self._trump_set(suit.value)
            case CardHiddenPlayed(seat, played):
                assert played in self.playable(seat)
                self._answered(seat, {card(played)}, 1)
            case CardsTurnedUp(plays):
                self._turned_up([Play(play.seat, card(play.card)) for play in plays])
            case TrickWon(number, seat):
                self._won(number, seat)
            case CardTakenOut(seat, out):
                self._taken_out(seat, card(out))
            case TrickTaken(number, seat):
                self._taken(number, seat)
            case TricksGivenAway(seat, to):
                self._given_away(seat, to)
            case HandTricksMade(hands):
                self._hand_tricks(hands)
            case RoundScored():
                self._scored(event)
            case ChoosersShown(chosen):
                assert [list(each) for each in chosen] == self.chosen
                assert self.round == self.seats
                self.over = True
            case _:
                raise AssertionError(f"an event without a check: {event}")

    # Before the tricks

    def _dealt(self, event: StichDealt) -> None:
        self._clear()
        self.round += 1
        assert event.round == self.round
        assert self.dealer in (-1, (event.dealer - 1) % self.seats)
        self.dealer = event.dealer
        self.hands = [cards(hand or ()) for hand in event.hands]
        assert [len(hand) for hand in self.hands] == [self.dealt] * self.seats
        assert set().union(*self.hands) == deck(self.seats)
        self._rules_dealt(event)

    def _rules_dealt(self, event: StichDealt) -> None:
        self.rule_deck = list(event.rule_deck or ())
        self.chosen.append([None] * self.seats)
        if not event.choosers:
            return
        for hand, new in zip(self.rule_hands, event.new_rules, strict=True):
            hand |= set(new or ())
            assert len(hand) == 3
        there = sorted([*self.rule_deck, *self.used_rules, *(rule for hand in self.rule_hands for rule in hand)])
        assert there == list(range(1, 61))
        idle = (self.dealer + 1) % 5 if self.seats == 5 else None
        assert list(event.choosers) == [seat for seat in range(self.seats) if seat != idle]

    def _rule_chosen(self, seat: int, rule: int) -> None:
        assert self.chosen[-1][seat] is None
        self.rule_hands[seat].remove(rule)
        self.chosen[-1][seat] = rule

    def _rules(self, rules: Sequence[int]) -> None:
        assert len(rules) == len(set(rules)) == 4
        assert list(rules) == sorted(rules)
        self.law = Oracle(frozenset(rules))
        chosen = {rule for rule in self.chosen[-1] if rule is not None}
        if chosen:
            assert set(rules) == chosen | set(self.rule_deck[:1] if self.seats == 3 else ())
            self.used_rules |= set(rules)

    def _expected(self) -> list[str]:
        return [name for rule, name in PREPARED if rule in self.law.rules]

    def _gathering(self, name: str, seats: Sequence[int]) -> None:
        self.answers = {}
        hidden = name == "play-hidden"
        assert list(seats) == [seat for seat in range(self.seats) if not hidden or seat != self.leader]
        if hidden:
            assert 26 in self.law.rules
            assert len(self.trick) == 1
        else:
            self.gathered.append(name)

    def _answered(self, seat: int, chosen: set[Card], count: int) -> None:
        assert len(chosen) == count
        assert chosen <= self.hands[seat]
        assert seat not in self.answers
        self.answers[seat] = chosen

    def _received(self, event: CardsReceived) -> None:
        step = -1 if self.gathered[-1] == "pass-right" else 1
        were_open: set[Card] = set().union(*self.opened)
        for seat in range(self.seats):
            giver = (seat - step) % self.seats
            assert cards(event.received[seat] or ()) == self.answers[giver]
            assert cards(event.opened[seat]) == self.answers[giver] & were_open
        for seat, given in self.answers.items():
            self.hands[seat] -= given
            self.opened[seat] -= given
        for seat, given in self.answers.items():
            self.hands[(seat + step) % self.seats] |= given

    def _set_aside(self, asides: Sequence[int | None]) -> None:
        for seat, aside in enumerate(asides):
            assert aside is not None
            assert self.answers[seat] == {card(aside)}
            self.hands[seat].remove(card(aside))
            self.asides[seat] = card(aside)

    def _opened(self, opened: Sequence[Sequence[int]]) -> None:
        self.opened = [cards(each) for each in opened]
        assert self.opened == [self.answers[seat] for seat in range(self.seats)]

    # Tricks

    def _begun(self, event: TrickBegun) -> None:
        later = ["pass-after"] if self.number >= 3 and 38 in self.law.rules else []
        assert self.gathered == self._expected() + later
        first = (self.dealer + 1) % self.seats
        assert event.leader == (first if self.number == 0 else self.law.next_leader(self.winner, self.seats))
        self.number += 1
        self.leader = event.leader
        self.trick = []
        assert (event.number, event.step) == (self.number, self.law.step(self.number))
        assert event.asked == (24 not in self.law.rules or self.number < self.last)

    def _turn(self) -> int:
        return self.law.turns(self.leader, self.number, self.seats)[len(self.trick)]

    def _played(self, seat: int, played: int) -> None:
        assert seat == self._turn()
        assert not self.trick or 26 not in self.law.rules
        assert played in self.playable(seat)
        self.hands[seat].remove(card(played))
        self.opened[seat].discard(card(played))
        self.trick.append(Play(seat, card(played)))
        if self.number == 2 and len(self.trick) == 1 and 21 in self.law.rules:
            self.law = self.law._replace(shown=card(played)[0])

    def _trump_set(self, suit: str) -> None:
        assert (self.number, len(self.trick), self.law.shown) == (2, 1, suit)

    def _turned_up(self, plays: Sequence[Play]) -> None:
        for play in plays:
            assert play.seat == self._turn()
            if self.asides and self.number == self.last:
                assert self.asides.pop(play.seat) == play.card
            else:
                assert self.answers.pop(play.seat) == {play.card}
                self.hands[play.seat].remove(play.card)
                self.opened[play.seat].discard(play.card)
            self.trick.append(play)

    def _won(self, number: int, seat: int) -> None:
        assert len(self.trick) == self.seats
        assert (number, seat) == (self.number, self.law.winner(self.trick))
        self.winner = seat

    def _taken_out(self, seat: int, out: Card) -> None:
        assert 34 in self.law.rules
        assert seat == self.winner
        self.trick.remove(next(play for play in self.trick if play.card == out))
        self.out.append(out)

    def _taken(self, number: int, seat: int) -> None:
        assert (number, seat) == (self.number, self.law.holder(self.winner, self.seats))
        assert len(self.out) == (self.number if 34 in self.law.rules else 0)
        self.piles.append(Pile(seat, tuple(play.card for play in self.trick), number))
        self.trick = []
        self.tricks += 1

    # The end of a round

    def _given_away(self, seat: int, to: int) -> None:
        assert 39 in self.law.rules
        assert (seat, to) == (self.winner, (self.winner + 1) % self.seats)
        self.piles = self.law.given_away(self.piles, self.winner, self.seats)
        self.given_away = True

    def _hand_tricks(self, hands: Sequence[Sequence[int]]) -> None:
        assert 40 in self.law.rules
        assert [cards(hand) for hand in hands] == self.hands
        assert {len(hand) for hand in hands} == {3}
        self.piles += [Pile(seat, (card(each),), None) for seat, hand in enumerate(hands) for each in hand]
        self.hands = [set() for _ in range(self.seats)]

    def _scored(self, event: RoundScored) -> None:
        assert self.number == self.last
        if 39 in self.law.rules and not self.given_away:
            assert all(pile.holder != self.winner for pile in self.piles if pile.number is not None)
        assert [hand for hand in self.hands if hand] == []
        won = [each for pile in self.piles for each in pile.cards]
        assert sorted([*won, *self.out]) == sorted(deck(self.seats))
        assert list(event.scores) == self.law.scores(self.piles, self.last, self.seats)
        assert event.lines[-1].totals == event.scores
        assert [line.rule for line in event.lines] == [0, *(rule for rule in sorted(self.law.rules) if rule >= 41)]
        self.scores = [total + score for total, score in zip(self.scores, event.scores, strict=True)]
