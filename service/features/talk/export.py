"""What talk has of one player, for the player."""

from __future__ import annotations

from ....domain.match import PlayerId
from .port import MOST_REPORTS, LineStore, MuteStore, ReportStore


async def talk_part(lines: LineStore, mutes: MuteStore, reports: ReportStore, player: PlayerId) -> object:
    """Return a player's lines that are kept, whom it has muted, and what it has reported, as plain data for JSON."""
    return {
        "lines": [
            {
                "match": place.match,
                "room": place.room.value,
                "n": each.n,
                "at_ms": each.line.at_ms,
                "kind": each.line.kind.value,
                "said": each.line.said,
            }
            for place, each in await lines.of(player)
        ],
        "muted": [*await mutes.muted(player)],
        "reported": [
            {"match": each.match, "room": each.room.value, "n": each.n, "at_ms": each.at_ms, "reason": each.reason.value}
            for each in await reports.newest(0, MOST_REPORTS)
            if each.reporter == player
        ],
    }
