"""Planted leaks: what a server could do wrong, one for every place where something leaves it.

Each changes the running code, so that something there depends on a secret.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from zlib import crc32

import msgspec
import pytest

from tafelrunde.api.features.records import routes as records
from tafelrunde.api.http import answering, metrics
from tafelrunde.api.http.operation import Operation
from tafelrunde.api.problems import GameRefused, Refused
from tafelrunde.api.routes import health, play
from tafelrunde.api.routes.branches import open_what_if
from tafelrunde.domain.coup import rules as coup
from tafelrunde.domain.game import DecisionId, Game, Pace
from tafelrunde.domain.match import decide
from tafelrunde.domain.match.refusals import DecisionNotOpen
from tafelrunde.domain.secrecy import redact
from tafelrunde.service.application import Application
from tafelrunde.service.commands import MatchCommands
from tafelrunde.service.features.inbox.duty import Outbox
from tafelrunde.service.views import feeds
from tafelrunde.service.views.card_proofs import Dealt
from tafelrunde.service.views.queries import MatchQueries
from tests.support.stored import stored

Patch = pytest.MonkeyPatch


def loading(place: Any) -> Any:
    """Return what loads the matches of an application, or of a service of it."""
    return place.repository if isinstance(place, Application) else place._repository


async def _everything(place: Any) -> list[Any]:
    repository = loading(place)
    return [await repository.load_latest(match) for match in repository._store.histories]


async def secrets(place: Any) -> int:
    """Return a number that depends on all that there is to know."""
    return crc32(stored([loaded.match.digest_form() for loaded in await _everything(place)]))


async def versions(place: Any) -> int:
    """Return how many events there are in all, seen or not."""
    return sum(loaded.version for loaded in await _everything(place))


async def answers(place: Any) -> int:
    """Return how many seats still have to answer, visible or not."""
    asks = [loaded.match.pending() for loaded in await _everything(place)]
    return sum(len(ask.open) for ask in asks if ask is not None)


# Whole answers


def everywhere(patch: Patch) -> None:
    """Tell with every answer a number that depends on the tables."""
    honest = answering._answer

    async def leaking(operation: Any, call: Any, answer: Any) -> Any:
        reply = await honest(operation, call, answer)
        reply.headers.append((b"x-table", b"%d" % await secrets(call.running.open_application())))
        return reply

    patch.setattr(answering, "_answer", leaking)


def _after(patch: Patch, operation: Operation[Any, Any], change: Any) -> None:
    """Change the reply of an operation by what is secret."""
    honest = operation.run

    async def leaking(call: Any) -> Any:
        reply = await honest(call)
        if reply.status == 200:
            change(reply, await secrets(call.application))
        return reply

    patch.setattr(operation, "run", leaking)


def body(patch: Patch) -> None:
    """Begin the body with it."""

    def change(reply: Any, secret: int) -> None:
        reply.body = b'{"seed":"%08x",' % secret + reply.body[1:]

    _after(patch, play.get_view, change)


def length(patch: Patch) -> None:
    """Let a number of blanks behind the body depend on it."""

    def change(reply: Any, secret: int) -> None:
        reply.headers = [
            (name, b"%d" % (len(reply.body) + secret % 7)) if name == b"content-length" else (name, value)
            for name, value in reply.headers
        ]

    _after(patch, play.get_view, change)


def tag(patch: Patch) -> None:
    """Make the entity tag of the whole table."""

    def change(reply: Any, secret: int) -> None:
        reply.headers = [(name, b'"%08x"' % secret if name == b"etag" else value) for name, value in reply.headers]

    _after(patch, play.get_view, change)


def order_of_headers(patch: Patch) -> None:
    """Let the order of the headers depend on it."""
    _after(patch, play.get_view, lambda reply, secret: reply.headers.sort(key=lambda each: crc32(each[0], secret)))


def budget(patch: Patch) -> None:
    """Let all pay for a secret answer."""
    honest = answering.headers_of
    honest_answer = answering._answer
    spent = 0

    async def noting(operation: Any, call: Any, answer: Any) -> Any:
        nonlocal spent
        spent = await versions(call.running.open_application())
        return await honest_answer(operation, call, answer)

    def leaking(standing: Any) -> Any:
        return honest(msgspec.structs.replace(standing, left=standing.left - spent))

    patch.setattr(answering, "_answer", noting)
    patch.setattr(answering, "headers_of", leaking)


# Views and lists of what is legal


def _question(patch: Patch, change: Callable[[Any, int], Any]) -> None:
    """Change what a seat is asked by what is secret."""
    honest = MatchQueries.view

    async def leaking(service: Any, viewer: Any, match: Any, at: Any = None) -> Any:
        seen = await honest(service, viewer, match, at)
        secret = await secrets(service)
        if seen.view.question is None:
            return seen
        return msgspec.structs.replace(seen, view=msgspec.structs.replace(seen.view, question=change(seen.view.question, secret)))

    patch.setattr(MatchQueries, "view", leaking)


def legal(patch: Patch) -> None:
    """Sort the legal commands of a seat by something that it cannot know."""

    def change(question: Any, secret: int) -> Any:
        return msgspec.structs.replace(
            question, legal=tuple(sorted(question.legal, key=lambda each: crc32(stored(each), secret)))
        )

    _question(patch, change)


def refused(patch: Patch) -> None:
    """Leave some commands out of the list of those that are refused."""

    def change(question: Any, secret: int) -> Any:
        return msgspec.structs.replace(question, refused=question.refused[secret % 3 :])

    _question(patch, change)


def perspective(patch: Patch) -> None:
    """Show the table through another seat's eyes while the match runs."""

    async def leaking(service: Any, viewer: Any, match: Any, at: Any, seat: Any) -> Any:
        loaded = await loading(service).load_latest(match)
        other = msgspec.structs.replace(viewer, seat=seat, player=loaded.match.chairs[seat].player if seat is not None else None)
        return await service.view(other, match)

    patch.setattr(MatchQueries, "view_as", leaking)


