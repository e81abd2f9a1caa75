"""The projections lobby and player: one summary per match, as the public may know it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence, Set
from itertools import groupby

import msgspec
import structlog

from ...domain.game import DecisionId, Placing, Seat
from ...domain.match import MatchId, MatchSettings, PlayerId, Spectators, Status, Visibility
from ...domain.match.events import MatchBranched
from ...domain.match.view import ChairView, Correction, chair_views, correction_of
from ...domain.secrecy import redact
from .. import tracing
from ..errors import ArchiveUnavailable, CorruptHistory, StoreUnavailable
from ..failures import Failures
from ..matches.codec import Codec
from ..matches.repository import Loaded, MatchRepository
from ..matches.spectator_delay import Delay
from ..players.applications import Applications
from ..ports.events import SHARDS, Pointer, Shard, order_of, shard_of
from ..ports.rows import Late, Row, RowStore, row_for
from ..ports.stores import Stores
from ..runtime.activity import Activity
from ..runtime.consumer import LONGEST_REST_MS, REST_SECONDS

SHARD = "lists of a shard"
BLOCK_MS = 2_500
"""How long a step waits for an event: until it is time to renew the leases."""
PAUSE_SECONDS = 0.5
"""Pause between two steps, so that events of one match in quick succession cost one row. Lists are that much behind."""
FRESHEN_SECONDS = 1.0
"""Pause between two searches for what has become public to delayed spectators."""
FRESHEN_LEASE_MS = 30_000
AT_ONCE = 500

log = structlog.get_logger(__name__)


class Summary(MatchSettings, frozen=True, kw_only=True):
    """A match's settings and its other public facts.

    `asked`: the seats publicly known to be asked; `waits_until_ms`: until when bots wait for its players, of whom none is there;
    `updated_ms`: time of the last public item.
    `your_turn` and `reserved_seat` are filled in for a player who asks (None otherwise): whether its own seat still has to
    answer, and which one is reserved for it.
    """

    match: MatchId
    rules_version: int
    status: Status
    host: PlayerId
    commitment: str
    opened_ms: int
    updated_ms: int
    chairs: tuple[ChairView, ...]
    decision: DecisionId | None
    asked: tuple[Seat, ...]
    deadline_ms: int | None
    waits_until_ms: int | None = None
    placings: tuple[Placing, ...] | None
    correction: Correction | None = None
    branched: MatchBranched | None = None
    lesson: int | None = None
    daily: str | None = None
    parent: MatchId | None
    rematch: MatchId | None
    your_turn: bool | None = None
    reserved_seat: Seat | None = None


class Projected(msgspec.Struct, frozen=True, kw_only=True):
    """What a row's body holds: the summary, and the seats that still have to answer, shown only to their own players."""

    summary: Summary
    open: tuple[Seat, ...]


def summarize(match_id: MatchId, loaded: Loaded, codec: Codec) -> Summary:
    """Return the public facts of a match."""
    match = loaded.match
    facts = loaded.match.facts
    return Summary(
        **msgspec.structs.asdict(match.settings),
        match=match_id,
        rules_version=facts.rules_version,
        status=match.status,
        host=match.host,
        commitment=facts.commitment,
        opened_ms=facts.at_ms,
        updated_ms=_updated_ms(loaded, codec),
        chairs=chair_views(match),
        decision=match.open_decision(),
        asked=match.asked.seats if match.asked is not None else (),
        deadline_ms=match.asked.deadline_ms if match.asked is not None else None,
        waits_until_ms=match.waits_until_ms,
        placings=match.placings,
        correction=correction_of(match),
        branched=match.branched,
        lesson=match.lesson,
        daily=match.daily.day if match.daily is not None else None,
        parent=facts.parent,
        rematch=match.rematch,
    )


def _updated_ms(loaded: Loaded, codec: Codec) -> int:
    """Return the time of the newest entry that spectators may see, so that hidden ones do not move it."""
    for version in range(loaded.version, 0, -1):
        envelope, event = codec.decode(loaded.entries[version - 1])
        if redact(event, None) is not None:
            return envelope.time_ms
    return loaded.match.facts.at_ms


def project(match_id: MatchId, loaded: Loaded, applications: Sequence[PlayerId], delay: Delay, codec: Codec) -> Row:
    """Return the row of a match; *applications* are those whose users sit in it."""
    summary = summarize(match_id, loaded, codec)
    known = delay.public_part(match_id, loaded)
    return Row(
        match=match_id,
        game=summary.game,
        status=summary.status,
        listed=summary.visibility is Visibility.LISTED,
        opened_ms=summary.opened_ms,
        players=_players(summary, applications),
        body=_body(summary, loaded),
        late=_late(match_id, loaded, known, applications, codec),
        again_ms=delay.again_ms(known, loaded),
        watchable=summary.spectators is not Spectators.OFF,
    )


