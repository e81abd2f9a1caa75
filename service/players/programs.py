"""Which program plays as a player: statements that its operator has signed, so that others can check whose it is.

The first statement introduces a key. Later ones are signed by the same key, or introduce the next one with the endorsement of
the one before: a token of the player alone can neither change the version nor take the identity over. A statement has its own
time, and none is accepted that is older than the newest.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from ...domain.match import PlayerId
from ..errors import NotFound, StatementRefused
from ..ports.players import PlayerStore, ProgramRecord, Statement

MOST_KEYS = 10
AHEAD_MS = 300_000
"""How far the clock of an operator may be ahead."""


def text_of(player: PlayerId, statement: Statement) -> bytes:
    """Return what an operator signs: seven lines of ASCII, each ended by a line feed; `-` stands for what there is not."""
    return (
        "tafelrunde program 1\n"
        f"player {player}\n"
        f"key {statement.key}\n"
        f"previous {statement.previous or '-'}\n"
        f"version {statement.version}\n"
        f"source {statement.source or '-'}\n"
        f"signed_ms {statement.signed_ms}\n"
    ).encode("ascii")


class Programs:
    """The programs behind players that declare to be one."""

    def __init__(self, store: PlayerStore, now_ms: Callable[[], int]) -> None:
        self._store = store
        self._now_ms = now_ms

    async def of(self, player: PlayerId) -> ProgramRecord:
        """Return what a player's operator has stated; raise NotFound."""
        found = await self._store.program(player)
        if found is None:
            raise NotFound("program")
        return found

    async def declare(self, player: PlayerId, statement: Statement) -> ProgramRecord:
        """Take a statement; raise StatementRefused with the reason, or NotFound."""
        record = await self._store.player(player)
        if record is None:
            raise NotFound("player")
        if not record.bot:
            raise StatementRefused("this player does not declare to be a program")
        known = await self._store.program(player)
        self._check(known, statement)
        _check_signatures(player, statement)
        after = ProgramRecord((*_introductions(known), statement))
        await self._replace(player, known, after)
        return after

    async def revoke(self, player: PlayerId) -> None:
        """Declare permanently that a program's keys are not to be trusted from now on; raise StatementRefused."""
        known = await self._store.program(player)
        if known is None:
            raise StatementRefused("nothing has been stated")
        if known.revoked_ms is None:
            await self._replace(player, known, msgspec.structs.replace(known, revoked_ms=self._now_ms()))

    async def _replace(self, player: PlayerId, known: ProgramRecord | None, after: ProgramRecord) -> None:
        if not await self._store.put_program(player, known, after):
            raise StatementRefused("another statement came first: read it and try again")

    def _check(self, known: ProgramRecord | None, statement: Statement) -> None:
        """Raise StatementRefused if a statement does not follow from those before."""
        if statement.signed_ms > self._now_ms() + AHEAD_MS:
            raise StatementRefused("signed_ms is in the future")
        if known is None:
            if statement.previous is not None:
                raise StatementRefused("the first statement has no previous key")
            return
        newest = known.statements[-1]
        if known.revoked_ms is not None:
            raise StatementRefused("the keys of this player are revoked")
        if statement.signed_ms <= newest.signed_ms:
            raise StatementRefused("signed_ms is not later than that of the statement before")
        if statement.previous != (None if statement.key == newest.key else newest.key):
            raise StatementRefused("previous is the key of the statement before if that is another one, else null")
        keys = {each.key for each in known.statements}
        if statement.key != newest.key and (statement.key in keys or len(keys) >= MOST_KEYS):
            raise StatementRefused(f"the key was used before, or there were {MOST_KEYS} already")


def _introductions(known: ProgramRecord | None) -> list[Statement]:
    """Return the first statement of each key so far: the chain from the first key to the newest."""
    first: dict[str, Statement] = {}
    for statement in () if known is None else known.statements:
        first.setdefault(statement.key, statement)
    return list(first.values())


def _check_signatures(player: PlayerId, statement: Statement) -> None:
    """Raise StatementRefused if a signature is not that of its key."""
    text = text_of(player, statement)
    if not _is_signature(statement.key, text, statement.signature):
        raise StatementRefused("signature is not that of the key over the text of the statement")
    previous = statement.previous
    endorsement = statement.endorsement
    if previous is not None and not _is_signature(previous, text, endorsement or ""):
        raise StatementRefused("endorsement is not that of the previous key over the text of the statement")


def _is_signature(key: str, text: bytes, signature: str) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), text)
    except (InvalidSignature, ValueError):
        return False
    return True
