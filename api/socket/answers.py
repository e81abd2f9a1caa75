"""How the frames of a session are answered: each becomes a call of an operation, and its reply becomes a frame."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from ...domain.match import MatchId, PlayerId
from ...service.views.feeds import START, Cursor
from ..http.answering import answer, refuse
from ..http.asking import FeatureFrames, Source
from ..http.context import AppContext
from ..http.operation import AnyCall, AnyOperation, Call
from ..http.response import Reply
from ..problems import Refused
from ..routes.feed import StreamQuery
from ..routes.play import CommandQuery, ViewQuery, get_view, give_command
from ..schema.play import CommandRequest
from .backpressure import Backpressure
from .frames import (
    AcceptedFrame,
    CommandFrame,
    ProblemFrame,
    ReceiptFrame,
    SubscribedFrame,
    SubscribeFrame,
    UnsubscribedFrame,
    UnsubscribeFrame,
    ViewFrame,
    ViewRequestFrame,
)
from .listening import Listening
from .operations import SUBSCRIBE, Admitted, perform
from .subscription import Subscription


class Connection(Protocol):
    """What answers need of the session that they are for."""

    @property
    def closed(self) -> bool:
        """Whether nothing more is sent."""
        ...

    def end(self, code: int, *, bye: bool = False) -> None:
        """Close the connection with a code."""
        ...

    def fail(self, error: Exception) -> None:
        """Tell a problem with the connection, and close it."""
        ...


class Answers:
    """Answers the frames of one session, and has its subscriptions. *base*: what all its calls have of a scope."""

    __slots__ = ("_base", "_connection", "_flow", "_frames", "_listening", "_reading", "_running", "following", "player", "token")

    def __init__(self, running: AppContext, connection: Connection, flow: Backpressure, base: Mapping[str, Any]) -> None:
        self._connection = connection
        self._flow = flow
        self._running = running
        self._frames = running.part(FeatureFrames)
        self._base = base
        self.token: str | None = None
        self.player: PlayerId | None = None
        self.following: dict[str, Subscription] = {}
        self._listening: dict[str, Listening] = {}
        self._reading = asyncio.Lock()

    def stop(self) -> None:
        """Follow nothing any more."""
        for subscription in self.following.values():
            subscription.stop()
        self.following.clear()
        for each in self._listening.values():
            each.stop()
        self._listening.clear()

    def call(self, match: str | None = None) -> AnyCall:
        """Return a call of the caller, about a match if there is one."""
        return Call(self._running, {**self._base, "path_params": {} if match is None else {"match": match}})

    async def perform(self, asked: AnyOperation, call: AnyCall) -> Reply:
        """Return the reply of an operation, or the problem that it met."""
        check = self._require_room if asked is SUBSCRIBE else None
        reply = await answer(asked, call, perform(asked, call, self.token, check))
        assert isinstance(reply, Reply)
        return reply

    async def answer(self, frame: Any) -> None:
        """Answer a frame."""
        match frame:
            case CommandFrame():
                await self._command(frame)
            case ViewRequestFrame():
                call = self.call(frame.match)
                call.query = ViewQuery(at=frame.at, perspective=frame.perspective)
                if (reply := await self.perform(get_view, call)).problem:
                    self.tell(frame.id, reply)
                else:
                    self._flow.send(ViewFrame(id=frame.id, view=msgspec.Raw(reply.body)))
            case SubscribeFrame():
                await self._subscribe(frame)
            case UnsubscribeFrame():
                if (refusal := await self._charge()) is not None:
                    self.tell(frame.id, refusal)
                    return
                self._unfollow(frame.match)
                self._flow.send(UnsubscribedFrame(id=frame.id, match=frame.match))
            case _:
                await self._frames[type(frame)].carry_out(self, frame)

    # What the frames of features are answered by

    def send(self, frame: msgspec.Struct) -> None:
        """Send a frame."""
        self._flow.send(frame)

    def listen(self, place: str, name: str, first: msgspec.Struct, source: Source) -> None:
        """Answer a frame, and send what follows, in place of what was heard there before; refuse it where there is no room."""
        if self._connection.closed:
            return
        if self._is_full() and place not in self._listening:
            self.tell(name, refuse(_too_many(), "none", self._running.contract.problems))
            return
        self._forget(place)
        self.send(first)
        self._listening[place] = Listening(self._flow, self._connection.fail, self._reading, source)

    async def leave(self, place: str, name: str, last: msgspec.Struct) -> None:
        """Send nothing more of a place, and answer a frame, at the cost of any request."""
        if (refusal := await self._charge()) is not None:
            self.tell(name, refusal)
            return
        self._forget(place)
        self.send(last)

    def _forget(self, place: str) -> None:
        if (found := self._listening.pop(place, None)) is not None:
            found.stop()

    async def refuse(self, name: str, error: Exception) -> None:
        """Refuse a frame that cannot be read, at the cost of any request."""
        self.tell(name, await self._charge() or refuse(error, "none", self._running.contract.problems))

    async def _charge(self) -> Reply | None:
        """Charge the budget of the address for a frame that is no operation; return the problem if it is used up."""
        try:
            if (limits := self._running.limits) is not None:
                await limits.enter(self.call().peer, self.player)
        except Exception as error:
            return refuse(error, "none", self._running.contract.problems)
        return None

    async def _command(self, frame: CommandFrame) -> None:
        """Carry out a command. What is still to be sent of the match before it goes first, then its receipt."""
        call = self.call(frame.match)
        call.key = frame.key
        call.query = CommandQuery(dry_run=frame.dry_run, signed=frame.signed)
        call.body = CommandRequest(decision=frame.decision, command=frame.command)
        following = self.following.get(frame.match)
        if following is not None:
            following.hold()
        try:
            reply = await self.perform(give_command, call)
            if reply.problem:
                self.tell(frame.id, reply)
            elif reply.status == 204:
                self._flow.send(AcceptedFrame(id=frame.id))
            else:
                if following is not None:
                    await following.catch_up_to(reply.body)
                self._flow.send(ReceiptFrame(id=frame.id, replayed=reply.replayed, receipt=msgspec.Raw(reply.body)))
        finally:
            if following is not None:
                following.release()

    async def _subscribe(self, frame: SubscribeFrame) -> None:
        call = self.call(frame.match)
        call.query = StreamQuery(after=frame.after)
        reply = await self.perform(SUBSCRIBE, call)
        if not isinstance(reply, Admitted):
            self.tell(frame.id, reply)
            return
        if self._connection.closed:
            return
        if not self._has_room(frame.match):  # others were let in meanwhile
            self.tell(frame.id, refuse(_too_many(), SUBSCRIBE.name, self._running.contract.problems))
            return
        self._unfollow(frame.match)
        cursor = Cursor(frame.after) if frame.after is not None else START
        self._flow.send(SubscribedFrame(id=frame.id, match=frame.match, cursor=cursor))
        found = Subscription(
            self._flow, self._running.broadcasts, call.application, reply.viewer, MatchId(frame.match), cursor, self._unfollow
        )
        self.following[frame.match] = found
        found.follow()

    def _unfollow(self, match: str) -> None:
        if (subscription := self.following.pop(match, None)) is not None:
            subscription.stop()

    def _require_room(self, call: AnyCall) -> None:
        if not self._has_room(call.match_id):
            raise _too_many()

    def _has_room(self, match: str) -> bool:
        return match in self.following or not self._is_full()

    def _is_full(self) -> bool:
        """Return whether nothing more may be followed. What has ended is forgotten: its place may be taken meanwhile."""
        self._listening = {place: each for place, each in self._listening.items() if not each.over}
        return len(self.following) + len(self._listening) >= self._running.settings.limits.max_subscriptions

    def tell(self, name: str, reply: Reply) -> None:
        """Tell a problem. Where the token is no longer valid, the connection ends."""
        self._flow.send(problem_frame(name, reply))
        if self.token and reply.problem == "unauthenticated":
            self._connection.end(4401, bye=True)


def _too_many() -> Refused:
    return Refused("too-many-streams", detail="subscriptions of a connection")


def problem_frame(name: str | UnsetType, reply: Reply) -> ProblemFrame:
    """Return a problem as a frame: the answer to the frame *name*, or about the connection."""
    wait = next((int(value) for header, value in reply.headers if header == b"retry-after"), UNSET)
    return ProblemFrame(id=name, problem=msgspec.Raw(reply.body), retry_after=wait)
