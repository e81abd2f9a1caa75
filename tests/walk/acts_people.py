"""What people do beside matches: blocks, invitations, tokens, deletions, tournaments."""

from __future__ import annotations

from tafelrunde.domain.match import Status
from tests.walk.acts import Done, Draw, act, bots_of, can_look
from tests.walk.acts_clients import doom
from tests.walk.world import Finding, World


@act(2)
async def block(world: World, draw: Draw) -> Done:
    """Someone blocks another one, or does so no longer."""
    if len(world.present) < 2:
        return None
    one, other = draw.sample(world.present, 2)
    unblock = other.player in one.blocked
    await world.act(draw, "DELETE" if unblock else "PUT", f"/me/blocked/{other.player}", one)
    one.blocked.symmetric_difference_update({other.player})
    return f"{one.name} {'unblocks' if unblock else 'blocks'} {other.name}"


@act(3)
async def invite(world: World, draw: Draw) -> Done:
    """Someone at an open match invites another one."""
    found = [match for match in world.having(Status.OPEN) if world.seated(match)]
    if not found:
        return None
    match = draw.choice(found)
    host = draw.choice([*world.seated(match).values()])
    others = [person for person in world.present if not match.state.expects(person.player)]
    if not others:
        return None
    guest = draw.choice(others)
    where = f"/matches/{match.id}/invitations"
    await world.act(draw, "POST", where, host, content={"player": guest.player})
    listed = (await world.ask(draw, "GET", "/me/invitations", guest)).json["items"]
    barred = guest.player in host.blocked or host.player in guest.blocked
    if barred and any(each["match"] == match.id and each["player"] == host.player for each in listed):
        raise Finding("invitation across a block", f"{guest.name} is shown one of {host.name}")
    if draw.random() < 0.3:
        await world.act(draw, "DELETE", f"{where}/{guest.player}", host)
    elif draw.random() < 0.3 and can_look(match, guest, world.deployment.now_ms()):
        await world.act(draw, "DELETE", f"/me/invitations/{match.id}", guest)
    return f"{host.name} invites {guest.name} to {world.short(match.id)}"


@act(4)
async def issue_token(world: World, draw: Draw) -> Done:
    """Someone gets another token."""
    able = [person for person in world.present if len(person.tokens) < 3]
    if not able:
        return None
    person = draw.choice(able)
    body = {"label": "walk", "scopes": ["read", "play", "create"]}
    made = await world.act(draw, "POST", "/me/tokens", person, content=body)
    person.tokens[made["token"]["id"]] = made["text"]
    return f"{person.name} gets a token"


@act(4)
async def revoke_token(world: World, draw: Draw) -> Done:
    """Someone revokes a token; its streams end."""
    able = [person for person in world.present if len(person.tokens) > 1]
    if not able:
        return None
    person = draw.choice(able)
    used = {follower.token for follower in world.followers if follower.person is person}
    name = draw.choice([each for each, text in person.tokens.items() if text in used] or [*person.tokens])
    text = person.tokens.pop(name)
    await world.act(draw, "DELETE", f"/me/tokens/{name}", person)
    doom(world, [each for each in world.followers if each.token == text and each.doomed_ms is None])
    return f"{person.name} revokes a token"


@act(1)
async def delete_player(world: World, draw: Draw) -> Done:
    """Someone's player is deleted."""
    if len(world.present) < 4:
        return None
    person = draw.choice(world.present)
    person.gone = True
    await world.act(draw, "DELETE", "/me", person)
    doom(world, [each for each in world.followers if each.person is person and each.doomed_ms is None])
    return f"{person.name} is deleted"


@act(2)
async def open_tournament(world: World, draw: Draw) -> Done:
    """Someone opens a tournament; others join."""
    if world.tournaments or len(world.present) < 3:
        return None
    organiser, *others = draw.sample(world.present, len(world.present))
    body = {
        "name": "Walk",
        "game": world.game.id,
        "seats": world.game.min_seats,
        "kind": draw.choice(("swiss", "round-robin")),
        "clock": dict(world.deployment.clocks[-1]),
        "rounds": 2,
        "bots": [draw.choice(bots_of(world))] if draw.random() < 0.5 else [],
        "fill": draw.choice((None, draw.choice(bots_of(world)))),
        "spectators": draw.choice(("off", "public", "delayed")),
    }
    made = await world.act(draw, "POST", "/tournaments", organiser, content=body, allowed=("invalid-options",))
    if made is None:
        return None
    name = made["facts"]["tournament"]
    world.tournaments[name] = made
    for person in others[: draw.randint(1, len(others))]:
        await world.act(draw, "PUT", f"/tournaments/{name}/entries/me", person, content={})
    return f"{organiser.name} opens a tournament: {body}"


@act(4)
async def start_tournament(world: World, draw: Draw) -> Done:
    """An organiser starts a tournament."""
    for name, sheet in world.tournaments.items():
        organiser = world.person(sheet["facts"]["organiser"])
        if sheet["facts"]["stage"] == "open" and organiser is not None:
            started = await world.act(
                draw, "POST", f"/tournaments/{name}/start", organiser, allowed=("tournament-too-few", "tournament-closed")
            )
            await see_tournaments(world, draw)
            return f"{organiser.name} starts the tournament" if started is not None else None
    return None


@act(1)
async def leave_tournament(world: World, draw: Draw) -> Done:
    """Someone leaves a tournament."""
    for name, sheet in world.tournaments.items():
        inside = [
            p for p in world.present if any(line["player"] == p.player and not line["withdrawn"] for line in sheet["standings"])
        ]
        if inside and sheet["facts"]["stage"] in {"open", "running"}:
            person = draw.choice(inside)
            await world.act(draw, "DELETE", f"/tournaments/{name}/entries/me", person)
            await see_tournaments(world, draw)
            return f"{person.name} leaves the tournament"
    return None


@act(6)
async def look_at_tournaments(world: World, draw: Draw) -> Done:
    """The newest rounds are looked up: their matches are followed like all others."""
    if not world.tournaments:
        return None
    await world.deployment.wait(3.0)
    await see_tournaments(world, draw)
    return "the tournament is looked up"


async def see_tournaments(world: World, draw: Draw) -> None:
    """Read all tournaments again, and forget those that are over."""
    for name in list(world.tournaments):
        sheet = (await world.ask(draw, "GET", f"/tournaments/{name}", None)).json
        world.tournaments[name] = sheet
        for table in (sheet["newest"] or {"tables": ()})["tables"]:
            if table["match"] is not None and table["match"] not in world.matches:
                world.add(table["match"])
        if sheet["facts"]["ended_ms"] is not None:
            del world.tournaments[name]
