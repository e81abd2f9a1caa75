"""Players and their tokens: opaque ids, scopes, and hashes instead of token texts."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence

import msgspec

from ...domain.game import GameId, Seat
from ...domain.match import MatchId, PlayerId
from ..errors import Forbidden, NotFound, StoreUnavailable, Unauthenticated
from ..ports.players import Avatar, Origin, PlayerRecord, PlayerStore, TokenRecord
from ..strength.scores import LeaderboardEntry
from .draws import fresh_bytes
from .programs import Programs
from .token_seal import SECRET_BYTES, TokenForm, TokenSeal

SCOPES = ("read", "play", "create", "admin", "embed")
PLAYER_SCOPES = ("read", "play", "create")
GUEST_NAME = "Guest"
"""The name of players without one, which clients translate. Older guests have it stored in German."""
REMEMBERED = 10_000
REMEMBER_MS = 2_000
REMEMBER_GONE_MS = 60_000
MOST_TOKENS = 50
TRIES = 20


class Principal(msgspec.Struct, frozen=True):
    """A caller: a player, through a token with these scopes and this expiry; a seat token is for one seat of one match.

    `grant`: it is another application that calls, by what the player has allowed it.
    """

    player: PlayerId
    token: str
    scopes: frozenset[str]
    expires_ms: int | None = None
    match: MatchId | None = None
    seat: Seat | None = None
    origin: Origin | None = None
    grant: str | None = None


def digest_of(token: str) -> bytes:
    """Return the stored form of a token: its sha256. A token has 256 random bits, so no salt is needed."""
    return hashlib.sha256(token.encode()).digest()


def shown_name(record: PlayerRecord) -> str:
    """Return what others call a player: all guests alike, whatever name is stored for them."""
    return GUEST_NAME if record.guest else record.name


def opaque(prefix: str) -> str:
    """Return a fresh random id of 100 bits."""
    return prefix + fresh_bytes(13).hex()


class Accounts:
    """Players and tokens over a store; `now_ms` is the clock, *seal* marks the texts of tokens as this deployment's.

    `programs` are those that play as players.
    """

    def __init__(self, store: PlayerStore, now_ms: Callable[[], int], seal: TokenSeal) -> None:
        self._store = store
        self._seal = seal
        self.now_ms = now_ms
        self.programs = Programs(store, now_ms)
        self._standings: Callable[[PlayerId], Awaitable[Mapping[GameId, LeaderboardEntry]]] | None = None
        self._drawn: Callable[[PlayerRecord], Avatar] | None = None
        self._known: OrderedDict[bytes, tuple[int, Principal]] = OrderedDict()
        self._gone: OrderedDict[bytes, int] = OrderedDict()
        self._on_use: list[Callable[[], Awaitable[None]]] = []
        self._before_revoking: list[Callable[[PlayerId, str], Awaitable[None]]] = []

    def mention_ratings(self, standings: Callable[[PlayerId], Awaitable[Mapping[GameId, LeaderboardEntry]]]) -> None:
        """Let *standings* say where players stand; without it, no player is rated."""
        self._standings = standings

    async def standings(self, player: PlayerId) -> Mapping[GameId, LeaderboardEntry]:
        """Return where a player stands in the games in which it is rated."""
        return await self._standings(player) if self._standings is not None else {}

    def draw_avatars(self, drawn: Callable[[PlayerRecord], Avatar]) -> None:
        """Let *drawn* say what avatar a player has; without it, none has one."""
        self._drawn = drawn

    def on_use(self, listener: Callable[[], Awaitable[None]]) -> None:
        """Call *listener* when a player's token is looked up, which is every two seconds at most. It must not raise."""
        self._on_use.append(listener)

    def before_revoking(self, end: Callable[[PlayerId, str], Awaitable[None]]) -> None:
        """Call *end* with player and id before a token is revoked on demand, to end what would give another one in its place."""
        self._before_revoking.append(end)

    def shown(self, record: PlayerRecord) -> PlayerRecord:
        """Return a player as others see it: with its avatar, if players have one here."""
        avatar = self._drawn(record) if self._drawn is not None else None
        return msgspec.structs.replace(record, avatar=avatar)

    async def register(
        self, name: str | None, *, bot: bool = False, label: str = "first"
    ) -> tuple[PlayerRecord, TokenRecord, str]:
        """Make a player (a guest if *name* is None) and a first token; its text is shown once."""
        player = PlayerRecord(PlayerId(opaque("p")), name or GUEST_NAME, name is None, self.now_ms(), bot=bot)
        await self._store.put_player(player)
        token, text = await self.issue(player.id, label, PLAYER_SCOPES, None)
        return player, token, text

    async def issue(
        self,
        player: PlayerId,
        label: str,
        scopes: Sequence[str],
        expires_ms: int | None,
        *,
        place: tuple[MatchId | None, Seat | None] = (None, None),
        origin: Origin | None = None,
        grant: str | None = None,
    ) -> tuple[TokenRecord, str]:
        """Make a token; its text is shown once. Raises Forbidden("scope-unknown" or "too-many-tokens"), NotFound.

        With an *origin* it ends with that token at the latest. Raises Unauthenticated if that has ended already.
        """
        if not set(scopes) <= set(SCOPES):
            raise Forbidden("scope-unknown")
        text = self._seal.make_text(fresh_bytes(SECRET_BYTES))
        end_ms = _earlier(expires_ms, origin.expires_ms if origin is not None else None)
        token = TokenRecord(opaque("t"), player, label, tuple(scopes), self.now_ms(), end_ms, *place, origin, grant)
        await self._put(digest_of(text), token)
        if origin is not None and token not in await self.tokens(player):  # its origin was revoked meanwhile
            raise Unauthenticated
        return token, text

    async def _put(self, digest: bytes, token: TokenRecord) -> None:
        """Store a token; if there are too many, expired ones make room. Raises Forbidden, NotFound."""
        if await self._store.put_token(digest, token, MOST_TOKENS):
            return
        await self.tokens(token.player)
        if not await self._store.put_token(digest, token, MOST_TOKENS):
            await self.player(token.player)
            raise Forbidden("too-many-tokens")

    async def authenticate(self, token: str) -> Principal:
        """Return who holds a token; raise Unauthenticated, for a text that was not made here without asking the store.

        Remembered for 2 s; one that does not exist, for a minute: a revoked token does not come back.
        """
        digest = digest_of(token)
        now = self.now_ms()
        holder = self._recall(digest, now)
        if holder is None and self._seal.form_of(token) is not TokenForm.FOREIGN and not self._is_gone(digest, now):
            holder = await self._look_up(digest, now)
        if holder is None or _is_expired(holder, now):
            raise Unauthenticated
        return holder

    def at_once(self, token: str) -> Principal | None:
        """Return who holds a token if that is remembered; None if `authenticate` has to be asked."""
        now = self.now_ms()
        holder = self._recall(digest_of(token), now)
        return holder if holder is not None and not _is_expired(holder, now) else None

    async def find_holder(self, token: str) -> Principal | None:
        """Return who holds a token; None for one that is not valid, or whose text does not show that it was made here."""
        try:
            return self.at_once(token) or (None if self.is_guess(token) else await self.authenticate(token))
        except Unauthenticated:
            return None

    def is_guess(self, token: str) -> bool:
        """True if only the store can tell whether a text was ever a token: it has no seal, and was not valid here before."""
        return self._seal.form_of(token) is TokenForm.UNSEALED and digest_of(token) not in self._known

    def _recall(self, digest: bytes, now: int) -> Principal | None:
        seen = self._known.get(digest)
        return seen[1] if seen is not None and 0 <= now - seen[0] < REMEMBER_MS else None

    def _is_gone(self, digest: bytes, now: int) -> bool:
        return 0 <= now - self._gone.get(digest, -REMEMBER_GONE_MS) < REMEMBER_GONE_MS

    async def _look_up(self, digest: bytes, now: int) -> Principal | None:
        token = await self._store.token(digest)
        self._known.pop(digest, None)
        if token is None:
            self._gone[digest] = now
            if len(self._gone) > REMEMBERED:
                self._gone.popitem(last=False)
            return None
        scopes = frozenset(token.scopes)
        if not scopes.isdisjoint(PLAYER_SCOPES) and not _is_expired(token, now):
            for listener in self._on_use:
                await listener()
        holder = Principal(token.player, token.id, scopes, token.expires_ms, token.match, token.seat, token.origin, token.grant)
        self._known[digest] = (now, holder)
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return holder

    async def revoke(self, player: PlayerId, token: str) -> None:
        """End a token; raise NotFound."""
        for end in self._before_revoking:
            await end(player, token)
        if not await self.end(player, token):
            raise NotFound("token")

    async def end(self, player: PlayerId, token: str) -> bool:
        """Revoke a token and those that end with it; False if there is none, or if another call was first.

        If this process is killed in between, the next call for any token of the player, or the next list, revokes the rest.
        """
        ended = await self._store.revoke(player, token)
        await self.tokens(player)
        self._known.clear()
        return ended

    async def tokens(self, player: PlayerId) -> Sequence[TokenRecord]:
        """Return a player's tokens, oldest first, and forget those that have expired, or whose origin was revoked."""
        now = self.now_ms()
        found = await self._store.tokens(player)
        ids = {token.id for token in found}
        gone = {token.id for token in found if _is_expired(token, now) or (token.origin and token.origin.token not in ids)}
        for token in gone:
            await self._store.revoke(player, token)
        return [token for token in found if token.id not in gone]

    async def find(self, player: PlayerId) -> PlayerRecord | None:
        """Return a player; None if unknown."""
        return await self._store.player(player)

    async def put(self, record: PlayerRecord) -> None:
        """Create or replace a player."""
        await self._store.put_player(record)

    async def player(self, player: PlayerId) -> PlayerRecord:
        """Return a player; raise NotFound."""
        record = await self._store.player(player)
        if record is None:
            raise NotFound("player")
        return record

    async def is_guest(self, player: PlayerId) -> bool:
        """True if a player has no name, or does not exist."""
        record = await self._store.player(player)
        return record is None or record.guest

    async def rename(self, player: PlayerId, name: str) -> PlayerRecord:
        """Give a player a display name; raise NotFound."""
        return await self.change(player, name=name, guest=False)

    async def change(self, player: PlayerId, **fields: object) -> PlayerRecord:
        """Change what a player says of itself; raise NotFound. Changes at once leave the fields of one another alone."""
        for _ in range(TRIES):
            before = await self.player(player)
            after = msgspec.structs.replace(before, **fields)
            if await self._store.replace_player(before, after):
                return after
        raise StoreUnavailable("the player keeps being changed by others")

    async def remove(self, player: PlayerId) -> None:
        """Delete a player with all its tokens; nothing happens if it is gone already."""
        await self._store.remove_player(player)
        self._known.clear()

    async def begin_deletion(self, player: PlayerId) -> None:
        """Note that a player is being deleted, so that it can be finished if this process ends."""
        await self._store.begin_deletion(player, self.now_ms())

    async def deletions(self, age_ms: int = 0) -> Sequence[PlayerId]:
        """Return the players whose deletion has begun, at least *age_ms* ago, and has not ended."""
        return await self._store.deletions(self.now_ms() - age_ms)

    async def end_deletion(self, player: PlayerId) -> None:
        """Note that nothing is left of a player."""
        await self._store.end_deletion(player)

    async def people(self, players: Sequence[PlayerId]) -> Mapping[PlayerId, PlayerRecord]:
        """Return those players that exist, as others see them."""
        return {player: self.shown(record) for player, record in (await self._store.people(players)).items()}


def _earlier(*moments: int | None) -> int | None:
    """Return the earliest moment; None stands for none."""
    return min((moment for moment in moments if moment is not None), default=None)


def _is_expired(token: TokenRecord | Principal, now: int) -> bool:
    return token.expires_ms is not None and token.expires_ms <= now
