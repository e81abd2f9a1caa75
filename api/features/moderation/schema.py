"""Shapes of moderation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from ....domain.match import PlayerId
from ....service.features.moderation.port import Act, ActKind
from ....service.features.talk.port import Room
from ....service.features.talk.texts import LONGEST
from ....service.players.accounts import shown_name
from ....service.ports.players import PlayerRecord
from ...schema.common import Request
from ...schema.fields import END, MatchRef, Moment, PlayerRef
from ..talk.schema import LineNumber

ACT_ID = r"^d[0-9a-f]{26}" + END
REPORT_ID = r"^r[0-9a-f]{26}" + END
MOST_ACTS = 1_000_000

ActRef: TypeAlias = Annotated[str, Meta(pattern=ACT_ID)]
ReportRef: TypeAlias = Annotated[str, Meta(pattern=REPORT_ID)]
ActReason: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=LONGEST, description="Why, on one line. The player whom it concerns can read it.")
]


class LineRef(Request, frozen=True):
    """A line of talk: its match, its room, and its number there."""

    match: MatchRef
    room: Room
    n: LineNumber


class ActRequest(Request, frozen=True):
    """What to do, and why.

    `hide-line` needs `line`; `silence` and `suspend` need `player` and `until_ms`, at most 365 days
    from now; `close-report` needs `report`. `address`: a sanction also concerns players who are new from then on and ask from the
    address from which this one asked last, within 7 days before, for 30 days at most.
    """

    kind: ActKind
    reason: ActReason
    player: PlayerRef | None = None
    until_ms: Moment | None = None
    address: bool = False
    line: LineRef | None = None
    report: ReportRef | None = None


class ActFacts(msgspec.Struct, frozen=True, kw_only=True):
    """An act, for operators. `by`, `lifted_by`: null for one at the command line; `player`: null for one who was deleted.

    `address`: it concerns new players from the player's address, too. Names are those of now.
    """

    id: ActRef
    kind: ActKind
    at_ms: Moment
    by: PlayerRef | None
    by_name: str | None
    reason: str
    player: PlayerRef | None
    player_name: str | None
    until_ms: Moment | None
    address: bool
    line: LineRef | None
    report: ReportRef | None
    lifted_ms: Moment | None
    lifted_by: PlayerRef | None


class ActList(msgspec.Struct, frozen=True, kw_only=True):
    """Acts, newest first. `cursor`: the `after` of the next page; null: this is the last one."""

    items: tuple[ActFacts, ...]
    cursor: Annotated[int, Meta(ge=0, le=MOST_ACTS)] | None


class OwnActFacts(msgspec.Struct, frozen=True, kw_only=True):
    """An act that concerns you: a line of yours, what you may do, or a report that you made."""

    id: ActRef
    kind: ActKind
    at_ms: Moment
    reason: str
    until_ms: Moment | None
    line: LineRef | None
    report: ReportRef | None
    lifted_ms: Moment | None


class OwnActList(msgspec.Struct, frozen=True, kw_only=True):
    """The acts that concern you, newest first."""

    items: tuple[OwnActFacts, ...]


def act_facts(act: Act, people: Mapping[PlayerId, PlayerRecord]) -> ActFacts:
    """Return an act to an operator."""
    by = people.get(act.by) if act.by is not None else None
    player = people.get(act.player) if act.player is not None else None
    return ActFacts(
        id=act.id,
        kind=act.kind,
        at_ms=act.at_ms,
        by=act.by,
        by_name=shown_name(by) if by is not None else None,
        reason=act.reason,
        player=act.player,
        player_name=shown_name(player) if player is not None else None,
        until_ms=act.until_ms,
        address=act.address != "",
        line=_line_of(act),
        report=act.report,
        lifted_ms=act.lifted_ms,
        lifted_by=act.lifted_by,
    )


def own_act_facts(act: Act) -> OwnActFacts:
    """Return an act to the player whom it concerns, without the operator."""
    return OwnActFacts(
        id=act.id,
        kind=act.kind,
        at_ms=act.at_ms,
        reason=act.reason,
        until_ms=act.until_ms,
        line=_line_of(act),
        report=act.report,
        lifted_ms=act.lifted_ms,
    )


def _line_of(act: Act) -> LineRef | None:
    if act.match is None or act.room is None or act.n is None:
        return None
    return LineRef(match=act.match, room=act.room, n=act.n)
