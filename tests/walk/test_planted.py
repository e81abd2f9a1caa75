"""A walk finds what is wrong: faults of each kind are planted, and each has to be found by walking."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
import pytest

from tafelrunde.api.http import sse
from tafelrunde.domain.coup.events import CoupDealt
from tafelrunde.domain.game import GameId
from tafelrunde.domain.match import Status
from tafelrunde.service.archiving import finalizer
from tafelrunde.service.matches import command_handler, own_keys, pacing
from tafelrunde.service.memory_store import events
from tafelrunde.service.memory_store.agenda import MemoryAgenda
from tafelrunde.service.ports.agenda import AgendaKind
from tafelrunde.service.views import feeds, notifier, projections, viewers
from tests.walk.walker import Plan, walk

GAME = GameId("coup")
DRAWS = 250
SEEDS = range(8)

Patch = pytest.MonkeyPatch


class Planted(NamedTuple):
    """A fault: how it is planted, and as what it is found."""

    plant: Callable[[Patch], None]
    kinds: tuple[str, ...]


def _leak(patch: Patch) -> None:
    """Spectators are sent what is dealt."""
    redact = feeds.redact

    def leaking(event: Any, seat: Any) -> Any:
        return event if seat is None and isinstance(event, CoupDealt) else redact(event, seat)

    patch.setattr(feeds, "redact", leaking)


def _lost_wake_up(patch: Patch) -> None:
    """Another process does not wake those who wait for a match when it starts."""
    on_line = notifier.Notifier.on_line

    def deaf(self: notifier.Notifier, pointer: Any) -> None:
        if pointer.version % 3:
            on_line(self, pointer)

    patch.setattr(notifier.Notifier, "on_line", deaf)


def _doubled_event(patch: Patch) -> None:
    """Who comes again is sent the last item once more."""
    position = feeds.Feed.position
    doubled = set[str]()

    def doubling(self: feeds.Feed, cursor: feeds.Cursor) -> int:
        place = position(self, cursor)
        if cursor in doubled:
            return place
        doubled.add(cursor)
        return max(0, place - 1)

    patch.setattr(feeds.Feed, "position", doubling)


def _seat_still_taken(patch: Patch) -> None:
    """The lists do not notice that someone has left an open match."""
    summarize = projections.summarize
    known: dict[Any, Any] = {}

    def remembering(match_id: Any, loaded: Any, codec: Any) -> Any:
        found = summarize(match_id, loaded, codec)
        before = known.get(match_id, found.chairs)
        chairs = tuple(
            old if new.whose is None and new.bot is None else new for old, new in zip(before, found.chairs, strict=True)
        )
        known[match_id] = chairs if found.status is Status.OPEN else found.chairs
        return msgspec.structs.replace(found, chairs=known[match_id])

    patch.setattr(projections, "summarize", remembering)


def _stuck_deadline(patch: Patch) -> None:
    """Every other match has no clock."""
    put = MemoryAgenda.put

    def forgetful(self: MemoryAgenda, kind: AgendaKind, match_id: Any, at_ms: int | None) -> None:
        put(self, kind, match_id, None if kind is AgendaKind.DEADLINE and ord(match_id[-1]) % 2 else at_ms)

    patch.setattr(MemoryAgenda, "put", forgetful)


def _silent_bot(patch: Patch) -> None:
    """A bot that is asked later than at the beginning is not noted on the agenda."""
    work_ms = pacing.work_ms

    def lazy(match: Any, *more: Any) -> int | None:
        return None if match.asked is not None and match.asked.decision > 2 else work_ms(match, *more)

    patch.setattr(command_handler, "work_ms", lazy)


def _error_in_a_duty(patch: Patch) -> None:
    """What follows the end of a match fails."""

    async def failing(self: Any, match_id: Any) -> None:
        raise LookupError("planted")

    patch.setattr(finalizer.Finalizer, "_load_finished", failing)


def _immortal_stream(patch: Patch) -> None:
    """A stream goes on although its token was revoked."""

    async def fine(self: Any) -> None:
        return None

    patch.setattr(sse.Follower, "_still_welcome", fine)


def _forgotten_key(patch: Patch) -> None:
    """A command that is sent again with its key is carried out again."""

    async def never(self: Any, key: str, fingerprint: bytes) -> None:
        return None

    patch.setattr(events.History, "earlier", never)


def _kept_viewer(patch: Patch) -> None:
    """Who sits down keeps the feed of a spectator."""
    patch.setattr(viewers.Viewer, "is_other", lambda *_: False)


def _shared_key(patch: Patch) -> None:
    """A rematch is opened and noted with the same key."""
    patch.setattr(own_keys.Act, "key", lambda self, *parts: "rematch" if "REMATCH" in self.name else self.value.format(*parts))


PLANTED = {
    plant.__name__.removeprefix("_"): Planted(plant, tuple(kinds))
    for plant, *kinds in (
        (_leak, "feed of another viewer", "view of another viewer"),
        (_lost_wake_up, "feed lacks items", "feed stays open"),
        (_doubled_event, "feed skips or repeats"),
        (_seat_still_taken, "facts are wrong: chairs"),
        (_stuck_deadline, "a deadline has passed"),
        (_silent_bot, "a bot does not answer"),
        (_error_in_a_duty, "log line"),
        (_immortal_stream, "feed outlives its token"),
        (_forgotten_key, "refused: "),
        (_kept_viewer, "feed of another viewer", "feed ends again and again"),
        (_shared_key, "refused: key-reused", "log line", "a rematch does not open"),
    )
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_walk_finds_what_was_planted(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every planted fault is found within a few walks, and called by its kind."""
    planted = PLANTED[name]
    planted.plant(monkeypatch)
    found = next((failure for seed in SEEDS if (failure := walk(Plan(GAME, seed, range(DRAWS))).failure) is not None), None)
    assert found is not None
    assert found.kind.startswith(planted.kinds), found.details
