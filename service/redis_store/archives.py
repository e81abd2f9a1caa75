"""Archives of finished matches: each in its match's slot, so that one script exchanges log and archive, or a blob outside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...domain.match import MatchId
from ..ports.agenda import AgendaKind
from ..ports.archives import Contents, Used
from ..ports.blobs import BlobStore, key_of
from ..ports.events import NO_EVENTS, Head, Shard, shard_of
from . import keys
from .client import items, number, text
from .events import RedisEvents, incomplete
from .link import Reply, Value
from .packed import ArchivePlace, Packed
from .replies import ask_head, read_entries, read_head, read_used
from .script import Script
from .store_client import StoreClient

TRIES = 3
_STAGE = Script("stage")
_SETTLE = Script("time", "settle")
_ANNOUNCE = Script("time", "announce")
_SETTLE_OUTSIDE = Script("time", "settle_outside")
_CONDEMN = Script("time", "condemn")
_UNPACK = Script("time", "unpack")


class RedisArchives:
    """The archives, on a server. With *wait_ms* every change waits until one replica has it."""

    def __init__(self, client: StoreClient, wait_ms: int | None = None, blobs: BlobStore | None = None) -> None:
        self._client = client
        self._wait_ms = wait_ms
        self._packed = Packed(client, blobs)
        self._events = RedisEvents(client, blobs=blobs)

    async def heads(self, matches: Sequence[MatchId]) -> Sequence[Head | None]:
        return [read_head(reply) for reply in await self._client.together(ask_head(match_id) for match_id in matches)]

    async def contents(self, match_id: MatchId) -> Contents | None:
        """Return all that there is of a match, from its archive and its log; None if there is no such match."""
        head: Head | None = None
        for _ in range(TRIES):
            head_reply, found, used = await self._client.together(
                (ask_head(match_id), ("XRANGE", keys.entries(match_id), "-", "+"), ("HGETALL", keys.written(match_id)))
            )
            if (head := read_head(head_reply)) is None:
                return None
            if (contents := await self._join(match_id, head, items(found), items(used))) is not None:
                return contents
            if not head.archived and (log := await self._events.load(match_id)) is not None and log.head == head:
                return Contents(head, log.entries, _used_keys(head, items(used)))  # a branch
        raise incomplete(match_id, head)

    async def stage(self, match_id: MatchId, head: Head, blob: bytes) -> bool:
        return await self._run(_STAGE, (keys.head(match_id), keys.staged(match_id)), (head.version, head.chain, blob))

    async def read_staged(self, match_id: MatchId) -> bytes | None:
        blob = await self._client.call("GET", keys.staged(match_id))
        return blob if isinstance(blob, bytes) else None

    async def settle(self, match_id: MatchId, head: Head, blob: bytes) -> bool:
        return await self._run(_SETTLE, _names(match_id), (head.version, head.chain, blob, match_id))

    async def announce(self, match_id: MatchId, head: Head, name: str) -> bool:
        names = (keys.head(match_id), keys.leftovers(shard_of(match_id)))
        return await self._run(_ANNOUNCE, names, (head.version, head.chain, key_of(match_id, name)))

    async def settle_outside(self, match_id: MatchId, head: Head, name: str) -> bool:
        return await self._run(_SETTLE_OUTSIDE, _names(match_id), (head.version, head.chain, name, match_id))

    async def leftovers(self, shard: Shard, age_ms: int, limit: int) -> Sequence[str]:
        return [text(each) for each in items(await self._client.run(_CONDEMN, (keys.leftovers(shard),), (age_ms, limit)))]

    async def forget_leftovers(self, shard: Shard, gone: Sequence[str]) -> None:
        await self._client.write("ZREM", keys.leftovers(shard), *gone)

    async def place(self) -> str | None:
        found = await self._client.call("HGET", keys.DEPLOYMENT, keys.PLACE)
        return None if found is None else text(found)

    async def note_place(self, place: str) -> None:
        await self._client.write("HSET", keys.DEPLOYMENT, keys.PLACE, place)

    async def archive(self, match_id: MatchId) -> bytes | None:
        head = await self._events.head(match_id)
        return await self._packed.blob(match_id, head.outside) if head is not None and head.archived else None

    async def unpack(self, match_id: MatchId, contents: Contents, care_ms: int) -> bool:
        head = contents.head
        used = [part for each in contents.used for part in (each.digest, _value(each))]
        facts = (head.version, head.chain, head.archived, match_id, care_ms, len(contents.entries))
        return await self._run(_UNPACK, _names(match_id), (*facts, *contents.entries, *used))

    async def _join(self, match_id: MatchId, head: Head, found: list[Reply], used: list[Reply]) -> Contents | None:
        """Return what archive and log hold together, None if they were not read at one moment."""
        rest = read_entries(found, head.archived, head.version - head.archived)
        if rest is None:
            return None
        if head.archived == NO_EVENTS:
            return Contents(head, rest, _used_keys(head, used))
        packed = await self._packed.contents(match_id, ArchivePlace(head.archived, head.outside))
        return Contents(head, packed.entries + rest, packed.used + _used_keys(head, used)) if packed is not None else None

    async def _run(self, script: Script, names: Sequence[str], arguments: Sequence[Value]) -> bool:
        if self._wait_ms is None:
            return number(await self._client.run(script, names, arguments)) == 1
        return number(await self._client.run_and_wait(script, names, arguments, 1, self._wait_ms)) == 1


def _names(match_id: MatchId) -> tuple[str, ...]:
    return (
        keys.head(match_id),
        keys.staged(match_id),
        keys.archive(match_id),
        keys.entries(match_id),
        keys.written(match_id),
        keys.agenda(AgendaKind.CARE, shard_of(match_id)),
        keys.reference(match_id),
        keys.leftovers(shard_of(match_id)),
    )


def _used_keys(head: Head, fields: list[Reply]) -> tuple[Used, ...]:
    """Return the used keys beside a log, in order: those of its archive and those of later commands left out."""
    found = sorted(_read_all(fields), key=lambda each: each.first)
    return tuple(each for each in found if head.archived < each.first and each.last <= head.version)


def _read_all(fields: list[Reply]) -> Iterator[Used]:
    for digest, value in zip(fields[::2], fields[1::2], strict=True):
        assert isinstance(digest, bytes)
        if (used := read_used(digest, value)) is not None:
            yield used


def _value(used: Used) -> bytes:
    return b"%d %d %b" % (used.first, used.last, used.fingerprint)
