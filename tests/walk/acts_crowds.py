"""What happens at the same time: several people act at one match at once, or seek others to play with."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import msgspec

from tafelrunde.domain.game import Seat
from tafelrunde.domain.match import Status
from tafelrunde.domain.match.events import SeatLeft, SeatReserved, SeatTaken
from tafelrunde.service.features.quick.service import COME_MS, LATE_MS, LONGEST_ABSENCE_MS
from tests.walk.acts import Done, Draw, able_to_answer, act
from tests.walk.truth import MatchTruth
from tests.walk.world import Finding, Person, World, name_of

LOST_RACE = {
    "refused", "decision-closed", "not-found", "spectators-off", "seat-left", "too-many-seats",
}  # fmt: skip
"""The refusals of requests that came too late."""
FEWEST, MOST = 2, 4
SLACK_MS = 6_000
"""How long after a seat became free an absence may be recorded."""


@act(10)
async def rush(world: World, draw: Draw) -> Done:
    """Several people act at one match at the same time; those who are too late are refused, and nothing else is wrong."""
    found = world.having(Status.OPEN, Status.RUNNING, Status.OVER)[-4:]
    if not found or not world.present:
        return None
    match = draw.choice(found)
    wishes = [_wish(world, draw, match) for _ in range(draw.randint(FEWEST, MOST))]
    answers = await asyncio.gather(*(world.ask(draw, method, path, who, **more) for method, path, who, more in wishes))
    for (method, path, who, _), answer in zip(wishes, answers, strict=True):
        if answer.status >= 400 and name_of(answer.json["type"]) not in LOST_RACE:
            raise Finding(f"rush: {name_of(answer.json['type'])}", f"{method} {path} by {who.name}: {answer.body.decode()[:500]}")
    return f"at once at {world.short(match.id)}: " + ", ".join(
        f"{who.name} {method} {path.rpartition(match.id)[2]} {more.get('content', '')} -> {answer.status}"
        for (method, path, who, more), answer in zip(wishes, answers, strict=True)
    )


def _wish(world: World, draw: Draw, match: MatchTruth) -> tuple[str, str, Person, dict[str, Any]]:
    """Return a request that someone could send without knowing what the others do."""
    where = f"/matches/{match.id}"
    who = draw.choice([*world.present, *world.seated(match).values()])
    able = able_to_answer(match, world)
    if able and draw.random() < 0.6:
        seat, who = draw.choice(able)
        command = msgspec.to_builtins(draw.choice(match.state.game.legal(match.state.table, seat)))
        return "POST", f"{where}/commands", who, {"content": {"decision": match.state.open_decision(), "command": command}}
    if match.state.status is Status.OVER:
        return "POST", f"{where}/rematch", who, {}
    seat = draw.randrange(len(match.state.chairs))
    kind = draw.randrange(6)
    if kind == 0:
        return "DELETE", f"{where}/seats/me", who, {}
    if kind == 1:
        return "POST", f"{where}/start", world.person(match.state.host) or who, {}
    if kind == 2:
        return "DELETE", f"{where}/seats/{seat}", world.person(match.state.host) or who, {}
    if kind == 3:
        return "POST", f"{where}/abort", who, {}
    return "POST", f"{where}/seats", who, {"content": {} if draw.random() < 0.5 else {"seat": seat}}


def _released_ms(at: MatchTruth, person: Person) -> Iterator[int]:
    """Yield when a seat that was kept for someone became free without being taken."""
    kept: Seat | None = None
    for fact in at.facts:
        match fact.event:
            case SeatReserved(seat, player) if player == person.player:
                kept = seat
            case SeatTaken(seat) if seat == kept:
                kept = None
            case SeatLeft(seat) if seat == kept:
                yield fact.time_ms
                kept = None
            case _:
                pass


def may_have_to_wait(world: World, person: Person) -> bool:
    """Return whether a person missed a kept seat, and the longest possible wait for that is not over.

    One that went to another person early counts from the second time in a row.
    """
    released = [
        (time_ms, time_ms >= until_ms)
        for match_id, until_ms in person.kept_until_ms.items()
        for time_ms in _released_ms(world.matches[match_id], person)
        if time_ms >= until_ms - COME_MS + LATE_MS
    ]
    pause_ms = min(COME_MS << max(len(released) - 1, 0), LONGEST_ABSENCE_MS)
    counts = len(released) > 1 or any(missed for _, missed in released)
    return counts and world.deployment.now_ms() <= max(released)[0] + pause_ms + SLACK_MS


@act(4)
async def seek(world: World, draw: Draw) -> Done:
    """Someone seeks others for a quick match; a seat is kept, and no two who are blocked are put together."""
    if len(world.having(Status.OPEN, Status.RUNNING)) > 4 or not world.present:
        return None
    person = draw.choice(world.present)
    body = {
        "game": world.game.id,
        "pace": draw.choice(("blitz", "quick")),
        "patience_seconds": draw.choice((5, 30)),
        "seats": draw.choice((world.game.min_seats, world.game.min_seats + 1)),
    }
    waits = ("seat-not-taken",) if may_have_to_wait(world, person) else ()
    place = await world.act(draw, "POST", "/quick-matches", person, content=body, allowed=("too-many-seek", *waits))
    if place is None:
        return None
    match = world.add(place["match"])
    if place["kept_until_ms"] is not None:
        person.kept_until_ms.setdefault(match.id, place["kept_until_ms"])
    await world.refresh()
    for other in world.present:
        blocked = other.player in person.blocked or person.player in other.blocked
        if blocked and other is not person and match.state.status is Status.OPEN and match.state.expects(other.player):
            raise Finding("quick match across a block", f"{person.name} and {other.name} at {world.short(match.id)}")
    return f"{person.name} seeks {body} and finds {world.short(match.id)}"
