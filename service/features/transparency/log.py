"""The transparency log: records finished matches, each once, and proves what it contains."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable, Iterable, Sequence

import msgspec

from ....domain.match import MatchId
from ...days import Day
from ...errors import NotFound, StartupRefused, StoreUnavailable
from ...signing.notes import Note, read_public
from ...signing.signer import VARIABLE, Signer
from . import tree
from .checks import hash_leaf, key_content
from .port import DAYS, KEYS, OPENING_VERSION, Checkpoint, Growth, Leaf, LeafKind, NodeId, TransparencyStore
from .tree import Span

TRIES = 50
AT_ONCE = 1_000
LOG_SECONDS = 60
"""Within how many seconds a match is in the log after its opening and its end: the deployment's promise, see docs."""


class Inclusion(msgspec.Struct, frozen=True, kw_only=True):
    """A leaf, its number, and the hashes that prove it."""

    leaf: Leaf
    index: int
    path: tuple[bytes, ...]


class MatchProofs(msgspec.Struct, frozen=True, kw_only=True):
    """All leaves of a match, each proved in the log of `size` leaves."""

    size: int
    root: bytes
    leaves: tuple[Inclusion, ...]


class Consistency(msgspec.Struct, frozen=True, kw_only=True):
    """Two roots of the log, and the hashes that prove that the later one only added to the earlier one."""

    earlier: int
    earlier_root: bytes
    later: int
    later_root: bytes
    path: tuple[bytes, ...]


