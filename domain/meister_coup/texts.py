"""The texts of Meister Coup in German and English. Seats and cards stand as `{name}`; `rule` names where they come from."""

from __future__ import annotations

from collections.abc import Mapping

from ..game import Message
from .cards import CARDS, COLOUR_OF, COLOURS, VALUE_OF

WINNING = "Einen Stich gewinnen"

PROMPTS: Mapping[str, Message] = {
    "lead": Message(
        "Runde {round}: Platz {seat} spielt zu Stich {trick} aus.", "Round {round}: seat {seat} leads to trick {trick}."
    ),
    "play": Message("Platz {seat} spielt eine Karte zu Stich {trick}.", "Seat {seat} plays a card to trick {trick}."),
    "pick": Message(
        "Platz {seat} gewinnt Stich {trick} und wählt eine Karte daraus.",
        "Seat {seat} wins trick {trick} and picks a card of it.",
    ),
    "take": Message(
        "Platz {seat} nimmt die zwei niedrigsten Karten und wählt unter gleichen.",
        "Seat {seat} takes the two lowest cards and chooses among equal ones.",
    ),
    "vote": Message(
        "Runde {round}: Jedes Team einigt sich, wessen Ergebnis es einträgt.",
        "Round {round}: each team agrees on whose result it enters.",
    ),
    "lead.you": Message("Runde {round}: Spiele zu Stich {trick} aus.", "Round {round}: lead to trick {trick}."),
    "play.you": Message("Spiele eine Karte zu Stich {trick}.", "Play a card to trick {trick}."),
    "pick.you": Message("Du gewinnst Stich {trick}: Wähle eine Karte daraus.", "You win trick {trick}: pick a card of it."),
    "take.you": Message(
        "Du nimmst die zwei niedrigsten Karten: Wähle unter gleichen.", "You take the two lowest cards: choose among equal ones."
    ),
}

REFUSALS: Mapping[str, Message] = {
    "not-asked": Message("Du wirst gerade nicht gefragt.", "You are not asked now.", "Ablauf einer Runde"),
    "not-now": Message("Das passt nicht zu dem, was gefragt ist.", "This does not answer what is asked.", "Ablauf einer Runde"),
    "card-unknown": Message("Eine Karte {card} gibt es nicht.", "There is no card {card}.", "Spielmaterial"),
    "card-not-held": Message(
        "{colour} {value} hast du nicht auf der Hand.", "You do not hold {colour} {value}.", "Eine Karte ausspielen"
    ),
    "not-in-trick": Message("{colour} {value} liegt nicht im Stich.", "{colour} {value} is not in the trick.", WINNING),
    "card-picked": Message(
        "{colour} {value} hat schon, wer den Stich gewonnen hat.",
        "The winner of the trick has {colour} {value} already.",
        WINNING,
    ),
    "card-twice": Message("{colour} {value} hast du zweimal genannt.", "You named {colour} {value} twice.", WINNING),
    "wrong-number": Message(
        "Du musst {wanted} Karten nehmen, nicht {given}.", "You have to take {wanted} cards, not {given}.", WINNING
    ),
    "must-take-lower": Message(
        "Es liegt noch eine niedrigere Karte da: {colour} {value}.", "A lower card is still there: {colour} {value}.", WINNING
    ),
    "not-in-team": Message("Platz {seat} gehört nicht zu deinem Team.", "Seat {seat} is not in your team.", "Team-Modus"),
    "nothing-proposed": Message(
        "In deinem Team ist noch nichts vorgeschlagen.", "Nothing is proposed in your team.", "Team-Modus"
    ),
    "already-proposed": Message(
        "Platz {seat} ist schon vorgeschlagen; du kannst zustimmen.",
        "Seat {seat} is proposed already; you can agree.",
        "Team-Modus",
    ),
    "only-best-left": Message(
        "Nach so vielen Vorschlägen kann nur noch Platz {seat} vorgeschlagen werden, das beste Ergebnis.",
        "After so many proposals only seat {seat}, the best result, can still be proposed.",
        "Team-Modus",
    ),
}

COMMANDS: Mapping[str, Message] = {
    "play-card": Message("{card} spielen", "Play {card}"),
    "pick-card": Message("{card} nehmen", "Pick {card}"),
    "take-cards": Message("{cards} nehmen", "Take {cards}"),
    "propose-member": Message("Das Ergebnis von Platz {member} vorschlagen", "Propose the result of seat {member}"),
    "agree-to-member": Message("Dem Vorschlag zustimmen", "Agree to the proposal"),
}

