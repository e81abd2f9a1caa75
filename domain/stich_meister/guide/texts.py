"""The texts of Stich-Meister in German and English. Seats, cards and rules stand as `{name}`; `rule` names their source.

Keys that go on behind a prompt or an event are for some arguments and readers only (`domain/wording.py`).
"""

from __future__ import annotations

from collections.abc import Mapping

from ...game import Message
from ..cards import CARDS, SUITS, suit_of, value_of
from .reasons import WHY
from .tips import ABOUT, EXAMPLES, TIPS

PROMPTS: Mapping[str, Message] = {
    "choose-rule": Message(
        "Runde {round}: Alle wählen geheim eine ihrer Regelkarten.",
        "Round {round}: everybody secretly chooses one of their rule cards.",
    ),
    "choose-rule.you": Message(
        "Runde {round}: Wähle geheim eine deiner Regelkarten.", "Round {round}: secretly choose one of your rule cards."
    ),
    "pass-right": Message(
        "Alle geben geheim drei Karten nach rechts weiter.", "Everybody secretly passes three cards to the right."
    ),
    "pass-right.you": Message("Gib geheim drei Karten nach rechts weiter.", "Secretly pass three cards to the right."),
    "pass-left": Message(
        "Alle geben geheim drei Karten nach links weiter.", "Everybody secretly passes three cards to the left."
    ),
    "pass-left.you": Message("Gib geheim drei Karten nach links weiter.", "Secretly pass three cards to the left."),
    "set-aside": Message(
        "Alle legen geheim eine Karte für den letzten Stich weg.", "Everybody secretly sets a card aside for the last trick."
    ),
    "set-aside.you": Message("Leg geheim eine Karte für den letzten Stich weg.", "Secretly set a card aside for the last trick."),
    "open-cards": Message(
        "Alle wählen drei Handkarten, die offen liegen werden.", "Everybody chooses three hand cards that will lie open."
    ),
    "open-cards.you": Message("Wähle drei Handkarten, die offen liegen werden.", "Choose three hand cards that will lie open."),
    "lead": Message("Platz {seat} spielt zu Stich {trick} aus.", "Seat {seat} leads to trick {trick}."),
    "play": Message("Platz {seat} spielt eine Karte zu Stich {trick}.", "Seat {seat} plays a card to trick {trick}."),
    "play-hidden": Message(
        "Stich {trick}: Alle anderen wählen geheim ihre Karte.", "Trick {trick}: all others secretly choose their cards."
    ),
    "play-hidden.you": Message("Stich {trick}: Wähle geheim deine Karte.", "Trick {trick}: secretly choose your card."),
    "take-out": Message(
        "Platz {seat} nimmt eine Karte aus Stich {trick} aus dem Spiel.",
        "Seat {seat} takes a card of trick {trick} out of the game.",
    ),
    "pass-after": Message(
        "Nach dem dritten Stich geben alle geheim drei Karten nach links weiter.",
        "After the third trick, everybody secretly passes three cards to the left.",
    ),
    "pass-after.you": Message(
        "Gib nach dem dritten Stich geheim drei Karten nach links weiter.",
        "After the third trick, secretly pass three cards to the left.",
    ),
    "lead.you": Message("Spiele zu Stich {trick} aus.", "Lead to trick {trick}."),
    "play.you": Message("Spiele eine Karte zu Stich {trick}.", "Play a card to trick {trick}."),
    "take-out.you": Message("Nimm eine Karte aus Stich {trick} aus dem Spiel.", "Take a card of trick {trick} out of the game."),
}