# The domain itself: what it takes for public, views and feeds agree on


def field(patch: Patch) -> None:
    """Let a field of every view of the game depend on the whole table."""
    honest = Game.view

    def leaking(game: Any, table: Any, seat: Any) -> Any:
        seen = honest(game, table, seat)
        secret = crc32(stored(table.digest_form()))
        return msgspec.structs.replace(seen, decision=seen.decision + secret % 7)

    patch.setattr(Game, "view", leaking)


def skipped(patch: Patch) -> None:
    """Leave a question out that has one answer, because cards are equal."""
    patch.setattr(coup, "asked_of", lambda _, cards: len({*cards}) > 1)


def returned(patch: Patch) -> None:
    """Hand a seat back as soon as its player answers, while others are still asked."""
    patch.setattr(decide._Recorder, "return_to", decide._Recorder.come_back)


def audience(patch: Patch) -> None:
    """Send everyone the events that are for one seat."""
    patch.setattr(feeds, "redact", lambda event, seat: redact(event, seat) or redact(event, getattr(event, "seat", None)))


def pace(patch: Patch) -> None:
    """Give less time for an answer where there is but one."""
    honest = Game.pending

    def leaking(game: Any, table: Any) -> Any:
        ask = honest(game, table)
        if ask is None or [len(game.legal(table, seat)) for seat in ask.open] != [1]:
            return ask
        return msgspec.structs.replace(ask, pace=Pace.REACTION)

    patch.setattr(Game, "pending", leaking)


# Refusals


def refusal(patch: Patch) -> None:
    """Tell with a refusal a number that depends on the whole table."""
    honest = play.give_command.run

    async def leaking(call: Any) -> Any:
        try:
            return await honest(call)
        except GameRefused:
            raise Refused("refused", detail=str(await secrets(call.application))) from None

    patch.setattr(play.give_command, "run", leaking)


def closed(patch: Patch) -> None:
    """Say that a decision is closed only as long as not all have answered it."""
    honest = play.give_command.run

    async def leaking(call: Any) -> Any:
        try:
            return await honest(call)
        except DecisionNotOpen as error:
            raise DecisionNotOpen(error.decision, DecisionId(await answers(call.application))) from None

    patch.setattr(play.give_command, "run", leaking)


