"""The texts of Meister Coup in German and English. Seats and cards stand as `{name}`; `rule` names where they come from.

Keys that go on behind a prompt or an event are for some arguments and readers only (`domain/wording.py`).
"""

from __future__ import annotations

from collections.abc import Mapping

from ...game import Message
from ..cards import CARDS, COLOUR_OF, COLOURS, VALUE_OF
from ..table import TEAMS
from .reasons import WHY
from .tips import ABOUT, EXAMPLES, TIPS

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
    "vote.you": Message(
        "Runde {round}: Einige dich mit deinem Team, wessen Ergebnis eingetragen wird.",
        "Round {round}: agree with your team on whose result is entered.",
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
    "dealt.1.leader.you": Message("Runde {round}: Du beginnst.", "Round {round}: you begin."),
    "card-played.1": Message("Platz {seat} spielt {card}.", "Seat {seat} plays {card}."),
    "card-played.1.seat.you": Message("Du spielst {card}.", "You play {card}."),
    "trick-ranked.1": Message(
        "Stich {number}: {colour} hat die Mehrheit. Platz {winner} gewinnt vor Platz {runner_up}.",
        "Trick {number}: {colour} has the majority. Seat {winner} wins, ahead of seat {runner_up}.",
    ),
    "trick-ranked.1.winner.you": Message(
        "Stich {number}: {colour} hat die Mehrheit. Du gewinnst vor Platz {runner_up}.",
        "Trick {number}: {colour} has the majority. You win, ahead of seat {runner_up}.",
    ),
    "trick-ranked.1.runner_up.you": Message(
        "Stich {number}: {colour} hat die Mehrheit. Platz {winner} gewinnt vor dir.",
        "Trick {number}: {colour} has the majority. Seat {winner} wins, ahead of you.",
    ),
    "card-picked.1": Message("Platz {seat} nimmt {card}.", "Seat {seat} picks {card}."),
    "card-picked.1.seat.you": Message("Du nimmst {card}.", "You pick {card}."),
    "choice-given.1": Message(
        "Platz {seat} wählt unter gleichen Karten: {equal}.", "Seat {seat} chooses among equal cards: {equal}."
    ),
    "choice-given.1.seat.you": Message("Du wählst unter gleichen Karten: {equal}.", "You choose among equal cards: {equal}."),
    "cards-taken.1": Message("Platz {seat} nimmt {cards}.", "Seat {seat} takes {cards}."),
    "cards-taken.1.seat.you": Message("Du nimmst {cards}.", "You take {cards}."),
    "meistercoup-ticked.1": Message(
        "Platz {seat} gelingt ein Meistercoup, der {total}. insgesamt.", "Seat {seat} lands a Meistercoup, number {total} in all."
    ),
    "meistercoup-ticked.1.seat.you": Message(
        "Dir gelingt ein Meistercoup, der {total}. insgesamt.", "You land a Meistercoup, number {total} in all."
    ),
    "trick-cleared.1": Message(
        "Stich {number} ist fertig; Platz {leader} beginnt.", "Trick {number} is done; seat {leader} begins."
    ),
    "trick-cleared.1.leader.you": Message("Stich {number} ist fertig; du beginnst.", "Trick {number} is done; you begin."),
    "round-scored.1": Message("Punkte in Runde {round}: {points}.", "Points in round {round}: {points}."),
    "member-proposed.1": Message(
        "Platz {seat} schlägt das Ergebnis von Platz {member} vor.", "Seat {seat} proposes the result of seat {member}."
    ),
    "member-proposed.1.seat.you": Message(
        "Du schlägst das Ergebnis von Platz {member} vor.", "You propose the result of seat {member}."
    ),
    "member-proposed.1.seat.you.member.you": Message("Du schlägst dein eigenes Ergebnis vor.", "You propose your own result."),
    "member-proposed.1.member.you": Message("Platz {seat} schlägt dein Ergebnis vor.", "Seat {seat} proposes your result."),
    "member-agreed.1": Message(
        "Platz {seat} stimmt für das Ergebnis von Platz {member}.", "Seat {seat} agrees to the result of seat {member}."
    ),
    "member-agreed.1.seat.you": Message(
        "Du stimmst für das Ergebnis von Platz {member}.", "You agree to the result of seat {member}."
    ),
    "member-agreed.1.seat.you.member.you": Message("Du stimmst für dein eigenes Ergebnis.", "You agree to your own result."),
    "member-agreed.1.member.you": Message("Platz {seat} stimmt für dein Ergebnis.", "Seat {seat} agrees to your result."),
    "result-entered.1": Message(
        "{team} trägt das Ergebnis von Platz {member} ein (Punkte: {points}, Meistercoups: {meistercoups}).",
        "{team} enters the result of seat {member} (points: {points}, Meistercoups: {meistercoups}).",
    ),
    "result-entered.1.member.you": Message(
        "{team} trägt dein Ergebnis ein (Punkte: {points}, Meistercoups: {meistercoups}).",
        "{team} enters your result (points: {points}, Meistercoups: {meistercoups}).",
    ),
    "won.1": Message("Gewonnen: {winners}.", "Won by: {winners}."),
    "won.1.winners.one": Message("Platz {winners} gewinnt.", "Seat {winners} wins."),
    "won.1.winners.you": Message("Du gewinnst.", "You win."),
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

TEAM_NAMES: Mapping[int, Message] = {team: Message(f"Team {team + 1}", f"Team {team + 1}") for team in range(TEAMS)}
"""Teams are counted from 0 in events and views, and from 1 in what people read."""

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
    **{f"meister-coup.{what}.{card}": _card(card) for what in ("card", "equal") for card in range(CARDS)},
    **{f"meister-coup.team.{team}": text for team, text in TEAM_NAMES.items()},
    **{f"meister-coup.reason.{key}": text for key, text in REASONS.items()},
    **{f"meister-coup.option.{key}": text for key, text in OPTIONS.items()},
    **{f"meister-coup.why.{key}": text for key, text in WHY.items()},
    "meister-coup.about": ABOUT,
    **{f"meister-coup.tip.{key}": text for key, text in TIPS.items()},
    **{f"meister-coup.example.{key}": text for key, text in EXAMPLES.items()},
}