REFUSALS: Mapping[str, Message] = {
    "not-asked": Message("Du wirst gerade nicht gefragt.", "You are not asked now.", "Stichspiel"),
    "not-now": Message("Das passt nicht zu dem, was gerade gefragt ist.", "This does not answer what is asked.", "Stichspiel"),
    "already-answered": Message(
        "Du hast schon gewählt, und das gilt.", "You have chosen already, and that stands.", "Auswählen der Regelkarten"
    ),
    "rule-not-held": Message(
        "Diese Regelkarte hast du nicht auf der Hand: {rule}",
        "You do not hold this rule card: {rule}",
        "Auswählen der Regelkarten",
    ),
    "card-unknown": Message("Eine Karte {card} gibt es nicht.", "There is no card {card}.", "Inhalt"),
    "card-not-held": Message("{suit} {value} hast du nicht auf der Hand.", "You do not hold {suit} {value}.", "Stichspiel"),
    "card-twice": Message(
        "{suit} {value} hast du zweimal genannt.", "You named {suit} {value} twice.", "Regelkarten 22, 23, 25, 38"
    ),
    "wrong-number": Message(
        "Du musst {wanted} Karten wählen, nicht {given}.",
        "You have to choose {wanted} cards, not {given}.",
        "Regelkarten 22, 23, 25, 38",
    ),
    "must-follow": Message("Du musst {suit} bedienen.", "You must follow {suit}.", "Stichspiel: Bedienen"),
    "must-trump": Message(
        "Du kannst nicht bedienen und musst Trumpf spielen.", "You cannot follow, so you must play trump.", "Regelkarte 28"
    ),
    "not-in-trick": Message("{suit} {value} liegt nicht im Stich.", "{suit} {value} is not in the trick.", "Regelkarte 34"),
}

COMMANDS: Mapping[str, Message] = {
    "choose-rule": Message("Diese Regelkarte wählen: {rule}", "Choose this rule card: {rule}"),
    "pass-cards": Message("{cards} weitergeben", "Pass {cards}"),
    "set-card-aside": Message("{card} für den letzten Stich weglegen", "Set {card} aside for the last trick"),
    "open-cards": Message("{cards} offen auslegen", "Lay {cards} open"),
    "play-card": Message("{card} spielen", "Play {card}"),
    "take-card-out": Message("{card} aus dem Spiel nehmen", "Take {card} out of the game"),
}

