"""The texts of Coup in German and English. Seats and roles stand as `{name}`; `rule` names the section they come from."""

from __future__ import annotations

from collections.abc import Mapping

from ..game import Message

PROMPTS: Mapping[str, Message] = {
    "draft": Message("Wählt geheim eine Karte aus eurem Satz.", "Each of you secretly keeps one card of your set."),
    "action": Message("Platz {actor} ist am Zug und wählt eine Aktion.", "Seat {actor} is to move and chooses an action."),
    "challenge": Message(
        "Platz {actor} behauptet {role} für {action}. Wer zweifelt?", "Seat {actor} claims {role} for {action}. Who doubts it?"
    ),
    "block": Message("Platz {actor} will {action}. Wer verhindert es?", "Seat {actor} wants {action}. Who blocks it?"),
    "block-challenge": Message(
        "Platz {blocker} verhindert {action} als {role}. Wer zweifelt?",
        "Seat {blocker} blocks {action} as {role}. Who doubts it?",
    ),
    "prove": Message(
        "Platz {claimant} muss auf den Zweifel von Platz {challenger} eine Karte zeigen: {role} beweist die Behauptung.",
        "Seat {claimant} must answer the challenge of seat {challenger} with a card: {role} proves the claim.",
    ),
    "lose": Message("Platz {loser} verliert Einfluss und wählt eine Karte.", "Seat {loser} loses influence and chooses a card."),
    "exchange": Message(
        "Platz {actor} behält so viele Karten, wie es Einfluss hat.", "Seat {actor} keeps as many cards as it has influence."
    ),
    "show": Message(
        "Platz {target} zeigt Platz {actor} eine verdeckte Karte.", "Seat {target} shows seat {actor} one face-down card."
    ),
    "judge": Message(
        "Platz {actor} lässt die gesehene Karte liegen oder tauscht sie aus.",
        "Seat {actor} leaves the card it saw or has it replaced.",
    ),
    "action.you": Message("Wähle eine Aktion.", "Choose an action."),
    "prove.you": Message(
        "Zeige auf den Zweifel von Platz {challenger} eine Karte: {role} beweist deine Behauptung.",
        "Answer the challenge of seat {challenger} with a card: {role} proves your claim.",
    ),
    "lose.you": Message("Du verlierst Einfluss: Wähle eine Karte.", "You lose influence: choose a card."),
    "exchange.you": Message("Behalte so viele Karten, wie du Einfluss hast.", "Keep as many cards as you have influence."),
    "show.you": Message("Zeige Platz {actor} eine verdeckte Karte.", "Show seat {actor} one face-down card."),
    "judge.you": Message(
        "Lass die gesehene Karte liegen oder tausche sie aus.", "Leave the card that you saw, or have it replaced."
    ),
}

REFUSALS: Mapping[str, Message] = {
    "not-asked": Message("Du wirst gerade nicht gefragt.", "You are not asked now.", "Spielregeln"),
    "not-now": Message("Das passt nicht zu dem, was gerade gefragt ist.", "This does not answer what is asked.", "Spielregeln"),
    "must-coup": Message(
        "Mit {coins} Münzen musst du einen Coup starten.", "With {coins} coins you must launch a coup.", "Aktionen"
    ),
    "cannot-afford": Message(
        "Das kostet {needed} Münzen, du hast {coins}.", "This costs {needed} coins; you have {coins}.", "Aktionen"
    ),
    "target-unknown": Message("Platz {target} gibt es nicht.", "There is no seat {target}.", "Aktionen"),
    "target-self": Message("Du kannst nicht dich selbst wählen.", "You cannot choose yourself.", "Aktionen"),
    "target-out": Message("Platz {target} ist ausgeschieden.", "Seat {target} is out.", "Einfluss"),
    "role-not-in-play": Message("{role} spielt nicht mit.", "{role} is not in play.", "Spielaufbau"),
    "cannot-block": Message("{role} kann diese Aktion nicht verhindern.", "{role} cannot block this action.", "Reaktionen"),
    "card-not-held": Message("Du hast {role} nicht verdeckt.", "You have no face-down {role}.", "Einfluss"),
    "wrong-number": Message(
        "Zu behalten sind {wanted}, nicht {given}.",
        "The number of cards to keep is {wanted}, not {given}.",
        "Botschafter, Inquisitor",
    ),
}

COMMANDS: Mapping[str, Message] = {
    "take-income": Message("Einkommen: eine Münze nehmen", "Income: take one coin"),
    "take-foreign-aid": Message("Entwicklungshilfe: zwei Münzen nehmen", "Foreign aid: take two coins"),
    "launch-coup": Message("Coup gegen Platz {target} für sieben Münzen", "Coup against seat {target} for seven coins"),
    "claim-tax": Message("Als Großherzog drei Münzen Steuern nehmen", "As duke, take three coins of tax"),
    "claim-assassination": Message(
        "Als Attentäterin für drei Münzen Platz {target} angreifen", "As assassin, attack seat {target} for three coins"
    ),
    "claim-steal": Message("Als Captain Platz {target} bestehlen", "As captain, steal from seat {target}"),
    "claim-exchange": Message("Karten mit dem Hofstaat tauschen", "Exchange cards with the court deck"),
    "claim-examine": Message(
        "Als Inquisitor eine Karte von Platz {target} ansehen", "As inquisitor, look at a card of seat {target}"
    ),
    "challenge": Message("Anzweifeln", "Challenge"),
    "block": Message("Als {role} verhindern", "Block as {role}"),
    "pass": Message("Nicht reagieren", "Pass"),
    "show-card": Message("{role} zeigen", "Show {role}"),
    "lose-influence": Message("{role} aufdecken", "Turn {role} up"),
    "keep-cards": Message("{roles} behalten", "Keep {roles}"),
    "show-examined": Message("Dem Inquisitor {role} zeigen", "Show the inquisitor {role}"),
    "leave-card": Message("Die gesehene Karte liegen lassen", "Leave the card you saw"),
    "replace-card": Message("Die gesehene Karte austauschen lassen", "Have the card you saw replaced"),
    "draft-card": Message("{role} behalten", "Keep {role}"),
}

