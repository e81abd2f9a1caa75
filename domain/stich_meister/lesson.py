"""The guided first match of Stich-Meister: choose a rule, see what the four rules do, and take tricks under them."""

from __future__ import annotations

from ..game import Message
from ..lessons import Lesson, Line, When
from .messages import StichOptions

ASKED = (
    Line(
        key="choose",
        when=When(prompt="stich-meister.prompt.choose-rule"),
        text=Message(
            "Wähle zuerst geheim eine deiner drei Regeln. Regeln bis 21 machen Trumpf, 22 bis 40 ändern den Ablauf, "
            "ab 41 die Punkte. Du hast drei Dreien auf der Hand: Mit Regel 2 sind alle Dreien Trumpf.",
            "First you secretly choose one of your three rules. Rules up to 21 make trump, 22 to 40 change the "
            "play, 41 and above the points. You hold three 3s: with rule 2 every 3 is trump.",
        ),
        suggested={"type": "stich-meister.choose-rule", "rule": 2},
    ),
    Line(
        key="lead",
        when=When(prompt="stich-meister.prompt.lead"),
        text=Message(
            "Du spielst aus. Bevor du spielst: Lies die vier Regeln oben. Sie gelten zusammen, in der Reihenfolge "
            "ihrer Nummern. Ohne Trumpfregel gewinnt die höchste Karte der ausgespielten Farbe.",
            "You lead. Before you play, read the four rules above. They work together, in the order of their "
            "numbers. Without a trump rule the highest card of the suit led wins.",
        ),
    ),
    Line(
        key="follow",
        when=When(refused="stich-meister.must-follow"),
        text=Message(
            "Graue Karten gehen nicht: Du musst die ausgespielte Farbe bedienen. Was eine Trumpfregel trifft, "
            "gehört zur Trumpffarbe und nicht mehr zu seiner gedruckten.",
            "Grey cards do not work: you must follow the suit led. What a trump rule matches belongs to the trump "
            "suit, and no longer to its printed one.",
        ),
    ),
    Line(
        key="free",
        when=When(prompt="stich-meister.prompt.play"),
        text=Message(
            "Wer nicht bedienen kann, darf alles spielen: einen Trumpf, um zu gewinnen, oder eine Karte, die nur schadet.",
            "Who cannot follow may play anything: a trump to win, or a card that only does harm.",
        ),
    ),
    Line(
        key="again",
        when=When(prompt="stich-meister.prompt.choose-rule"),
        text=Message(
            "Neue Runde, neue Regeln. Deine Hand mit Regelkarten ist wieder auf drei ergänzt. Mehr musst du nicht "
            "wissen: Spiel weiter, so lange du willst.",
            "A new round with new rules. Your rule cards are three again. That is all you need to know: play on as "
            "long as you like.",
        ),
    ),
)
NEWS = (
    Line(
        key="over",
        when=When(event="stich-meister.choosers-shown.1"),
        text=Message(
            "Das war Stich-Meister. Jetzt ist auch offen, wer welche Regel gewählt hatte.",
            "That was Stich-Meister. Now it is open, too, who had chosen which rule.",
        ),
    ),
    Line(
        key="scored",
        when=When(event="stich-meister.round-scored.1"),
        text=Message(
            "Die Runde ist gezählt, Regel für Regel in der Reihenfolge ihrer Nummern. Jeder Stich ist ein Punkt, "
            "wenn keine Regel das ändert.",
            "The round is scored, rule by rule in the order of their numbers. Each trick is one point unless a rule "
            "changes that.",
        ),
    ),
    Line(
        key="rules",
        when=When(event="stich-meister.rules-shown.1"),
        text=Message(
            "Diese vier Regeln gelten jetzt. Wer welche gewählt hat, bleibt bis zum Ende geheim; zu dritt kommt die "
            "vierte vom Stapel. Zu dritt fehlen auch die Samurai, das sind die Werte 1, 10 und 13.",
            "These four rules are in force. Who chose which stays secret to the end; with three seats the fourth "
            "comes from the deck. With three seats the samurai are left out too: the values 1, 10 and 13.",
        ),
    ),
    Line(
        key="won",
        when=When(event="stich-meister.trick-won.1", fields={"seat": 0}),
        text=Message(
            "Du gewinnst den Stich. Unter dem Stich steht immer, welche Regel ihn entschieden hat.",
            "You win the trick. Below it you always read which rule decided it.",
        ),
    ),
    Line(
        key="lost",
        when=When(event="stich-meister.trick-won.1"),
        text=Message(
            "Der Stich geht an jemand anderen. Ob das schlecht ist, sagen die Wertungsregeln ab 41.",
            "Another player wins the trick. Whether that is bad is up to the scoring rules from 41 on.",
        ),
    ),
)

LESSON = Lesson(
    edition=1,
    seats=3,
    options=StichOptions(first_dealer=2),
    bot="honest",
    deal=118,
    minutes=6,
    lines=(*ASKED, *NEWS),
)
