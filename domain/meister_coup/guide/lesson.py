"""The guided first match of Meister Coup: which colour has the majority, who takes what, and the Meistercoup."""

from __future__ import annotations

from ...game import Message
from ...lessons import Lesson, Line, When
from ..messages import MeisterOptions

ASKED = (
    Line(
        key="lead",
        when=When(prompt="meister-coup.prompt.lead", legal={"type": "meister-coup.play-card", "card": 47}),
        text=Message(
            "Spiel die 12 in Gelb aus; bedienen muss niemand. Am Ende des Stichs zählt man die Werte jeder Farbe "
            "zusammen. Die höchste Summe hat die Mehrheit, und die höchste Karte dieser Farbe gewinnt.",
            "Lead the 12 in yellow; no one has to follow suit. At the end of the trick the values of each colour are "
            "added up. The colour with the highest sum has the majority, and its highest card wins.",
        ),
        suggested={"type": "meister-coup.play-card", "card": 47},
    ),
    Line(
        key="pick",
        when=When(prompt="meister-coup.prompt.pick"),
        text=Message(
            "Du gewinnst und nimmst dir eine Karte: 1 Punkt, und 1 für jeden Diamanten darauf. Eine Karte von jeder "
            "der vier Farben ist ein Meistercoup.",
            "You win and pick one card: 1 point, and 1 for each diamond on it. One card of each of the four colours is "
            "a Meistercoup.",
        ),
        suggested={"type": "meister-coup.pick-card", "card": 47},
    ),
    Line(
        key="take",
        when=When(prompt="meister-coup.prompt.take"),
        text=Message(
            "Du bist Zweiter und bekommst die zwei niedrigsten Karten, die noch liegen. Unter gleich niedrigen wählst "
            "du: Nimm eine Farbe, die dir fehlt.",
            "You are second and get the two lowest cards that are left. Among equal ones you choose: take a colour "
            "that you lack.",
        ),
    ),
    Line(
        key="second-round",
        when=When(legal={"type": "meister-coup.play-card", "card": 46}),
        text=Message(
            "Eine neue Hand, mit 11 und 12 in Grün und in Gelb. Liegt eine dieser Farben schon, bekommst du mit der 12 "
            "leicht die Mehrheit und den Stich.",
            "A new hand, with 11 and 12 in green and in yellow. If one of these colours lies there already, your 12 "
            "easily gets it the majority and you the trick.",
        ),
    ),
    Line(
        key="lead-again",
        when=When(prompt="meister-coup.prompt.lead"),
        text=Message(
            "Wer Zweiter war, spielt aus. Die kleinen Quadrate an jedem Platz zeigen, welche Farben die anderen auf "
            "der Hand haben: Nur die Werte sind geheim.",
            "The second of a trick leads to the next. The small squares at each seat show which colours the others "
            "hold: only the values are secret.",
        ),
    ),
    Line(
        key="play",
        when=When(prompt="meister-coup.prompt.play"),
        text=Message(
            "Eine Farbe führt mit ihrer Summe. Spielst du sie höher als ihre höchste Karte, liegst du vorn; spielst du "
            "sie niedriger, hilfst du der vorderen Karte und wirst vielleicht Zweiter.",
            "One colour leads with its sum. Play it higher than its highest card and you are in front; play it lower "
            "and you help that card, and may come second.",
        ),
    ),
    Line(
        key="play-again",
        when=When(prompt="meister-coup.prompt.play"),
        text=Message(
            "Zweiter zu sein ist oft besser als zu gewinnen: zwei Karten statt einer, und das nächste Ausspiel. Welche "
            "Farbe fehlt dir zum Meistercoup?",
            "To be second is often better than to win: two cards instead of one, and the next lead. Which colour do "
            "you lack for a Meistercoup?",
        ),
    ),
)
AFTER_EVENTS = (
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
            "Die Runde ist zu Ende: Karten und Diamanten sind Punkte, Meistercoups bleiben. Das Wichtigste kennst du "
            "jetzt: Spiel weiter, oder fang in der Lobby eine eigene Partie an.",
            "The round is over: cards and diamonds are points, Meistercoups stay. You know what matters now: play on, "
            "or begin a match of your own in the lobby.",
        ),
    ),
    Line(
        key="mine",
        when=When(event="meister-coup.meistercoup-ticked.1", fields={"seat": 0}),
        text=Message(
            "Ein Meistercoup für dich: alle vier Farben beisammen. Drei davon gewinnen sofort, auch über mehrere Runden.",
            "A Meistercoup for you: all four colours together. Three of them win at once, over several rounds too.",
        ),
    ),
    Line(
        key="theirs",
        when=When(event="meister-coup.meistercoup-ticked.1"),
        text=Message(
            "Jemand anderem ist ein Meistercoup gelungen. Ab zwei wird es gefährlich: Überlass diesem Platz nicht die "
            "Farbe, die ihm fehlt.",
            "Another player has landed a Meistercoup. From two on it is dangerous: do not leave that seat the colour it lacks.",
        ),
    ),
    Line(
        key="second",
        when=When(event="meister-coup.cards-taken.1", fields={"seat": 0}),
        text=Message(
            "Du warst Zweiter und hast die zwei niedrigsten übrigen Karten bekommen.",
            "You were second and got the two lowest cards that were left.",
        ),
    ),
    Line(
        key="ranked",
        when=When(event="meister-coup.trick-ranked.1"),
        text=Message(
            "Nach der Karte, die gewinnt, ist die nächste derselben Farbe Zweite. Liegt keine mehr, ist es die höchste "
            "der zweitstärksten Farbe.",
            "After the card that wins, the next of its colour is second. If there is none, it is the highest of the "
            "second strongest colour.",
        ),
    ),
)

LESSON = Lesson(
    edition=1,
    seats=4,
    options=MeisterOptions(first_leader=0),
    bot="honest",
    chance=3,
    minutes=5,
    lines=(*ASKED, *AFTER_EVENTS),
)