EVENTS: Mapping[str, Message] = {
    "dealt.1": Message("Die Karten sind verteilt, Münzen: {coins}.", "The cards are dealt; coins: {coins}."),
    "sets-taken.1": Message("Jeder nimmt einen Satz, Münzen: {coins}.", "Each takes a set; coins: {coins}."),
    "card-drafted.1": Message("Platz {seat} behält {role}.", "Seat {seat} keeps {role}."),
    "turn-begun.1": Message("Platz {seat} ist am Zug.", "It is the turn of seat {seat}."),
    "action-declared.1": Message("Platz {seat}: {action}.", "Seat {seat}: {action}."),
    "window-opened.1": Message("Reagieren dürfen: {seats}.", "These may react: {seats}."),
    "passed.1": Message("Platz {seat} reagiert nicht.", "Seat {seat} passes."),
    "claim-challenged.1": Message(
        "Platz {seat} zweifelt an {role} von Platz {claimant}.", "Seat {seat} challenges {role} of seat {claimant}."
    ),
    "action-blocked.1": Message("Platz {seat} verhindert das als {role}.", "Seat {seat} blocks as {role}."),
    "claim-proved.1": Message("Platz {seat} zeigt {role} und zieht neu.", "Seat {seat} shows {role} and draws anew."),
    "loss-demanded.1": Message("Platz {seat} muss Einfluss verlieren.", "Seat {seat} has to lose influence."),
    "influence-lost.1": Message("Platz {seat} deckt {role} auf.", "Seat {seat} turns {role} up."),
    "coins-taken.1": Message("Platz {seat} bekommt Münzen: {coins}.", "Seat {seat} gets coins: {coins}."),
    "coins-stolen.1": Message(
        "Platz {seat} nimmt Platz {victim} Münzen ab: {coins}.", "Seat {seat} takes coins from seat {victim}: {coins}."
    ),
    "cards-drawn.1": Message("Platz {seat} zieht Karten: {count}.", "Seat {seat} draws cards: {count}."),
    "cards-returned.1": Message("Platz {seat} gibt Karten zurück.", "Seat {seat} returns cards."),
    "examine-demanded.1": Message("Platz {seat} muss eine Karte zeigen.", "Seat {seat} has to show a card."),
    "card-examined.1": Message(
        "Platz {seat} sieht eine Karte von Platz {target}.", "Seat {seat} looks at a card of seat {target}."
    ),
    "card-left.1": Message("Platz {seat} lässt die Karte liegen.", "Seat {seat} leaves the card."),
    "card-replaced.1": Message("Platz {target} tauscht die Karte aus.", "Seat {target} replaces the card."),
    "seat-eliminated.1": Message("Platz {seat} ist ausgeschieden.", "Seat {seat} is out."),
    "won.1": Message("Gewonnen: {winners}.", "Won by {winners}."),
}

ROLE_NAMES: Mapping[str, Message] = {
    "ambassador": Message("Botschafter", "ambassador"),
    "assassin": Message("Attentäterin", "assassin"),
    "captain": Message("Captain", "captain"),
    "contessa": Message("Contessa", "contessa"),
    "duke": Message("Großherzog", "duke"),
    "inquisitor": Message("Inquisitor", "inquisitor"),
}

ACTIONS: Mapping[str, Message] = {
    "income": Message("Einkommen", "income"),
    "foreign-aid": Message("Entwicklungshilfe", "foreign aid"),
    "coup": Message("einen Coup", "a coup"),
    "tax": Message("Steuern", "tax"),
    "assassination": Message("einen Anschlag", "an assassination"),
    "steal": Message("einen Diebstahl", "a steal"),
    "exchange": Message("einen Kartentausch", "an exchange"),
    "examine": Message("eine Einsicht", "an examination"),
}

OPTIONS: Mapping[str, Message] = {
    "fifth_role": Message("Fünfte Rolle", "Fifth role"),
    "fifth_role.ambassador": Message("Botschafter", "ambassador"),
    "fifth_role.inquisitor": Message("Inquisitor", "inquisitor"),
    "first_seat": Message("Wer beginnt", "Who begins"),
    "first_seat.random": Message("wird ausgelost", "drawn at random"),
    "duel_draft": Message("Zu zweit: Karten wählen", "Two seats: draft the cards"),
    "duel_coins": Message("Zu zweit: wer mit einer Münze beginnt", "Two seats: who starts with one coin"),
    "duel_coins.both": Message("beide", "both"),
    "duel_coins.starter_only": Message("nur wer beginnt", "only who begins"),
    "max_decisions": Message("Längste Partie (Entscheidungen)", "Longest match (decisions)"),
}

MESSAGES: Mapping[str, Message] = {
    "coup": Message("Coup", "Coup"),
    **{f"coup.prompt.{key}": text for key, text in PROMPTS.items()},
    **{f"coup.refusal.{key}": text for key, text in REFUSALS.items()},
    **{f"coup.{key}": text for key, text in (*COMMANDS.items(), *EVENTS.items())},
    **{f"coup.{what}.{key}": text for what in ("role", "card") for key, text in ROLE_NAMES.items()},
    **{f"coup.action.{key}": text for key, text in ACTIONS.items()},
    **{f"coup.option.{key}": text for key, text in OPTIONS.items()},
}
