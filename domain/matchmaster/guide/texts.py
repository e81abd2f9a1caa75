"""The texts of MatchMaster in German and English. Seats, cards and suits stand as `{name}`; `rule` names their source.

Keys that go on behind a prompt or an event are for some arguments and readers only (`domain/wording.py`).
"""

from __future__ import annotations

from collections.abc import Mapping

from ...game import Message
from ..cards import CARDS, SUITS, suit_of, value_of
from .reasons import WHY
from .tips import ABOUT, EXAMPLES, TIPS

SUIT_NAMES: Mapping[str, Message] = {
    "dark_orange": Message("Dunkelorange", "dark orange"),
    "light_orange": Message("Hellorange", "light orange"),
    "dark_blue": Message("Dunkelblau", "dark blue"),
    "light_blue": Message("Hellblau", "light blue"),
}

PROMPTS: Mapping[str, Message] = {
    "bid": Message(
        "Runde {round}: Alle sagen geheim an, wie viele der {size} Stiche sie machen.",
        "Round {round}: everybody secretly bids how many of the {size} tricks they will take.",
    ),
    "bid.size.1": Message(
        "Runde {round}: Alle sagen geheim an, ob sie den einen Stich machen.",
        "Round {round}: everybody secretly bids whether they will take the only trick.",
    ),
    "bid.you": Message(
        "Runde {round}: Sag geheim an, wie viele der {size} Stiche du machst.",
        "Round {round}: secretly bid how many of the {size} tricks you will take.",
    ),
    "bid.size.1.you": Message(
        "Runde {round}: Sag geheim an, ob du den einen Stich machst.",
        "Round {round}: secretly bid whether you will take the only trick.",
    ),
    "play": Message("Platz {seat} spielt eine Karte zu Stich {trick}.", "Seat {seat} plays a card to trick {trick}."),
    "play.you": Message("Spiele eine Karte zu Stich {trick}.", "Play a card to trick {trick}."),
    "play.cards.0": Message("Platz {seat} spielt zu Stich {trick} aus.", "Seat {seat} leads to trick {trick}."),
    "play.cards.0.you": Message("Spiele zu Stich {trick} aus.", "Lead to trick {trick}."),
}

REFUSALS: Mapping[str, Message] = {
    "not-asked": Message("Du wirst gerade nicht gefragt.", "You are not asked now.", "Spielverlauf"),
    "not-now": Message("Das passt nicht zu dem, was gerade gefragt ist.", "This does not answer what is asked.", "Spielverlauf"),
    "bid-out-of-range": Message("Möglich sind 0 bis {most} Stiche.", "You can bid 0 to {most} tricks.", "Spielverlauf"),
    "bid-unchanged": Message("Du hast schon {tricks} angesagt.", "You have already bid {tricks}.", "Spielverlauf"),
    "card-not-held": Message("{card} hast du nicht auf der Hand.", "You do not hold {card}.", "Während des Spiels gilt"),
    "must-follow": Message("Du musst {suit} bedienen.", "You must follow {suit}.", "Während des Spiels gilt"),
    "must-trump": Message(
        "Du kannst nicht bedienen und musst Trumpf spielen: {suit}.",
        "You cannot follow, so you must trump: {suit}.",
        "Während des Spiels gilt",
    ),
    "must-beat": Message("Du musst {suit} {value} übertrumpfen.", "You must beat {suit} {value}.", "Während des Spiels gilt"),
}

COMMANDS: Mapping[str, Message] = {
    "place-bid": Message("{tricks} ansagen", "Bid {tricks}"),
    "play-card": Message("{card} spielen", "Play {card}"),
}

EVENTS: Mapping[str, Message] = {
    "dealt.1": Message(
        "Runde {round}: Platz {dealer} gibt jedem {size} Karten.", "Round {round}: seat {dealer} deals everybody {size} cards."
    ),
    "dealt.1.size.1": Message(
        "Runde {round}: Platz {dealer} gibt jedem eine Karte.", "Round {round}: seat {dealer} deals everybody one card."
    ),
    "dealt.1.dealer.you": Message(
        "Runde {round}: Du gibst jedem {size} Karten.", "Round {round}: you deal everybody {size} cards."
    ),
    "dealt.1.size.1.dealer.you": Message(
        "Runde {round}: Du gibst jedem eine Karte.", "Round {round}: you deal everybody one card."
    ),
    "bid-placed.1": Message("Platz {seat} sagt {tricks} Stiche an.", "Seat {seat} bids {tricks} tricks."),
    "bid-placed.1.tricks.0": Message("Platz {seat} sagt keinen Stich an.", "Seat {seat} bids no tricks."),
    "bid-placed.1.tricks.1": Message("Platz {seat} sagt einen Stich an.", "Seat {seat} bids one trick."),
    "bid-placed.1.seat.you": Message("Du sagst {tricks} Stiche an.", "You bid {tricks} tricks."),
    "bid-placed.1.seat.you.tricks.0": Message("Du sagst keinen Stich an.", "You bid no tricks."),
    "bid-placed.1.seat.you.tricks.1": Message("Du sagst einen Stich an.", "You bid one trick."),
    "bids-shown.1": Message("Angesagt: {bids}.", "Bids: {bids}."),
    "card-played.1": Message("Platz {seat} spielt {card}.", "Seat {seat} plays {card}."),
    "card-played.1.seat.you": Message("Du spielst {card}.", "You play {card}."),
    "trick-won.1": Message("Der Stich geht an Platz {seat}.", "Seat {seat} takes the trick."),
    "trick-won.1.seat.you": Message("Der Stich geht an dich.", "You take the trick."),
    "round-scored.1": Message(
        "Punkte in Runde {round}: {points}. Spielstand: {scores}.", "Points in round {round}: {points}. Totals: {scores}."
    ),
}

OPTIONS: Mapping[str, Message] = {
    "first_dealer": Message("Wer zuerst gibt", "Who deals first"),
    "first_dealer.random": Message("wird ausgelost", "drawn at random"),
}


def _card(card: int) -> Message:
    suit = SUIT_NAMES[SUITS[suit_of(card)].value]
    value = value_of(card)
    return Message(f"{suit.de} {value}", f"{suit.en} {value}")


MESSAGES: Mapping[str, Message] = {
    "matchmaster": Message("MatchMaster", "MatchMaster"),
    **{f"matchmaster.prompt.{key}": text for key, text in PROMPTS.items()},
    **{f"matchmaster.refusal.{key}": text for key, text in REFUSALS.items()},
    **{f"matchmaster.{key}": text for key, text in (*COMMANDS.items(), *EVENTS.items())},
    **{f"matchmaster.suit.{key}": text for key, text in SUIT_NAMES.items()},
    **{f"matchmaster.card.{card}": _card(card) for card in range(CARDS)},
    **{f"matchmaster.option.{key}": text for key, text in OPTIONS.items()},
    **{f"matchmaster.why.{key}": text for key, text in WHY.items()},
    "matchmaster.about": ABOUT,
    **{f"matchmaster.tip.{key}": text for key, text in TIPS.items()},
    **{f"matchmaster.example.{key}": text for key, text in EXAMPLES.items()},
}
