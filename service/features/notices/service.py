"""What players are notified about, and by which ways. Nothing here waits for a mail server or a push service."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from ....domain.match import PlayerId
from ....domain.wording import Language
from ...errors import Forbidden, NotFound, ServiceError, StoreUnavailable
from ...players.accounts import Accounts
from ...players.budgets import Budgets
from ...players.draws import fresh_bytes
from ...players.quota_table import MAIL_CODES, MAIL_CODES_TO
from .port import CONFIRMATION, MAIL, MOST_PUSHES, Chosen, Mail, NoticeId, NoticeStore, Occasion, Planned, Push, PushId
from .web_push import SECRET_BYTES, is_public_key

SALT_BYTES = 16
CODE_DIGITS = 8
CODE_MS = 3_600_000
"""How long a code confirms an address."""
MOST_WRONG = 5
"""Wrong codes after which a new one is needed."""
TRIES = 20


class AddressRefused(ServiceError):
    """An address of a browser that no message will be sent to; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class TooManyCodes(ServiceError):
    """Too many codes were asked for; `wait_s` says when to ask again."""

    def __init__(self, wait_s: int) -> None:
        super().__init__("too many codes")
        self.wait_s = wait_s


class NewPush(NamedTuple):
    """A browser as it describes itself: where messages go, its public key, its secret, and its player's language.

    `token` is the id of the token that adds it, with which its notices end.
    """

    endpoint: str
    key: bytes
    secret: bytes
    language: Language
    token: str


