"""People in memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import msgspec

from ....domain.match import MatchId, PlayerId
from .port import KEPT_MS, MOST_CODES, MOST_RECEIVED, DeviceCode, Invitation, Related, Relation


class MemoryPeople:
    """Relations by player, invitations by player and by match, codes by player."""

    def __init__(self) -> None:
        self._related: defaultdict[tuple[PlayerId, Relation], dict[PlayerId, int]] = defaultdict(dict)
        self._found: defaultdict[PlayerId, dict[MatchId, Invitation]] = defaultdict(dict)
        self._invited: defaultdict[MatchId, dict[PlayerId, Invitation]] = defaultdict(dict)
        self._codes: defaultdict[PlayerId, dict[bytes, DeviceCode]] = defaultdict(dict)
        self._taken: dict[bytes, bytes] = {}

    async def relate(self, player: PlayerId, relation: Relation, other: Related, most: int) -> bool:
        known = self._related[player, relation]
        if other.player not in known and len(known) >= most:
            return False
        known.setdefault(other.player, other.since_ms)
        return True

    async def part(self, player: PlayerId, relation: Relation, other: PlayerId) -> None:
        self._related[player, relation].pop(other, None)

    async def related(self, player: PlayerId, relation: Relation) -> Sequence[Related]:
        known = self._related[player, relation]
        return [Related(each, known[each]) for each in sorted(known, key=lambda each: (known[each], each), reverse=True)]

    async def any_related(self, relation: Relation, pairs: Sequence[tuple[PlayerId, PlayerId]]) -> bool:
        return any(other in self._related[player, relation] for player, other in pairs)

    async def invite(self, invitation: Invitation, *, silently: bool) -> bool:
        if invitation.player in self._invited[invitation.match]:
            return False
        kept = msgspec.structs.replace(invitation, silent=silently)
        self._invited[invitation.match][invitation.player] = kept
        await self.show(kept)
        return True

    async def show(self, invitation: Invitation) -> bool:
        if invitation.silent or invitation.declined:
            return False
        found = self._found[invitation.player]
        found[invitation.match] = invitation
        for each in sorted(found.values(), key=lambda each: each.at_ms, reverse=True)[MOST_RECEIVED:]:
            del found[each.match]
        return invitation.match in found

    async def note_posted(self, invitation: Invitation) -> None:
        if self._invited[invitation.match].get(invitation.player) == invitation:
            self._invited[invitation.match][invitation.player] = msgspec.structs.replace(invitation, posted=True)

    async def invitations(self, player: PlayerId) -> Sequence[Invitation]:
        return [*self._found[player].values()]

    async def invited(self, match_id: MatchId) -> Sequence[Invitation]:
        return [*self._invited[match_id].values()]

    async def end(self, match_id: MatchId, player: PlayerId, declined: Invitation | None = None) -> None:
        self._found[player].pop(match_id, None)
        if declined is None:
            self._invited[match_id].pop(player, None)
        elif player in self._invited[match_id]:
            self._invited[match_id][player] = msgspec.structs.replace(declined, declined=True)

    async def keep_code(self, player: PlayerId, digest: bytes, code: DeviceCode, now_ms: int) -> None:
        kept = self._codes[player]
        kept[digest] = code
        for each in sorted(kept, key=lambda each: kept[each].until_ms, reverse=True)[MOST_CODES:]:
            del kept[each]

    async def code(self, player: PlayerId, digest: bytes) -> DeviceCode | None:
        return self._codes[player].get(digest)

    async def take_code(self, digest: bytes, by: bytes) -> bool:
        return self._taken.setdefault(digest, by) == by

    async def drop_codes(self, player: PlayerId) -> None:
        self._codes.pop(player, None)

    async def prune(self, now_ms: int) -> None:
        for player, found in [*self._found.items()]:
            self._found[player] = {match_id: each for match_id, each in found.items() if each.at_ms > now_ms - KEPT_MS}
        for match_id, invited in [*self._invited.items()]:
            self._invited[match_id] = {player: each for player, each in invited.items() if each.at_ms > now_ms - KEPT_MS}
        for player, codes in [*self._codes.items()]:
            self._codes[player] = {digest: code for digest, code in codes.items() if code.until_ms > now_ms}
        there = {digest for codes in self._codes.values() for digest in codes}
        self._taken = {digest: by for digest, by in self._taken.items() if digest in there}

    async def forget(self, player: PlayerId) -> None:
        for relation in Relation:
            self._related.pop((player, relation), None)
        for known in self._related.values():
            known.pop(player, None)
        for match_id in [*self._found.pop(player, {}), *self._invited]:
            self._invited[match_id].pop(player, None)
        self._codes.pop(player, None)
