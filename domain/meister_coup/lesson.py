"""The guided first match of Meister Coup: which colour has the majority, who takes what, and the Meistercoup."""

from __future__ import annotations

from ..game import Message
from ..lessons import Lesson, Line, When
from .messages import MeisterOptions

ASKED = (
    Line(
        key="lead",
        when=When(prompt="meister-coup.prompt.lead"),
        text=Message(
            "Spiel irgendeine Karte aus; bedienen muss hier niemand. Am Ende des Stichs zählt man die Werte jeder "
            "Farbe zusammen. Die Farbe mit der höchsten Summe hat die Mehrheit, und ihre höchste Karte gewinnt den "
            "Stich.",
            "Play any card; nobody has to follow suit here. At the end of the trick the values of each colour are "
            "added up. The colour with the highest sum has the majority, and its highest card wins the trick.",
        ),
    ),
    Line(
        key="play",
        when=When(prompt="meister-coup.prompt.play"),
        text=Message(
            "Zähle, was liegt: Eine Farbe führt mit ihrer Summe. Spielst du dieselbe Farbe höher, gewinnst du; "
            "spielst du sie niedriger, stärkst du die führende Karte.",
            "Add up what lies there: one colour leads with its sum. A higher card of the same colour wins; a lower "
            "one makes the leading card stronger.",
        ),
    ),
    Line(
        key="pick",
        when=When(prompt="meister-coup.prompt.pick"),
        text=Message(
            "Du gewinnst den Stich und suchst dir eine Karte aus. Jede Karte ist ein Punkt, jeder Diamant darauf "
            "noch einer. Aber wichtiger: Wer je eine Karte aller vier Farben hat, dem gelingt ein Meistercoup.",
            "You win the trick and pick one card. Each card is a point, and so is each diamond on it. More "
            "important: one card of each of the four colours makes a Meistercoup.",
        ),
    ),
    Line(
        key="take",
        when=When(prompt="meister-coup.prompt.take"),
        text=Message(
            "Du bist Zweiter und bekommst die zwei niedrigsten Karten, die noch liegen. Nur unter gleich niedrigen "
            "darfst du wählen: Nimm die Farbe, die dir fehlt.",
            "You are second and get the two lowest cards that are left. You may choose among equal ones only: take "
            "the colour that you lack.",
        ),
    ),
    Line(
        key="lead-again",
        when=When(prompt="meister-coup.prompt.lead"),
        text=Message(
            "Wer Zweiter war, spielt zum nächsten Stich aus. Die kleinen Quadrate bei jedem Platz zeigen, welche "
            "Farben die anderen noch auf der Hand haben: Ihre Farben sind offen, nur die Werte nicht.",
            "The second of a trick leads to the next. The small squares at each seat show which colours the others "
            "hold: the colours are open, only the values are not.",
        ),
    ),
    Line(
        key="play-again",
        when=When(prompt="meister-coup.prompt.play"),
        text=Message(
            "Zweiter zu werden ist oft besser als zu gewinnen: zwei Karten statt einer, und das nächste Ausspiel. "
            "Schau, welche Farbe dir zum Meistercoup fehlt.",
            "To be second is often better than to win: two cards instead of one, and the next lead. Look which "
            "colour you lack for a Meistercoup.",
        ),
    ),
)
NEWS = (
    Line(
        key="over",
        when=When(event="meister-coup.won.1"),
        text=Message(
            "Das war Meister Coup. Drei Meistercoups gewinnen sofort; sonst zählen nach drei Runden die Punkte.",
            "That was Meister Coup. Three Meistercoups win at once; otherwise the points count after three rounds.",
        ),
    ),
    Line(
        key="scored",
        when=When(event="meister-coup.round-scored.1"),
        text=Message(
            "Die Runde ist zu Ende: Karten und Diamanten werden Punkte, die Meistercoups bleiben stehen. Die Karten "
            "vor dir sind weg, jetzt werden neue gegeben. Mehr Regeln gibt es nicht: Spiel weiter, so lange du "
            "willst.",
            "The round is over: cards and diamonds become points, the Meistercoups stay. The cards before you are "
            "gone, new ones are dealt. There are no more rules: play on as long as you like.",
        ),
    ),
    Line(
        key="mine",
        when=When(event="meister-coup.meistercoup-ticked.1", fields={"seat": 0}),
        text=Message(
            "Ein Meistercoup für dich: alle vier Farben beisammen. Drei davon, auch über mehrere Runden, gewinnen sofort.",
            "A Meistercoup for you: all four colours together. Three of them, over several rounds too, win at once.",
        ),
    ),
    Line(
        key="theirs",
        when=When(event="meister-coup.meistercoup-ticked.1"),
        text=Message(
            "Jemand anderem ist ein Meistercoup gelungen. Ab zwei davon wird es gefährlich: Lass diesem Platz nicht "
            "die Farbe, die ihm fehlt.",
            "Another player has landed a Meistercoup. From two on it is dangerous: do not leave that seat the colour it lacks.",
        ),
    ),
    Line(
        key="second",
        when=When(event="meister-coup.cards-taken.1", fields={"seat": 0}),
        text=Message(
            "Du warst Zweiter und hast die zwei niedrigsten übrigen Karten bekommen. Dafür spielst du jetzt aus.",
            "You were second and got the two lowest cards that were left. In return you lead now.",
        ),
    ),
    Line(
        key="ranked",
        when=When(event="meister-coup.trick-ranked.1"),
        text=Message(
            "Zuerst zählt die Farbe mit der größten Summe, in ihr die höchste Karte. Erster nimmt eine Karte nach "
            "Wahl, Zweiter die zwei niedrigsten; was übrig bleibt, ist aus der Runde.",
            "The colour with the highest sum comes first, and in it the highest card. The first picks any card, the "
            "second gets the two lowest; what is left is out of the round.",
        ),
    ),
)

LESSON = Lesson(
    edition=1,
    seats=4,
    options=MeisterOptions(first_leader=0),
    bot="honest",
    deal=3,
    minutes=5,
    lines=(*ASKED, *NEWS),
)
