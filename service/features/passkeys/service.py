"""What players do with passkeys: add, list, rename and remove them, and sign in by one."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import structlog

from ....domain.match import PlayerId
from ...errors import Forbidden, NotFound, StoreUnavailable
from ...players.accounts import MOST_TOKENS, PLAYER_SCOPES, Accounts, Principal
from ...players.draws import fresh_bytes
from ...ports.players import PlayerRecord, TokenRecord
from .port import CHALLENGE_MS, MOST_PASSKEYS, Added, Passkey, PasskeyStore, Taken
from .site import Assertion, site_of

if TYPE_CHECKING:  # the library is imported only where passkeys are switched on
    from .ceremony import Ceremony

log = structlog.get_logger(__name__)

TRIES = 20


class PasskeysOff(Exception):
    """The deployment has no passkeys."""


class ChallengeEnded(Exception):
    """The challenge is none, has ended, was used, or is another player's."""


class PasskeyUnknown(Exception):
    """No player has this passkey (any more)."""


class PasskeyKnown(Exception):
    """The player has this passkey already."""


class PasskeyCopied(Exception):
    """The counter of a passkey has gone back: it was copied, or its device was reset."""


class TooManyPasskeys(Exception):
    """The player has the maximum number of passkeys."""


class Wanted(NamedTuple):
    """What a browser is to ask for a new passkey: a challenge and how long it counts, for whom, and which are there already."""

    challenge: bytes
    until_ms: int
    player: PlayerRecord
    known: Sequence[Passkey]


def handle_of(player: PlayerId) -> bytes:
    """Return what an authenticator keeps of a player, and says again when the player signs in: its id, and no name."""
    return player.encode()


def id_of(credential: bytes) -> str:
    """Return the id of a passkey in the API: authenticators have ids of up to 1,023 bytes."""
    return f"k{hashlib.sha256(credential).hexdigest()[:26]}"


