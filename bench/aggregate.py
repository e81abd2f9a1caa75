# pyright: basic, reportMissingImports=false, reportMissingModuleSource=false
# The library is of the group `bench`, which the environment of the tests does not have: its types are not known there.
"""The same events through the `eventsourcing` library, as its documentation recommends it.

An aggregate whose decorated method takes a fact and folds it into the same `Match` as ours, an application with the recorder in
memory, JSON as the stored form, and a registered transcoding for each kind of facts. Import this when it is needed: it takes the
group `bench`.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from typing import Any
from uuid import UUID

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from eventsourcing.persistence import JSONTranscoder, Transcoder, Transcoding

from bench.event_kinds import ANY_EVENT, KINDS
from tafelrunde.domain.game import Event
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.registry import GAMES

NAME = f"eventsourcing {version('eventsourcing')}"


class Told(Aggregate):
    """A match as an aggregate of the library: every fact is one event of it."""

    def __init__(self) -> None:
        self.match = Match(GAMES)

    @event("Happened")
    def happen(self, fact: Event) -> None:
        """Fold a fact, as our own loading does."""
        self.match.fold(fact)


class Plain(Transcoding):
    """One kind of facts as plain data, and back to its type."""

    def __init__(self, kind: type[Event]) -> None:
        self.type = kind
        self.name = str(kind.__struct_config__.tag)

    def encode(self, obj: Any) -> Any:
        """Return plain data."""
        return msgspec.to_builtins(obj)

    def decode(self, data: Any) -> Any:
        """Return the fact."""
        return msgspec.convert(data, self.type)


class State(msgspec.Struct, omit_defaults=True):
    """The library's stored form of an event, for a decoder that knows the types beforehand."""

    timestamp: datetime.datetime
    fact: ANY_EVENT | None = None  # type: ignore[valid-type]  # made of the kinds of all games at run time
    originator_topic: str | None = None


class Quick(Transcoder):
    """The library's hook for another encoding, filled with the JSON that we use."""

    def __init__(self) -> None:
        self._decoder = msgspec.json.Decoder(State)

    def encode(self, obj: Any) -> bytes:
        """Return the stored form."""
        return msgspec.json.encode(obj)

    def decode(self, data: bytes) -> Any:
        """Return the attributes of an event."""
        state = self._decoder.decode(data)
        if state.fact is not None:
            return {"timestamp": state.timestamp, "fact": state.fact}
        return {"timestamp": state.timestamp, "originator_topic": state.originator_topic}


class Usual(Application):
    """The application with the library's own JSON."""

    def register_transcodings(self, transcoder: JSONTranscoder) -> None:
        """Add one for each kind of facts to the existing ones."""
        super().register_transcodings(transcoder)
        for kind in KINDS:
            transcoder.register(Plain(kind))


class Quicker(Application):
    """The application with our JSON in the library's hook."""

    def construct_transcoder(self) -> Transcoder:
        """Return ours."""
        return Quick()


class Peer:
    """Some matches in one application of the library, stored in memory."""

    def __init__(self, kind: Callable[[], Application], matches: Iterable[Sequence[Event]]) -> None:
        self._app = kind()
        self._ids = [self._stored(facts) for facts in matches]

    def _stored(self, facts: Sequence[Event]) -> UUID:
        told = Told()
        for fact in facts:
            told.happen(fact)
        self._app.save(told)
        return told.id

    def loaded(self) -> list[Match]:
        """Return all matches from the stored form: selected, decoded, mutated."""
        found: Any = [self._app.repository.get(each) for each in self._ids]
        return [told.match for told in found]

    def mutated(self) -> list[Match]:
        """Return all matches from the stored form, without the checks that the repository also makes for each event."""
        return [_mutated(self._app.events.get(each)) for each in self._ids]

    def folder(self) -> Callable[[], list[Match]]:
        """Return what mutates all matches from their events in memory, decoded beforehand."""
        decoded = [list(self._app.events.get(each)) for each in self._ids]

        def fold() -> list[Match]:
            return [_mutated(events) for events in decoded]

        return fold

    def stored_bytes(self) -> int:
        """Return how many bytes all stored events have: state and topic."""
        found = [each for match in self._ids for each in self._app.recorder.select_events(match)]
        return sum(len(each.state) + len(each.topic) for each in found)


def _mutated(events: Iterable[Any]) -> Match:
    told: Any = None
    for each in events:
        told = each.mutate(told)
    assert told is not None
    return told.match
