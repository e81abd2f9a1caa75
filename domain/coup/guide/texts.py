"""The texts of Coup in German and English. Seats and roles stand as `{name}`; `rule` names the section they come from.

Keys that go on behind a prompt or an event are for some arguments and readers only (`domain/wording.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...game import Message
from .reasons import WHY
from .tips import ABOUT, EXAMPLES, TIPS


class Plan(NamedTuple):
    """What an action is for, behind "wants to": in general, and in the eyes of its target."""

    text: Message
    at_you: Message | None = None


CLAIMS: Mapping[str, Plan] = {
    "tax": Plan(Message("drei Münzen nehmen", "take three coins")),
    "exchange": Plan(Message("Karten mit dem Hofstaat tauschen", "exchange cards with the court deck")),
    "assassination": Plan(
        Message("einen Mordanschlag auf Platz {target} verüben", "assassinate seat {target}"),
        Message("einen Mordanschlag auf dich verüben", "assassinate you"),
    ),
    "steal": Plan(
        Message("Platz {target} bis zu zwei Münzen abnehmen", "take up to two coins from seat {target}"),
        Message("dir bis zu zwei Münzen abnehmen", "take up to two coins from you"),
    ),
    "examine": Plan(
        Message("eine Karte von Platz {target} sehen", "look at a card of seat {target}"),
        Message("eine deiner Karten sehen", "look at one of your cards"),
    ),
}
AID = Plan(Message("zwei Münzen Entwicklungshilfe nehmen", "take two coins of foreign aid"))
BLOCKED: Mapping[str, tuple[Message, Message]] = {
    "foreign-aid": (
        Message("die Entwicklungshilfe von Platz {actor}", "the foreign aid of seat {actor}"),
        Message("deine Entwicklungshilfe", "your foreign aid"),
    ),
    "assassination": (
        Message("den Mordanschlag von Platz {actor}", "the assassination by seat {actor}"),
        Message("deinen Mordanschlag", "your assassination"),
    ),
    "steal": (Message("den Diebstahl von Platz {actor}", "the theft by seat {actor}"), Message("deinen Diebstahl", "your theft")),
}
"""What is blocked, as all others say it, and as the one who wanted it does."""


def _around(before: Message, middle: Message, after: Message) -> Message:
    return Message(f"{before.de} {middle.de}{after.de}", f"{before.en} {middle.en}{after.en}")


WHO_CHALLENGES = Message(". Wer ficht das an?", ". Who challenges it?")
DO_YOU_CHALLENGE = Message(". Fichtst du das an?", ". Do you challenge it?")
DOES_ANYONE_CHALLENGE = Message(". Ficht das jemand an?", ". Does anyone challenge it?")
STOP = Message(".", ".")


def _challenges() -> Iterator[tuple[str, Message]]:
    """Yield the prompts of claims."""
    claims = Message("Platz {actor} behauptet, {role} zu sein, und will", "Seat {actor} claims to be the {role} and wants to")
    own = Message("Du behauptest, {role} zu sein, und willst", "You claim to be the {role} and want to")
    for action, plan in CLAIMS.items():
        key = f"challenge.action.{action}"
        yield key, _around(claims, plan.text, WHO_CHALLENGES)
        yield f"{key}.you", _around(claims, plan.text, DO_YOU_CHALLENGE)
        yield f"{key}.actor.you", _around(own, plan.text, DOES_ANYONE_CHALLENGE)
        if plan.at_you is not None:
            yield f"{key}.target.you", _around(claims, plan.at_you, WHO_CHALLENGES)
            yield f"{key}.target.you.you", _around(claims, plan.at_you, DO_YOU_CHALLENGE)


def _blocks() -> Iterator[tuple[str, Message]]:
    """Yield the prompts of actions that may be blocked."""
    wants = Message("Platz {actor} will", "Seat {actor} wants to")
    own = Message("Du willst", "You want to")
    do_you = Message(". Verhinderst du das?", ". Do you block it?")
    yield "block.action.foreign-aid", _around(wants, AID.text, Message(". Wer verhindert das?", ". Who blocks it?"))
    yield "block.action.foreign-aid.you", _around(wants, AID.text, do_you)
    anyone = Message(". Verhindert das jemand?", ". Does anybody block it?")
    yield "block.action.foreign-aid.actor.you", _around(own, AID.text, anyone)
    target = Message(". Verhindert Platz {target} das?", ". Does seat {target} block it?")
    for action in ("assassination", "steal"):
        plan = CLAIMS[action]
        assert plan.at_you is not None, "both are aimed at somebody"
        yield f"block.action.{action}", _around(wants, plan.text, target)
        yield f"block.action.{action}.actor.you", _around(own, plan.text, target)
        yield f"block.action.{action}.target.you", _around(wants, plan.at_you, do_you)


def _block_challenges() -> Iterator[tuple[str, Message]]:
    """Yield the prompts of claims that block."""
    blocks = Message(
        "Platz {blocker} behauptet, {role} zu sein, und verhindert", "Seat {blocker} claims to be the {role} and blocks"
    )
    own = Message("Du behauptest, {role} zu sein, und verhinderst", "You claim to be the {role} and block")
    for action, (theirs, yours) in BLOCKED.items():
        key = f"block-challenge.action.{action}"
        yield key, _around(blocks, theirs, WHO_CHALLENGES)
        yield f"{key}.you", _around(blocks, theirs, DO_YOU_CHALLENGE)
        yield f"{key}.actor.you", _around(blocks, yours, WHO_CHALLENGES)
        yield f"{key}.actor.you.you", _around(blocks, yours, DO_YOU_CHALLENGE)
        yield f"{key}.blocker.you", _around(own, theirs, DOES_ANYONE_CHALLENGE)


def _declare() -> Iterator[tuple[str, Message]]:
    """Yield the texts of declared actions; whose they are stands before what they are, as in the event."""
    declared, own_key = "action-declared.1", "action-declared.1.seat.you"
    claims = Message("Platz {seat} behauptet, {role} zu sein, und will", "Seat {seat} claims to be the {role} and wants to")
    own = Message("Du behauptest, {role} zu sein, und willst", "You claim to be the {role} and want to")
    for action, plan in CLAIMS.items():
        key = f"{declared}.action.{action}"
        yield key, _around(claims, plan.text, STOP)
        yield f"{own_key}.action.{action}", _around(own, plan.text, STOP)
        if plan.at_you is not None:
            yield f"{key}.target.you", _around(claims, plan.at_you, STOP)
    aid = "action.foreign-aid"
    yield f"{declared}.{aid}", _around(Message("Platz {seat} will", "Seat {seat} wants to"), AID.text, STOP)
    yield f"{own_key}.{aid}", _around(Message("Du willst", "You want to"), AID.text, STOP)


PROMPTS: Mapping[str, Message] = {
    "draft": Message("Beide wählen geheim eine Karte aus ihrem Satz.", "Both secretly keep one card of their set."),
    "draft.you": Message("Wähle geheim eine Karte aus deinem Satz.", "Secretly keep one card of your set."),
    "action": Message("Platz {actor} ist am Zug und wählt eine Aktion.", "Seat {actor}'s turn: choosing an action."),
    "challenge": Message(
        "Platz {actor} behauptet, {role} zu sein: {action}. Wer ficht das an?",
        "Seat {actor} claims to be the {role}: {action}. Who challenges it?",
    ),
    "block": Message("Platz {actor}: {action}. Wer verhindert das?", "Seat {actor}: {action}. Who blocks it?"),
    "block-challenge": Message(
        "Platz {blocker} behauptet, {role} zu sein, und verhindert das: {action}. Wer ficht das an?",
        "Seat {blocker} claims to be the {role} and blocks this: {action}. Who challenges it?",
    ),
    **dict((*_challenges(), *_blocks(), *_block_challenges())),
    "prove": Message(
        "Platz {challenger} glaubt Platz {claimant} nicht. Platz {claimant} zeigt eine Karte: {role} beweist die Behauptung.",
        "Seat {challenger} challenges seat {claimant}. Seat {claimant} shows a card: the {role} proves the claim.",
    ),
    "prove.challenger.you": Message(
        "Du glaubst Platz {claimant} nicht. Platz {claimant} zeigt eine Karte: {role} beweist die Behauptung.",
        "You challenge seat {claimant}. Seat {claimant} shows a card: the {role} proves the claim.",
    ),
    "lose": Message("Platz {loser} verliert Einfluss und wählt eine Karte.", "Seat {loser} loses influence and chooses a card."),
    "exchange": Message("Platz {actor} behält so viele Karten wie bisher.", "Seat {actor} keeps as many cards as before."),
    "show": Message(
        "Platz {target} zeigt Platz {actor} eine verdeckte Karte.", "Seat {target} shows seat {actor} one face-down card."
    ),
    "show.actor.you": Message("Platz {target} zeigt dir eine verdeckte Karte.", "Seat {target} shows you one face-down card."),
    "judge": Message(
        "Platz {actor} lässt Platz {target} die gesehene Karte oder lässt sie austauschen.",
        "Seat {actor} leaves seat {target} the card it saw, or has it replaced.",
    ),
    "judge.target.you": Message(
        "Platz {actor} lässt dir die gesehene Karte oder lässt sie austauschen.",
        "Seat {actor} leaves you the card it saw, or has it replaced.",
    ),
    "action.you": Message("Wähle eine Aktion.", "Choose an action."),
    "prove.you": Message(
        "Platz {challenger} glaubt dir nicht. Zeige eine Karte: {role} beweist deine Behauptung, jede andere verlierst du.",
        "Seat {challenger} challenges you. Show a card: the {role} proves your claim, any other card is lost.",
    ),
    "lose.you": Message("Du verlierst Einfluss: Wähle eine Karte.", "You lose influence: choose a card."),
    "exchange.you": Message("Behalte so viele Karten wie bisher.", "Keep as many cards as before."),
    "show.you": Message("Zeige Platz {actor} eine verdeckte Karte.", "Show seat {actor} one face-down card."),
    "judge.you": Message(
        "Lass Platz {target} die gesehene Karte oder lass sie austauschen.",
        "Leave seat {target} the card that you saw, or have it replaced.",
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
    "card-not-held": Message("Du hast keine verdeckte Karte {role}.", "You have no face-down {role}.", "Einfluss"),
    "wrong-number": Message(
        "Zu behalten sind {wanted}, nicht {given}.",
        "The number of cards to keep is {wanted}, not {given}.",
        "Botschafter – Austausch",
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
    "challenge": Message("Anfechten (wer falschliegt, verliert eine Karte)", "Challenge (whoever is wrong loses a card)"),
    "block": Message("Als {role} verhindern", "Block as {role}"),
    "pass": Message("Passen", "Pass"),
    "show-card": Message("{role} zeigen", "Show {role}"),
    "lose-influence": Message("{role} aufdecken", "Turn {role} up"),
    "keep-cards": Message("{roles} behalten", "Keep {roles}"),
    "show-examined": Message("Dem Inquisitor {role} zeigen", "Show the inquisitor {role}"),
    "leave-card": Message("Die gesehene Karte liegen lassen", "Leave the card you saw"),
    "replace-card": Message("Die gesehene Karte austauschen lassen", "Have the card you saw replaced"),
    "draft-card": Message("{role} behalten", "Keep {role}"),
}

EVENTS: Mapping[str, Message] = {
    "dealt.1": Message("Die Karten sind verteilt. Münzen: {coins}.", "The cards are dealt. Coins: {coins}."),
    "sets-taken.1": Message("Jeder nimmt einen Satz. Münzen: {coins}.", "Each takes a set. Coins: {coins}."),
    "card-drafted.1": Message("Platz {seat} behält {role}.", "Seat {seat} keeps {role}."),
    "card-drafted.1.seat.you": Message("Du behältst {role}.", "You keep {role}."),
    "turn-begun.1": Message("Platz {seat} ist am Zug.", "Seat {seat} is to move."),
    "turn-begun.1.seat.you": Message("Du bist am Zug.", "It is your turn."),
    "action-declared.1": Message("Platz {seat}: {action}.", "Seat {seat}: {action}."),
    "action-declared.1.seat.you": Message("Du: {action}.", "You: {action}."),
    "action-declared.1.action.income": Message("Platz {seat} nimmt Einkommen.", "Seat {seat} takes income."),
    "action-declared.1.seat.you.action.income": Message("Du nimmst Einkommen.", "You take income."),
    "action-declared.1.action.coup": Message(
        "Platz {seat} startet einen Coup gegen Platz {target}.", "Seat {seat} launches a coup against seat {target}."
    ),
    "action-declared.1.seat.you.action.coup": Message(
        "Du startest einen Coup gegen Platz {target}.", "You launch a coup against seat {target}."
    ),
    "action-declared.1.action.coup.target.you": Message(
        "Platz {seat} startet einen Coup gegen dich.", "Seat {seat} launches a coup against you."
    ),
    **dict(_declare()),
    "window-opened.1": Message("Reagieren dürfen: {seats}.", "These may react: {seats}."),
    "passed.1": Message("Platz {seat} passt.", "Seat {seat} passes."),
    "passed.1.seat.you": Message("Du passt.", "You pass."),
    "claim-challenged.1": Message(
        "Platz {seat} ficht an, dass Platz {claimant} {role} ist.",
        "Seat {seat} challenges seat {claimant}'s claim to be the {role}.",
    ),
    "claim-challenged.1.seat.you": Message(
        "Du fichtst an, dass Platz {claimant} {role} ist.", "You challenge seat {claimant}'s claim to be the {role}."
    ),
    "claim-challenged.1.claimant.you": Message(
        "Platz {seat} ficht an, dass du {role} bist.", "Seat {seat} challenges your claim to be the {role}."
    ),
    "action-blocked.1": Message("Platz {seat} verhindert das als {role}.", "Seat {seat} blocks this as the {role}."),
    "action-blocked.1.seat.you": Message("Du verhinderst das als {role}.", "You block this as the {role}."),
    "claim-proved.1": Message(
        "Platz {seat} zeigt {role} und zieht eine neue Karte.", "Seat {seat} shows {role} and draws a new card."
    ),
    "claim-proved.1.seat.you": Message("Du zeigst {role} und ziehst eine neue Karte.", "You show {role} and draw a new card."),
    "loss-demanded.1": Message("Platz {seat} muss Einfluss verlieren.", "Seat {seat} has to lose influence."),
    "loss-demanded.1.seat.you": Message("Du musst Einfluss verlieren.", "You have to lose influence."),
    "influence-lost.1": Message("Platz {seat} deckt {role} auf.", "Seat {seat} turns {role} up."),
    "influence-lost.1.seat.you": Message("Du deckst {role} auf.", "You turn {role} up."),
    "coins-taken.1": Message("Platz {seat} nimmt {coins} Münzen.", "Seat {seat} takes {coins} coins."),
    "coins-taken.1.coins.1": Message("Platz {seat} nimmt eine Münze.", "Seat {seat} takes one coin."),
    "coins-taken.1.seat.you": Message("Du nimmst {coins} Münzen.", "You take {coins} coins."),
    "coins-taken.1.seat.you.coins.1": Message("Du nimmst eine Münze.", "You take one coin."),
    "coins-stolen.1": Message(
        "Platz {seat} nimmt Platz {victim} {coins} Münzen ab.", "Seat {seat} takes {coins} coins from seat {victim}."
    ),
    "coins-stolen.1.coins.0": Message(
        "Bei Platz {victim} ist für Platz {seat} nichts zu holen.", "Seat {seat} finds no coins at seat {victim}."
    ),
    "coins-stolen.1.coins.1": Message(
        "Platz {seat} nimmt Platz {victim} eine Münze ab.", "Seat {seat} takes one coin from seat {victim}."
    ),
    "coins-stolen.1.seat.you": Message(
        "Du nimmst Platz {victim} {coins} Münzen ab.", "You take {coins} coins from seat {victim}."
    ),
    "coins-stolen.1.seat.you.coins.0": Message("Bei Platz {victim} ist nichts zu holen.", "You find no coins at seat {victim}."),
    "coins-stolen.1.seat.you.coins.1": Message(
        "Du nimmst Platz {victim} eine Münze ab.", "You take one coin from seat {victim}."
    ),
    "coins-stolen.1.victim.you": Message(
        "Platz {seat} nimmt dir {coins} Münzen ab.", "Seat {seat} takes {coins} coins from you."
    ),
    "coins-stolen.1.victim.you.coins.0": Message(
        "Bei dir ist für Platz {seat} nichts zu holen.", "Seat {seat} finds no coins with you."
    ),
    "coins-stolen.1.victim.you.coins.1": Message("Platz {seat} nimmt dir eine Münze ab.", "Seat {seat} takes one coin from you."),
    "cards-drawn.1": Message("Platz {seat} zieht {count} Karten.", "Seat {seat} draws {count} cards."),
    "cards-drawn.1.count.1": Message("Platz {seat} zieht eine Karte.", "Seat {seat} draws one card."),
    "cards-drawn.1.seat.you": Message("Du ziehst {count} Karten.", "You draw {count} cards."),
    "cards-drawn.1.seat.you.count.1": Message("Du ziehst eine Karte.", "You draw one card."),
    "cards-returned.1": Message("Platz {seat} legt Karten zurück.", "Seat {seat} returns cards."),
    "cards-returned.1.seat.you": Message("Du legst Karten zurück.", "You return cards."),
    "examine-demanded.1": Message("Platz {seat} muss eine Karte zeigen.", "Seat {seat} has to show a card."),
    "examine-demanded.1.seat.you": Message("Du musst eine Karte zeigen.", "You have to show a card."),
    "card-examined.1": Message(
        "Platz {seat} sieht eine Karte von Platz {target}.", "Seat {seat} looks at a card of seat {target}."
    ),
    "card-examined.1.seat.you": Message("Du siehst eine Karte von Platz {target}.", "You look at a card of seat {target}."),
    "card-examined.1.target.you": Message("Platz {seat} sieht eine deiner Karten.", "Seat {seat} looks at one of your cards."),
    "card-left.1": Message("Platz {seat} lässt Platz {target} die Karte.", "Seat {seat} leaves seat {target} the card."),
    "card-left.1.seat.you": Message("Du lässt Platz {target} die Karte.", "You leave seat {target} the card."),
    "card-left.1.target.you": Message("Platz {seat} lässt dir die Karte.", "Seat {seat} leaves you the card."),
    "card-replaced.1": Message(
        "Platz {seat} lässt Platz {target} die Karte austauschen.", "Seat {seat} makes seat {target} replace the card."
    ),
    "card-replaced.1.seat.you": Message(
        "Du lässt Platz {target} die Karte austauschen.", "You make seat {target} replace the card."
    ),
    "card-replaced.1.target.you": Message(
        "Platz {seat} lässt dich die Karte austauschen.", "Seat {seat} makes you replace the card."
    ),
    "seat-eliminated.1": Message("Platz {seat} ist ausgeschieden.", "Seat {seat} is out."),
    "seat-eliminated.1.seat.you": Message("Du bist ausgeschieden.", "You are out."),
    "won.1": Message("Gewonnen: {winners}.", "Won by: {winners}."),
    "won.1.winners.one": Message("Platz {winners} gewinnt.", "Seat {winners} wins."),
    "won.1.winners.you": Message("Du gewinnst.", "You win."),
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
    "coup": Message("Coup", "coup"),
    "tax": Message("Steuern", "tax"),
    "assassination": Message("Mordanschlag", "assassination"),
    "steal": Message("Diebstahl", "theft"),
    "exchange": Message("Austausch", "exchange"),
    "examine": Message("Untersuchung", "examination"),
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
    **{f"coup.why.{key}": text for key, text in WHY.items()},
    "coup.about": ABOUT,
    **{f"coup.tip.{key}": text for key, text in TIPS.items()},
    **{f"coup.example.{key}": text for key, text in EXAMPLES.items()},
}