EVENTS: Mapping[str, Message] = {
    "dealt.1": Message("Runde {round}: Platz {leader} beginnt.", "Round {round}: seat {leader} begins."),
    "card-played.1": Message("Platz {seat} spielt {card}.", "Seat {seat} plays {card}."),
    "trick-ranked.1": Message(
        "Stich {number}: {colour} hat die Mehrheit. Platz {winner} gewinnt vor Platz {runner_up}.",
        "Trick {number}: {colour} has the majority. Seat {winner} wins, then comes seat {runner_up}.",
    ),
    "card-picked.1": Message("Platz {seat} nimmt {card}.", "Seat {seat} picks {card}."),
    "choice-given.1": Message(
        "Platz {seat} wählt unter gleichen Karten: {equal}.", "Seat {seat} chooses among equal cards: {equal}."
    ),
    "cards-taken.1": Message("Platz {seat} nimmt {cards}.", "Seat {seat} takes {cards}."),
    "meistercoup-ticked.1": Message(
        "Platz {seat} gelingt ein Meistercoup, der {total}. insgesamt.", "Seat {seat} lands a Meistercoup, number {total} in all."
    ),
    "trick-cleared.1": Message(
        "Stich {number} ist fertig; Platz {leader} beginnt.", "Trick {number} is done; seat {leader} begins."
    ),
    "round-scored.1": Message("Runde {round} bringt die Punkte {points}.", "Round {round} scores {points}."),
    "member-proposed.1": Message("Platz {seat} schlägt Platz {member} vor.", "Seat {seat} proposes seat {member}."),
    "member-agreed.1": Message("Platz {seat} ist auch für Platz {member}.", "Seat {seat} is for seat {member} too."),
    "result-entered.1": Message(
        "Team {team} trägt Platz {member} ein: {points} Punkte, {meistercoups} Meistercoups.",
        "Team {team} enters seat {member}: {points} points, {meistercoups} Meistercoups.",
    ),
    "won.1": Message("Gewonnen: Platz {winners}.", "Won by seat {winners}."),
}

COLOUR_NAMES: Mapping[str, Message] = {
    "violet": Message("Violett", "violet"),
    "blue": Message("Blau", "blue"),
    "green": Message("Grün", "green"),
    "yellow": Message("Gelb", "yellow"),
}

OPTIONS: Mapping[str, Message] = {
    "mode": Message("Spielweise", "Mode"),
    "mode.standard": Message("jeder für sich (3 bis 5)", "everybody alone (3 to 5)"),
    "mode.team": Message("zwei Teams (4 oder 6)", "two teams (4 or 6)"),
    "diamonds": Message("Diamanten der Werte 1 bis 12", "Diamonds of the values 1 to 12"),
    "diamonds.rising": Message("hohe Karten tragen Diamanten", "high cards carry diamonds"),
    "diamonds.falling": Message("niedrige Karten tragen Diamanten", "low cards carry diamonds"),
    "first_leader": Message("Wer zuerst ausspielt", "Who leads first"),
    "first_leader.random": Message("wird ausgelost", "drawn at random"),
}

REASONS: Mapping[str, Message] = {
    "meistercoups": Message("drei Meistercoups", "three Meistercoups"),
    "points": Message("die meisten Punkte", "the most points"),
}


def _card(card: int) -> Message:
    colour = COLOUR_NAMES[COLOURS[COLOUR_OF[card]].value]
    return Message(f"{colour.de} {VALUE_OF[card]}", f"{colour.en} {VALUE_OF[card]}")


MESSAGES: Mapping[str, Message] = {
    "meister-coup": Message("Meister Coup", "Meister Coup"),
    **{f"meister-coup.prompt.{key}": text for key, text in PROMPTS.items()},
    **{f"meister-coup.refusal.{key}": text for key, text in REFUSALS.items()},
    **{f"meister-coup.{key}": text for key, text in (*COMMANDS.items(), *EVENTS.items())},
    **{f"meister-coup.colour.{key}": text for key, text in COLOUR_NAMES.items()},
    **{f"meister-coup.card.{card}": _card(card) for card in range(CARDS)},
    **{f"meister-coup.reason.{key}": text for key, text in REASONS.items()},
    **{f"meister-coup.option.{key}": text for key, text in OPTIONS.items()},
}
