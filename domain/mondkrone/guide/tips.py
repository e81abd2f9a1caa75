"""What is said about the signs of Mondkrone to who asks what they mean, and about the game to who does not know it."""

from __future__ import annotations

from collections.abc import Mapping

from ...game import Message

ABOUT = Message(
    "Sei vorn in dem, was die oberste Karte fordert, oder ändere, was sie fordert.",
    "Be ahead in what the top card demands, or change what it demands.",
)

TIPS: Mapping[str, Message] = {
    "moons": Message(
        "Es führt die höchste Karte.",
        "The highest card leads.",
    ),
    "suns": Message(
        "Es führen die meisten Karten einer Farbe.",
        "Most cards of one suit lead.",
    ),
    "waves": Message(
        "Es führen die meisten geraden Karten: 2, 4, 6, 8.",
        "Most even cards lead: 2, 4, 6, 8.",
    ),
    "leaves": Message(
        "Es führen die meisten verschiedenen Farben.",
        "Most different suits lead.",
    ),
    "wyrms": Message(
        "Es führen die meisten Karten eines Typs: Orte, Handlungen, Personen oder Asse.",
        "Most cards of one type lead: locations, events, personalities or aces.",
    ),
    "knots": Message(
        "Es führen die meisten kleinen Werte: Ass, 2, 3, 4.",
        "Most small values lead: ace, 2, 3, 4.",
    ),
    "letters": Message(
        "Buchstaben neben dem Wert: O Ort, H Handlung, P Person. A ist ein Ass, die Krone der höchste Wert.",
        "Letters beside the value: L location, E event, P personality. A is an ace, the crown the highest value.",
    ),
    "even": Message(
        "Bei Gleichstand zählt die höhere Karte unter denen, die dafür zählen.",
        "On a tie, the higher of the cards that count decides.",
    ),
    "scores": Message(
        "Punkte der zur Seite gelegten Karten: Ass 1, Krone 10, sonst der Wert.",
        "Points of the cards laid aside: ace 1, crown 10, else the value.",
    ),
    "held": Message(
        "Karten auf der Hand.",
        "Cards in the hand.",
    ),
    "condition": Message(
        "Das zählt gerade, weil es auf der obersten Karte des Stapels steht.",
        "This counts now, as it is on the top card of the pile.",
    ),
    "leads": Message(
        "Führt in mindestens einer Bedingung. Ein Zug, nach dem du nicht führst, ist nicht erlaubt: Dann steigst du aus.",
        "Leads in at least one condition. A turn after which you do not lead is not allowed: then you drop out.",
    ),
    "pile": Message(
        "Die Zeichen der obersten Karte sagen, was gerade zählt.",
        "The signs on the top card say what counts now.",
    ),
    "deck": Message(
        "So viele Karten sind noch zu ziehen.",
        "The number of cards that are left to draw.",
    ),
    "dropped": Message(
        "Spielt in dieser Runde nicht mehr mit, in der nächsten wieder.",
        "Plays no more in this round, but in the next one again.",
    ),
}
"""By suit, role or other sign; the names stand elsewhere."""

EXAMPLES: Mapping[str, Message] = {
    "lead": Message(
        "Auf dem Stapel liegen Monde: Die höchste Karte führt, hier die 9 vor der 8. Wessen Zug endet, der muss führen.",
        "Moons lie on the pile: the highest card leads, here the 9 before the 8. Whose turn ends must lead.",
    ),
    "change": Message(
        "Legst du eine Karte mit zwei Zeichen auf den Stapel, musst du in beiden führen. Dafür ziehst du eine Karte.",
        "If you put a card with two suits on the pile, you must lead in both. In return you draw a card.",
    ),
}
"""What the pictures of the rule sheet show; the client has their cards."""
