"""Texts for people: message keys and arguments of the games become sentences in both languages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from ..domain.game import AnyGame, Message, Refusal
from ..domain.match.refusals import MATCH_MESSAGES

_ARGUMENT = re.compile(r"\{(\w+)\}")


class Text(msgspec.Struct, frozen=True):
    """The same text in German and in English."""

    de: str
    en: str


class RuleText(NamedTuple):
    """A text and the rule that it comes from."""

    text: Text
    rule: str


def fill(template: str, arguments: Mapping[str, str]) -> str:
    """Put arguments into a template; everything else in it is literal."""
    return _ARGUMENT.sub(lambda found: arguments.get(found[1], found[0]), template)


def render(message: Message, arguments: Mapping[str, str | int], game: AnyGame | None) -> Text:
    """Return a message with its arguments; one that has a text of its own (`<game>.<name>.<value>`) is said in words."""
    said = {name: _say(name, value, game) for name, value in arguments.items()}
    german = {name: text.de for name, text in said.items()}
    return Text(de=fill(message.de, german), en=fill(message.en, {name: text.en for name, text in said.items()}))


def _say(name: str, value: str | int, game: AnyGame | None) -> Text:
    found = game.messages.get(f"{game.id}.{name}.{value}") if game is not None else None
    return Text(de=found.de, en=found.en) if found is not None else Text(de=str(value), en=str(value))


def refusal_text(refusal: Refusal, game: AnyGame | None) -> RuleText:
    """Return what a refusal of a game (None: of the match around it) says to people."""
    scope, messages = ("match", MATCH_MESSAGES) if game is None else (game.id, game.messages)
    message = messages[f"{scope}.refusal.{refusal.code}"]
    return RuleText(render(message, refusal.arguments, game), message.rule)
