"""What can be said without writing: ready phrases and reactions, in both languages."""

from __future__ import annotations

from collections.abc import Mapping

from ....domain.game import Message

PHRASES: Mapping[str, Message] = {
    "hello": Message("Hallo zusammen!", "Hello, everyone!"),
    "good-cards": Message("Gut Blatt!", "Good cards, everyone!"),
    "well-played": Message("Gut gespielt!", "Well played!"),
    "close-call": Message("Das war knapp!", "That was close!"),
    "well-i-never": Message("Na so was!", "Well, I never!"),
    "thanks": Message("Danke!", "Thank you!"),
    "my-mistake": Message("Da habe ich mich vertan.", "My mistake."),
    "thinking": Message("Moment, ich überlege noch.", "One moment, I'm thinking."),
    "away": Message("Ich muss kurz weg.", "I have to step away for a moment."),
    "back": Message("Da bin ich wieder.", "I'm back."),
    "again": Message("Noch eine Runde?", "Another round?"),
    "goodbye": Message("Danke fürs Spiel, bis bald!", "Thanks for the game, see you!"),
}
"""By their ids, which are stored: one may be added, and none renamed or removed."""
REACTIONS: Mapping[str, Message] = {
    "smile": Message("Lächeln", "Smile"),
    "laughter": Message("Lachen", "Laughter"),
    "applause": Message("Beifall", "Applause"),
    "thumbs-up": Message("Daumen hoch", "Thumbs up"),
    "amazement": Message("Staunen", "Amazement"),
    "puzzlement": Message("Grübeln", "Puzzlement"),
    "sigh": Message("Seufzer", "Sigh"),
    "heart": Message("Herz", "Heart"),
}
"""By their ids, which are stored, too."""
