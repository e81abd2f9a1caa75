"""What is said of the match around a table: one text for each of its events."""

from __future__ import annotations

from collections.abc import Mapping

from ..game import Message

MATCH_TEXTS: Mapping[str, Message] = {
    "match.opened.1": Message("Der Tisch ist eröffnet.", "The table is open."),
    "match.hints-allowed.1": Message("In dieser Partie gibt es Hinweise.", "There are hints in this match."),
    "match.branched.1": Message(
        "Geübt wird ab Frage {decision} einer anderen Partie.", "Practice goes on from decision {decision} of another match."
    ),
    "match.seat-taken.1": Message("Platz {seat} setzt sich.", "Seat {seat} sits down."),
    "match.bot-seated.1": Message("Platz {seat} spielt ein Computer.", "Seat {seat} is played by a computer."),
    "match.seat-left.1": Message("Platz {seat} wird wieder frei.", "Seat {seat} is free again."),
    "match.seat-cleared.1": Message("Platz {seat} wird geräumt.", "The host clears seat {seat}."),
    "match.host-passed.1": Message("Der Tisch hat einen neuen Gastgeber.", "The table has a new host."),
    "match.started.1": Message("Die Partie beginnt.", "The match begins."),
    "match.decision-opened.1": Message("Gefragt: {seats}.", "Asked: {seats}."),
    "match.cards-committed.1": Message(
        "{size} verdeckte Karten sind verbindlich hinterlegt.", "{size} hidden cards are committed to."
    ),
    "match.timed-out.1": Message("Die Zeit von Platz {seat} ist abgelaufen.", "The time of seat {seat} is up."),
    "match.hint-taken.1": Message("Platz {seat} hat sich beraten lassen.", "Seat {seat} has taken a hint."),
    "match.stand-in-seated.1": Message(
        "Für Platz {seat} spielt jetzt ein Computer.", "A computer plays for seat {seat} for now."
    ),
    "match.misses-forgotten.1": Message("Platz {seat} antwortet wieder.", "Seat {seat} answers again."),
    "match.seat-handed-back.1": Message("Platz {seat} spielt wieder selbst.", "Seat {seat} is back and plays on."),
    "match.return-noted.1": Message(
        "Platz {seat} hat selbst geantwortet; der Wechsel zeigt sich, wenn die Frage geschlossen ist.",
        "Seat {seat} has answered itself; that shows once the decision is closed.",
    ),
    "match.seat-played.1": Message("Platz {seat} hat zum ersten Mal selbst gespielt.", "Seat {seat} has made its first move."),
    "match.abort-agreed.1": Message("Platz {seat} möchte abbrechen.", "Seat {seat} wants to abort."),
    "match.abort-withdrawn.1": Message("Platz {seat} spielt doch weiter.", "Seat {seat} plays on after all."),
    "match.seat-forfeited.1": Message("Platz {seat} gibt auf.", "Seat {seat} forfeits the match."),
    "match.expired.1": Message("Der Tisch wird geschlossen, weil ihn niemand nutzt.", "The table closes, as nobody uses it."),
    "match.aborted.1": Message("Die Partie endet ohne Ergebnis.", "The match ends without a result."),
    "match.ended.1": Message("Die Partie ist zu Ende.", "The match is over."),
    "match.rematch-agreed.1": Message("Platz {seat} möchte noch einmal spielen.", "Seat {seat} wants to play again."),
    "match.rematch-opened.1": Message("Es wird noch einmal gespielt.", "There is a rematch."),
    "match.voided.1": Message("Das Ergebnis ist zurückgenommen: {reason}", "The result was taken back: {reason}"),
    "match.adjudicated.1": Message("Das Ergebnis ist festgesetzt: {reason}", "The result was set: {reason}"),
}