EVENTS: Mapping[str, Message] = {
    "dealt.1": Message("Runde {round}: Platz {dealer} gibt.", "Round {round}: seat {dealer} deals."),
    "dealt.1.dealer.you": Message("Runde {round}: Du gibst.", "Round {round}: you deal."),
    "rule-chosen.1": Message("Platz {seat} wählt eine Regelkarte: {rule}", "Seat {seat} chooses a rule card: {rule}"),
    "rule-chosen.1.seat.you": Message("Du wählst eine Regelkarte: {rule}", "You choose a rule card: {rule}"),
    "rules-shown.1": Message("In dieser Runde gelten die Regeln {rules}.", "Rules {rules} are in force this round."),
    "gathering-begun.1": Message("Es wählen gleichzeitig: {seats}.", "These choose at the same time: {seats}."),
    "cards-passed.1": Message("Platz {seat} gibt {cards} weiter.", "Seat {seat} passes {cards} on."),
    "cards-passed.1.seat.you": Message("Du gibst {cards} weiter.", "You pass {cards} on."),
    "cards-received.1": Message("Alle nehmen auf, was ihnen weitergegeben wurde.", "Everybody picks up what was passed on."),
    "card-set-aside.1": Message("Platz {seat} legt {card} weg.", "Seat {seat} sets {card} aside."),
    "card-set-aside.1.seat.you": Message("Du legst {card} weg.", "You set {card} aside."),
    "cards-set-aside.1": Message("Die Karten für den letzten Stich liegen bereit.", "The cards for the last trick lie ready."),
    "opening-chosen.1": Message("Platz {seat} wird {cards} offen auslegen.", "Seat {seat} will lay {cards} open."),
    "opening-chosen.1.seat.you": Message("Du wirst {cards} offen auslegen.", "You will lay {cards} open."),
    "cards-opened.1": Message("Je drei Handkarten liegen jetzt offen.", "Three hand cards of each seat lie open now."),
    "trick-begun.1": Message("Stich {number} beginnt Platz {leader}.", "Seat {leader} begins trick {number}."),
    "trick-begun.1.leader.you": Message("Stich {number} beginnst du.", "You begin trick {number}."),
    "card-played.1": Message("Platz {seat} spielt {card}.", "Seat {seat} plays {card}."),
    "card-played.1.seat.you": Message("Du spielst {card}.", "You play {card}."),
    "trump-set.1": Message("Ab jetzt ist auch {suit} Trumpf.", "From now on {suit} is trump too."),
    "card-hidden-played.1": Message("Platz {seat} spielt verdeckt {card}.", "Seat {seat} plays {card} face down."),
    "card-hidden-played.1.seat.you": Message("Du spielst verdeckt {card}.", "You play {card} face down."),
    "cards-turned-up.1": Message("Die verdeckten Karten werden aufgedeckt.", "The face-down cards are turned up."),
    "trick-won.1": Message("Platz {seat} gewinnt Stich {number}.", "Seat {seat} wins trick {number}."),
    "trick-won.1.seat.you": Message("Du gewinnst Stich {number}.", "You win trick {number}."),
    "card-taken-out.1": Message("Platz {seat} nimmt {card} aus dem Spiel.", "Seat {seat} takes {card} out of the game."),
    "card-taken-out.1.seat.you": Message("Du nimmst {card} aus dem Spiel.", "You take {card} out of the game."),
    "trick-taken.1": Message("Stich {number} geht an Platz {seat}.", "Trick {number} goes to seat {seat}."),
    "trick-taken.1.seat.you": Message("Stich {number} geht an dich.", "Trick {number} goes to you."),
    "tricks-given-away.1": Message(
        "Platz {seat} gibt alle Stiche an Platz {to}.", "Seat {seat} gives all its tricks to seat {to}."
    ),
    "tricks-given-away.1.seat.you": Message(
        "Du gibst alle deine Stiche an Platz {to}.", "You give all your tricks to seat {to}."
    ),
    "tricks-given-away.1.to.you": Message("Platz {seat} gibt alle Stiche an dich.", "Seat {seat} gives all its tricks to you."),
    "hand-tricks-made.1": Message(
        "Jede übrige Handkarte wird ein Stich ihres Besitzers.", "Each remaining hand card becomes a trick of its owner."
    ),
    "round-scored.1": Message("Punkte in Runde {round}: {scores}.", "Points in round {round}: {scores}."),
    "choosers-shown.1": Message(
        "Die Partie ist vorbei; jetzt ist bekannt, wer welche Regel gewählt hat.",
        "The match is over; who chose which rule is known now.",
    ),
}

SUIT_NAMES: Mapping[str, Message] = {
    "fan": Message("Fächer", "fan"),
    "coin": Message("Münze", "coin"),
    "koi": Message("Koi", "koi"),
    "torii": Message("Torii", "torii"),
    "trump": Message("Trumpf", "trump"),
}


def _card(card: int) -> Message:
    suit = SUIT_NAMES[SUITS[suit_of(card)].value]
    return Message(f"{suit.de} {value_of(card)}", f"{suit.en} {value_of(card)}")


_REASONS: Mapping[str, Message] = {
    "strongest-trump": Message("stärkster Trumpf", "strongest trump"),
    "highest-of-led-suit": Message("höchste Karte der ausgespielten Farbe", "highest card of the suit that was led"),
    "lowest-of-led-suit": Message("niedrigste Karte der ausgespielten Farbe", "lowest card of the suit that was led"),
    "highest-value": Message("höchster Wert", "highest value"),
    "lowest-value": Message("niedrigster Wert", "lowest value"),
    "second-strongest": Message("zweitstärkste Karte", "second strongest card"),
    "highest-plain-value": Message("höchster Wert ohne Trumpf", "highest value that is no trump"),
    "lowest-plain-value": Message("niedrigster Wert ohne Trumpf", "lowest value that is no trump"),
}
TRICK_REASONS: Mapping[str, Message] = {
    **_REASONS,
    **{
        f"{key}-but-first": Message(f"{text.de}, die erste Karte nicht mitgezählt", f"{text.en}, the first card left out")
        for key, text in _REASONS.items()
    },
}

