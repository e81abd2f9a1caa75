"""Shapes of talk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ....domain.match import MatchId, PlayerId
from ....service.features.talk.phrases import PHRASES, REACTIONS
from ....service.features.talk.port import Kind, Line, Numbered, Reason, Report, Room
from ....service.features.talk.rooms import TalkMode
from ....service.features.talk.service import TalkPage
from ....service.features.talk.texts import LONGEST
from ....service.players.accounts import shown_name
from ....service.ports.players import Avatar, PlayerRecord
from ...schema.common import Request
from ...schema.fields import END, MatchRef, Moment, PlayerRef, SeatNumber
from ...texts import Text

MOST_LINES = 1_000_000_000
PHRASE_ID = r"^[a-z][a-z-]{0,31}" + END

LineNumber: TypeAlias = Annotated[
    int, Meta(ge=1, le=MOST_LINES, description="The number of a line in its room: 1, 2, 3 ... Some may be missing for you.")
]
LinesBefore: TypeAlias = Annotated[int, Meta(ge=0, le=MOST_LINES, description="Number of the last line that the client has.")]
PhraseRef: TypeAlias = Annotated[str, Meta(pattern=PHRASE_ID, description="Id of a phrase or a reaction.", examples=["hello"])]
SaidText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=LONGEST, description="A text of your own, on one line.")]
People: TypeAlias = Mapping[PlayerId, PlayerRecord]


class PhraseFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can be said without writing it: a phrase, or a reaction with its name."""

    id: PhraseRef
    text: Text


class TalkSheet(msgspec.Struct, frozen=True, kw_only=True):
    """What can be said here. `mode`: nothing, ready phrases and reactions alone, or texts of `longest` characters as well."""

    mode: TalkMode
    longest: Annotated[int, Meta(ge=1, le=10_000)]
    phrases: tuple[PhraseFacts, ...]
    reactions: tuple[PhraseFacts, ...]


class TalkRequest(Request, frozen=True):
    """What you say: exactly one of a phrase, a reaction, and a text."""

    phrase: PhraseRef | None = None
    reaction: PhraseRef | None = None
    text: SaidText | None = None


class TalkAuthor(msgspec.Struct, frozen=True, kw_only=True):
    """Who has said it: the player's name and avatar now, and its seat then; null for one in the stands, or before it sat down."""

    player: PlayerRef
    name: str
    guest: bool
    seat: SeatNumber | None
    avatar: Avatar | UnsetType = UNSET


class TalkLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of talk. It has the one of `phrase`, `reaction` and `text` that `kind` names.

    Of a `hidden` line nothing is: an operator has hidden what it said. `hiding` says that the line with the number `hides` was
    hidden just now: show it as such, and this one not at all.
    """

    n: LineNumber
    at_ms: Moment
    room: Room
    author: TalkAuthor
    kind: Kind
    phrase: PhraseRef | None
    reaction: PhraseRef | None
    text: str | None
    hides: LineNumber | None = None


class TalkBody(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the talk in a room. `cursor`: the `after` of the next request; `more`: more lines are there now."""

    match: MatchRef
    room: Room
    items: tuple[TalkLine, ...]
    cursor: LinesBefore
    more: bool


class MutedFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A player whom you do not hear."""

    player: PlayerRef
    name: str
    guest: bool


class MutedList(msgspec.Struct, frozen=True, kw_only=True):
    """The players whom you do not hear, newest first."""

    items: tuple[MutedFacts, ...]


class ReportRequest(Request, frozen=True):
    """The line that you report, and why."""

    room: Room
    n: LineNumber
    reason: Reason


class ReportReceipt(msgspec.Struct, frozen=True, kw_only=True):
    """What the operator has got of you. `id`: to name it by."""

    id: str
    at_ms: Moment
    match: MatchRef
    room: Room
    n: LineNumber
    reason: Reason


class ClosingFacts(msgspec.Struct, frozen=True, kw_only=True):
    """When a report was closed, and why."""

    at_ms: Moment
    reason: str


class ReportFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A report: by whom and why, and the line as it was said. Names are those of now; null: the player is no more."""

    id: str
    at_ms: Moment
    match: MatchRef
    reason: Reason
    reporter: PlayerRef
    reporter_name: str | None
    room: Room
    n: LineNumber
    said_ms: Moment
    author: PlayerRef
    author_name: str | None
    seat: SeatNumber | None
    kind: Kind
    said: Annotated[str, Meta(description="The text, or the id of a phrase or reaction.")]
    closed: ClosingFacts | None


class ReportList(msgspec.Struct, frozen=True, kw_only=True):
    """Reports, newest first. `cursor`: the `after` of the next page; null: this is the last one."""

    items: tuple[ReportFacts, ...]
    cursor: Annotated[int, Meta(ge=0, le=MOST_LINES)] | None


def talk_sheet(mode: TalkMode) -> TalkSheet:
    """Return what can be said."""
    phrases, reactions = (
        tuple(PhraseFacts(id=name, text=Text(de=each.de, en=each.en)) for name, each in ready.items())
        for ready in (PHRASES, REACTIONS)
    )
    return TalkSheet(mode=mode, longest=LONGEST, phrases=phrases, reactions=reactions)


def talk_body(match_id: MatchId, page: TalkPage, people: People) -> TalkBody:
    """Return a page; a line whose author is no more is left out."""
    items = tuple(talk_line(page.room, each, people[each.line.player]) for each in page.lines if each.line.player in people)
    return TalkBody(match=match_id, room=page.room, items=items, cursor=page.after, more=page.more)


def talk_line(room: Room, numbered: Numbered, author: PlayerRecord) -> TalkLine:
    """Return a line."""
    line = numbered.line
    said = {kind: line.said if line.kind is kind else None for kind in Kind}
    return TalkLine(
        n=numbered.n,
        at_ms=line.at_ms,
        room=room,
        author=TalkAuthor(
            player=line.player,
            name=shown_name(author),
            guest=author.guest,
            seat=line.seat,
            avatar=author.avatar or UNSET,
        ),
        kind=line.kind,
        phrase=said[Kind.PHRASE],
        reaction=said[Kind.REACTION],
        text=said[Kind.TEXT],
        hides=int(line.said) if line.kind is Kind.HIDING else None,
    )


def muted_facts(player: PlayerRecord) -> MutedFacts:
    """Return a player who is muted."""
    return MutedFacts(player=player.id, name=shown_name(player), guest=player.guest)


def report_receipt(report: Report) -> ReportReceipt:
    """Return a report to who made it."""
    return ReportReceipt(id=report.id, at_ms=report.at_ms, match=report.match, room=report.room, n=report.n, reason=report.reason)


def report_facts(report: Report, people: People) -> ReportFacts:
    """Return a report to an operator."""
    line: Line = report.line
    reporter, author = people.get(report.reporter), people.get(line.player)
    return ReportFacts(
        id=report.id,
        at_ms=report.at_ms,
        match=report.match,
        reason=report.reason,
        reporter=report.reporter,
        reporter_name=shown_name(reporter) if reporter is not None else None,
        room=report.room,
        n=report.n,
        said_ms=line.at_ms,
        author=line.player,
        author_name=shown_name(author) if author is not None else None,
        seat=line.seat,
        kind=line.kind,
        said=line.said,
        closed=ClosingFacts(at_ms=report.closed.at_ms, reason=report.closed.reason) if report.closed is not None else None,
    )
