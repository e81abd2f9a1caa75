"""What is said about the signs of Stich-Meister to who asks what they mean, and about the game to who does not know it."""

from __future__ import annotations

from collections.abc import Mapping

from ...game import Message

ABOUT = Message(
    "Ein Stichspiel, in dem alle vor jeder Runde Regeln aus sechzig Karten wählen.",
    "A trick-taking game in which all choose rules from sixty cards before each round.",
)

TIPS: Mapping[str, Message] = {
    "fan": Message(
        "Eine von vier Farben mit den Werten 1 bis 15.",
        "One of four suits with the values 1 to 15.",
    ),
    "coin": Message(
        "Eine von vier Farben mit den Werten 1 bis 15.",
        "One of four suits with the values 1 to 15.",
    ),
    "koi": Message(
        "Eine von vier Farben mit den Werten 1 bis 15.",
        "One of four suits with the values 1 to 15.",
    ),
    "torii": Message(
        "Eine von vier Farben mit den Werten 1 bis 15.",
        "One of four suits with the values 1 to 15.",
    ),
    "samurai": Message(
        "Samurai sind die Werte 1, 10 und 13. Nur manche Regeln achten auf sie; zu dritt fehlen sie.",
        "Samurai are the values 1, 10 and 13. Only some rules care for them; with three seats they are left out.",
    ),
    "rules": Message(
        "Vier Regeln gelten, in der Reihenfolge ihrer Nummern: bis 21 Trumpf, bis 40 der Ablauf, ab 41 die Punkte.",
        "Four rules are in force, in the order of their numbers: trump up to 21, the play up to 40, the points from 41 on.",
    ),
    "held": Message(
        "Karten auf der Hand, und daneben die gewonnenen Stiche.",
        "Cards in the hand, and beside them the tricks won.",
    ),
    "point": Message(
        "Jeder Stich ist ein Punkt, wenn keine Regel das ändert. Gespielt werden so viele Runden, wie Plätze da sind.",
        "Each trick is a point unless a rule changes that. There are as many rounds as seats.",
    ),
    "plain": Message(
        "Zählt nach der Zahl, wenn keine der Regeln etwas anderes sagt.",
        "Ranks by its number unless one of the rules says otherwise.",
    ),
    "trumps": Message(
        "Diese Karten sind in dieser Runde Trumpf, die stärkste zuerst.",
        "These cards are trumps in this round, the strongest first.",
    ),
    "trick": Message(
        "Gewonnene Stiche.",
        "Tricks won.",
    ),
    "open": Message(
        "Diese Handkarten liegen offen, wie es eine Regel verlangt.",
        "These cards of the hand lie open, as a rule demands.",
    ),
    "aside": Message(
        "Eine Karte liegt für den letzten Stich bereit.",
        "A card is kept for the last trick.",
    ),
}
"""By suit, role or other sign; the names stand elsewhere."""

EXAMPLES: Mapping[str, Message] = {
    "plain": Message(
        "Ohne Trumpf gewinnt die höchste Karte der ausgespielten Farbe: Koi 12. Torii 15 bedient nicht.",
        "Without trump the highest card of the suit led wins: koi 12. Torii 15 does not follow.",
    ),
    "trump": Message(
        "Gilt Regel 2, sind alle Dreien Trumpf: Münze 3 schlägt Koi 12 und Koi 14.",
        "With rule 2 in force every 3 is trump: coin 3 beats koi 12 and koi 14.",
    ),
    "small": Message(
        "Gilt Regel 31, schlagen kleine Werte große: Koi 4 schlägt Koi 12.",
        "With rule 31 in force small values beat big ones: koi 4 beats koi 12.",
    ),
}
"""What the pictures of the rule sheet show; the client has their cards."""
