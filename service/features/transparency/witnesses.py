"""Witnesses: others who keep checkpoints, and sign those that continue what they have kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...errors import StartupRefused
from ...signing.notes import BadNote, Kind, Note, PublicKey, cosigned_at, read_note, read_public
from ...signing.statements import TreeHead, read_statement
from .log import TransparencyLog
from .port import Cosignature, TransparencyStore

PLACES = 32
"""How many witnesses there can be besides those that the operator lists."""
REST_SECONDS = 86_400
"""After that time without a cosignature a witness makes room for another one."""
AHEAD_SECONDS = 300
"""How far the clock of a witness may be ahead."""


class NotCosigned(Exception):
    """A cosignature is refused: it is no valid one of a checkpoint of this log, or too old or new; the text says which."""


class WitnessesFull(Exception):
    """There are as many witnesses as there may be."""


class Witnesses:
    """The newest cosignature of each witness; *listed* are the public keys of those who always have a place."""

    def __init__(
        self, store: TransparencyStore, transparency_log: TransparencyLog, listed: Sequence[str], now_ms: Callable[[], int]
    ) -> None:
        self._store = store
        self._log = transparency_log
        self._listed = frozenset(listed)
        self._now_ms = now_ms

    async def cosigned_checkpoints(self) -> Sequence[tuple[str, Note]]:
        """Return each witness, and the checkpoint that it signed last, as signed by the deployment and by the witness."""
        kept = sorted(await self._store.cosignatures(), key=lambda each: (-each.size, each.witness))
        return [(each.witness, await self._note(each)) for each in kept]

    async def _note(self, kept: Cosignature) -> Note:
        root = (await self._log.at(kept.size))[1]
        return read_note(f"{self._log.signer.checkpoint(kept.size, root)}{kept.line}\n")

    async def accept(self, witness: str, text: str) -> None:
        """Keep a witness's cosignature of a checkpoint of this log; raise NotCosigned, WitnessesFull."""
        try:
            key = read_public(witness)
            note = read_note(text)
            head = read_statement(note.text)
        except BadNote as error:
            raise NotCosigned(str(error)) from error
        if not isinstance(head, TreeHead) or head.origin != self._log.signer.origin or not await self._has(head):
            raise NotCosigned("not a checkpoint of this log")
        time = cosigned_at(note, key) if key.kind is Kind.COSIGNATURE else None
        if time is None or time > self._now_ms() // 1000 + AHEAD_SECONDS:
            raise NotCosigned("no valid cosignature by that witness, or one of a time to come")
        await self._keep(Cosignature(witness=key.text, size=head.size, time=time, line=_line(note, key)))

    async def _has(self, head: TreeHead) -> bool:
        try:
            return (await self._log.at(head.size)) == (head.size, head.root)
        except IndexError:
            return False

    async def _keep(self, fresh: Cosignature) -> None:
        known = {each.witness: each for each in await self._store.cosignatures()}
        before = known.get(fresh.witness)
        if before is not None and (before.size, before.time) > (fresh.size, fresh.time):
            raise NotCosigned("older than the one that is here")
        others = [each for each in known.values() if each.witness not in self._listed]
        if before is None and fresh.witness not in self._listed and len(others) >= PLACES:
            oldest = min(others, key=lambda each: each.time)
            if oldest.time > self._now_ms() // 1000 - REST_SECONDS:
                raise WitnessesFull
            await self._store.forget_witness(oldest.witness)
        await self._store.cosign(fresh)


def _line(note: Note, key: PublicKey) -> str:
    """Return the newest line of a witness."""
    own = [each for each in note.signatures if (each.name, each.id) == (key.name, key.id)]
    return max(own, key=lambda each: each.raw[:8]).line


def read_keys(setting: str) -> Sequence[str]:
    """Return the public keys of a comma-separated setting; raise StartupRefused."""
    parts = [each.strip() for each in setting.split(",") if each.strip()]
    try:
        keys = [read_public(each) for each in parts]
    except BadNote as error:
        raise StartupRefused(f"TAFELRUNDE_WITNESSES: {error}.") from error
    if any(key.kind is not Kind.COSIGNATURE for key in keys):
        raise StartupRefused("TAFELRUNDE_WITNESSES: these are not keys of witnesses (their kind is 4).")
    return parts