def _late(match_id: MatchId, loaded: Loaded, known: Loaded | None, applications: Sequence[PlayerId], codec: Codec) -> Late | None:
    """Return how a match looks to viewers without a seat; None if it looks the same."""
    if known is loaded:
        return None
    seated = tuple(chair.whose for chair in loaded.match.chairs if chair.whose is not None)
    if known is None:
        return Late(status=loaded.match.status, listed=False, players=(), body=b"", seated=seated)
    summary = summarize(match_id, known, codec)
    return Late(
        status=summary.status,
        listed=summary.visibility is Visibility.LISTED,
        players=_players(summary, applications),
        body=_body(summary, known),
        seated=seated,
    )


def _players(summary: Summary, applications: Sequence[PlayerId]) -> tuple[PlayerId, ...]:
    """Return whose lists have a match: of its host, of players who sit there or have a seat reserved, and of applications."""
    seated = (chair.whose for chair in summary.chairs if chair.whose is not None)
    return tuple(dict.fromkeys((summary.host, *seated, *applications)))


def _body(summary: Summary, loaded: Loaded) -> bytes:
    ask = loaded.match.pending()
    return msgspec.msgpack.encode(Projected(summary=summary, open=ask.open if ask is not None else ()))


def read_row(row: Row, player: PlayerId | None) -> Summary:
    """Return a row's summary as *player* may know it."""
    projected = msgspec.msgpack.decode(row_for(row, player).body, type=Projected)
    if player is None:
        return projected.summary
    chairs = projected.summary.chairs
    seat = next((chair.seat for chair in chairs if chair.player == player), None)
    kept = next((chair.seat for chair in chairs if chair.reserved == player), None)
    turn = seat in projected.open if seat is not None else None
    return msgspec.structs.replace(projected.summary, your_turn=turn, reserved_seat=kept)