class Passkeys:
    """The passkeys of players. Every method raises PasskeysOff without a *ceremony*, and StoreUnavailable.

    Methods take the *address* of the service, as the client sees it. What an authenticator answers counts once: for the first
    who sends it, and for that one again under the same name, *by*, as its answer may be lost.
    """

    def __init__(self, store: PasskeyStore, accounts: Accounts, now_ms: Callable[[], int], ceremony: Ceremony | None) -> None:
        self._store = store
        self._accounts = accounts
        self._now_ms = now_ms
        self._asked = ceremony

    @property
    def _ceremony(self) -> Ceremony:
        if self._asked is None:
            raise PasskeysOff
        return self._asked

    async def of(self, player: PlayerId) -> Sequence[Passkey]:
        """Return the passkeys of a player, oldest first."""
        assert self._ceremony
        return await self._store.passkeys(player)

    async def prepare(self, holder: Principal) -> Wanted:
        """Return what a new passkey needs; raise TooManyPasskeys, Forbidden("token-ends"), NotFound."""
        known = await self.of(_lasting(holder))
        if len(known) >= MOST_PASSKEYS:
            raise TooManyPasskeys
        record = await self._accounts.player(holder.player)
        challenge, until_ms = await self._challenge(holder.player)
        return Wanted(challenge, until_ms, record, known)

    async def add(self, holder: Principal, address: str, label: str, client_data: bytes, attestation: bytes, by: str) -> Passkey:
        """Add a passkey.

        Raises PasskeyRefused, ChallengeEnded, PasskeyKnown, TooManyPasskeys, Forbidden("token-ends"), NotFound.
        """
        player = _lasting(holder)
        challenge = self._ceremony.challenge(client_data)
        taken = await self._take(player, challenge, by)
        made = self._ceremony.register(site_of(address), challenge, client_data, attestation)
        passkey = Passkey(id_of(made.credential), made.credential, made.key, made.counter, label, self._now_ms())
        added = await self._store.add(player, passkey)
        if await self._accounts.find(player) is None:  # it was deleted meanwhile
            await self._store.forget(player)
            raise NotFound("player")
        if added is Added.FULL:
            raise TooManyPasskeys
        if added is Added.BEFORE and taken is Taken.FIRST:
            raise PasskeyKnown
        return await self._store.passkey(player, passkey.id) or passkey

    async def rename(self, player: PlayerId, id_: str, label: str) -> Passkey:
        """Label a passkey; raise PasskeyUnknown."""
        assert self._ceremony
        return await self._change(player, id_, lambda passkey: msgspec.structs.replace(passkey, label=label))

    async def remove(self, player: PlayerId, id_: str) -> None:
        """Delete a passkey; raise PasskeyUnknown. Devices on which someone has signed in by it stay signed in."""
        assert self._ceremony
        if not await self._store.remove(player, id_):
            raise PasskeyUnknown

    async def prepare_sign_in(self) -> tuple[bytes, int]:
        """Return a challenge for signing in, and until when (Unix milliseconds) it counts."""
        assert self._ceremony
        return await self._challenge(None)

    async def sign_in(self, address: str, answer: Assertion, label: str, by: str) -> tuple[PlayerId, TokenRecord, str]:
        """Return the player of a passkey with a new token and its text.

        Raises PasskeyRefused, ChallengeEnded, PasskeyUnknown, PasskeyCopied, Forbidden("too-many-tokens").
        """
        challenge = self._ceremony.challenge(answer.client_data)
        taken = await self._take(None, challenge, by)
        player = PlayerId(answer.user.decode("ascii", "replace"))
        id_ = id_of(answer.credential)
        passkey = await self._store.passkey(player, id_)
        if passkey is None or passkey.credential != answer.credential:
            raise PasskeyUnknown
        counter = self._ceremony.authenticate(site_of(address), challenge, passkey, answer)

        def use(kept: Passkey) -> Passkey:
            if not _is_next(kept.counter, counter) and not (taken is Taken.AGAIN and kept.counter == counter):
                log.warning("passkey refused, its counter has gone back")
                raise PasskeyCopied
            return msgspec.structs.replace(kept, counter=counter, used_ms=self._now_ms())

        passkey = await self._change(player, id_, use)
        token, text = await self._issue(player, passkey, label)
        return player, token, text

    async def _issue(self, player: PlayerId, passkey: Passkey, label: str) -> tuple[TokenRecord, str]:
        """Make a token. If there are too many, the oldest ends to which this passkey led: no one else may be able to end one."""
        try:
            try:
                token, text = await self._accounts.issue(player, label, PLAYER_SCOPES, None)
            except Forbidden:
                ids = [each.id for each in await self._accounts.tokens(player)]
                oldest = next((each for each in passkey.tokens if each in ids), None)
                if oldest is None:
                    raise
                await self._accounts.end(player, oldest)
                token, text = await self._accounts.issue(player, label, PLAYER_SCOPES, None)
        except NotFound:
            raise PasskeyUnknown from None

        def note(kept: Passkey) -> Passkey:
            others = (each for each in kept.tokens if each != token.id)
            return msgspec.structs.replace(kept, tokens=(*others, token.id)[-MOST_TOKENS:])

        await self._change(player, passkey.id, note)
        return token, text

    async def _challenge(self, player: PlayerId | None) -> tuple[bytes, int]:
        challenge = fresh_bytes(32)
        now_ms = self._now_ms()
        await self._store.keep_challenge(_digest(player, challenge), now_ms + CHALLENGE_MS, now_ms)
        return challenge, now_ms + CHALLENGE_MS

    async def _take(self, player: PlayerId | None, challenge: bytes, by: str) -> Taken:
        """Take a challenge that was made for a player, or (None) for signing in."""
        taker = hashlib.sha256(by.encode()).digest()
        taken = await self._store.take_challenge(_digest(player, challenge), taker, self._now_ms())
        if taken is Taken.NOT:
            raise ChallengeEnded
        return taken

    async def _change(self, player: PlayerId, id_: str, how: Callable[[Passkey], Passkey]) -> Passkey:
        """Change a passkey, also while others do; raise PasskeyUnknown, and what *how* raises."""
        for _ in range(TRIES):
            before = await self._store.passkey(player, id_)
            if before is None:
                raise PasskeyUnknown
            after = how(before)
            if await self._store.replace(player, before, after):
                return after
        raise StoreUnavailable("the passkey keeps being changed by others")


def _lasting(holder: Principal) -> PlayerId:
    """Return whose token it is; raise Forbidden if a passkey would outlast it, or allow more."""
    if holder.expires_ms is not None or not {*PLAYER_SCOPES} <= holder.scopes:
        raise Forbidden("token-ends")
    return holder.player


def _digest(player: PlayerId | None, challenge: bytes) -> bytes:
    """Return under what a challenge is kept: it counts for one player, or for signing in alone, and names none."""
    return hashlib.sha256(f"{player or ''}|".encode() + challenge).digest()


def _is_next(before: int, counter: int) -> bool:
    """Whether a counter comes after another one; an authenticator that does not count says 0 each time."""
    return counter > before or counter == before == 0


async def passkeys_part(store: PasskeyStore, player: PlayerId) -> object:
    """Return what is kept here of a player, as plain data."""
    return [
        {
            "id": each.id,
            "label": each.label,
            "made_ms": each.made_ms,
            "used_ms": each.used_ms,
            "credential": each.credential.hex(),
            "key": each.key.hex(),
            "counter": each.counter,
            "tokens": [*each.tokens],
        }
        for each in await store.passkeys(player)
    ]
