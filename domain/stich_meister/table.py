"""The table of Stich-Meister: its state and its facts. Hands are sorted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ..fields import Derived
from ..game import Seat, Table
from ..seats import NOBODY, seat_or_none
from . import card_knowledge, stages
from .cards import SUITS, TRUMP
from .events import (
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
    Gathering,
    GatheringBegun,
    HandTricksMade,
    OpeningChosen,
    RoundScored,
    RuleChosen,
    RulesShown,
    StichDealt,
    StichPlay,
    StichScoreLine,
    TrickBegun,
    TricksGivenAway,
    TrickTaken,
    TrickWon,
    TrumpSet,
)
from .messages import StichOptions
from .stages import StichStage
from .trick import Law, law_of
from .trump import NO_SUIT

NO_LAW: Final = law_of((), NO_SUIT)


STAGE_OF: Final = {
    Gathering.RIGHTWARD: stages.RIGHTWARD,
    Gathering.LEFTWARD: stages.LEFTWARD,
    Gathering.SET_ASIDE: stages.SET_ASIDE,
    Gathering.OPEN_CARDS: stages.OPEN,
    Gathering.PLAY_HIDDEN: stages.PLAY_HIDDEN,
    Gathering.LEFTWARD_LATER: stages.LEFTWARD_LATER,
}
GATHERED: Final = frozenset((stages.CHOOSE, *STAGE_OF.values()))
"""Stages in which several seats decide at once and in secret."""
PASSING: Final = {stages.RIGHTWARD: -1, stages.LEFTWARD: 1, stages.LEFTWARD_LATER: 1}
"""How many places on cards are passed."""


class Taken(NamedTuple):
    """A finished trick, its cards in the order of play; `out` is the card taken out of it, or NOBODY."""

    number: int
    leader: int
    step: int
    cards: tuple[int, ...]
    winner: int
    holder: int
    out: int


Lines = tuple[tuple[int, tuple[int, ...]], ...]


class Round(NamedTuple):
    """A finished round: its score lines, and the scores that they came to."""

    dealer: int
    rules: tuple[int, ...]
    lines: Lines
    scores: tuple[int, ...]


class StichTable(Table):
    """One game of Stich-Meister.

    `law` follows from `rules` and `second`; `notes`, `lacks` (cards in bits that a seat showed not to hold, since the pass of
    rule 38) and `lacked` (those before it) follow from the facts. `last_tricks` are never changed in place.
    """

    options: Derived[StichOptions]
    seats: Derived[int]
    stage: StichStage
    decision: int
    round: int
    dealer: int
    asked: tuple[int, ...]
    answers: list[tuple[int, ...]]
    rule_hands: list[tuple[int, ...]]
    rule_deck: tuple[int, ...]
    chosen: tuple[tuple[int, ...], ...]
    scores: list[int]
    rounds: tuple[Round, ...]
    rules: tuple[int, ...]
    law: Derived[Law]
    second: int
    hands: list[list[int]]
    opened: list[tuple[int, ...]]
    aside: list[int]
    number: int
    leader: int
    winner: int
    out: int
    step: int
    trick: list[int]
    tricks: list[Taken]
    last_tricks: Sequence[Taken]
    notes: Derived[tuple[card_knowledge.Note, ...]]
    lacks: Derived[list[int]]
    lacked: Derived[tuple[int, ...] | None]

    def __init__(self, options: StichOptions, seats: int) -> None:
        self.emit = None
        self.options = options
        self.seats = seats
        self.stage = stages.SETUP
        self.decision = 0
        self.round = 0
        self.dealer = NOBODY
        self.asked = ()
        self.answers = [()] * seats
        self.rule_hands = [()] * seats
        self.rule_deck = ()
        self.chosen = ()
        self.scores = [0] * seats
        self.rounds = ()
        self.tricks = []
        self.clear_round()

    def clear_round(self) -> None:
        self.rules = ()
        self.law = NO_LAW
        self.second = NO_SUIT
        self.hands = [[] for _ in range(self.seats)]
        self.opened = [()] * self.seats
        self.aside = [NOBODY] * self.seats
        self.number = 0
        self.leader = self.winner = self.out = NOBODY
        self.step = 1
        self.trick = []
        self.last_tricks = self.tricks
        self.tricks = []
        self.notes = ()
        self.lacks = [0] * self.seats
        self.lacked = None

    def seat_at(self, place: int) -> int:
        """Return the seat that plays the card at a place of the running trick."""
        return (self.leader + self.step * place) % self.seats

    def ask(self, stage: StichStage, *seats: int) -> None:
        self.stage = stage
        self.asked = seats
        self.decision += 1

    def gather(self, stage: StichStage, seats: Sequence[int]) -> None:
        self.ask(stage, *seats)
        self.answers = [()] * self.seats

    def drop(self, seat: int, card: int) -> None:
        """Take a card out of a hand."""
        self.hands[seat].remove(card)
        opened = self.opened[seat]
        if opened and card in opened:
            self.opened[seat] = tuple([other for other in opened if other != card])

    def show_lack(self, seat: int, card: int) -> None:
        """Remember what a seat, that does not follow, shows not to hold."""
        law = self.law
        trick = self.trick
        suits = law.suits
        wanted = suits[trick[-1] if law.follow_last else trick[0]]
        if suits[card] != wanted:
            self.lacks[seat] |= law.masks[wanted]
            if law.must_trump and suits[card] != TRUMP:
                self.lacks[seat] |= law.masks[TRUMP]

    # Facts

    def f_dealt(
        self,
        dealer: int,
        hands: Sequence[Sequence[int]],
        new_rules: Sequence[Sequence[int]],
        rule_deck: Sequence[int],
        choosers: Sequence[int],
    ) -> None:
        self.clear_round()
        self.round += 1
        self.dealer = dealer
        self.hands = [sorted(hand) for hand in hands]
        self.rule_hands = [tuple(sorted((*old, *new))) for old, new in zip(self.rule_hands, new_rules, strict=True)]
        self.rule_deck = tuple(rule_deck)
        if choosers:
            self.gather(stages.CHOOSE, choosers)
        if self.emit is not None:
            new = tuple(map(tuple, new_rules))
            asked = tuple(map(Seat, choosers))
            self.emit(StichDealt(self.round, Seat(dealer), tuple(map(tuple, self.hands)), new, self.rule_deck, asked))

    def f_rule_chosen(self, seat: int, rule: int) -> None:
        self.answers[seat] = (rule,)
        if self.emit is not None:
            self.emit(RuleChosen(Seat(seat), rule))

    def f_rules_shown(self, rules: Sequence[int]) -> None:
        chosen = tuple(answer[0] if answer else NOBODY for answer in self.answers)
        self.chosen = (*self.chosen, chosen)
        self.answers = [()] * self.seats
        self.rule_hands = [tuple([rule for rule in hand if rule not in rules]) for hand in self.rule_hands]
        self.rule_deck = tuple([rule for rule in self.rule_deck if rule not in rules])
        self.rules = tuple(rules)
        self.law = law_of(self.rules, NO_SUIT)
        if self.emit is not None:
            self.emit(RulesShown(self.rules))

    def f_gathering_begun(self, gathering: Gathering, seats: Sequence[int]) -> None:
        self.gather(STAGE_OF[gathering], seats)
        if self.emit is not None:
            self.emit(GatheringBegun(gathering, tuple(map(Seat, seats))))

    def f_cards_passed(self, seat: int, cards: tuple[int, ...]) -> None:
        self.answers[seat] = cards
        if self.emit is not None:
            self.emit(CardsPassed(Seat(seat), cards))

    def f_cards_received(self, received: Sequence[Sequence[int]], opened: Sequence[Sequence[int]]) -> None:
        step = PASSING[self.stage]
        seats = self.seats
        given = [received[(seat + step) % seats] for seat in range(seats)]
        self.notes = card_knowledge.pass_on(self.notes, given, self.opened, self.lacks, step)
        for seat in range(seats):
            kept = [card for card in self.hands[seat] if card not in given[seat]]
            self.hands[seat] = sorted((*kept, *received[seat]))
            self.opened[seat] = tuple(card for card in self.opened[seat] if card not in given[seat])
        self.lacked = tuple(self.lacks)
        self.lacks = [0] * seats
        self.answers = [()] * seats
        if self.emit is not None:
            self.emit(CardsReceived(tuple(map(tuple, received)), tuple(map(tuple, opened))))

    def f_card_set_aside(self, seat: int, card: int) -> None:
        self.answers[seat] = (card,)
        if self.emit is not None:
            self.emit(CardSetAside(Seat(seat), card))

    def f_cards_set_aside(self, cards: Sequence[int]) -> None:
        self.notes = card_knowledge.set_aside(self.notes)
        for seat, card in enumerate(cards):
            self.drop(seat, card)
        self.aside = list(cards)
        self.answers = [()] * self.seats
        if self.emit is not None:
            self.emit(CardsSetAside(tuple(cards)))

    def f_opening_chosen(self, seat: int, cards: tuple[int, ...]) -> None:
        self.answers[seat] = cards
        if self.emit is not None:
            self.emit(OpeningChosen(Seat(seat), cards))

    def f_cards_opened(self, cards: Sequence[tuple[int, ...]]) -> None:
        self.opened = list(cards)
        self.answers = [()] * self.seats
        if self.emit is not None:
            self.emit(CardsOpened(tuple(cards)))

    def f_trick_begun(self, number: int, leader: int, step: int, asked: bool) -> None:
        self.number = number
        self.leader = leader
        self.step = step
        self.winner = self.out = NOBODY
        if asked:
            self.ask(stages.LEAD, leader)
        if self.emit is not None:
            self.emit(TrickBegun(number, Seat(leader), step, asked))

    def f_card_played(self, seat: int, card: int, following: int) -> None:
        if self.trick:
            self.show_lack(seat, card)
        self.drop(seat, card)
        self.trick.append(card)
        if following != NOBODY:
            self.stage = stages.PLAY
            self.asked = (following,)
            self.decision += 1
        if self.emit is not None:
            self.emit(CardPlayed(Seat(seat), card, seat_or_none(following)))

    def f_trump_set(self, suit: int) -> None:
        self.second = suit
        self.law = law_of(self.rules, suit)
        if self.emit is not None:
            self.emit(TrumpSet(SUITS[suit]))

    def f_card_hidden_played(self, seat: int, card: int) -> None:
        self.answers[seat] = (card,)
        if self.emit is not None:
            self.emit(CardHiddenPlayed(Seat(seat), card))

    def f_cards_turned_up(self, plays: Sequence[tuple[int, int]]) -> None:
        from_hands = bool(self.trick)
        if from_hands:
            for seat, card in plays:
                self.show_lack(seat, card)
                self.drop(seat, card)
        else:
            self.aside = [NOBODY] * self.seats
        self.trick += [card for _, card in plays]
        self.answers = [()] * self.seats
        if self.emit is not None:
            self.emit(CardsTurnedUp(tuple(StichPlay(Seat(seat), card) for seat, card in plays)))

    def f_trick_won(self, number: int, seat: int, asked: bool) -> None:
        self.winner = seat
        if asked:
            self.ask(stages.TAKE_OUT, seat)
        if self.emit is not None:
            self.emit(TrickWon(number, Seat(seat), asked))

    def f_card_taken_out(self, seat: int, card: int) -> None:
        self.out = card
        if self.emit is not None:
            self.emit(CardTakenOut(Seat(seat), card))

    def f_trick_taken(self, number: int, seat: int) -> None:
        self.tricks.append(Taken(number, self.leader, self.step, tuple(self.trick), self.winner, seat, self.out))
        self.trick = []
        if self.emit is not None:
            self.emit(TrickTaken(number, Seat(seat)))

    def f_tricks_given_away(self, seat: int, to: int) -> None:
        self.tricks = [trick._replace(holder=to) if trick.holder == seat else trick for trick in self.tricks]
        if self.emit is not None:
            self.emit(TricksGivenAway(Seat(seat), Seat(to)))

    def f_hand_tricks_made(self, hands: Sequence[Sequence[int]]) -> None:
        for seat, hand in enumerate(hands):
            self.tricks += [Taken(0, seat, 1, (card,), seat, seat, NOBODY) for card in hand]
        self.hands = [[] for _ in range(self.seats)]
        self.opened = [()] * self.seats
        if self.emit is not None:
            self.emit(HandTricksMade(tuple(map(tuple, hands))))

    def f_round_scored(self, number: int, lines: Lines, scores: tuple[int, ...]) -> None:
        self.rounds = (*self.rounds, Round(self.dealer, self.rules, lines, scores))
        self.scores = [total + score for total, score in zip(self.scores, scores, strict=True)]
        if self.emit is not None:
            self.emit(RoundScored(number, tuple(StichScoreLine(rule, totals) for rule, totals in lines), scores))

    def f_choosers_shown(self, chosen: Sequence[tuple[int, ...]]) -> None:
        self.stage = stages.OVER
        self.asked = ()
        if self.emit is not None:
            shown = tuple(tuple(None if rule == NOBODY else rule for rule in each) for each in chosen)
            self.emit(ChoosersShown(shown))
