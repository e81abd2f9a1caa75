"""Talk over the socket: hearing a room as `streamTalk` does, and saying something as `say` does."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from ....domain.match import MatchId
from ....service.features.talk.port import MatchRoom, Room
from ....service.features.talk.service import Talks
from ....service.runtime.connections import Gate
from ...http.asking import Asker, Asking
from ...http.operation import AnyCall, Call, Operation
from ...http.response import Reply
from ...http.sse import Sign
from ...schema.common import Nothing
from ...schema.fields import KEY, MatchRef
from ...socket.frames import Asked, Frame, FrameId
from .routes import TalkStreamQuery, say, stream_talk
from .schema import LinesBefore, PhraseRef, SaidText, TalkBody, TalkLine, TalkRequest
from .stream import TalkFollower


class ListenFrame(Asked, frozen=True, kw_only=True, tag="listen"):
    """Asks for the talk of a room, from a line on, as `streamTalk` does. A second one about the match replaces the first."""

    id: FrameId
    match: MatchRef
    room: Annotated[Room, Meta(description="Which room. Default: the caller's own.")] | None = None
    after: LinesBefore = 0


class UnlistenFrame(Asked, frozen=True, kw_only=True, tag="unlisten"):
    """Ends hearing the talk of a match."""

    id: FrameId
    match: MatchRef


class SayFrame(Asked, frozen=True, kw_only=True, tag="say"):
    """Says exactly one of a phrase, a reaction, and a text, as `say` does."""

    id: FrameId
    match: MatchRef
    key: Annotated[
        str, Meta(pattern=KEY, description="The idempotency key: a random value for each new line, and the same to repeat one.")
    ]
    phrase: PhraseRef | None = None
    reaction: PhraseRef | None = None
    text: SaidText | None = None


class ListeningFrame(Frame, frozen=True, kw_only=True, tag="listening"):
    """Answers `listen`: lines of this room after this number follow."""

    id: FrameId
    match: MatchRef
    room: Room
    cursor: LinesBefore


class UnlistenedFrame(Frame, frozen=True, kw_only=True, tag="unlistened"):
    """Answers `unlisten`: no more lines of that match follow."""

    id: FrameId
    match: MatchRef


class SaidFrame(Frame, frozen=True, kw_only=True, tag="said"):
    """Answers `say`: the line as others see it. It also comes as `talk` to those who hear the room."""

    id: FrameId
    replayed: Annotated[bool, Meta(description="Whether it was said before, with this key.")]
    line: TalkLine


class TalkFrame(Frame, frozen=True, kw_only=True, tag="talk"):
    """Lines of a room that is heard, in order, each once. `cursor`: the `after` with which to go on."""

    match: MatchRef
    room: Room
    items: tuple[TalkLine, ...]
    cursor: LinesBefore


class TalkResetFrame(Frame, frozen=True, kw_only=True, tag="talk-reset"):
    """The talk of this room was deleted: forget its lines, it starts over."""

    match: MatchRef
    room: Room


class TalkByeFrame(Frame, frozen=True, kw_only=True, tag="talk-bye"):
    """No more lines of this room follow: the caller may not hear it any more, or it cannot be read now. Listen again."""

    match: MatchRef
    room: Room


class _Heard(Reply):
    """The caller may hear a room."""

    __slots__ = ("room",)

    def __init__(self, room: Room) -> None:
        super().__init__(200, b"", [])
        self.room = room


async def _hear(call: Call[Nothing, TalkStreamQuery]) -> Reply:
    return _Heard(await call.application.get(Talks).room(call.asker, call.match_id, call.query.room))


_HEAR = Operation(stream_talk.method, stream_talk.path, stream_talk.name, stream_talk.about, _hear)
"""As `streamTalk`, but the lines go their own way, and the connection counts already."""


async def _listen(asker: Asker, frame: ListenFrame) -> None:
    call = asker.call(frame.match)
    call.query = TalkStreamQuery(room=frame.room, after=frame.after)
    reply = await asker.perform(_HEAR, call)
    if not isinstance(reply, _Heard):
        asker.tell(frame.id, reply)
        return
    first = ListeningFrame(id=frame.id, match=frame.match, room=reply.room, cursor=frame.after)
    place = MatchRoom(MatchId(frame.match), reply.room)
    asker.listen(f"talk {frame.match}", frame.id, first, lambda gate: _lines(call, place, frame.after, gate))


async def _lines(call: AnyCall, place: MatchRoom, after: int, gate: Gate) -> AsyncGenerator[msgspec.Struct]:
    match, room = place
    follower = TalkFollower(call.application, call.asker, place, token="", gate=gate)  # the session asks about its token
    async with aclosing(follower.events(after)) as events:
        async for each in events:
            if isinstance(each, TalkBody):
                yield TalkFrame(match=match, room=room, items=each.items, cursor=each.cursor)
            elif each is Sign.RESET:
                yield TalkResetFrame(match=match, room=room)
            elif each is Sign.BYE:
                yield TalkByeFrame(match=match, room=room)


async def _unlisten(asker: Asker, frame: UnlistenFrame) -> None:
    await asker.leave(f"talk {frame.match}", frame.id, UnlistenedFrame(id=frame.id, match=frame.match))


async def _say(asker: Asker, frame: SayFrame) -> None:
    call = asker.call(frame.match)
    call.key = frame.key
    call.query = Nothing()
    call.body = TalkRequest(phrase=frame.phrase, reaction=frame.reaction, text=frame.text)
    reply = await asker.perform(say, call)
    if reply.problem:
        asker.tell(frame.id, reply)
    else:
        line = msgspec.json.decode(reply.body, type=TalkLine)
        asker.send(SaidFrame(id=frame.id, replayed=reply.replayed, line=line))


def _examples(found: Mapping[str, Any]) -> Mapping[type[msgspec.Struct], dict[str, Any]]:
    page = found["getTalk"]["response"]
    spoken = found["say"]
    here = {"match": page["match"]}
    room = {**here, "room": page["room"]}
    return {
        ListenFrame: {"id": "6", **here, "after": 0},
        UnlistenFrame: {"id": "8", **here},
        SayFrame: {"id": "7", **here, **spoken["request"], "key": "5b1c9e7a40"},
        ListeningFrame: {"id": "6", **room, "cursor": 0},
        UnlistenedFrame: {"id": "8", **here},
        SaidFrame: {"id": "7", "replayed": False, "line": spoken["response"]},
        TalkFrame: {**room, "items": page["items"], "cursor": page["cursor"]},
        TalkResetFrame: room,
        TalkByeFrame: room,
    }


ASKING = (
    Asking(
        frame=ListenFrame,
        operation=_HEAR,
        answers=(ListeningFrame,),
        unasked=(TalkFrame, TalkResetFrame, TalkByeFrame),
        carry_out=_listen,
        examples=_examples,
    ),
    Asking(frame=UnlistenFrame, operation=None, answers=(UnlistenedFrame,), carry_out=_unlisten, examples=_examples),
    Asking(frame=SayFrame, operation=say, answers=(SaidFrame,), carry_out=_say, examples=_examples),
)
