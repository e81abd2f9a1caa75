"""The words of Duel."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, TypeAlias, cast

import msgspec

from tafelrunde.domain.game import Command, Event, GameView, Message, Options, Seat
from tafelrunde.domain.secrecy import PerSeat, Public, Recipient, closed


class DuelOptions(Options, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How many cards, what each trick is worth (nothing said: one point), and who leads (None: drawn by lot)."""

    cards: Annotated[int, msgspec.Meta(ge=1, le=4)] = 2
    prizes: tuple[Annotated[int, msgspec.Meta(ge=1, le=9)], ...] = ()
    first_seat: Annotated[int, msgspec.Meta(ge=0, le=3)] | None = None


class Bid(Command, frozen=True, tag="duel.bid"):
    """Say, or say anew, how many tricks the own seat will take."""

    tricks: int


class PlayCard(Command, frozen=True, tag="duel.play-card"):
    """Play a card to the trick."""

    card: int


DuelCommand: TypeAlias = Bid | PlayCard


class Dealt(Event, frozen=True, tag="duel.dealt.1"):
    """The cards were dealt."""

    first: Public[Seat]
    hands: PerSeat[tuple[int, ...]]


class BidMade(Event, frozen=True, tag="duel.bid-made.1"):
    """A seat bid; nobody else is told."""

    seat: Recipient[Seat]
    tricks: int


class BidsShown(Event, frozen=True, tag="duel.bids-shown.1"):
    """All bids are in."""

    bids: Public[tuple[int, ...]]


class CardPlayed(Event, frozen=True, tag="duel.card-played.1"):
    """A seat played a card."""

    seat: Public[Seat]
    card: Public[int]


class TrickTaken(Event, frozen=True, tag="duel.trick-taken.1"):
    """A seat took the trick."""

    seat: Public[Seat]
    prize: Public[int]


class Scored(Event, frozen=True, tag="duel.scored.1"):
    """The match is over."""

    scores: Public[tuple[int, ...]]


DuelEvent: TypeAlias = Dealt | BidMade | BidsShown | CardPlayed | TrickTaken | Scored
EVENT_TYPES = cast("tuple[type[DuelEvent], ...]", closed(DuelEvent))


class DuelView(GameView, frozen=True, kw_only=True, tag="duel"):
    """What a seat knows: its hand, its bid, and all that lies open. `voids` are suits that a seat was seen not to have."""

    seat: Seat | None
    options: DuelOptions
    decision: int
    first: Seat | None
    hand: tuple[int, ...] | None
    held: tuple[int, ...]
    bid: int | None
    bids: tuple[int, ...] | None
    plays: tuple[tuple[Seat, int], ...]
    voids: tuple[tuple[int, ...], ...]
    taken: tuple[int, ...]
    points: tuple[int, ...]
    scores: tuple[int, ...] | None


class DuelRefusal(Enum):
    """Why Duel refuses a command."""

    NOT_ASKED = "not-asked"
    NOT_NOW = "not-now"
    NO_SUCH_BID = "no-such-bid"
    BID_UNCHANGED = "bid-unchanged"
    CARD_NOT_HELD = "card-not-held"
    MUST_FOLLOW_SUIT = "must-follow-suit"


MESSAGES: Mapping[str, Message] = {
    "duel": Message("Duell", "Duel"),
    "duel.prompt.bid": Message("Alle sagen an: 0 bis {cards} Stiche.", "Everybody bids 0 to {cards} tricks."),
    "duel.prompt.bid.you": Message("Sag an: 0 bis {cards} Stiche.", "Bid 0 to {cards} tricks."),
    "duel.prompt.play": Message("Platz {seat} spielt zum {trick}. Stich.", "Seat {seat} plays to trick {trick}."),
    "duel.prompt.play.you": Message("Spiele zum {trick}. Stich.", "Play to trick {trick}."),
    "duel.refusal.not-asked": Message("Du bist nicht gefragt.", "You are not asked."),
    "duel.refusal.not-now": Message("Das geht jetzt nicht.", "That is not possible now."),
    "duel.refusal.no-such-bid": Message("Möglich sind 0 bis {cards}.", "Only 0 to {cards} are possible."),
    "duel.refusal.bid-unchanged": Message("Du hast schon {tricks} angesagt.", "You have already bid {tricks}."),
    "duel.refusal.card-not-held": Message("Du hast diese Karte nicht.", "You do not hold this card."),
    "duel.refusal.must-follow-suit": Message("Du musst Farbe {suit} bedienen.", "You must follow suit {suit}."),
    "duel.option.cards": Message("Karten", "Cards"),
    "duel.option.prizes": Message("Wert der Stiche", "Worth of the tricks"),
    "duel.option.first_seat": Message("Wer beginnt", "Who leads"),
    "duel.bid": Message("{tricks} ansagen", "Bid {tricks}"),
    "duel.play-card": Message("Karte {card} spielen", "Play card {card}"),
    "duel.dealt.1": Message("Es wird gegeben, Platz {first} beginnt.", "Cards are dealt, seat {first} leads."),
    "duel.bid-made.1": Message("Platz {seat} sagt {tricks} an.", "Seat {seat} bids {tricks}."),
    "duel.bids-shown.1": Message("Die Ansagen: {bids}.", "The bids: {bids}."),
    "duel.card-played.1": Message("Platz {seat} spielt Karte {card}.", "Seat {seat} plays card {card}."),
    "duel.trick-taken.1": Message("Der Stich ({prize}) geht an Platz {seat}.", "Seat {seat} takes the trick ({prize})."),
    "duel.scored.1": Message("Endstand: {scores}.", "Final scores: {scores}."),
}
