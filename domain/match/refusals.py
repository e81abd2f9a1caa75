"""Why a match refuses a command, and what is said to people then."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from ..game import DecisionId, Message, Refusal, RuleViolation


class MatchRefusal(Enum):
    """Why the match, not its game, refuses a command."""

    ALREADY_OPENED = "already-opened"
    NOT_OPEN = "not-open"
    NOT_RUNNING = "not-running"
    NOT_OVER = "not-over"
    FINISHED = "finished"
    NOT_HOST = "not-host"
    NOT_SEATED = "not-seated"
    ALREADY_SEATED = "already-seated"
    SEAT_UNKNOWN = "seat-unknown"
    SEAT_TAKEN = "seat-taken"
    SEAT_EMPTY = "seat-empty"
    MATCH_FULL = "match-full"
    SEATS_EMPTY = "seats-empty"
    BOT_UNKNOWN = "bot-unknown"
    OTHER_GAME = "other-game"
    NEVER_STARTED = "never-started"
    NO_RESULT = "no-result"
    PLACINGS_WRONG = "placings-wrong"
    DECISION_UNKNOWN = "decision-unknown"
    NO_HINTS = "no-hints"
    NOT_ASKED = "not-asked"
    CLEARED_BY_HOST = "cleared-by-host"
    SEATED_TOO_OFTEN = "seated-too-often"
    HEIR_NOT_SEATED = "heir-not-seated"
    NAME_LOOKS_ALIKE = "name-looks-alike"


MATCH_MESSAGES: Mapping[str, Message] = {
    "match.refusal.already-opened": Message("Diese Partie gibt es schon.", "This match has already been opened."),
    "match.refusal.not-open": Message("Die Partie hat schon begonnen.", "The match has already begun."),
    "match.refusal.not-running": Message("Die Partie läuft nicht.", "The match is not running."),
    "match.refusal.not-over": Message("Die Partie ist noch nicht zu Ende.", "The match is not over yet."),
    "match.refusal.finished": Message("Die Partie ist beendet.", "The match is finished."),
    "match.refusal.not-host": Message("Das darf nur, wer die Partie eröffnet hat.", "Only the host may do this."),
    "match.refusal.not-seated": Message("Du sitzt nicht an diesem Tisch.", "You do not sit at this table."),
    "match.refusal.already-seated": Message("Du sitzt schon an diesem Tisch.", "You already sit at this table."),
    "match.refusal.seat-unknown": Message("Diesen Platz gibt es nicht.", "There is no such seat."),
    "match.refusal.seat-taken": Message("Dieser Platz ist besetzt.", "This seat is taken."),
    "match.refusal.seat-empty": Message("Dieser Platz ist leer.", "This seat is empty."),
    "match.refusal.match-full": Message("Alle Plätze sind besetzt.", "All seats are taken."),
    "match.refusal.seats-empty": Message("Es sind noch Plätze frei.", "Some seats are still empty."),
    "match.refusal.bot-unknown": Message("Diesen Bot gibt es nicht.", "There is no such bot."),
    "match.refusal.other-game": Message("Dieser Zug gehört zu einem anderen Spiel.", "This move belongs to another game."),
    "match.refusal.never-started": Message("Die Partie hat nie begonnen.", "The match has never begun."),
    "match.refusal.no-result": Message("Die Partie hat kein Ergebnis.", "The match has no result."),
    "match.refusal.placings-wrong": Message(
        "Jeder Platz braucht genau einen Rang, und einer den ersten.", "Every seat needs one rank, and one the first."
    ),
    "match.refusal.decision-unknown": Message(
        "Diese Frage wurde in der Partie nie gestellt.", "This decision was never asked in the match."
    ),
    "match.refusal.no-hints": Message("In dieser Partie gibt es keine Hinweise.", "There are no hints in this match."),
    "match.refusal.not-asked": Message("Du bist gerade nicht gefragt.", "You are not asked at the moment."),
    "match.refusal.cleared-by-host": Message(
        "Du wurdest von diesem Tisch entfernt und kannst dich nicht wieder setzen.",
        "The host removed you from this table, so you cannot sit down again.",
    ),
    "match.refusal.seated-too-often": Message(
        "Du hast an diesem Tisch schon zu oft Plätze besetzt.", "You have already filled seats at this table too often."
    ),
    "match.refusal.heir-not-seated": Message(
        "Gastgeber kann nur werden, wer am Tisch sitzt.", "Only a player who sits at the table can become its host."
    ),
    "match.refusal.name-looks-alike": Message(
        "Dein Name sieht aus wie ein anderer an diesem Tisch. Nimm bitte einen anderen.",
        "Your name looks like another one at this table. Please choose a different one.",
    ),
    "match.refusal.decision-closed": Message("Diese Frage ist nicht mehr offen.", "This decision is no longer open."),
}


class MatchRefused(RuleViolation):
    """The match refuses the command; the refusal's code is a `MatchRefusal` value."""

    def __init__(self, code: MatchRefusal) -> None:
        super().__init__(Refusal(code.value))


def require(truth: bool, code: MatchRefusal) -> None:
    """Raise MatchRefused with *code* unless *truth* holds."""
    if not truth:
        raise MatchRefused(code)


class DecisionNotOpen(RuleViolation):
    """The answered decision is not open to this seat; `current` is the one that is, if any."""

    def __init__(self, decision: DecisionId, current: DecisionId | None) -> None:
        super().__init__(Refusal("decision-closed"))
        self.decision = decision
        self.current = current
