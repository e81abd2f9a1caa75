"""What clients do: they begin to follow a match, lose their connection, come again; and processes are restarted."""

from __future__ import annotations

from tests.walk.acts import Done, Draw, act
from tests.walk.followers import WAYS, Follower
from tests.walk.world import World


@act(16)
async def follow(world: World, draw: Draw) -> Done:
    """Someone begins to follow a match, from the beginning."""
    if not world.matches or len(world.followers) > 12:
        return None
    match = draw.choice([*world.matches.values()][-4:])
    person = draw.choice([*world.present, *world.seated(match).values(), None])
    follower = draw.choice(WAYS)(
        world.deployment,
        draw.randrange(world.deployment.processes),
        person,
        draw.choice([*person.tokens.values()]) if person is not None else None,
        match,
    )
    world.followers.append(follower)
    await follower.open()
    return f"{follower.name} begins at {world.short(match.id)}"


@act(4)
async def hang_up(world: World, draw: Draw) -> Done:
    """Someone loses the connection, and comes back with the last cursor, perhaps to another process, perhaps never."""
    found = [follower for follower in world.followers if follower.doomed_ms is None]
    if not found:
        return None
    follower = draw.choice(found)
    follower.close()
    if draw.random() < 0.4:
        world.followers.remove(follower)
        return f"{follower.name} at {world.short(follower.match.id)} ends"
    follower.number = draw.randrange(world.deployment.processes)
    await follower.open()
    return f"{follower.name} at {world.short(follower.match.id)} comes again after {follower.cursor}"


@act(3)
async def restart(world: World, draw: Draw) -> Done:
    """A process is restarted."""
    number = draw.randrange(world.deployment.processes)
    await world.deployment.restart(number)
    return f"process {number} is restarted"


def doom(world: World, followers: list[Follower]) -> None:
    """Note that the token of these feeds is not valid any more."""
    for follower in followers:
        follower.doomed_ms = world.deployment.now_ms()