def dry_run(patch: Patch) -> None:
    """Refuse a dry run depending on a secret."""
    honest = MatchCommands.dry_run

    async def leaking(service: Any, *arguments: Any) -> None:
        await honest(service, *arguments)
        if await secrets(service) % 2:
            raise Refused("refused")

    patch.setattr(MatchCommands, "dry_run", leaking)


def too_early(patch: Patch) -> None:
    """Refuse to take a running match up with the number of its decision that only the log knows."""
    honest = open_what_if.run

    async def leaking(call: Any) -> Any:
        try:
            return await honest(call)
        except Exception as error:
            raise Refused("not-over", detail=str(await versions(call.application))) from error

    patch.setattr(open_what_if, "run", leaking)


# Facts and lists


def dated(patch: Patch) -> None:
    """Date the facts by the last event, seen or not."""
    honest = MatchQueries.summary

    async def leaking(service: Any, *arguments: Any) -> Any:
        summary = await honest(service, *arguments)
        loaded = await loading(service).load_latest(summary.match)
        envelope, _ = loading(service).codec.decode(loaded.entries[loaded.version - 1])
        return msgspec.structs.replace(summary, updated_ms=envelope.time_ms)

    patch.setattr(MatchQueries, "summary", leaking)


def open_seats(patch: Patch) -> None:
    """Name in the facts only the seats that have not answered yet."""
    honest = MatchQueries.summary

    async def leaking(service: Any, *arguments: Any) -> Any:
        summary = await honest(service, *arguments)
        ask = (await loading(service).load_latest(summary.match)).match.pending()
        return msgspec.structs.replace(summary, asked=ask.open if ask is not None else ())

    patch.setattr(MatchQueries, "summary", leaking)


def lobby(patch: Patch) -> None:
    """Let the order of the lobby depend on what happens in secret."""
    honest = MatchQueries.lobby

    async def leaking(service: Any, listing: Any) -> Any:
        found = list(await honest(service, listing))
        return found[::-1] if await secrets(service) % 2 else found

    patch.setattr(MatchQueries, "lobby", leaking)


def own_list(patch: Patch) -> None:
    """Tell in a player's own list how many seats are still asked."""
    honest = MatchQueries.matches_of

    async def leaking(service: Any, *arguments: Any) -> Any:
        found = await honest(service, *arguments)
        number = await answers(service)
        return [msgspec.structs.replace(each, opened_ms=each.opened_ms + number) for each in found]

    patch.setattr(MatchQueries, "matches_of", leaking)


def delivery(patch: Patch) -> None:
    """Send a message for every command, also for hidden ones."""
    honest = Outbox._messages

    def leaking(outbox: Any, match: Any, loaded: Any, news: Sequence[int]) -> Any:
        for version in news:
            yield from [
                msgspec.structs.replace(each, n=1_000 + version) for each in list(honest(outbox, match, loaded, [0]))[-1:]
            ]

    patch.setattr(Outbox, "_messages", leaking)


# Proofs and records


def proof(patch: Patch) -> None:
    """Prove hidden cards to everyone, half of them."""
    honest = Dealt.may_know

    def leaking(dealt: Dealt, index: int, look: Any) -> bool:
        return honest(dealt, index, look) or crc32(dealt.deal.cards[index].card.encode()) % 2 == 0

    patch.setattr(Dealt, "may_know", leaking)


def record(patch: Patch) -> None:
    """Give the record of a match that still runs."""

    async def leaking(call: Any) -> Any:
        return await call.application.repository.load_latest(call.match_id)

    patch.setattr(records, "_load_finished", leaking)


# Figures and logs


def figures(patch: Patch) -> None:
    """Tell everyone how many commands were accepted."""
    patch.setattr(health, "_local", bool)
    honest = metrics.Metrics.text

    def accepted(figures: Any) -> bytes:
        return b"\n".join(line for line in honest(figures).splitlines() if b'operation="giveCommand",status="200"' in line)

    patch.setattr(metrics.Metrics, "text", accepted)


def log(patch: Patch) -> None:
    """Write a line for every answer, with a number of its own for every state of the tables."""
    honest = answering._answer

    async def leaking(operation: Any, call: Any, answer: Any) -> Any:
        reply = await honest(operation, call, answer)
        answering.log.info("answered", match=f"{await secrets(call.running.open_application()):08x}")
        return reply

    patch.setattr(answering, "_answer", leaking)
