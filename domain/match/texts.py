"""What is said of the match around a table: one text for each of its events.

Keys that go on behind a prompt or an event are for some arguments and readers only (`domain/wording.py`).
"""

from __future__ import annotations

from collections.abc import Mapping

from ..game import Message

MATCH_TEXTS: Mapping[str, Message] = {
    "match.opened.1": Message("Der Tisch ist eröffnet.", "The table is open."),
    "match.hints-allowed.1": Message("In dieser Partie gibt es Hinweise.", "There are hints in this match."),
    "match.draws-keyed.1": Message(
        "Gemischt und gelost wird nach Verfahren {version}.", "Shuffles and draws follow scheme {version}."
    ),
    "match.drawn.1": Message("Gemischt oder gelost wird: {labels}.", "Shuffled or drawn: {labels}."),
    "match.branched.1": Message(
        "Übung ab Frage {decision} einer anderen Partie.", "Practice from decision {decision} of another match."
    ),
    "match.lesson-begun.1": Message(
        "Das ist eine Lektion: Gemischt ist sie für alle gleich.",
        "This is a lesson: it is shuffled the same way for everyone.",
    ),
    "match.deal-of-day.1": Message("Das ist die Partie des Tages vom {day}.", "This is the deal of the day, {day}."),
    "match.seat-taken.1": Message("Platz {seat} setzt sich.", "Seat {seat} sits down."),
    "match.seat-taken.1.seat.you": Message("Du setzt dich.", "You sit down."),
    "match.seat-reserved.1": Message("Platz {seat} wird noch erwartet.", "Seat {seat} is still to come."),
    "match.seat-reserved.1.seat.you": Message("Ein Platz ist für dich reserviert.", "A seat is reserved for you."),
    "match.bot-seated.1": Message("Platz {seat} spielt ein Bot.", "Seat {seat} is played by a bot."),
    "match.bot-seated.1.seat.you": Message("Deinen Platz spielt ein Bot.", "A bot plays your seat."),
    "match.seat-left.1": Message("Platz {seat} ist wieder frei.", "Seat {seat} is free again."),
    "match.seat-left.1.seat.you": Message("Du verlässt den Tisch.", "You leave the table."),
    "match.seat-cleared.1": Message("Platz {seat} wird geräumt.", "The host clears seat {seat}."),
    "match.seat-cleared.1.seat.you": Message("Dein Platz wird geräumt.", "The host clears your seat."),
    "match.host-passed.1": Message("Der Tisch hat einen neuen Gastgeber.", "The table has a new host."),
    "match.started.1": Message("Die Partie beginnt.", "The match begins."),
    "match.decision-opened.1": Message("Gefragt: {seats}.", "Asked: {seats}."),
    "match.cards-committed.1": Message(
        "{size} verdeckte Karten sind verbindlich hinterlegt.", "{size} hidden cards are committed to."
    ),
    "match.cards-committed.1.size.1": Message(
        "Eine verdeckte Karte ist verbindlich hinterlegt.", "One hidden card is committed to."
    ),
    "match.timed-out.1": Message("Die Zeit von Platz {seat} ist abgelaufen.", "The time of seat {seat} is up."),
    "match.timed-out.1.seat.you": Message("Deine Zeit ist abgelaufen.", "Your time is up."),
    "match.hint-taken.1": Message("Platz {seat} hat einen Tipp geholt.", "Seat {seat} has taken a hint."),
    "match.hint-taken.1.seat.you": Message("Du hast einen Tipp geholt.", "You have taken a hint."),
    "match.stand-in-seated.1": Message("Für Platz {seat} spielt jetzt ein Bot.", "A bot plays for seat {seat} for now."),
    "match.stand-in-seated.1.seat.you": Message("Für dich spielt jetzt ein Bot.", "A bot plays for you for now."),
    "match.stand-in-seated.1.reason.timeouts": Message(
        "Platz {seat} hat nicht rechtzeitig geantwortet; dort spielt jetzt ein Bot.",
        "Seat {seat} has not answered in time; a bot plays there for now.",
    ),
    "match.stand-in-seated.1.seat.you.reason.timeouts": Message(
        "Du hast nicht rechtzeitig geantwortet; für dich spielt jetzt ein Bot.",
        "You have not answered in time; a bot plays for you for now.",
    ),
    "match.table-waits.1": Message(
        "Niemand ist mehr am Tisch. Er wartet eine Weile.", "No player is at the table any more. It waits for a while."
    ),
    "match.table-goes-on.1": Message("Die Partie geht weiter.", "The match goes on."),
    "match.misses-forgotten.1": Message("Platz {seat} antwortet wieder.", "Seat {seat} answers again."),
    "match.misses-forgotten.1.seat.you": Message("Du antwortest wieder.", "You answer again."),
    "match.seat-handed-back.1": Message("Platz {seat} spielt wieder selbst.", "Seat {seat} is back and plays on."),
    "match.seat-handed-back.1.seat.you": Message("Du spielst wieder selbst.", "You are back and play on."),
    "match.return-noted.1": Message(
        "Platz {seat} hat selbst geantwortet; der Wechsel zeigt sich, wenn die Frage geschlossen ist.",
        "Seat {seat} has answered itself; that shows once the decision is closed.",
    ),
    "match.return-noted.1.seat.you": Message(
        "Du hast selbst geantwortet und spielst weiter, sobald die Frage geschlossen ist.",
        "You have answered yourself, and play on once the decision is closed.",
    ),
    "match.seat-played.1": Message("Platz {seat} hat zum ersten Mal selbst gespielt.", "Seat {seat} has made its first move."),
    "match.seat-played.1.seat.you": Message("Du hast zum ersten Mal selbst gespielt.", "You have made your first move."),
    "match.abort-agreed.1": Message("Platz {seat} möchte abbrechen.", "Seat {seat} wants to abort."),
    "match.abort-agreed.1.seat.you": Message("Du möchtest abbrechen.", "You want to abort."),
    "match.abort-withdrawn.1": Message("Platz {seat} spielt doch weiter.", "Seat {seat} plays on after all."),
    "match.abort-withdrawn.1.seat.you": Message("Du spielst doch weiter.", "You play on after all."),
    "match.seat-forfeited.1": Message("Platz {seat} gibt auf.", "Seat {seat} forfeits the match."),
    "match.seat-forfeited.1.seat.you": Message("Du gibst auf.", "You forfeit the match."),
    "match.expired.1": Message("Der Tisch wird geschlossen, weil ihn niemand nutzt.", "The table closes, as nobody uses it."),
    "match.expired.1.reason.day-over": Message(
        "Der Tag dieser Partie ist vorbei, bevor sie zu Ende war. Sie steht nicht in der Rangliste.",
        "The day of this deal ended before the match did. It is not in the ranking.",
    ),
    "match.aborted.1": Message("Die Partie endet ohne Ergebnis.", "The match ends without a result."),
    "match.ended.1": Message("Die Partie ist zu Ende.", "The match is over."),
    "match.rematch-agreed.1": Message("Platz {seat} möchte noch einmal spielen.", "Seat {seat} wants to play again."),
    "match.rematch-agreed.1.seat.you": Message("Du möchtest noch einmal spielen.", "You want to play again."),
    "match.rematch-opened.1": Message("Es wird noch einmal gespielt.", "There is a rematch."),
    "match.voided.1": Message("Das Ergebnis ist zurückgenommen: {reason}", "The result was taken back: {reason}"),
    "match.adjudicated.1": Message("Das Ergebnis ist festgesetzt: {reason}", "The result was set: {reason}"),
}