class Projector:
    """Keeps the rows of shards up with their logs. One owner per shard at a time; the checkpoint makes doubles harmless."""

    def __init__(
        self,
        stores: Stores,
        matches: MatchRepository,
        delay: Delay,
        now_ms: Callable[[], int],
        activity: Activity,
        failures: Failures,
    ) -> None:
        self._failures = failures
        self._stores = stores
        self._rows: RowStore = stores.rows
        self._matches = matches
        self._delay = delay
        self._applications = Applications(stores.players)
        self._now_ms = now_ms
        self._activity = activity
        self._positions: dict[Shard, str] = {}
        self._resting: dict[Shard, float] = {}
        self._freshened = float("-inf")

    async def step(self, owned: Set[Shard]) -> float:
        """Bring the rows of those shards up to their logs, waiting a little for events; return after how many seconds to go on.

        A shard that is owned newly, or again, is read from its checkpoint.
        """
        now = asyncio.get_running_loop().time()
        self._positions = {shard: position for shard, position in self._positions.items() if shard in owned}
        await self._follow({shard for shard in owned - self._positions.keys() if self._resting.get(shard, now) <= now})
        if not self._positions:
            return PAUSE_SECONDS
        if now - self._freshened >= FRESHEN_SECONDS:
            await self.freshen(self._positions)
            self._freshened = now
        pointers = await self._stores.events.follow(self._positions, BLOCK_MS)
        self._activity.note(moved=bool(pointers))
        moved: dict[Shard, list[Pointer]] = {}
        for pointer in pointers:
            moved.setdefault(pointer.shard, []).append(pointer)
        done = await asyncio.gather(*(self._advance(shard, found) for shard, found in moved.items()))
        await self._follow({shard for shard, advanced in zip(moved, done, strict=True) if not advanced})
        return PAUSE_SECONDS if pointers else 0.0

    async def _advance(self, shard: Shard, pointers: Sequence[Pointer]) -> bool:
        """Make the rows of what has moved in a shard. False: it has to be read from its checkpoint, or cannot be read.

        So it is if another process has written meanwhile, or if the log has been trimmed past the position known here.
        """
        position = self._positions[shard]
        try:
            oldest = await self._stores.events.oldest(shard)
            if oldest is not None and order_of(position) < order_of(oldest):
                return False
            rows = await self._project({pointer.match for pointer in pointers})
            if not await self._rows.project(shard, position, pointers[-1].position, rows):
                return False
        except StoreUnavailable:
            raise
        except Exception:
            return False  # it is logged if it fails again
        self._positions[shard] = pointers[-1].position
        return True

    async def _follow(self, shards: Set[Shard]) -> None:
        """Bring shards up to date. One that cannot be read does not stop the others: it is tried again after a rest."""
        chosen = sorted(shards)
        positions = await asyncio.gather(*map(self._position, chosen))
        for shard, position in zip(chosen, positions, strict=True):
            if position is not None:
                self._positions[shard] = position
            else:
                self._positions.pop(shard, None)

    async def _position(self, shard: Shard) -> str | None:
        try:
            position = await self.catch_up(shard)
        except StoreUnavailable:
            raise
        except Exception as error:
            rest_ms = await self._failures.note(SHARD, str(shard), error, round(1000 * REST_SECONDS), LONGEST_REST_MS)
            self._resting[shard] = asyncio.get_running_loop().time() + rest_ms / 1000
            return None
        if self._resting.pop(shard, None) is not None:
            await self._failures.clear(SHARD, str(shard))
        return position

    async def freshen(self, shards: Collection[Shard]) -> None:
        """Rebuild those rows of shards that show delayed spectators more by now, although nothing has happened."""
        due = await self._rows.again(shards, self._now_ms(), FRESHEN_LEASE_MS, AT_ONCE)
        for shard, group in groupby(sorted(due, key=shard_of), shard_of):
            checkpoint = await self._rows.checkpoint(shard)
            if checkpoint is not None:
                await self._rows.project(shard, checkpoint, checkpoint, await self._project(set(group)))

    async def ahead(self) -> set[MatchId]:
        """Return the matches whose rows are out of date. Nothing is written: only the owners write."""
        shards = [Shard(number) for number in range(SHARDS)]
        checkpoints = await asyncio.gather(*map(self._rows.checkpoint, shards))
        found: set[MatchId] = set()
        positions: dict[Shard, str] = {}
        for shard, checkpoint in zip(shards, checkpoints, strict=True):
            if checkpoint is not None:
                positions[shard] = checkpoint
            else:
                found.update(await self._stores.events.matches(shard))
        while pointers := await self._stores.events.follow(positions, 0):
            found.update(pointer.match for pointer in pointers)
            positions.update((pointer.shard, pointer.position) for pointer in pointers)
        return found

    async def catch_up(self, shard: Shard) -> str:
        """Bring a shard's rows up to its log, or rebuild them if trimmed past the checkpoint; return the new checkpoint."""
        checkpoint = await self._rows.checkpoint(shard)
        oldest = await self._stores.events.oldest(shard)
        if checkpoint is None or (oldest is not None and order_of(checkpoint) < order_of(oldest)):
            return await self.rebuild(shard)
        while pointers := await self._stores.events.follow({shard: checkpoint}, 0):
            rows = await self._project({pointer.match for pointer in pointers})
            await self._rows.project(shard, checkpoint, pointers[-1].position, rows)
            checkpoint = await self._rows.checkpoint(shard) or "0-0"
        return checkpoint

    async def rebuild(self, shard: Shard) -> str:
        """Rebuild the rows of a shard from its matches' logs; return the position. `catch_up` adds later events."""
        end = (await self._stores.events.ends())[shard]
        await self._rows.reset(shard)
        rows = await self._project(await self._stores.events.matches(shard))
        await self._rows.project(shard, None, end, rows)
        return end

    async def _project(self, matches: Sequence[MatchId] | set[MatchId]) -> list[Row]:
        """Return the rows of matches. One that cannot be read keeps the row it has, and does not stop the others.

        While the store of archives is away, the rows of what is there are due again a while later. After one refusal it is not
        asked again: each may take long.
        """
        rows: list[Row] = []
        waiting: list[MatchId] = []
        for match_id in sorted(matches):
            if waiting and await self._is_outside(match_id):
                waiting.append(match_id)
                continue
            try:
                rows.append(await self._row(match_id, await self._matches.load_latest(match_id)))
            except CorruptHistory as error:
                log.error("projecting a match failed", match=match_id, reason=str(error))
            except ArchiveUnavailable:
                waiting.append(match_id)
        await self._put_off(waiting)
        return rows

    async def _is_outside(self, match_id: MatchId) -> bool:
        (head,) = await self._stores.archives.heads([match_id])
        return head is not None and bool(head.outside)

    async def _put_off(self, matches: Sequence[MatchId]) -> None:
        """Let the rows of matches be due again a while later."""
        if not matches:
            return
        log.warning("projector: rows wait for the store of archives", count=len(matches))
        for shard, group in groupby(sorted(matches, key=shard_of), shard_of):
            await self._rows.put_off(shard, list(group), self._now_ms() + FRESHEN_LEASE_MS)

    async def _row(self, match_id: MatchId, loaded: Loaded) -> Row:
        codec = self._matches.codec
        chairs = loaded.match.chairs
        applications = await self._applications.of_all(chair.whose for chair in chairs if chair.whose is not None)
        if not tracing.is_on():
            return project(match_id, loaded, applications, self._delay, codec)
        newest, _ = codec.decode(loaded.entries[loaded.version - 1])
        with tracing.span("project", {"tafelrunde.match": match_id}, kind=tracing.CONSUMER, after=newest.correlation_id):
            return project(match_id, loaded, applications, self._delay, codec)
