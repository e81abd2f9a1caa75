"""What is said about the signs of MatchMaster to who asks what they mean, and about the game to who does not know it."""

from __future__ import annotations

from collections.abc import Mapping

from ...game import Message

ABOUT = Message(
    "Sag geheim an, wie viele Stiche du machst, und triff die Zahl genau.",
    "Secretly bid how many tricks you will take, and hit the number exactly.",
)

TIPS: Mapping[str, Message] = {
    "dark_orange": Message(
        "Immer Trumpf: schlägt jede andere Farbe.",
        "Always trump: beats every other suit.",
    ),
    "light_orange": Message(
        "Eine der drei gleich starken Farben: gewinnt, wenn sie ausgespielt ist und kein Trumpf liegt.",
        "One of three equal suits: wins if it was led and there is no trump.",
    ),
    "dark_blue": Message(
        "Eine der drei gleich starken Farben: gewinnt, wenn sie ausgespielt ist und kein Trumpf liegt.",
        "One of three equal suits: wins if it was led and there is no trump.",
    ),
    "light_blue": Message(
        "Eine der drei gleich starken Farben: gewinnt, wenn sie ausgespielt ist und kein Trumpf liegt.",
        "One of three equal suits: wins if it was led and there is no trump.",
    ),
    "exact": Message(
        "Ansage getroffen: 10 Punkte und 1 für jeden Stich. Auch eine Null bringt 10.",
        "Bid met: 10 points and 1 for each trick. A bid of none brings 10 too.",
    ),
    "missed": Message(
        "Ansage verfehlt: 1 Punkt weniger für jeden Stich zu viel oder zu wenig.",
        "Bid missed: 1 point less for each trick too many or too few.",
    ),
    "duty": Message(
        "Bedienen, wenn du kannst; sonst Trumpf spielen. Jeder Trumpf, auch wenn Trumpf ausgespielt ist, muss den "
        "höchsten im Stich übertrumpfen, wenn das geht. Nur ohne beides ist jede Karte frei.",
        "Follow suit if you can; otherwise play trump. A trump, also where trump was led, must beat the highest in the "
        "trick if you can. Only without both is any card free.",
    ),
    "bid": Message(
        "Links die gemachten Stiche, rechts die Ansage; grün, solange beide gleich sind.",
        "The tricks taken, then the bid; green while both are equal.",
    ),
    "sealed": Message(
        "Die Ansagen bleiben geheim, bis alle angesagt haben.",
        "Bids stay secret until all are in.",
    ),
}
"""By suit, role or other sign; the names stand elsewhere."""

EXAMPLES: Mapping[str, Message] = {
    "trump": Message(
        "Hellblau 9 ist ausgespielt, die 12 bedient. Wer kein Hellblau hat, muss Trumpf spielen: Schon die "
        "Dunkelorange 2 gewinnt.",
        "Light blue 9 is led, the 12 follows. Who has no light blue must play trump: even dark orange 2 wins.",
    ),
    "beat": Message(
        "Trumpf ist ausgespielt. Die 9 übertrumpft die 5; wer keine höhere hat, spielt irgendeinen Trumpf.",
        "Trump is led. The 9 beats the 5; who has no higher one plays any trump.",
    ),
}
"""What the pictures of the rule sheet show; the client has their cards."""
