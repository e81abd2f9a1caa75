"""What is said about the signs of Meister Coup to who asks what they mean, and about the game to who does not know it."""

from __future__ import annotations

from collections.abc import Mapping

from ...game import Message

ABOUT = Message(
    "Lies, welche Farbe den Stich bestimmt, und sammle vier Farben für einen Meistercoup.",
    "Read which colour decides the trick, and collect four colours for a Meistercoup.",
)

TIPS: Mapping[str, Message] = {
    "violet": Message(
        "Eine der vier Farben eines Meistercoups.",
        "One of the four colours of a Meistercoup.",
    ),
    "blue": Message(
        "Eine der vier Farben eines Meistercoups.",
        "One of the four colours of a Meistercoup.",
    ),
    "green": Message(
        "Eine der vier Farben eines Meistercoups.",
        "One of the four colours of a Meistercoup.",
    ),
    "yellow": Message(
        "Eine der vier Farben eines Meistercoups.",
        "One of the four colours of a Meistercoup.",
    ),
    "sums": Message(
        "Die Werte jeder Farbe im Stich, zusammengezählt. Die höchste Summe hat die Mehrheit; ihre höchste Karte gewinnt.",
        "The values of each colour in the trick, added up. The highest sum has the majority; its highest card wins.",
    ),
    "taking": Message(
        "Der Erste wählt eine Karte des Stichs, der Zweite bekommt die zwei niedrigsten übrigen und spielt als Nächster aus.",
        "The first picks a card of the trick, the second gets the two lowest left and leads next.",
    ),
    "squares": Message(
        "Die Quadrate sind die Rückseiten einer Hand: Die Farben sehen alle, die Werte nicht.",
        "The squares are the backs of a hand: everyone sees the colours, not the values.",
    ),
    "diamonds": Message(
        "Jede genommene Karte ist ein Punkt, jeder Diamant darauf einer mehr.",
        "Each card taken is a point, each diamond on it one more.",
    ),
    "meistercoup": Message(
        "Je eine Karte aller vier Farben in einer Runde. Drei davon gewinnen sofort.",
        "One card of each colour in a round. Three of them win at once.",
    ),
    "taken": Message(
        "Was in dieser Runde genommen wurde, nach Farben.",
        "What was taken in this round, by colour.",
    ),
    "team": Message(
        "Alle mit demselben Zeichen gehören zusammen.",
        "All with the same mark play together.",
    ),
}
"""By suit, role or other sign; the names stand elsewhere."""

EXAMPLES: Mapping[str, Message] = {
    "majority": Message(
        "Violett hat 9, Grün 8, aber Blau 6 und 5 zusammen 11: Die blaue 6 gewinnt, die blaue 5 wird Zweite.",
        "Violet has 9, green 8, but blue 6 and 5 make 11: the blue 6 wins, the blue 5 is second.",
    ),
    "set": Message(
        "Vier Karten, vier Farben: ein Meistercoup. Der dritte gewinnt die Partie.",
        "Four cards, four colours: a Meistercoup. The third one wins the match.",
    ),
}
"""What the pictures of the rule sheet show; the client has their cards."""
