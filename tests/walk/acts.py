"""What people do with matches. Each act chooses by its own draws among what is possible now; None: there is nothing to choose."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeAlias

import msgspec

from tafelrunde.domain.bots import character
from tafelrunde.domain.game import Level, Seat
from tafelrunde.domain.match import PlayerId, Status
from tests.support.cases import offered, variants
from tests.walk.followers import SocketFollower
from tests.walk.truth import MatchTruth, Refusal
from tests.walk.world import MOST_LIVE, MOST_PEOPLE, Finding, Person, World

Draw: TypeAlias = random.Random
Done: TypeAlias = str | None
"""What was done, for people to read; None: nothing was possible."""
QUICK = (Level.RANDOM, Level.BEGINNER, Level.RULES)


class Act(NamedTuple):
    """One kind of step, and how often it is drawn."""

    name: str
    do: Callable[[World, Draw], Awaitable[Done]]
    weight: int


ACTS: list[Act] = []


def act(weight: int) -> Callable[[Callable[[World, Draw], Awaitable[Done]]], Callable[[World, Draw], Awaitable[Done]]]:
    """Add a function to what is drawn."""

    def added(do: Callable[[World, Draw], Awaitable[Done]]) -> Callable[[World, Draw], Awaitable[Done]]:
        ACTS.append(Act(do.__name__, do, weight))
        return do

    return added


def bots_of(world: World) -> list[str]:
    """Return the bots that answer at once."""
    return [name for name in world.game.bots() if character(world.game, name).level in QUICK]


async def sign_up(world: World, draw: Draw, name: str | None = None) -> Person:
    """Let someone come."""
    body = {} if draw.random() < 0.3 else {"name": f"Walker {len(world.people) + 1}"}
    made = (await world.ask(draw, "POST", "/players", None, content=body)).json
    person = Person(name or f"P{len(world.people) + 1}", PlayerId(made["player"]["id"]), made["token"]["id"], made["text"])
    world.people.append(person)
    return person


def _by_person(world: World, match: MatchTruth, person: Person) -> str:
    return f"{person.name} at {world.short(match.id)}"


def _pick_match(world: World, draw: Draw, *status: Status) -> MatchTruth | None:
    found = world.having(*status)
    return draw.choice(found[-3:]) if found else None


def _pick_hosted(world: World, draw: Draw) -> tuple[MatchTruth, Person] | None:
    """Return an open match and its host, if that one is still there."""
    match = _pick_match(world, draw, Status.OPEN)
    host = world.person(match.state.host) if match is not None else None
    return (match, host) if match is not None and host is not None else None


def can_look(match: MatchTruth, person: Person | None, now_ms: int) -> bool:
    """Return whether someone may look at a match now."""
    sight = match.sight(person.player if person is not None else None)
    return not isinstance(sight, Refusal) and bool(match.count_known(sight, now_ms))


@act(3)
async def come(world: World, draw: Draw) -> Done:
    """Someone signs up."""
    if len(world.present) >= MOST_PEOPLE:
        return None
    return f"{(await sign_up(world, draw)).name} signs up"


@act(8)
async def open_match(world: World, draw: Draw) -> Done:
    """Someone opens a match."""
    if len(world.having(Status.OPEN, Status.RUNNING)) >= MOST_LIVE or len(world.present) < 2:
        return None
    host = draw.choice(world.present)
    forms = [(name, options, seats) for name, options in variants(world.game) if (seats := offered(world.game, options))]
    name, options, numbers = draw.choice(forms) if draw.random() < 0.5 else forms[0]
    seats = draw.choice(numbers)
    bots = bots_of(world)
    with_bots = draw.choice((0, 0, 1, seats - 1))
    body = {
        "game": world.game.id,
        "seats": seats,
        "options": msgspec.to_builtins(options),
        "clock": dict(draw.choice(world.deployment.clocks)),
        "spectators": draw.choice(("off", "public", "delayed")),
        "visibility": draw.choice(("listed", "unlisted")),
        "rated": draw.random() < 0.5,
        "seat": None if with_bots == seats or draw.random() < 0.15 else 0,
        "bots": [{"seat": seat, "bot": draw.choice(bots)} for seat in range(1, 1 + with_bots)],
        "start": draw.random() < 0.3 and with_bots == seats - 1,
    }
    if body["seat"] is None:
        body["start"] = False
    made = await world.act(draw, "POST", "/matches", host, content=body)
    match = world.add(made["match"])
    wishes = {key: value for key, value in body.items() if key not in {"game", "options"}}
    return f"{_by_person(world, match, host)} opens it: {wishes} {name}"


@act(14)
async def take_seat(world: World, draw: Draw) -> Done:
    """Someone sits down, on any free seat, on a certain one, or on the reserved one."""
    match = _pick_match(world, draw, Status.OPEN)
    if match is None:
        return None
    state = match.state
    free = [seat for seat, chair in enumerate(state.chairs) if chair.empty and chair.reserved is msgspec.UNSET]
    now_ms = world.deployment.now_ms()
    able = [
        person
        for person in world.present
        if state.seat_of(person.player) is None
        and person.player not in state.barred
        and (free or state.reserved_for(person.player) is not None)
        and can_look(match, person, now_ms)
    ]
    expected = [person for person in able if state.reserved_for(person.player) is not None]
    if not able:
        return None
    person = draw.choice(expected or able)
    body: dict[str, Any] = {"nonce": f"{draw.getrandbits(64):016x}"} if draw.random() < 0.5 else {}
    if person not in expected and draw.random() < 0.3:
        body["seat"] = draw.choice(free)
    await world.act(draw, "POST", f"/matches/{match.id}/seats", person, content=body, allowed=("seated-too-often",))
    return f"{_by_person(world, match, person)} takes a seat {body.get('seat', '')}"


@act(4)
async def leave_seat(world: World, draw: Draw) -> Done:
    """Someone leaves."""
    match = _pick_match(world, draw, Status.OPEN, Status.RUNNING)
    if match is None:
        return None
    sitting = [person for person in world.present if match.state.expects(person.player)]
    if match.state.status is Status.RUNNING:
        sitting = [*world.seated(match).values()]
    if not sitting:
        return None
    person = draw.choice(sitting)
    await world.act(draw, "DELETE", f"/matches/{match.id}/seats/me", person)
    return f"{_by_person(world, match, person)} leaves"


@act(5)
async def come_back(world: World, draw: Draw) -> Done:
    """Someone whose seat a bot plays takes it back."""
    match = _pick_match(world, draw, Status.RUNNING)
    if match is None:
        return None
    away = [person for seat, person in world.seated(match).items() if not match.state.chairs[seat].present]
    if not away:
        return None
    person = draw.choice(away)
    await world.act(draw, "POST", f"/matches/{match.id}/seats", person, content={})
    return f"{_by_person(world, match, person)} comes back"


@act(6)
async def seat_bot(world: World, draw: Draw) -> Done:
    """A host gives an empty seat to a bot."""
    if (found := _pick_hosted(world, draw)) is None:
        return None
    match, host = found
    free = [seat for seat, chair in enumerate(match.state.chairs) if chair.empty]
    if not free:
        return None
    seat = draw.choice(free)
    body = {"bot": draw.choice(bots_of(world))}
    await world.act(draw, "PUT", f"/matches/{match.id}/seats/{seat}/bot", host, content=body, allowed=("seated-too-often",))
    return f"{_by_person(world, match, host)} seats {body['bot']} on {seat}"


@act(3)
async def clear_seat(world: World, draw: Draw) -> Done:
    """A host removes someone, or a bot, or ends a reservation."""
    if (found := _pick_hosted(world, draw)) is None:
        return None
    match, host = found
    taken = [seat for seat, chair in enumerate(match.state.chairs) if not chair.empty or chair.reserved is not msgspec.UNSET]
    if not taken:
        return None
    seat = draw.choice(taken)
    await world.act(draw, "DELETE", f"/matches/{match.id}/seats/{seat}", host)
    return f"{_by_person(world, match, host)} clears seat {seat}"


@act(3)
async def pass_host(world: World, draw: Draw) -> Done:
    """A host hands the table over."""
    if (found := _pick_hosted(world, draw)) is None:
        return None
    match, host = found
    heirs = [*world.seated(match).values()]
    if not heirs:
        return None
    heir = draw.choice(heirs)
    await world.act(draw, "PUT", f"/matches/{match.id}/host", host, content={"player": heir.player})
    return f"{_by_person(world, match, host)} makes {heir.name} the host"


@act(12)
async def start(world: World, draw: Draw) -> Done:
    """A host starts."""
    ready = [
        match
        for match in world.having(Status.OPEN)
        if not any(chair.empty for chair in match.state.chairs) and world.person(match.state.host) is not None
    ]
    if not ready:
        return None
    match = draw.choice(ready)
    host = world.person(match.state.host)
    assert host is not None
    await world.act(draw, "POST", f"/matches/{match.id}/start", host)
    return f"{_by_person(world, match, host)} starts it"


def able_to_answer(match: MatchTruth, world: World) -> list[tuple[Seat, Person]]:
    """Return who can answer the open decision, or change an answer."""
    state = match.state
    if state.status is not Status.RUNNING:
        return []
    return [(seat, person) for seat, person in world.seated(match).items() if state.game.asks(state.table, seat)]


@act(60)
async def play(world: World, draw: Draw) -> Done:
    """Someone answers, over HTTP or the socket, perhaps twice with the same key."""
    running = [match for match in world.having(Status.RUNNING) if able_to_answer(match, world)]
    return await play_at(world, draw, draw.choice(running)) if running else None


async def play_at(world: World, draw: Draw, match: MatchTruth) -> Done:
    """Let someone answer at a match."""
    able = able_to_answer(match, world)
    if not able:
        return None
    seat, person = draw.choice(able)
    state = match.state
    decision = state.open_decision()
    command = msgspec.to_builtins(draw.choice(state.game.legal(state.table, seat)))
    key = world.key()
    sockets = [
        each
        for each in world.followers
        if isinstance(each, SocketFollower) and each.person is person and each.match is match and each.doomed_ms is None
    ]
    if sockets and draw.random() < 0.7:
        line = sockets[0]
        name = line.play(decision or 0, command, key)
        await world.deployment.settle()
        await line.take()
        answer = line.answer(name)
        if (answer is None or answer.type != "receipt") and not await world.was_overtaken():
            raise Finding("command refused over the socket", f"{_by_person(world, match, person)}: {answer} for {command}")
        way = "over the socket "
    else:
        body = {"decision": decision, "command": command}
        first = await world.act(draw, "POST", f"/matches/{match.id}/commands", person, content=body, key=key)
        if draw.random() < 0.05:
            again = await world.act(draw, "POST", f"/matches/{match.id}/commands", person, content=body, key=key)
            if again != first and first is not None:
                raise Finding("receipt differs", f"{_by_person(world, match, person)}: {again} after {first}")
        way = ""
    return f"{_by_person(world, match, person)} plays {way}{command} to {decision}"


@act(6)
async def play_on(world: World, draw: Draw) -> Done:
    """From now on the next steps go on with one match, until it is over."""
    running = [match for match in world.having(Status.RUNNING) if able_to_answer(match, world)]
    if not running:
        return None
    match = draw.choice(running)
    world.hurry = match.id
    return await play_at(world, draw, match)


@act(10)
async def wait(world: World, draw: Draw) -> Done:
    """Some time passes."""
    seconds = draw.choice((0.05, 0.3, 1.0, 2.0, 5.0))
    await world.deployment.wait(seconds)
    return f"{seconds} s pass"


@act(3)
async def run_out(world: World, draw: Draw) -> Done:
    """The time for a decision runs out."""
    match = _pick_match(world, draw, Status.RUNNING)
    if match is None or match.state.asked is None:
        return None
    left = match.state.asked.deadline_ms - world.deployment.now_ms()
    await world.deployment.wait(max(0, left) / 1_000 + draw.choice((0.001, 0.2)))
    return f"the time runs out at {world.short(match.id)}"


@act(3)
async def wait_long(world: World, draw: Draw) -> Done:
    """Minutes pass."""
    seconds = draw.choice((20, 61, 130, 310))
    await world.deployment.wait(seconds)
    return f"{seconds} s pass"


@act(2)
async def abort(world: World, draw: Draw) -> Done:
    """A host ends an open match, or someone agrees to end a running one."""
    match = _pick_match(world, draw, Status.OPEN, Status.RUNNING)
    if match is None:
        return None
    host = world.person(match.state.host)
    able = [*world.seated(match).values()] if match.state.status is Status.RUNNING else [host] if host is not None else []
    if not able:
        return None
    person = draw.choice(able)
    await world.act(draw, "POST", f"/matches/{match.id}/abort", person)
    return f"{_by_person(world, match, person)} agrees to end it"


@act(20)
async def rematch(world: World, draw: Draw) -> Done:
    """Someone, or everyone, agrees to play again."""
    over = [
        match
        for match in world.having(Status.OVER)
        if match.state.rematch is None and not match.state.practice and world.seated(match)
    ]
    if not over or len(world.having(Status.OPEN, Status.RUNNING)) > MOST_LIVE:
        return None
    match = over[-1]
    seated = world.seated(match)
    wanted = [person for seat, person in seated.items() if not match.state.chairs[seat].agrees_to_rematch]
    if not wanted:
        return None
    chosen = wanted if draw.random() < 0.7 else [draw.choice(wanted)]
    for person in chosen:
        await world.act(draw, "POST", f"/matches/{match.id}/rematch", person)
    return f"{', '.join(person.name for person in chosen)} at {world.short(match.id)} agree to a rematch"
