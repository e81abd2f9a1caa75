"""A walk: steps drawn from a seed, each followed by the checks. What fails is walked again with fewer and fewer steps."""

from __future__ import annotations

import asyncio
import random
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from tafelrunde.domain.game import GameId
from tests.support.fixed_chance import fixed_chance
from tests.walk import acts_clients, acts_crowds, acts_people
from tests.walk.acts import ACTS, play_at, sign_up
from tests.walk.checks import Checks
from tests.walk.in_memory import InMemory, Loop, watching_logs
from tests.walk.processes import Processes
from tests.walk.world import Finding, World

MODULES = (acts_clients, acts_crowds, acts_people)
"""Those that add acts."""
LISTS_EVERY = 25
EVERYTHING_EVERY = 20
PEOPLE = 4
MEMORY, SERVE = "memory", "serve"
GROUNDS: Mapping[str, tuple[Callable[[], asyncio.AbstractEventLoop] | None, type[InMemory | Processes]]] = {
    MEMORY: (Loop, InMemory),
    SERVE: (None, Processes),
}
"""Where a walk goes: the event loop that it needs, and the deployment."""
WALK_DRAWS = 400
"""How many steps are drawn for a walk, of which about half do something."""
WEIGHTS = [each.weight for each in ACTS]


class Plan(NamedTuple):
    """A walk: `draws` are the numbers of the steps to draw, of which some do nothing."""

    game: GameId
    seed: int
    draws: Sequence[int]


class Failure(NamedTuple):
    """What a walk found, at which draw, and the steps that led there."""

    plan: Plan
    at: int
    kind: str
    details: str
    course: tuple[str, ...]
    taken: tuple[int, ...]


class Walked(NamedTuple):
    """How many steps a walk took, and what it found, if anything."""

    steps: int
    failure: Failure | None


async def _walk(plan: Plan, deployment: InMemory | Processes) -> Walked:
    taken: list[int] = []
    number = 0
    course: list[str] = []
    try:
        with watching_logs(deployment.problems):
            asyncio.get_running_loop().set_exception_handler(lambda _, context: deployment.problems.append(_told(context)))
            async with deployment:
                world = World(deployment, plan.game, course)
                checks = Checks(world)
                draw = random.Random(f"{plan.seed}|people")
                for _ in range(PEOPLE):
                    await sign_up(world, draw)
                for number in plan.draws:
                    if await _step(world, checks, number, plan.seed):
                        taken.append(number)
                await checks.at_the_end()
    except Finding as finding:
        found = finding
    except Exception as error:
        found = Finding(f"walker: {type(error).__name__}", traceback.format_exc())
    else:
        found = Finding("log line at the end", "\n".join(deployment.problems)) if deployment.problems else None
    if found is None:
        return Walked(len(taken), None)
    return Walked(len(taken), Failure(plan, number, found.kind, str(found), tuple(course), (*taken, number)))


def _told(context: dict[str, object]) -> str:
    error = context.get("exception")
    shown = "".join(traceback.format_exception(error)) if isinstance(error, BaseException) else ""
    return f"loop: {context['message']}\n{shown}"


async def _step(world: World, checks: Checks, number: int, seed: int) -> bool:
    """Draw a step, and take it if it is possible."""
    draw = random.Random(f"{seed}|{number}")
    world.step = number
    done = None
    if world.hurry and draw.random() < 0.9:
        match = world.matches[world.hurry]
        done = await play_at(world, draw, match)
        if done is None:
            world.hurry = "" if match.state.status.finished else world.hurry
            await world.deployment.wait(1.0)
            done = "1 s passes"
    else:
        chosen = draw.choices(ACTS, WEIGHTS)[0]
        done = await chosen.do(world, draw)
    if done is None:
        return False
    world.say(done)
    await checks.after_step(everything=number % EVERYTHING_EVERY == 0)
    if number % LISTS_EVERY == 0:
        await checks.lists()
    return True


def walk(plan: Plan, on: str = MEMORY) -> Walked:
    """Take a walk."""
    loop, deployment = GROUNDS[on]
    with fixed_chance(f"walk {plan.seed}"), asyncio.Runner(loop_factory=loop) as runner:
        return runner.run(_walk(plan, deployment()))


def shrink(failure: Failure, seconds: float, on: str = MEMORY) -> Failure:
    """Walk again with fewer and fewer draws, as long as the same kind of thing is found."""
    until = time.monotonic() + seconds
    found = walk(failure.plan._replace(draws=failure.taken), on).failure
    if found is None or found.kind != failure.kind:
        return failure
    best = found._replace(plan=found.plan._replace(draws=found.taken))
    size = max(1, len(best.plan.draws) // 2)
    while size:
        start = 0
        while start < len(best.plan.draws) and time.monotonic() < until:
            fewer = (*best.plan.draws[:start], *best.plan.draws[start + size :])
            found = walk(best.plan._replace(draws=fewer), on).failure
            if found is not None and found.kind == failure.kind:
                best = found._replace(plan=found.plan._replace(draws=found.taken))
            else:
                start += size
        if time.monotonic() >= until:
            break
        size //= 2
    return best


def report(failure: Failure) -> str:
    """Return what was found, for people, and how to see it again."""
    draws = failure.plan.draws
    which = f"0:{failure.at + 1}" if isinstance(draws, range) else ",".join(map(str, draws))
    return "\n".join(
        (
            f"found: {failure.kind}",
            failure.details,
            "after these steps:",
            *(f"  {line}" for line in failure.course),
            f"again: make walk GAME={failure.plan.game} SEED={failure.plan.seed} DRAWS={which}",
        )
    )
