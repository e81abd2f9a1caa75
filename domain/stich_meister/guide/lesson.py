"""The guided first match of Stich-Meister: choose a rule, see what the four rules do, and take tricks under them."""

from __future__ import annotations

from ...game import Message
from ...lessons import Lesson, Line, When
from ..messages import StichOptions

ASKED = (
    Line(
        key="choose",
        when=When(prompt="stich-meister.prompt.choose-rule"),
        text=Message(
            "Wähle zuerst geheim eine deiner drei Regeln für diese Runde. Regel 17 macht alle Koi zu Trumpf, und du "
            "hast die zwei höchsten: 15 und 14.",
            "First you secretly choose one of your three rules for this round. Rule 17 makes every koi trump, and you "
            "hold the two highest: 15 and 14.",
        ),
        suggested={"type": "stich-meister.choose-rule", "rule": 17},
    ),
    Line(
        key="lead",
        when=When(prompt="stich-meister.prompt.lead", legal={"type": "stich-meister.play-card", "card": 44}),
        text=Message(
            "Lies die vier Regeln oben; sie gelten alle zusammen. Ist 17 dabei, schlägt niemand deinen Koi 15; ohne "
            "Trumpf gewinnt die höchste Karte der ausgespielten Farbe.",
            "Read the four rules above; they all work together. If 17 is among them, no one beats your koi 15; without "
            "trump the highest card of the suit led wins.",
        ),
        suggested={"type": "stich-meister.play-card", "card": 44},
    ),
    Line(
        key="follow",
        when=When(refused="stich-meister.must-follow"),
        text=Message(
            "Graue Karten gehen nicht: Du musst die ausgespielte Farbe bedienen. Was eine Trumpfregel nennt, gehört "
            "zum Trumpf und nicht mehr zu seiner Farbe.",
            "Grey cards do not work: you must follow the suit led. What a trump rule names belongs to trump, and no "
            "longer to its suit.",
        ),
    ),
    Line(
        key="lead-again",
        when=When(prompt="stich-meister.prompt.lead"),
        text=Message(
            "Du spielst wieder aus. Regeln bis 21 machen Trumpf, 22 bis 40 ändern den Ablauf, ab 41 die Punkte: Lohnt "
            "sich dieser Stich für dich?",
            "You lead again. Rules up to 21 make trump, 22 to 40 change the play, 41 and above the points: is this "
            "trick worth winning?",
        ),
    ),
    Line(
        key="free",
        when=When(prompt="stich-meister.prompt.play"),
        text=Message(
            "Wer nicht bedienen kann, spielt in der Regel, was er will: einen Trumpf, um zu gewinnen, oder eine Karte, "
            "die nur schadet.",
            "If you cannot follow, you may usually play anything: a trump to win, or a card that only does harm.",
        ),
    ),
    Line(
        key="again",
        when=When(prompt="stich-meister.prompt.choose-rule"),
        text=Message(
            "Neue Runde, neue Regeln; du hast wieder drei zur Wahl. Das Wichtigste kennst du jetzt: Spiel weiter, oder "
            "fang in der Lobby eine eigene Partie an.",
            "A new round, new rules; you have three to choose from again. You know what matters now: play on, or begin "
            "a match of your own in the lobby.",
        ),
    ),
)
AFTER_EVENTS = (
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
            "Die Runde ist gezählt, Regel für Regel in der Reihenfolge ihrer Nummern. Jeder Stich ist ein Punkt, wenn "
            "keine Regel das ändert.",
            "The round is scored, rule by rule in the order of their numbers. Each trick is one point unless a rule "
            "changes that.",
        ),
    ),
    Line(
        key="rules",
        when=When(event="stich-meister.rules-shown.1"),
        text=Message(
            "Wer welche Regel gewählt hat, bleibt bis zum Ende geheim. Zu dritt kommt die vierte vom Stapel, und die "
            "Samurai (1, 10 und 13) fehlen.",
            "Who chose which rule stays secret to the end. With three seats the fourth comes from the deck, and the "
            "samurai (1, 10 and 13) are left out.",
        ),
    ),
    Line(
        key="won",
        when=When(event="stich-meister.trick-won.1", fields={"seat": 0}),
        text=Message(
            "Du gewinnst den Stich. Solange er liegt, steht in der Zeile über dem Tisch, was ihn entschieden hat.",
            "You win the trick. While it lies there, the line above the table says what decided it.",
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
    chance=281,
    minutes=5,
    lines=(*ASKED, *AFTER_EVENTS),
)
