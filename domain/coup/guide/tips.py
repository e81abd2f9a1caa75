"""What is said about the signs of Coup to who asks what they mean, and about the game to who does not know it."""

from __future__ import annotations

from collections.abc import Mapping

from ...game import Message

ABOUT = Message(
    "Behaupte, wer du bist, ob es stimmt oder nicht, und bleib als Letzter mit verdeckten Karten übrig.",
    "Claim to be anyone, true or not, and be the last with face-down cards.",
)

TIPS: Mapping[str, Message] = {
    "duke": Message(
        "Nimmt drei Münzen Steuern. Verhindert Entwicklungshilfe.",
        "Takes three coins of tax. Blocks foreign aid.",
    ),
    "assassin": Message(
        "Verübt für drei Münzen einen Mordanschlag: Das Ziel verliert eine Karte. Nur eine Contessa verhindert das.",
        "Pays three coins for an assassination: the target loses a card. Only a contessa blocks it.",
    ),
    "captain": Message(
        "Nimmt jemandem bis zu zwei Münzen ab. Verhindert, dass man selbst bestohlen wird.",
        "Takes up to two coins from a player. Blocks a theft from you.",
    ),
    "ambassador": Message(
        "Zieht zwei Karten und gibt zwei zurück. Verhindert, dass man bestohlen wird.",
        "Draws two cards and gives two back. Blocks a theft from you.",
    ),
    "inquisitor": Message(
        "Zieht eine Karte und gibt eine zurück, oder sieht eine Karte eines anderen an und lässt sie tauschen. "
        "Verhindert, dass man bestohlen wird.",
        "Draws a card and gives one back, or looks at a card of another player and may have it replaced. Blocks a "
        "theft from you.",
    ),
    "contessa": Message(
        "Verhindert einen Mordanschlag auf dich. Eine Aktion hat sie nicht.",
        "Blocks an assassination of you. She has no action.",
    ),
    "coins": Message(
        "Münzen sind offen. Ein Mordanschlag kostet drei, ein Coup sieben; ab zehn muss man einen Coup starten.",
        "Coins are open. An assassination costs three, a coup seven; from ten on you must launch a coup.",
    ),
    "hidden": Message(
        "Eine verdeckte Karte. Von jeder Rolle gibt es drei, beim Zwei-Personen-Spiel mit Auswahl weniger.",
        "A face-down card. There are three of each role, fewer in the draft for two.",
    ),
    "court": Message(
        "Der Hofstaat: die übrigen Karten, verdeckt. Aus ihm wird gezogen und getauscht.",
        "The court deck: the other cards, face down. They are drawn and exchanged.",
    ),
    "claim": Message(
        "Das wurde gerade gesagt. Es kann wahr sein oder ein Bluff.",
        "This has just been said. It may be true or a bluff.",
    ),
    "bluff": Message(
        "Du hast diese Rolle nicht. Ficht das jemand an, verlierst du eine Karte.",
        "You do not hold this role. If it is challenged, you lose a card.",
    ),
}
"""By suit, role or other sign; the names stand elsewhere."""

EXAMPLES: Mapping[str, Message] = {
    "proof": Message(
        "Anna behauptet den Großherzog, Bert ficht das an. Anna zeigt ihn: Bert verliert eine Karte, und Anna tauscht "
        "die gezeigte gegen eine neue.",
        "Anna claims the duke, Bert challenges it. Anna shows him: Bert loses a card, and Anna gets a new card for the "
        "one she showed.",
    ),
    "bluff": Message(
        "Anna behauptet den Großherzog, hat aber nur den Botschafter. Bert ficht an: Anna zeigt ihn und verliert "
        "ihn, und Münzen gibt es keine.",
        "Anna claims the duke but holds the ambassador. Bert challenges it: Anna shows the ambassador and loses it, and "
        "there are no coins.",
    ),
    "block": Message(
        "Ein Mordanschlag kostet drei Münzen. Die Contessa verhindert ihn; die Münzen sind trotzdem weg.",
        "An assassination costs three coins. The contessa blocks it; the coins are gone all the same.",
    ),
}
"""What the pictures of the rule sheet show; the client has their cards."""
