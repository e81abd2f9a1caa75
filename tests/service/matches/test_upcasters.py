"""Events in shapes that are not written any more: read as today's, with their bytes kept and their records found right.

No event of the service has an older shape yet. So the tests' own game gets two: what is `duel.bid-made.1` today was
`duel.bid-placed.2` once, and `duel.bid-placed.1` before that. `GOLDEN` keeps bytes of each; it must have those of every shape
that `UPCASTERS` knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import pytest

from tafelrunde.domain.game import Event, Seat
from tafelrunde.domain.match.events import MATCH_EVENTS
from tafelrunde.domain.match.state import Match
from tafelrunde.service.errors import CorruptHistory
from tafelrunde.service.features.records.record import Recorder, encode_lines, tag_of
from tafelrunde.service.features.records.verify import verify
from tafelrunde.service.matches import codec
from tafelrunde.service.matches.codec import COMPLETE, UPCASTERS, Upcaster, digest_of, plain_of
from tafelrunde.service.matches.repository import Loaded
from tafelrunde.service.ports.events import GENESIS, Version, chain_over
from tests.service.features.records.test_record import CODEC, NAME, story
from tests.support.cases import GAMES, Case
from tests.support.duel.events import BidMade
from tests.support.duel.messages import DuelOptions
from tests.support.own import DUEL

GOLDEN: Mapping[str, tuple[str, Event]] = {}
"""By old tag: bytes of an event as they were stored, in hex, and the event that they are today."""

OWN: Mapping[str, tuple[str, Event]] = {
    "duel.bid-placed.1": ("82a474797065b16475656c2e6269642d706c616365642e31a3626964920102", BidMade(Seat(1), 2)),
    "duel.bid-placed.2": ("83a474797065b16475656c2e6269642d706c616365642e32a2627901a3626964a132", BidMade(Seat(1), 2)),
}
"""The same for the shapes of the tests' own game."""


def second(plain: Mapping[str, Any]) -> Mapping[str, object]:
    """From one list to two fields, the bid as a text."""
    seat, tricks = plain["bid"]
    return {"type": "duel.bid-placed.2", "by": seat, "bid": str(tricks)}


def today(plain: Mapping[str, Any]) -> Mapping[str, object]:
    """From a text to a number, under today's names."""
    return {"type": "duel.bid-made.1", "seat": plain["by"], "tricks": int(plain["bid"])}


def first_shape(plain: Mapping[str, Any]) -> Mapping[str, object]:
    """Return a bid as it was stored at first."""
    return {"type": "duel.bid-placed.1", "bid": [plain["seat"], plain["tricks"]]}


def second_shape(plain: Mapping[str, Any]) -> Mapping[str, object]:
    """Return a bid as it was stored then."""
    return second(first_shape(plain))


SHAPES = [pytest.param(first_shape, id="first"), pytest.param(second_shape, id="second")]
Shape = Callable[[Mapping[str, Any]], Mapping[str, object]]


@pytest.fixture
def upcasters(monkeypatch: pytest.MonkeyPatch) -> Mapping[str, Upcaster]:
    """The upcasters of the tests' own game, in use."""
    own: dict[str, Upcaster] = {"duel.bid-placed.1": second, "duel.bid-placed.2": today}
    monkeypatch.setattr(codec, "UPCASTERS", own)
    monkeypatch.setattr("tafelrunde.service.features.records.verify.UPCASTERS", own)
    return own


def written_before(shape: Shape) -> Loaded:
    """Return a match as it was stored when bids had another shape."""
    told = story(Case(GAMES[DUEL.id], 2, DuelOptions(cards=2), "duel"))
    entries = [_with_shape(entry, shape) for entry in told.entries]
    return Loaded(told.match, Version(len(entries)), chain_over(GENESIS, entries), entries)


def _with_shape(entry: bytes, shape: Shape) -> bytes:
    envelope = CODEC.decode(entry)[0]
    plain = plain_of(envelope.event)
    if plain["type"] != "duel.bid-made.1":
        return entry
    return CODEC.encode(msgspec.structs.replace(envelope, event=msgspec.Raw(msgspec.msgpack.encode(shape(plain)))))


def test_every_old_shape_has_golden_bytes() -> None:
    """Changing a stored event requires bytes of its old form in the tests."""
    assert set(GOLDEN) == set(UPCASTERS)


def test_old_tag_is_not_written_any_more() -> None:
    """A written tag is never edited: the new shape has a new one."""
    kinds = [*MATCH_EVENTS, *(kind for game in GAMES.values() for kind in game.event_types)]
    assert set(UPCASTERS) & {tag_of(kind) for kind in kinds} == set()


@pytest.mark.parametrize("tag", sorted({**GOLDEN, **OWN}))
@pytest.mark.usefixtures("upcasters")
def test_golden_bytes_are_read_as_todays_event(tag: str) -> None:
    """Step by step, from whichever shape it was stored in."""
    stored, event = {**GOLDEN, **OWN}[tag]
    raw = msgspec.Raw(bytes.fromhex(stored))
    assert plain_of(raw)["type"] == tag
    entry = CODEC.encode(codec.Envelope(0, "", "", "", raw))
    assert CODEC.decode(entry)[1] == event
    assert CODEC.old(raw)


def test_upcaster_changes_nothing_that_it_is_given(upcasters: Mapping[str, Upcaster]) -> None:
    """It is a pure function from one map to another."""
    for tag, upcaster in upcasters.items():
        plain = plain_of(bytes.fromhex(OWN[tag][0]))
        before = dict(plain)
        assert upcaster(plain) == upcaster(plain)
        assert plain == before


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.usefixtures("upcasters")
def test_match_of_old_events_folds_to_the_states_that_it_was_stored_with(shape: Shape) -> None:
    """The digests in it were made when it was written."""
    match = Match(GAMES)
    digests = 0
    for entry in written_before(shape).entries:
        envelope, event = CODEC.decode(entry)
        match.fold(event)
        if envelope.complete and envelope.digest != COMPLETE:
            assert envelope.digest == digest_of(match)
            digests += 1
    assert digests > 2


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.usefixtures("upcasters")
def test_record_of_old_events_is_found_right(shape: Shape) -> None:
    """It shows the bytes that were stored and what they say; the rules of today give what they are read as."""
    lines = list(encode_lines(Recorder(CODEC).lines(NAME, written_before(shape))))
    assert b"duel.bid-placed." in b"".join(lines)
    assert verify(lines, GAMES, CODEC).finding is None


@pytest.mark.usefixtures("upcasters")
def test_record_of_old_events_is_found_wrong_when_one_says_something_else() -> None:
    """An old shape is no way around the rules."""

    def forged(plain: Mapping[str, Any]) -> Mapping[str, object]:
        return first_shape({**plain, "tricks": 1 - min(plain["tricks"], 1)})

    lines = list(encode_lines(Recorder(CODEC).lines(NAME, written_before(forged))))
    finding = verify(lines, GAMES, CODEC).finding
    assert finding is not None
    assert finding.what == "the event that the rules give"


@pytest.mark.parametrize("shape", SHAPES)
def test_old_event_cannot_be_read_without_its_upcaster(shape: Shape) -> None:
    """It is reported, not skipped."""
    old = next(entry for entry in written_before(shape).entries if b"bid-placed" in entry)
    with pytest.raises(CorruptHistory):
        CODEC.decode(old)
