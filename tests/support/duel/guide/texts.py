"""The texts of Duel in German and English.

Keys that go on behind a prompt or an event are for some arguments and readers only (`domain/wording.py`).
"""

from __future__ import annotations

from collections.abc import Mapping

from tafelrunde.domain.game import Message

from ..cards import DECK, SUITS, rank, suit

HOW = "Ablauf"
"""The section of the German rules that the refusals come from."""

SUIT_NAMES: Mapping[str, Message] = {"moon": Message("Mond", "moon"), "sun": Message("Sonne", "sun")}

TEXTS: Mapping[str, Message] = {
    "prompt.bid": Message("Alle sagen an: 0 bis {cards} Stiche.", "Everybody bids 0 to {cards} tricks."),
    "prompt.bid.cards.1": Message("Alle sagen an: 0 oder 1.", "Everybody bids 0 or 1."),
    "prompt.bid.you": Message("Sag an: 0 bis {cards} Stiche.", "Bid 0 to {cards} tricks."),
    "prompt.bid.cards.1.you": Message("Sag an: 0 oder 1.", "Bid 0 or 1."),
    "prompt.play": Message("Platz {seat} spielt zum {trick}. Stich.", "Seat {seat} plays to trick {trick}."),
    "prompt.play.you": Message("Spiele zum {trick}. Stich.", "Play to trick {trick}."),
    "refusal.not-asked": Message("Du bist nicht gefragt.", "You are not asked.", HOW),
    "refusal.not-now": Message("Das geht jetzt nicht.", "That is not possible now.", HOW),
    "refusal.no-such-bid": Message("Möglich sind 0 bis {cards}.", "Only 0 to {cards} are possible.", HOW),
    "refusal.bid-unchanged": Message("Du hast schon {tricks} angesagt.", "You have already bid {tricks}.", HOW),
    "refusal.card-not-held": Message("Du hast diese Karte nicht.", "You do not hold this card.", HOW),
    "refusal.must-follow-suit": Message("Du musst {suit} bedienen.", "You must follow suit {suit}.", HOW),
    "option.cards": Message("Karten", "Cards"),
    "option.prizes": Message("Wert der Stiche", "Worth of the tricks"),
    "option.first_seat": Message("Wer beginnt", "Who leads"),
    "bid": Message("{tricks} ansagen", "Bid {tricks}"),
    "play-card": Message("{card} spielen", "Play {card}"),
    "dealt.1": Message("Es wird gegeben, Platz {first} beginnt.", "Cards are dealt, seat {first} leads."),
    "dealt.1.first.you": Message("Es wird gegeben, du beginnst.", "Cards are dealt, you lead."),
    "bid-made.1": Message("Platz {seat} sagt {tricks} an.", "Seat {seat} bids {tricks}."),
    "bid-made.1.seat.you": Message("Du sagst {tricks} an.", "You bid {tricks}."),
    "bids-shown.1": Message("Die Ansagen: {bids}.", "The bids: {bids}."),
    "card-played.1": Message("Platz {seat} spielt {card}.", "Seat {seat} plays {card}."),
    "card-played.1.seat.you": Message("Du spielst {card}.", "You play {card}."),
    "trick-taken.1": Message("Der Stich ({prize}) geht an Platz {seat}.", "Seat {seat} takes the trick ({prize})."),
    "trick-taken.1.seat.you": Message("Der Stich ({prize}) geht an dich.", "You take the trick ({prize})."),
    "scored.1": Message("Endstand: {scores}.", "Final scores: {scores}."),
}


def _card(card: int) -> Message:
    name = SUIT_NAMES[SUITS[suit(card)]]
    return Message(f"{name.de} {rank(card)}", f"{name.en} {rank(card)}")


MESSAGES: Mapping[str, Message] = {
    "duel": Message("Duell", "Duel"),
    **{f"duel.{key}": text for key, text in TEXTS.items()},
    **{f"duel.suit.{key}": text for key, text in SUIT_NAMES.items()},
    **{f"duel.card.{card}": _card(card) for card in DECK},
}
