"""Invitations: a player at an open match invites another one, who finds it in its inbox and in its list."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

import msgspec

from ....domain.match import MatchId, PlayerId, Status
from ...errors import NotFound
from ...players.accounts import Accounts
from ...ports.players import PlayerRecord
from ...views.projections import Summary
from ...views.queries import MatchQueries
from ..inbox.messages import moment
from ..inbox.service import Inboxes
from .blocks import Blocks
from .messages import InvitationData, PlayerInvited
from .port import KEPT_MS, Invitation, PeopleStore, Relation

MOST_INVITED = 50
"""How many players may be invited to one match."""


class NotInvitable(Exception):
    """No one can be invited, or not this player; the error says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class InvitedTooMany(Exception):
    """A player has invited too many in a day; `wait_s` says when the next one may be."""

    def __init__(self, wait_s: int) -> None:
        super().__init__(wait_s)
        self.wait_s = wait_s


class Invited(msgspec.Struct, frozen=True, kw_only=True):
    """An invitation, with its match, the other player (who invites, or is invited), and whether it was declined."""

    summary: Summary
    other: PlayerRecord
    invitation: Invitation


class InvitationBudgets(NamedTuple):
    """What pays for an invitation.

    `send` pays for what a player sends from an address, and returns how many seconds it has to wait if nothing is left;
    `receive` says whether one more of a sender can come to a player.
    """

    send: Callable[[PlayerId, str], Awaitable[int]]
    receive: Callable[[PlayerId, PlayerId], Awaitable[bool]]


class Invitations:
    """Makes invitations, and ends them with what they are for: they last as long as the match is open, and a week at most."""

    def __init__(
        self,
        store: PeopleStore,
        queries: MatchQueries,
        accounts: Accounts,
        blocks: Blocks,
        inboxes: Inboxes,
        now_ms: Callable[[], int],
        budgets: InvitationBudgets,
    ) -> None:
        self._store = store
        self._queries = queries
        self._accounts = accounts
        self._blocks = blocks
        self._inboxes = inboxes
        self._now_ms = now_ms
        self._budgets = budgets

    async def invite(self, by: PlayerId, match_id: MatchId, player: PlayerId, address: str = "") -> Invited:
        """Invite a player; raise NotFound, NotInvitable, InvitedTooMany. Who is invited already is not invited again.

        *address* is where *by* asks from, if that counts. If one has blocked the other, or the player has got too many, all
        looks the same, and nothing comes.
        """
        summary = await self._open_to(by, match_id)
        record = await self._accounts.player(player)
        if player == by or any(chair.whose == player for chair in summary.chairs):
            raise NotInvitable("this player is at the match already")
        invited = {each.player: each for each in await self._live_at(match_id)}
        if player in invited:
            await self._announce(invited[player], summary)  # the one who made it may have been cut off before
            return Invited(summary=summary, other=self._accounts.shown(record), invitation=invited[player])
        if len(invited) >= MOST_INVITED:
            raise NotInvitable(f"at most {MOST_INVITED} players can be invited to one match")
        if wait_s := await self._budgets.send(by, address):
            raise InvitedTooMany(wait_s)
        invitation = Invitation(match_id, player, by, self._now_ms())
        silently = not await self._is_welcome(by, player)
        if await self._store.invite(invitation, silently=silently) and not silently:
            await self._announce(invitation, summary)
        return Invited(summary=summary, other=self._accounts.shown(record), invitation=invitation)

    async def _announce(self, invitation: Invitation, summary: Summary) -> None:
        """Let the player find an invitation, and post its message: rather twice than never, if a process is killed meanwhile."""
        if not await self._store.show(invitation) or invitation.posted:
            return
        data = InvitationData(match=invitation.match, game=summary.game, by=invitation.by)
        await self._inboxes.post(invitation.player, PlayerInvited(timestamp=moment(invitation.at_ms), data=data))
        await self._store.note_posted(invitation)

    async def _is_welcome(self, by: PlayerId, player: PlayerId) -> bool:
        """Return whether an invitation comes: there is no block, and it is from someone followed, or not one too many."""
        if await self._blocks.blocked(by, player):
            return False
        return await self._store.any_related(Relation.FOLLOWED, [(player, by)]) or await self._budgets.receive(by, player)

    async def of(self, player: PlayerId) -> Sequence[Invited]:
        """Return the invitations of a player, newest first. What has ended leaves the list for good."""
        found = sorted(await self._store.invitations(player), key=lambda each: (each.at_ms, each.match), reverse=True)
        people = await self._accounts.people([each.by for each in found])
        kept: list[Invited] = []
        for each in found:
            summary = await self._summary(player, each)
            if summary is None or each.by not in people:
                await self._store.end(each.match, player)
            elif not await self._blocks.blocked(player, each.by):
                kept.append(Invited(summary=summary, other=people[each.by], invitation=each))
        return kept

    async def _summary(self, player: PlayerId, invitation: Invitation) -> Summary | None:
        """Return the match of an invitation that still holds; None if it has ended."""
        try:
            summary = await self._queries.summary(player, invitation.match)
        except NotFound:
            return None
        seated = any(chair.player == player for chair in summary.chairs)
        return None if seated or summary.status is not Status.OPEN or self._is_old(invitation) else summary

    async def at(self, player: PlayerId, match_id: MatchId) -> Sequence[Invited]:
        """Return who is invited to an open match, oldest first, for those who sit there; raise NotFound, NotInvitable."""
        summary = await self._open_to(player, match_id)
        seated = {chair.player for chair in summary.chairs}
        found = sorted(await self._live_at(match_id), key=lambda each: (each.at_ms, each.player))
        people = await self._accounts.people([each.player for each in found])
        return [
            Invited(summary=summary, other=people[each.player], invitation=each)
            for each in found
            if each.player in people and each.player not in seated
        ]

    async def withdraw(self, player: PlayerId, match_id: MatchId, invited: PlayerId) -> None:
        """Take an invitation back; raise NotFound, NotInvitable. Nothing happens if there is none."""
        await self._open_to(player, match_id)
        if any(each.player == invited and not each.declined for each in await self._store.invited(match_id)):
            await self._store.end(match_id, invited)

    async def decline(self, player: PlayerId, match_id: MatchId) -> None:
        """Decline an invitation; nothing happens if there is none."""
        for each in await self._store.invitations(player):
            if each.match == match_id:
                await self._store.end(match_id, player, each)

    async def _open_to(self, player: PlayerId, match_id: MatchId) -> Summary:
        """Return an open match at which a player sits, or whose host it is; raise NotFound, NotInvitable."""
        summary = await self._queries.summary(player, match_id)
        if summary.status is not Status.OPEN:
            raise NotInvitable("the match has begun, or is over")
        if player != summary.host and all(chair.player != player for chair in summary.chairs):
            raise NotInvitable("only its host and those who sit there can invite")
        return summary

    async def _live_at(self, match_id: MatchId) -> Sequence[Invitation]:
        return [each for each in await self._store.invited(match_id) if not self._is_old(each)]

    def _is_old(self, invitation: Invitation) -> bool:
        return invitation.at_ms <= self._now_ms() - KEPT_MS