class Choices:
    """The choices of players, each seen by its player alone.

    `why_not` says why nothing is sent to an address of a browser (None: nothing speaks against it); `mails`: whether the
    deployment sends mail.
    """

    def __init__(
        self,
        store: NoticeStore,
        now_ms: Callable[[], int],
        id_key: bytes,
        accounts: Accounts,
        budgets: Budgets,
        why_not: Callable[[str], str | None],
        *,
        mails: bool,
    ) -> None:
        self._store = store
        self._now_ms = now_ms
        self._id_key = id_key
        self._accounts = accounts
        self._budgets = budgets
        self._codes = budgets.of_row(MAIL_CODES)
        self._codes_to = budgets.of_row(MAIL_CODES_TO)
        self._why_not = why_not
        self.mails = mails

    async def of(self, player: PlayerId) -> Chosen:
        """Return what a player has chosen; about everything, by no way, if it has not chosen yet."""
        return (await self._store.of([player])).get(player, Chosen(player=player))

    async def export(self, player: PlayerId) -> object:
        """Return what is kept of a player, as data for JSON; the keys by which a browser is reached are not shown."""
        chosen = await self.of(player)
        mail = chosen.mail
        return {
            "occasions": [each.value for each in chosen.occasions],
            "mail": None
            if mail is None
            else {"address": mail.address, "confirmed": mail.confirmed, "language": mail.language.value},
            "browsers": [{"endpoint": each.endpoint, "created_ms": each.created_ms} for each in chosen.pushes],
            "seen_ms": await self._store.seen_ms(player),
        }

    async def choose(self, player: PlayerId, occasions: Sequence[Occasion]) -> Chosen:
        """Get notices about these occasions alone."""
        kept = tuple(each for each in Occasion if each in occasions)
        return await self._alter(player, lambda old: msgspec.structs.replace(old, occasions=kept))

    async def ask_mail(self, player: PlayerId, address: str, language: Language, place: str) -> Chosen:
        """Send a code to an address, in place of the one before; raise Forbidden("mail-off"), TooManyCodes.

        *place* is where the request comes from. Until the code is given nothing else is sent there.
        """
        if not self.mails:
            raise Forbidden("mail-off")
        await self._pay(player, address, place)
        now = self._now_ms()
        mail = Mail(address=address, language=language, salt=fresh_bytes(SALT_BYTES), until_ms=now + CODE_MS)
        chosen = await self._alter(player, lambda old: msgspec.structs.replace(old, mail=mail))
        name = NoticeId(f"code-{fresh_bytes(10).hex()}")
        planned = Planned(id=name, player=player, way=MAIL, about=CONFIRMATION, at_ms=now, due_ms=now, salt=mail.salt)
        await self._store.plan([planned], now)
        return chosen

    async def _pay(self, player: PlayerId, address: str, place: str) -> None:
        if (refused := await self._codes.spend(player, place)) is not None:
            raise TooManyCodes(refused.wait_s)
        if (refused := await self._codes_to.spend_for(player, fold_address(address))) is not None:
            self._codes.give_back(player, place)
            raise TooManyCodes(refused.wait_s)

    async def confirm(self, player: PlayerId, code: str) -> Chosen:
        """Get notices by mail from now on; raise Forbidden("code-wrong"), even if it is only too late."""
        right = False

        def judge(old: Chosen) -> Chosen:
            nonlocal right
            mail = old.mail
            right = mail is not None and self._may_confirm(mail) and hmac.compare_digest(code, self.code_of(player, mail))
            if mail is None:
                return old
            changes = {"confirmed": True} if right else {} if mail.confirmed else {"wrong": mail.wrong + 1}
            return msgspec.structs.replace(old, mail=msgspec.structs.replace(mail, **changes))

        chosen = await self._alter(player, judge)
        if not right:
            raise Forbidden("code-wrong")
        return chosen

    def _may_confirm(self, mail: Mail) -> bool:
        return mail.wrong < MOST_WRONG and self._now_ms() < mail.until_ms

    def code_of(self, player: PlayerId, mail: Mail) -> str:
        """Return the code that confirms an address. It is kept nowhere: it follows from the deployment's own key."""
        return f"{int.from_bytes(self._digest('code', player, mail), 'big') % 10**CODE_DIGITS:0{CODE_DIGITS}d}"

    def stop_token(self, player: PlayerId, mail: Mail) -> str:
        """Return what stops mail to this address without signing in; it is worth nothing after that."""
        return f"{player}{self._digest('stop', player, mail).hex()[:40]}"

    def _digest(self, use: str, player: PlayerId, mail: Mail) -> bytes:
        return hmac.digest(self._id_key, f"tafelrunde.notices.1|{use}|{player}|{mail.salt.hex()}".encode(), "sha256")

    async def stop(self, player: PlayerId, token: str) -> None:
        """Stop mail to the address that a token is for; nothing happens if that is so already."""
        mail = (await self.of(player)).mail
        if mail is not None and hmac.compare_digest(token, self.stop_token(player, mail)):
            await self._alter(player, lambda old: msgspec.structs.replace(old, mail=None if old.mail == mail else old.mail))

    async def stop_mail(self, player: PlayerId) -> None:
        """Stop mail; nothing happens if there is none."""
        if (await self.of(player)).mail is not None:
            await self._alter(player, lambda old: msgspec.structs.replace(old, mail=None))

    async def add_push(self, player: PlayerId, wish: NewPush) -> Push:
        """Get notices in a browser; raise AddressRefused, Forbidden("too-many-browsers").

        A browser that is there already, by its address, keeps its id. If it was another player's, it is so no longer.
        """
        if (reason := self._why_not(wish.endpoint)) is not None:
            raise AddressRefused(reason)
        if not is_public_key(wish.key) or len(wish.secret) != SECRET_BYTES:
            raise AddressRefused("its keys are not those of a browser")
        fresh = Push(id=PushId(f"b{fresh_bytes(13).hex()}"), created_ms=self._now_ms(), **wish._asdict())

        def add(old: Chosen) -> Chosen:
            held = next((each for each in old.pushes if each.endpoint == wish.endpoint), None)
            made = fresh if held is None else msgspec.structs.replace(fresh, id=held.id, created_ms=held.created_ms)
            others = tuple(each for each in old.pushes if each.id != made.id)
            if len(others) >= MOST_PUSHES:
                raise Forbidden("too-many-browsers")
            return msgspec.structs.replace(old, pushes=(*others, made))

        made = (await self._alter(player, add)).pushes[-1]
        before = await self._store.hold(made.endpoint, player)
        if before is not None and before != player:
            await self._drop(before, lambda each: each.endpoint == made.endpoint)
        return made

    async def remove_push(self, player: PlayerId, push: PushId) -> None:
        """Get no further notices in a browser; raise NotFound."""
        if push not in {each.id for each in (await self.of(player)).pushes}:
            raise NotFound("browser")
        await self.drop_push(player, push)

    async def has_left(self, player: PlayerId, push: Push) -> bool:
        """Return whether the token has ended by which a browser was added, or another player has it now."""
        if (holder := await self._store.holder(push.endpoint)) is not None and holder != player:
            return True
        return push.token is not UNSET and push.token not in {each.id for each in await self._accounts.tokens(player)}

    async def drop_push(self, player: PlayerId, push: PushId) -> None:
        """Forget a browser; nothing happens if that is so already."""
        for each in (await self.of(player)).pushes:
            if each.id == push:
                await self._store.let_go(each.endpoint, player)
        await self._drop(player, lambda each: each.id == push)

    async def _drop(self, player: PlayerId, which: Callable[[Push], bool]) -> None:
        await self._alter(
            player, lambda old: msgspec.structs.replace(old, pushes=tuple(each for each in old.pushes if not which(each)))
        )

    async def forget(self, player: PlayerId) -> None:
        """Delete all that a player has chosen, and when it was there."""
        for each in (await self.of(player)).pushes:
            await self._store.let_go(each.endpoint, player)
        await self._store.forget(player)

    async def _alter(self, player: PlayerId, change: Callable[[Chosen], Chosen]) -> Chosen:
        for _ in range(TRIES):
            old = await self.of(player)
            new = change(old)
            if new == old:
                return old
            since_ms = old.since_ms if old.ways else self._now_ms()
            new = msgspec.structs.replace(new, revision=old.revision + 1, since_ms=since_ms)
            if await self._store.put(new):
                return new
        raise StoreUnavailable("the choice keeps being changed by others")


def fold_address(address: str) -> str:
    """Return what a mail address counts as: many servers deliver `a.b+c@example.org` to `ab@example.org`."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0].replace('.', '')}@{domain}"
