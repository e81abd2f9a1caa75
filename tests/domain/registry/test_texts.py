"""Texts: everything shown to people exists in both languages, and fits its arguments; those of the match as well."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tafelrunde.domain.game import Event, Message
from tafelrunde.domain.match.events import MATCH_EVENTS
from tafelrunde.domain.match.refusals import MATCH_MESSAGES, MatchRefusal
from tafelrunde.domain.match.texts import MATCH_TEXTS
from tafelrunde.domain.registry import GAMES as REGISTERED
from tafelrunde.testing.suites.test_texts import *  # noqa: F403 - the suite of all games, run on ours
from tafelrunde.testing.suites.test_texts import (
    ADDRESSES,
    COUNTED,
    fields,
    lacking,
    misplaced,
    namelessly_told,
    read_with_ones,
    tag_of,
)


def test_speaking_to_several_people_is_found() -> None:
    """The search knows the forms that players were addressed in."""
    for text in (
        "Wählt geheim je eine eurer Regelkarten.",
        "Sagt geheim an, wie viele Stiche ihr macht.",
        "Gebt geheim drei Karten",
    ):
        assert ADDRESSES.search(text)


def test_match_events_speak_to_the_seats_they_name() -> None:
    """As those of the games do."""
    assert namelessly_told(MATCH_EVENTS, MATCH_TEXTS) == []


def counted(kinds: Iterable[type[Event]], texts: Mapping[str, Message]) -> list[tuple[str, str]]:
    """Return the texts of events with a single one of each thing that they count."""
    return read_with_ones([(tag_of(kind), fields(kind)) for kind in kinds], texts)


def test_match_texts_that_count_have_one_for_one() -> None:
    """As those of the games have; some games do count."""
    assert [each for each in counted(MATCH_EVENTS, MATCH_TEXTS) if COUNTED.search(each[1])] == []
    assert sum(len(counted(game.event_types, game.messages)) for game in REGISTERED.values()) > 20


def test_match_special_texts_belong_to_something() -> None:
    """As those of the games do."""
    assert misplaced(MATCH_EVENTS, MATCH_TEXTS) == []


def test_every_registered_game_has_cards() -> None:
    """A client that has never seen a game can draw it."""
    assert [game.id for game in REGISTERED.values() if not game.faces()] == []


def test_match_refusals_have_texts() -> None:
    """What the match itself refuses is said in both languages, without arguments."""
    for code in [*(code.value for code in MatchRefusal), "decision-closed"]:
        assert lacking(MATCH_MESSAGES, f"match.refusal.{code}", ()) == []


def test_match_events_have_texts() -> None:
    """What happens to the match around its table is said in both languages, with the fields of the event."""
    assert [line for kind in MATCH_EVENTS for line in lacking(MATCH_TEXTS, tag_of(kind), fields(kind))] == []
    tags = {tag_of(kind) for kind in MATCH_EVENTS}
    assert {key for key in MATCH_TEXTS if not any(key.startswith(f"{tag}.") for tag in tags)} == tags
