"""The postman sends notices that are due, if they are still of use: the player has not been there, and there is time to answer.

A notice is finished after it was sent. A process that is killed between the two leads to a second one, which has the same id; the
programs that show it know by that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

import msgspec
import structlog
from msgspec import UNSET

from ....domain.game import AnyGame, GameId
from ....domain.match import MatchId
from ...errors import CorruptHistory, NotFound, StoreUnavailable
from ...matches.repository import MatchRepository
from ...outgoing.http_sender import AttemptOutcome, Sender
from ...players.budgets import Budgets
from ...players.quota_table import OTHER_NOTICES, TURN_NOTICES
from .mailer import MailDelayed, Mailer, MailRefused
from .port import CONFIRMATION, MAIL, Chosen, Mail, NoticeStore, Occasion, Planned, Push
from .presence import Presence
from .service import Choices
from .texts import Envelope, mail, words
from .web_push import PushKey, encrypt

LOOK_SECONDS = 8.0
AT_ONCE = 20
"""How many notices a process sends at once."""
LEASE_MS = 120_000
"""After this time another process sends what was claimed by one that died; longer than any attempt takes."""
PAUSES_MS = (30_000, 120_000, 600_000, 3_600_000)
"""Delays after failed attempts; after the last attempt a notice is given up."""
LEAST_LEFT_MS = 15_000
"""How much time a decision must leave: a notice of less comes too late."""
OLDEST_MS = 24 * 3_600_000
"""Maximum age of a notice about anything else."""
GONE = frozenset({404, 410})
"""What a push service answers when a browser takes nothing any more."""

log = structlog.get_logger(__name__)


class Outcome(Enum):
    """How an attempt ended: sent, of no use any more, not possible now, or never possible."""

    SENT = "sent"
    DROPPED = "dropped"
    DELAYED = "delayed"
    REFUSED = "refused"


class Ways(NamedTuple):
    """By what notices are sent: push messages with their key, and mail, with the address that it comes from.

    `base` is the public address of the service, empty if none is known.
    """

    sender: Sender
    key: PushKey
    mailer: Mailer | None
    mail_from: str
    base: str


class Postman:
    """Sends planned notices. Any number may run."""

    def __init__(
        self,
        store: NoticeStore,
        choices: Choices,
        presence: Presence,
        matches: MatchRepository,
        budgets: Budgets,
        ways: Ways,
        now_ms: Callable[[], int],
    ) -> None:
        self._store = store
        self._choices = choices
        self._presence = presence
        self._matches = matches
        self._turns = budgets.of_row(TURN_NOTICES)
        self._others = budgets.of_row(OTHER_NOTICES)
        self._ways = ways
        self._now_ms = now_ms

    async def step(self, *, mail: bool) -> float:
        """Send what is due by mail, or by push; return after how many seconds to look again. Neither waits for the other."""
        return 0.0 if await self.portion(mail=mail) == AT_ONCE else LOOK_SECONDS

    async def portion(self, *, mail: bool) -> int:
        """Send some of what is due by mail, or by push; return how many notices that were."""
        now = self._now_ms()
        due = await self._store.claim(now, now + LEASE_MS, AT_ONCE, mail=mail)
        await asyncio.gather(*map(self._deliver, due))
        return len(due)

    async def _deliver(self, notice: Planned) -> None:
        outcome = await self._outcome(notice)
        if outcome is Outcome.DELAYED and notice.tries <= len(PAUSES_MS):
            await self._store.postpone(notice.id, self._now_ms() + PAUSES_MS[notice.tries - 1])
            return
        if outcome in {Outcome.DELAYED, Outcome.REFUSED}:
            log.warning("notice given up", kind=_kind(notice), outcome=outcome.value, count=notice.tries)
        await self._store.finish(notice.id, self._now_ms())

    async def _outcome(self, notice: Planned) -> Outcome:
        """Return how an attempt ended. One that fails in an unforeseen way is given up: it must not hold up the others."""
        try:
            return await self._attempt(notice)
        except StoreUnavailable:
            raise
        except Exception as error:
            log.error("notice failed", kind=_kind(notice), reason=type(error).__name__)
            return Outcome.REFUSED

    async def _attempt(self, notice: Planned) -> Outcome:
        if notice.tries > len(PAUSES_MS) + 1:  # each process that claimed it was killed
            return Outcome.REFUSED
        chosen = await self._choices.of(notice.player)
        left_ms = await self._left_ms(chosen, notice)
        if left_ms is None:
            return Outcome.DROPPED
        if notice.tries == 1 and not await self._pay(notice):
            return Outcome.DROPPED
        if notice.way != MAIL:
            push = next((each for each in chosen.pushes if each.id == notice.way), None)
            return await self._push(notice, push, left_ms) if push is not None else Outcome.DROPPED
        address = chosen.mail
        if address is None or self._ways.mailer is None or address.confirmed is (notice.about == CONFIRMATION):
            return Outcome.DROPPED
        if notice.salt is not UNSET and notice.salt != address.salt:  # a code was asked for another address since
            return Outcome.DROPPED
        return await self._mail(notice, address, self._ways.mailer, left_ms)

    async def _pay(self, notice: Planned) -> bool:
        """Pay for a notice; return whether it was not one too many. A code has been paid for when it was asked for."""
        if notice.about == CONFIRMATION:
            return True
        budget = self._turns if notice.about == Occasion.TURN.value else self._others
        return await budget.spend_by(notice.player) is None

    async def _left_ms(self, chosen: Chosen, notice: Planned) -> int | None:
        """Return how long a notice is of use; None if it is of none."""
        left_ms = notice.at_ms + OLDEST_MS - self._now_ms()
        if notice.about == CONFIRMATION:
            return left_ms if left_ms > 0 else None
        if Occasion(notice.about) not in chosen.occasions or await self._presence.since(notice.player, notice.at_ms):
            return None
        if notice.decision is not None:
            left_ms = await self._left_to_decide_ms(notice)
            return left_ms if left_ms >= LEAST_LEFT_MS else None
        return left_ms if left_ms > 0 else None

    async def _left_to_decide_ms(self, notice: Planned) -> int:
        """Return how long the player has for a decision; 0 if it is not asked (any more)."""
        try:
            match = (await self._matches.load_latest(MatchId(notice.match or ""))).match
        except (CorruptHistory, NotFound):
            return 0
        ask = match.pending()
        seat = match.seat_of(notice.player)
        if match.asked is None or ask is None or match.asked.decision != notice.decision:
            return 0
        if seat is None or seat not in ask.open or match.chairs[seat].played_by_bot:
            return 0
        return match.asked.deadline_ms - self._now_ms()

    async def _push(self, notice: Planned, push: Push, left_ms: int) -> Outcome:
        if await self._choices.has_left(notice.player, push):
            await self._choices.drop_push(notice.player, push.id)
            return Outcome.DROPPED
        said = words(notice.about, push.language, game=self._game(notice), left_ms=left_ms)
        content = msgspec.json.encode({"title": said.title, "body": said.body, "match": notice.match, "tag": notice.id})
        headers = {
            **self._ways.key.headers(push.endpoint, self._now_ms() // 1_000),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(left_ms // 1_000),
            "topic": notice.id,
            "urgency": "normal",
        }
        result = await self._ways.sender.send(push.endpoint, headers, encrypt(content, push.key, push.secret))
        if result.status in GONE:
            await self._choices.drop_push(notice.player, push.id)
            return Outcome.DROPPED
        return _outcome_of(result.outcome, result.status)

    async def _mail(self, notice: Planned, address: Mail, mailer: Mailer, left_ms: int) -> Outcome:
        code = self._choices.code_of(notice.player, address) if notice.about == CONFIRMATION else ""
        said = words(notice.about, address.language, game=self._game(notice), left_ms=left_ms, code=code)
        base = self._ways.base
        stop = f"{base}/stop-mail/{self._choices.stop_token(notice.player, address)}" if not code else None
        link = f"{base}/#/me" if code else f"{base}/match/{notice.match}" if notice.match else f"{base}/"
        envelope = Envelope(self._ways.mail_from, address.address, notice.id, stop)
        try:
            await mailer.send(mail(envelope, said, address.language, link))
        except MailRefused as error:
            log.warning("mail refused", kind=_kind(notice), status=error.code)
            return Outcome.REFUSED
        except MailDelayed as error:
            log.info("mail delayed", kind=_kind(notice), reason=str(error))
            return Outcome.DELAYED
        return Outcome.SENT

    def _game(self, notice: Planned) -> AnyGame | None:
        return self._matches.game(GameId(notice.game)) if notice.game is not None else None


def _kind(notice: Planned) -> str:
    """Return what a line of the log says of a notice: neither for whom it is, nor where it goes."""
    return f"{notice.about} by {'mail' if notice.way == MAIL else 'push'}"


def _outcome_of(outcome: AttemptOutcome, status: int | None) -> Outcome:
    """Return what the answer of a push service means: some refuse a message for good, others ask for patience."""
    if outcome is AttemptOutcome.DELIVERED:
        return Outcome.SENT
    refused = status is not None and 400 <= status < 500 and status not in {408, 425, 429}
    return Outcome.REFUSED if refused else Outcome.DELAYED