class TransparencyLog:
    """The transparency log of a deployment. Any number may write: each step is fenced by the size that it continues.

    *signer* signs its checkpoints, and all else that the deployment signs.
    """

    def __init__(self, store: TransparencyStore, now_ms: Callable[[], int], signer: Signer) -> None:
        self._store = store
        self.signer = signer
        self._now_ms = now_ms
        self._secret_of: Callable[[Day], Awaitable[str | None]] | None = None

    def reveal_days(self, secret_of: Callable[[Day], Awaitable[str | None]]) -> None:
        """Let *secret_of* return what the commitment of a day binds, None before the day is over; without it, no one knows."""
        self._secret_of = secret_of

    async def day_secret(self, day: Day) -> str | None:
        """Return what the commitment of a day binds, None before the day is over."""
        return await self._secret_of(day) if self._secret_of is not None else None

    async def checkpoint(self) -> Checkpoint:
        """Return the newest checkpoint."""
        return await self._store.checkpoint()

    async def sign_checkpoint(self) -> tuple[Checkpoint, Note]:
        """Return the newest checkpoint, and the same as a signed note. Cost: a read, and some 30 microseconds."""
        found = await self._store.checkpoint()
        return found, self.signer.checkpoint(found.size, found.root)

    async def add(self, leaves: Sequence[Leaf]) -> int:
        """Add those leaves that are not there yet, and return how many those were.

        Raises StoreUnavailable if others are always first.
        """
        for _ in range(TRIES):
            missing = await self._missing(leaves)
            if not missing or await self._store.grow(await self._growth(missing)):
                return len(missing)
        raise StoreUnavailable("other writers keep adding to the transparency log")

    async def _missing(self, leaves: Sequence[Leaf]) -> list[Leaf]:
        unique = {(leaf.match, leaf.version): leaf for leaf in leaves}.values()
        known = await self._store.indexes([leaf.match for leaf in unique])
        return [leaf for leaf, indexes in zip(unique, known, strict=True) if leaf.version not in indexes]

    async def _growth(self, leaves: Sequence[Leaf]) -> Growth:
        before = await self._store.checkpoint()
        peaks = await self._store.nodes(tree.cover(Span(0, before.size)))
        nodes, after = tree.complete(before.size, peaks, [hash_leaf(leaf) for leaf in leaves])
        time_ms = max(before.time_ms, self._now_ms())
        checkpoint = Checkpoint(before.size + len(leaves), tree.join(after), time_ms)
        return Growth(expected=before.size, leaves=tuple(leaves), nodes=tuple(nodes), checkpoint=checkpoint)

    async def prove(self, match_id: MatchId, size: int | None = None) -> MatchProofs:
        """Return the proofs of a match's leaves at the newest checkpoint, or among the first *size* leaves.

        Raises NotFound if the log (of that size) does not have the match, IndexError if it has never had that size.
        """
        length, root = await self.at(size)
        (indexes,) = await self._store.indexes([match_id])
        ends = (index for version, index in indexes.items() if version != OPENING_VERSION)
        return MatchProofs(size=length, root=root, leaves=await self._inclusions(ends, length))

    async def prove_opening(self, match_id: MatchId, size: int | None = None) -> MatchProofs:
        """Return the proof of a match's opening, as `prove` does of its end."""
        return await self._prove_one(match_id, OPENING_VERSION, size)

    async def prove_day(self, number: int, size: int | None = None) -> MatchProofs:
        """Return the proof of the commitment of a day, as `prove` does of a match's end."""
        return await self._prove_one(DAYS, number, size)

    async def _prove_one(self, match_id: MatchId, version: int, size: int | None) -> MatchProofs:
        length, root = await self.at(size)
        (indexes,) = await self._store.indexes([match_id])
        found = [indexes[version]] if version in indexes else []
        return MatchProofs(size=length, root=root, leaves=await self._inclusions(found, length))

    async def _inclusions(self, indexes: Iterable[int], size: int) -> tuple[Inclusion, ...]:
        found = [index for index in sorted(indexes) if index < size]
        if not found:
            raise NotFound("leaf")
        return tuple([await self._inclusion(index, size) for index in found])

    async def _inclusion(self, index: int, size: int) -> Inclusion:
        (leaf,) = await self._store.leaves(index, 1)
        return Inclusion(leaf=leaf, index=index, path=await self._hashes(tree.inclusion(index, size)))

    async def at(self, size: int | None) -> tuple[int, bytes]:
        """Return size and root of the log at that number of leaves (None: as it is); raise IndexError if it never had that."""
        newest = await self._store.checkpoint()
        if size is None or size == newest.size:
            return newest.size, newest.root
        if not 0 < size < newest.size:
            raise IndexError(size)
        (root,) = await self._hashes([Span(0, size)])
        return size, root

    async def consistency(self, earlier: int, later: int | None = None) -> Consistency:
        """Prove that the log of *later* (None: all) leaves begins with its first *earlier*; raise IndexError."""
        size, root = await self.at(later)
        first, *path = await self._hashes([Span(0, earlier), *tree.consistency(earlier, size)])
        return Consistency(earlier=earlier, earlier_root=first, later=size, later_root=root, path=tuple(path))

    async def hashes(self, start: int, count: int) -> Sequence[bytes]:
        """Return the hashes of at most *count* leaves from number *start* on, for callers who recompute the root."""
        end = min(start + min(count, AT_ONCE), (await self._store.checkpoint()).size)
        return await self._store.nodes([NodeId(0, index) for index in range(start, end)])

    async def entries(self, start: int, count: int) -> Sequence[tuple[bytes, Leaf]]:
        """Return at most *count* leaves from number *start* on, each with its hash."""
        hashes = await self.hashes(start, count)
        return list(zip(hashes, await self._store.leaves(start, len(hashes)), strict=True)) if hashes else []

    async def keys(self) -> Sequence[tuple[int, Leaf]]:
        """Return the leaves of all keys that ever signed, in order, each with its number."""
        (indexes,) = await self._store.indexes([KEYS])
        return [(index, (await self._store.leaves(index, 1))[0]) for index in sorted(indexes.values())]

    async def note_key(self) -> bool:
        """Note the key that signs from now on, unless it is the newest one in the log; return whether it was not.

        The key before it signs that it hands over, if it is among the former ones here.
        """
        known = await self.keys()
        key = self.signer.public.text
        newest = known[-1][1].lines[0] if known else None
        if newest == key:
            return False
        time_ms = self._now_ms()
        signature = self.signer.handed_over(read_public(newest), key_content(key, time_ms)) if newest is not None else b""
        lines = (key, base64.b64encode(signature).decode())
        return await self.add([Leaf(KEYS, len(known) + 1, b"", None, time_ms, LeafKind.KEY, lines)]) > 0

    async def require_key(self) -> None:
        """Raise StartupRefused if the log is signed with a key that is none of those here: two keys must not sign one log."""
        known = await self.keys()
        if known and not self.signer.has(known[-1][1].lines[0]):
            raise StartupRefused(
                f"The key that signs the log of this store ({known[-1][1].lines[0].split('+')[1]}) is neither in {VARIABLE} nor "
                "in signing.key in the data folder: give all processes the same keys. A new key goes before the former ones "
                "(`tafelrunde new-signing-key`); if those are lost, `tafelrunde accept-signing-key` lets it sign all the same."
            )

    async def claim_key(self) -> None:
        """Note the key that signs here from now on, unless it is noted; raise StartupRefused as `require_key`.

        Of several that claim a log at the same moment, one gets it.
        """
        await self.require_key()
        await self.note_key()
        await self.require_key()

    async def leaves(self, start: int, count: int) -> Sequence[Leaf]:
        """Return at most *count* leaves from number *start* on."""
        return await self._store.leaves(start, count)

    async def _hashes(self, spans: Sequence[Span]) -> tuple[bytes, ...]:
        """Return the hashes over spans; all their nodes are read in one round trip."""
        parts = [tree.cover(span) for span in spans]
        nodes = iter(await self._store.nodes([place for part in parts for place in part]))
        return tuple(tree.join([next(nodes) for _ in part]) for part in parts)
