"""The coach: goes through one seat's decisions of a finished match, slice by slice, and keeps what it finds.

It reuses the search of hints, which knows no more than that seat did. It checks no rights: ask `MatchQueries.load_finished` for
what a viewer may know.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Protocol, TypeAlias, cast

import msgspec

from ....domain.game import Command, GameView, Seat
from ....domain.match import MatchId
from ....domain.match.events import DecisionOpened
from ...matches.codec import Codec
from ...matches.repository import Loaded, MatchRepository
from ...runtime.long_jobs import LongJobs
from ...runtime.queue_names import QueueName
from ...runtime.threads import beside
from ..bots.hints import answers, review
from .findings import Costly, Findings, find_unfinished, pack, unpack
from .port import CoachingStore

SLICE_SECONDS = 0.1
"""How long one job goes on; a search is not cut off. How long it is changes nothing that is found."""

Listener: TypeAlias = Callable[[MatchId, Seat, Loaded, Findings], Awaitable[None]]
"""Takes what was found about a seat of a match."""
Review: TypeAlias = Callable[[MatchId, Loaded, Seat, Findings], Awaitable[Findings]]
"""Finds all that is missing in findings about a seat."""


class Holding(msgspec.Struct, frozen=True, kw_only=True):
    """What another seat held in its hand at a decision: the names of cards, as in its view."""

    seat: Seat
    hand: tuple[str | int, ...]


class Puzzle(msgspec.Struct, frozen=True, kw_only=True):
    """A costly decision: the seat's view and legal answers before it, what the coach found, and what all others held."""

    costly: Costly
    asked: DecisionOpened
    view: GameView
    legal: tuple[Command, ...]
    held: tuple[Holding, ...]


class Coach:
    """Coaches seats of finished matches, as long *jobs* of them."""

    def __init__(self, store: CoachingStore, repository: MatchRepository, jobs: LongJobs) -> None:
        self._store = store
        self._repository = repository
        self._jobs = jobs
        self._listeners: list[Listener] = []
        jobs.add(QueueName.COACHING, self.work)

    def on_whole(self, listener: Listener) -> None:
        """Have *listener* called with all that is found about a seat, before that is kept; maybe more than once."""
        self._listeners.append(listener)

    async def ask(self, match_id: MatchId, seat: Seat) -> Findings:
        """Ask for findings about a seat, if no one has yet, and return what there is."""
        found = await self.find(match_id, seat)
        if found is None:
            found = Findings()
            if await self._store.keep(match_id, seat, pack(found), None):
                self._jobs.put(QueueName.COACHING, match_id)
        return found

    async def find(self, match_id: MatchId, seat: Seat) -> Findings | None:
        """Return what there is about a seat; None if no one has asked. What is not whole is put into the queue again."""
        blob = (await self._store.read(match_id)).get(seat)
        if blob is None:
            return None
        found = unpack(blob)
        if not found.whole:
            self._jobs.put(QueueName.COACHING, match_id)
        return found

    async def work(self, match_id: MatchId) -> QueueName | None:
        """Go on for a slice with what was asked about a match; return the queue in which the rest waits, None if all is found.

        Raises NotFound, StoreUnavailable. Of doubled jobs the one whose findings come second ends.
        """
        kept = await self._store.read(match_id)
        left = find_unfinished(kept)
        if not left:
            return None
        seat, findings = left[0]
        loaded = await self._repository.load_latest(match_id)
        further = await beside(partial(find_further, match_id, loaded, self._repository.codec, seat, findings, SLICE_SECONDS))
        for listener in self._listeners if further.whole else ():
            await listener(match_id, seat, loaded, further)
        mine = await self._store.keep(match_id, seat, pack(further), kept[seat])
        return QueueName.COACHING if mine and (not further.whole or len(left) > 1) else None

    async def review(self, match_id: MatchId, seat: Seat, review: Review) -> Findings:
        """Return all that is found about a seat: what is stored, and the rest by *review*. No job is put into a queue."""
        blob = (await self._store.read(match_id)).get(seat)
        findings = unpack(blob) if blob is not None else Findings()
        if not findings.whole:
            loaded = await self._repository.load_latest(match_id)
            findings = await review(match_id, loaded, seat, findings)
            for listener in self._listeners:
                await listener(match_id, seat, loaded, findings)
            await self._store.keep(match_id, seat, pack(findings), blob)
        return findings

    async def puzzles(self, loaded: Loaded, seat: Seat, findings: Findings) -> tuple[Puzzle, ...]:
        """Return the costliest decisions of a seat with the views they are about. Cost: one fold of the match."""
        return await beside(partial(_puzzles, loaded, self._repository.codec, seat, findings.costly))


def find_further(match_id: MatchId, loaded: Loaded, codec: Codec, seat: Seat, findings: Findings, seconds: float) -> Findings:
    """Return findings with those of one slice more. A search is not cut off."""
    end = time.monotonic() + seconds
    for found in review(match_id, loaded, codec, findings.reached, seat):
        findings = findings.with_decision(found)
        if findings.whole or time.monotonic() >= end:
            return findings
    return msgspec.structs.replace(findings, whole=True)


def _puzzles(loaded: Loaded, codec: Codec, seat: Seat, costly: Sequence[Costly]) -> tuple[Puzzle, ...]:
    made = {puzzle.costly.version: puzzle for puzzle in _make_puzzles(loaded, codec, seat, costly)}
    return tuple(made[each.version] for each in costly if each.version in made)


def _make_puzzles(loaded: Loaded, codec: Codec, seat: Seat, costly: Iterable[Costly]) -> Iterator[Puzzle]:
    wanted = {each.version: each for each in costly}
    for version, before, _ in answers(loaded, codec):
        if version not in wanted or before.asked is None:
            continue
        game = before.game
        table = before.table
        others = [other for other in map(Seat, range(before.settings.seats)) if other != seat]
        yield Puzzle(
            costly=wanted[version],
            asked=before.asked,
            view=game.view(table, seat),
            legal=tuple(game.legal(table, seat)),
            held=tuple(Holding(seat=other, hand=_hand(game.view(table, other))) for other in others),
        )


class _Handed(Protocol):
    hand: tuple[str | int, ...]


def _hand(view: GameView) -> tuple[str | int, ...]:
    """Return the hand of the seat that a view belongs to; nothing in a game without hands."""
    return cast("_Handed", view).hand if "hand" in view.__struct_fields__ else ()
