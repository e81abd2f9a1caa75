"""Bots that know no game, and who the bots of the games are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .game import AnyGame, Budget, C, Character, GameView, Level, Message, Rng


class RandomBot:
    """Plays any legal command, each with the same chance."""

    def choose(self, view: GameView, legal: Sequence[C], rng: Rng, budget: Budget) -> C:
        """Return one of *legal* at random."""
        return legal[rng.randrange(len(legal))]


CHARACTERS: Mapping[str, Character] = {
    "random": Character(
        Level.RANDOM,
        Message(de="Würfler", en="Dicer"),
        Message(de="macht irgendeinen erlaubten Zug", en="makes any legal move"),
        offered=False,
    ),
    "beginner": Character(
        Level.BEGINNER,
        Message(de="Neuling", en="Newcomer"),
        Message(
            de="kennt die Regeln seit heute und spielt, was gut aussieht",
            en="has just learned the rules and plays what looks good",
        ),
    ),
    "honest": Character(
        Level.RULES,
        Message(de="Biedermann", en="Plain Dealer"),
        Message(de="spielt nach Faustregeln", en="plays by rules of thumb"),
    ),
    "search-small": Character(
        Level.SEARCH_SMALL,
        Message(de="Schnelldenker", en="Quick Thinker"),
        Message(de="stellt sich kurz vor, was die anderen haben könnten", en="briefly imagines what others may hold"),
    ),
    "search-large": Character(
        Level.SEARCH_LARGE,
        Message(de="Grübler", en="Deep Thinker"),
        Message(de="spielt viele mögliche Verteilungen durch", en="plays many possible deals through"),
    ),
    "inference": Character(
        Level.INFERENCE,
        Message(de="Menschenkenner", en="Mind Reader"),
        Message(de="schließt aus dem, was die anderen tun, auf ihre Karten", en="infers what others hold from what they do"),
    ),
}
"""Who plays under the names that games have in common."""


def bold(style: Message) -> Character:
    """Return who plays by rules of thumb and takes risks, in the *style* of a game."""
    return Character(Level.RULES, Message(de="Draufgänger", en="Daredevil"), style)


def careful(style: Message) -> Character:
    """Return who plays by rules of thumb and keeps risks small, in the *style* of a game."""
    return Character(Level.RULES, Message(de="Zauderer", en="Careful Player"), style)


def character(game: AnyGame, name: str) -> Character:
    """Return who plays under a name of a game's bots."""
    return game.characters.get(name) or CHARACTERS[name]
