"""Texts for people: message keys and arguments of the games become sentences in both languages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from ..domain.game import AnyGame, Message, Refusal
from ..domain.match.messages import MATCH_MESSAGES

_ARGUMENT = re.compile(r"\{(\w+)\}")


class Text(msgspec.Struct, frozen=True):
    """The same sentence in German and in English."""

    de: str
    en: str


class Told(NamedTuple):
    """A text and the rule that it comes from."""

    text: Text
    rule: str


def fill(template: str, arguments: Mapping[str, str | int]) -> str:
    """Put arguments into a template; nothing else in it has a meaning."""
    return _ARGUMENT.sub(lambda found: str(arguments.get(found[1], found[0])), template)


def render(message: Message, arguments: Mapping[str, str | int]) -> Text:
    """Return a message with its arguments."""
    return Text(de=fill(message.de, arguments), en=fill(message.en, arguments))


def refusal_text(refusal: Refusal, game: AnyGame | None) -> Told:
    """Return what a refusal of a game (None: of the match around it) says to people."""
    scope, messages = ("match", MATCH_MESSAGES) if game is None else (game.id, game.messages)
    message = messages[f"{scope}.refusal.{refusal.code}"]
    return Told(render(message, refusal.arguments), message.rule)
