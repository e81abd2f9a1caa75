"""Secrecy is declared where a field is declared: what is forgotten does not import, and what is declared is kept."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

import msgspec
import pytest

from tafelrunde.domain.game import Event, Seat
from tafelrunde.domain.secrecy import redact

HEAD = """
from __future__ import annotations
from typing import Annotated
from tafelrunde.domain.game import Event, Seat
from tafelrunde.domain.secrecy import PerSeat, Public, Recipient, Secret, Withheld, closed, only

class Dealt(Event, frozen=True, tag="planted.dealt.1"):
    dealer: Public[Seat]
    hands: PerSeat[tuple[int, ...]]
    deck: Secret[tuple[int, ...]]

class CardShown(Event, frozen=True, tag="planted.card-shown.1"):
    seat: Public[Seat]
    target: Public[Seat | None]
    card: Annotated[int | None, only("seat", "target")]

class BidPlaced(Event, frozen=True, tag="planted.bid-placed.1"):
    seat: Recipient[Seat]
    tricks: int

class MissNoted(Event, frozen=True, tag="planted.miss-noted.1"):
    seat: Withheld[Seat]
"""
CLOSED = "\nEVENTS = closed(Dealt | CardShown | BidPlaced | MissNoted)\n"
WITH_ADDED = "\nEVENTS = closed(Dealt | CardShown | BidPlaced | MissNoted | Added)\n"
ADDED = '\nclass Added(Event, frozen=True, tag="planted.added.1"):\n    seat: Public[Seat]\n    '

Import: TypeAlias = Callable[[str], ModuleType]


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Import:
    """Give a function that imports a source as a module of its own."""

    def load(source: str) -> ModuleType:
        name = f"planted_{tmp_path.name}"
        path = tmp_path / "events.py"
        path.write_text(HEAD + source, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
        return module

    return load


@pytest.mark.parametrize(
    ("added", "complaint"),
    [
        pytest.param("card: int", r"Added\.card does not say", id="plain field"),
        pytest.param("cards: tuple[int, ...] | None", r"Added\.cards does not say", id="nullable field"),
        pytest.param("card: Annotated[int, 'secret']", r"Added\.card does not say", id="other annotation"),
        pytest.param("card: Annotated[int, only('seat')]", r"Added\.card is not nullable", id="nothing for the others"),
        pytest.param("card: Annotated[int | None, only('owner')]", r"Added\.card is for seats in owner", id="no such seat"),
        pytest.param("other: Recipient[Seat]", r"Added as a whole is for other; seat", id="public in a private event"),
    ],
)
def test_event_does_not_import_when_a_field_does_not_say_who_may_know_it(planted: Import, added: str, complaint: str) -> None:
    """Nothing is public, or secret, by default."""
    with pytest.raises(TypeError, match=complaint):
        planted(ADDED + added + WITH_ADDED)


def test_event_does_not_import_when_its_union_lacks_it(planted: Import) -> None:
    """An event that is not in the union would not be matched by folds, nor known to the redactor."""
    with pytest.raises(TypeError, match="lacks Added"):
        planted(ADDED + "card: Public[int]" + CLOSED)


def test_redaction_when_fields_have_every_audience(planted: Import) -> None:
    """None stands in place of what a viewer may not know, and for an event that it may not know at all."""
    events = planted(CLOSED)
    dealt = events.Dealt(Seat(1), ((1, 2), (3,)), (4, 5))
    assert redact(dealt, Seat(1)) == events.Dealt(Seat(1), (None, (3,)), None)
    assert redact(dealt, None) == events.Dealt(Seat(1), (None, None), None)
    shown = events.CardShown(Seat(0), Seat(2), 7)
    assert [told.card for viewer in (Seat(0), Seat(1), Seat(2), None) if (told := redact(shown, viewer))] == [7, None, 7, None]
    assert redact(events.CardShown(Seat(0), None, 7), None) == events.CardShown(Seat(0), None, None)
    bid = events.BidPlaced(Seat(1), 3)
    assert [redact(bid, viewer) for viewer in (Seat(0), Seat(1), None)] == [None, bid, None]
    miss = events.MissNoted(Seat(1))
    assert [redact(miss, viewer) for viewer in (Seat(0), Seat(1), None)] == [None] * 3


def test_redaction_refuses_when_an_event_was_never_declared() -> None:
    """An event that is in no union is shown to no viewer."""

    class Stray(Event, frozen=True, tag="planted.stray.1"):
        card: int

    with pytest.raises(KeyError):
        redact(Stray(1), Seat(0))


def test_audience_leaves_schema_and_bytes_alone(planted: Import) -> None:
    """Who may know a field is no part of the contract: stored bytes and the API have the plain type."""
    events = planted(CLOSED)

    class Plain(msgspec.Struct, frozen=True, tag_field="type", tag="planted.dealt.1"):
        dealer: int
        hands: tuple[tuple[int, ...] | None, ...]
        deck: tuple[int, ...] | None

    values = (1, ((1, 2), None), None)
    assert msgspec.msgpack.encode(events.Dealt(*values)) == msgspec.msgpack.encode(Plain(*values))
    declared, plain = (msgspec.json.schema_components([kind])[1] for kind in (events.Dealt, Plain))
    assert declared["Dealt"]["properties"] == plain["Plain"]["properties"]
