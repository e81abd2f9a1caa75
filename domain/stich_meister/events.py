"""What happens in Stich-Meister. Nullable fields are those that some viewers may not know."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias, cast

import msgspec

from ..game import Event, Seat
from ..secrecy import PerSeat, Public, Recipient, Secret, closed
from .cards import Suit
from .messages import CardNumber


class Gathering(Enum):
    """What all seats, or all but the leader, decide at the same time and in secret."""

    RIGHTWARD = "pass-right"
    LEFTWARD = "pass-left"
    SET_ASIDE = "set-aside"
    OPEN_CARDS = "open-cards"
    PLAY_HIDDEN = "play-hidden"
    LEFTWARD_LATER = "pass-after"


class StichPlay(msgspec.Struct, frozen=True):
    """A card that a seat played."""

    seat: Seat
    card: CardNumber


class StichScoreLine(msgspec.Struct, frozen=True):
    """Every seat's running total of the round after a scoring rule; rule 0 counts the tricks."""

    rule: int
    totals: tuple[int, ...]


class StichDealt(Event, frozen=True, tag="stich-meister.dealt.1"):
    """A round begins: all cards are dealt, and rule cards refilled to three each; `rule_deck` is the rest, top first.

    `choosers` are the seats that are asked for a rule card; none if the rules are an option of the match.
    """

    round: Public[int]
    dealer: Public[Seat]
    hands: PerSeat[tuple[int, ...]]
    new_rules: PerSeat[tuple[int, ...]]
    rule_deck: Secret[tuple[int, ...]]
    choosers: Public[tuple[Seat, ...]]


class RuleChosen(Event, frozen=True, tag="stich-meister.rule-chosen.1"):
    """A seat chose its rule card. Only that seat sees it."""

    seat: Recipient[Seat]
    rule: int


class RulesShown(Event, frozen=True, tag="stich-meister.rules-shown.1"):
    """The four rules of the round, in number order: it stays secret who chose which."""

    rules: Public[tuple[int, ...]]


class GatheringBegun(Event, frozen=True, tag="stich-meister.gathering-begun.1"):
    """These seats decide at once and in secret."""

    gathering: Public[Gathering]
    seats: Public[tuple[Seat, ...]]


class CardsPassed(Event, frozen=True, tag="stich-meister.cards-passed.1"):
    """A seat chose the cards that it passes on. Only that seat sees it."""

    seat: Recipient[Seat]
    cards: tuple[int, ...]


class CardsReceived(Event, frozen=True, tag="stich-meister.cards-received.1"):
    """All pick up what their neighbour passed, in seat order.

    `opened`: those of them that lay open before the giver (rule 25); they are hidden cards now.
    """

    received: PerSeat[tuple[int, ...]]
    opened: Public[tuple[tuple[int, ...], ...]]


class CardSetAside(Event, frozen=True, tag="stich-meister.card-set-aside.1"):
    """A seat chose its card for the last trick. Only that seat sees it."""

    seat: Recipient[Seat]
    card: int


class CardsSetAside(Event, frozen=True, tag="stich-meister.cards-set-aside.1"):
    """Every seat's card for the last trick lies aside, face down."""

    cards: PerSeat[int]


class OpeningChosen(Event, frozen=True, tag="stich-meister.opening-chosen.1"):
    """A seat chose the cards that will lie open. Only that seat sees it."""

    seat: Recipient[Seat]
    cards: tuple[int, ...]


class CardsOpened(Event, frozen=True, tag="stich-meister.cards-opened.1"):
    """The cards that the seats chose lie open; they stay hand cards."""

    cards: Public[tuple[tuple[int, ...], ...]]


class TrickBegun(Event, frozen=True, tag="stich-meister.trick-begun.1"):
    """A trick begins. `step` is 1 clockwise, -1 the other way; the leader is not asked if the set-aside cards make the trick."""

    number: Public[int]
    leader: Public[Seat]
    step: Public[int]
    asked: Public[bool]


class CardPlayed(Event, frozen=True, tag="stich-meister.card-played.1"):
    """A seat played a card openly; `next` is asked now."""

    seat: Public[Seat]
    card: Public[int]
    next: Public[Seat | None]


class TrumpSet(Event, frozen=True, tag="stich-meister.trump-set.1"):
    """The first card of the second trick made its suit trump (rule 21)."""

    suit: Public[Suit]


class CardHiddenPlayed(Event, frozen=True, tag="stich-meister.card-hidden-played.1"):
    """A seat chose its card face down (rule 26). Only that seat sees it."""

    seat: Recipient[Seat]
    card: int


class CardsTurnedUp(Event, frozen=True, tag="stich-meister.cards-turned-up.1"):
    """Cards played face down, or set aside, are turned up, in the order of play."""

    plays: Public[tuple[StichPlay, ...]]


class TrickWon(Event, frozen=True, tag="stich-meister.trick-won.1"):
    """A seat won the trick. `asked`: it takes a card of it out of the game (rule 34)."""

    number: Public[int]
    seat: Public[Seat]
    asked: Public[bool]


class CardTakenOut(Event, frozen=True, tag="stich-meister.card-taken-out.1"):
    """The winner took a card of the trick out of the game."""

    seat: Public[Seat]
    card: Public[int]


class TrickTaken(Event, frozen=True, tag="stich-meister.trick-taken.1"):
    """The trick lies before a seat: its winner, or the winner's left neighbour (rule 35)."""

    number: Public[int]
    seat: Public[Seat]


class TricksGivenAway(Event, frozen=True, tag="stich-meister.tricks-given-away.1"):
    """The winner of the last trick gave all tricks that it held to its left neighbour (rule 39)."""

    seat: Public[Seat]
    to: Public[Seat]


class HandTricksMade(Event, frozen=True, tag="stich-meister.hand-tricks-made.1"):
    """Each remaining hand card became a trick of its owner (rule 40)."""

    hands: Public[tuple[tuple[int, ...], ...]]


class RoundScored(Event, frozen=True, tag="stich-meister.round-scored.1"):
    """The round's points, rule by rule, and what they came to."""

    round: Public[int]
    lines: Public[tuple[StichScoreLine, ...]]
    scores: Public[tuple[int, ...]]


class ChoosersShown(Event, frozen=True, tag="stich-meister.choosers-shown.1"):
    """The match is over: for each round, which rule each seat had chosen."""

    chosen: Public[tuple[tuple[int | None, ...], ...]]


StichEvent: TypeAlias = (
    StichDealt
    | RuleChosen
    | RulesShown
    | GatheringBegun
    | CardsPassed
    | CardsReceived
    | CardSetAside
    | CardsSetAside
    | OpeningChosen
    | CardsOpened
    | TrickBegun
    | CardPlayed
    | TrumpSet
    | CardHiddenPlayed
    | CardsTurnedUp
    | TrickWon
    | CardTakenOut
    | TrickTaken
    | TricksGivenAway
    | HandTricksMade
    | RoundScored
    | ChoosersShown
)
EVENT_TYPES = cast("tuple[type[StichEvent], ...]", closed(StichEvent))  # closed returns the members of the union