OPTIONS: Mapping[str, Message] = {
    "first_dealer": Message("Wer zuerst gibt", "Who deals first"),
    "first_dealer.random": Message("wird ausgelost", "drawn at random"),
    "rules": Message("Vier feste Regeln für jede Runde", "Four fixed rules for every round"),
}


def _value(value: int) -> Message:
    return Message(f"Jede {value} ist Trumpf.", f"Every {value} is trump.")


def _suit(german: str, english: str) -> Message:
    return Message(f"Alle {german}-Karten sind Trumpf.", f"Everything with a {english} on it is trump.")


def _minus(german: str, english: str) -> Message:
    return Message(
        f"{german} im eigenen Stichhaufen: je ein Punkt weniger.", f"{english} among your tricks: one point less each."
    )


RULES: Mapping[int, Message] = {
    **{number: _value(number + 1) for number in range(1, 15)},
    15: _suit("Münz", "coin"),
    16: _suit("Fächer", "fan"),
    17: _suit("Koi", "koi"),
    18: _value(1),
    19: Message("Samurai (1, 10 und 13) sind Trumpf.", "Samurai (1, 10 and 13) are trump."),
    20: _suit("Torii", "torii"),
    21: Message(
        "Was zum zweiten Stich ausgespielt wird, macht seine Farbe zur Trumpffarbe.",
        "The card led to the second trick makes its suit trump.",
    ),
    22: Message(
        "Vor dem ersten Stich: drei Karten an den rechten Nachbarn.",
        "Before the first trick: three cards to the seat on the right.",
    ),
    23: Message(
        "Vor dem ersten Stich: drei Karten an den linken Nachbarn.",
        "Before the first trick: three cards to the seat on the left.",
    ),
    24: Message(
        "Jeder legt zu Beginn eine Karte weg; daraus wird der letzte Stich.",
        "Everybody sets a card aside at the start; these make the last trick.",
    ),
    25: Message("Drei Handkarten von jedem liegen offen.", "Three of everybody's hand cards lie open."),
    26: Message(
        "Nach der ersten Karte eines Stichs spielen alle anderen gleichzeitig und verdeckt.",
        "After the first card of a trick all others play at once, face down.",
    ),
    27: Message("Zu bedienen ist die Karte, die zuletzt gespielt wurde.", "The card to follow is the one played last."),
    28: Message("Ohne passende Farbe besteht Trumpfzwang.", "If you cannot follow, you must trump."),
    29: Message("Mit der ersten Karte gewinnt man keinen Stich.", "No trick is won with its first card."),
    30: Message("Es gewinnt die zweithöchste statt der höchsten Karte.", "The second highest card wins instead of the highest."),
    31: Message("Kleine Werte schlagen große: 1 ist oben, 15 unten.", "Small values beat big ones: 1 on top, 15 at the bottom."),
    32: Message(
        "Trumpf ist die schwächste Farbe; ist Trumpf ausgespielt, zählt bei den übrigen nur der Wert.",
        "Trump is the weakest suit; if it is led, the value alone counts among the others.",
    ),
    33: Message(
        "Die ausgespielte Farbe hat keinen Vorrang; es zählt der Wert, nur Trumpf steht darüber.",
        "The led suit has no precedence; the value counts, only trump is above.",
    ),
    34: Message(
        "Wer einen Stich gewinnt, entfernt eine Karte daraus, die dann nicht zählt.",
        "Who wins a trick removes one of its cards, which then does not count.",
    ),
    35: Message("Gewonnene Stiche bekommt sofort der linke Platz.", "Tricks won go to the seat on the left at once."),
    36: Message("Als Nächstes spielt aus, wer rechts vom Gewinner sitzt.", "Who sits to the right of the winner leads next."),
    37: Message("Jeder zweite Stich läuft gegen den Uhrzeigersinn.", "Every second trick goes anticlockwise."),
    38: Message(
        "Nach Stich drei: drei Karten an den linken Nachbarn.", "After trick three: three cards to the seat on the left."
    ),
    39: Message(
        "Wer den letzten Stich gewinnt, muss alle seine Stiche dem linken Platz überlassen.",
        "Who wins the last trick hands all its tricks to the seat on the left.",
    ),
    40: Message(
        "Bei drei Handkarten ist Schluss; jede von ihnen zählt als eigener Stich.",
        "Play stops at three hand cards; each of them counts as a trick of its own.",
    ),
    41: Message("Ein Stich ist so viel wert, wie er Farben hat.", "A trick is worth as many points as it has suits."),
    42: Message("Doppelt zählt, was keinen Samurai enthält.", "A trick doubles if no samurai is in it."),
    43: Message("Doppelt zählt, was keinen Trumpf enthält.", "A trick doubles if no trump is in it."),
    44: Message("Der Wert des fünften Stichs wird verdreifacht.", "The value of the fifth trick is tripled."),
    45: Message(
        "Stich eins und zwei sind wertlos, der letzte wird verdreifacht.",
        "Tricks one and two are worthless, the last one is tripled.",
    ),
    46: Message("Samurai im eigenen Stichhaufen: je ein Punkt mehr.", "Samurai among your tricks: one point more each."),
    47: _minus("Fächer", "Fans"),
    48: _minus("Münzen", "Coins"),
    49: _minus("Koi", "Koi"),
    50: _minus("Torii", "Torii"),
    51: _minus("Trümpfe", "Trumps"),
    52: Message("Siebenen im eigenen Stichhaufen: je drei Punkte mehr.", "Sevens among your tricks: three points more each."),
    53: Message(
        "Fünfzehnen im eigenen Stichhaufen: je drei Punkte weniger.", "Fifteens among your tricks: three points less each."
    ),
    54: Message("Zehn Punkte mehr für jeden ganz ohne Stich.", "Ten points more for everybody without a trick."),
    55: Message("Fünf Punkte mehr für genau einen Stich.", "Five points more for exactly one trick."),
    56: Message(
        "Wer eine gerade Zahl von Stichen hat (auch null), verdoppelt seine Punkte.",
        "An even number of tricks (also zero) doubles your points.",
    ),
    57: Message("Wer die wenigsten Stiche hat, verdoppelt seine Punkte.", "Whoever has the fewest tricks doubles their points."),
    58: Message(
        "So viele Punkte, wie der rechte Platz im Minus steht, bekommst du dazu.",
        "What the seat on the right is below zero, you get on top.",
    ),
    59: Message("Du bekommst die Punkte des linken Platzes dazu.", "You add the points of the seat on the left to yours."),
    60: Message("Am Ende wechselt das Vorzeichen aller Punkte.", "At the end the sign of all points is turned."),
}

MESSAGES: Mapping[str, Message] = {
    "stich-meister": Message("Stich-Meister", "Stich-Meister"),
    **{f"stich-meister.prompt.{key}": text for key, text in PROMPTS.items()},
    **{f"stich-meister.refusal.{key}": text for key, text in REFUSALS.items()},
    **{f"stich-meister.{key}": text for key, text in (*COMMANDS.items(), *EVENTS.items())},
    **{f"stich-meister.suit.{key}": text for key, text in SUIT_NAMES.items()},
    **{f"stich-meister.card.{card}": _card(card) for card in range(CARDS)},
    **{f"stich-meister.trick-reason.{key}": text for key, text in TRICK_REASONS.items()},
    **{f"stich-meister.option.{key}": text for key, text in OPTIONS.items()},
    **{f"stich-meister.rule.{number}": text for number, text in RULES.items()},
    **{f"stich-meister.why.{key}": text for key, text in WHY.items()},
    "stich-meister.about": ABOUT,
    **{f"stich-meister.tip.{key}": text for key, text in TIPS.items()},
    **{f"stich-meister.example.{key}": text for key, text in EXAMPLES.items()},
}
