"""Relations, invitations and codes in every store."""

from __future__ import annotations

import asyncio

import msgspec
import pytest
from redis import Redis

from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.service.features.people.feature import STORE
from tafelrunde.service.features.people.port import (
    KEPT_MS,
    MOST_CODES,
    MOST_RECEIVED,
    DeviceCode,
    Invitation,
    PeopleStore,
    Related,
    Relation,
)
from tafelrunde.service.ports.stores import Stores

pytestmark = pytest.mark.anyio
ANN, BEN, CLEO = (PlayerId(f"p-{name}") for name in ("ann", "ben", "cleo"))
MATCH, OTHER = MatchId("m" + "a" * 24), MatchId("m" + "b" * 24)
FOLLOWED, BLOCKED = Relation.FOLLOWED, Relation.BLOCKED


@pytest.fixture
def store(stores: Stores) -> PeopleStore:
    """Each store in turn, empty."""
    return STORE.of(stores)


async def test_relations_are_listed_newest_first(store: PeopleStore) -> None:
    """Each is noted once, with its first time, and those of one kind are not of the other."""
    for other, since_ms in ((BEN, 1), (CLEO, 2), (BEN, 3)):
        assert await store.relate(ANN, FOLLOWED, Related(other, since_ms), 9)
    assert await store.related(ANN, FOLLOWED) == [Related(CLEO, 2), Related(BEN, 1)]
    assert await store.related(ANN, BLOCKED) == await store.related(BEN, FOLLOWED) == []
    await store.part(ANN, FOLLOWED, CLEO)
    await store.part(ANN, FOLLOWED, CLEO)
    assert await store.related(ANN, FOLLOWED) == [Related(BEN, 1)]


async def test_relation_is_refused_when_there_are_too_many(store: PeopleStore) -> None:
    """One that is noted already is not another one."""
    assert await store.relate(ANN, FOLLOWED, Related(BEN, 1), 1)
    assert not await store.relate(ANN, FOLLOWED, Related(CLEO, 2), 1)
    assert await store.relate(ANN, FOLLOWED, Related(BEN, 3), 1)


async def test_players_are_kept_apart_when_either_has_blocked_the_other(store: PeopleStore) -> None:
    """Following does not count, and an end of it ends it."""
    await store.relate(CLEO, FOLLOWED, Related(ANN, 1), 9)
    assert not await store.any_related(BLOCKED, [(CLEO, ANN), (ANN, CLEO)])
    await store.relate(ANN, BLOCKED, Related(BEN, 1), 9)
    assert await store.any_related(BLOCKED, [(ANN, BEN), (BEN, ANN)])
    assert await store.any_related(BLOCKED, [(BEN, ANN), (ANN, BEN)])
    await store.part(ANN, BLOCKED, BEN)
    assert not await store.any_related(BLOCKED, [(BEN, ANN), (ANN, BEN)])


async def test_invitation_is_kept_once(store: PeopleStore) -> None:
    """At the match and with the player, until one of them ends it; of many at once, one counts."""
    first = Invitation(MATCH, BEN, ANN, 1)
    made = await asyncio.gather(*(store.invite(each, silently=False) for each in (first, *[Invitation(MATCH, BEN, CLEO, 2)] * 4)))
    assert sum(made) == 1
    (kept,) = await store.invitations(BEN)
    assert await store.invited(MATCH) == [kept]
    await store.end(MATCH, BEN)
    assert await store.invitations(BEN) == await store.invited(MATCH) == []
    assert await store.invite(first, silently=False)


async def test_declined_invitation_stays_at_the_match(store: PeopleStore) -> None:
    """So no one invites to it again."""
    invitation = Invitation(MATCH, BEN, ANN, 1)
    await store.invite(invitation, silently=False)
    await store.end(MATCH, BEN, invitation)
    assert await store.invitations(BEN) == []
    assert await store.invited(MATCH) == [Invitation(MATCH, BEN, ANN, 1, declined=True)]
    assert not await store.invite(invitation, silently=False)


async def test_silent_invitation_is_at_the_match_alone(store: PeopleStore) -> None:
    """Its player does not find it."""
    invitation = Invitation(MATCH, BEN, ANN, 1)
    assert await store.invite(invitation, silently=True)
    assert await store.invitations(BEN) == []
    kept = Invitation(MATCH, BEN, ANN, 1, silent=True)
    assert await store.invited(MATCH) == [kept]
    assert not await store.invite(invitation, silently=False)
    await store.show(kept)
    assert await store.invitations(BEN) == []


async def test_ended_invitation_is_not_brought_back_when_it_is_declined(store: PeopleStore) -> None:
    """It was withdrawn while its player declined it, or has expired."""
    invitation = Invitation(MATCH, BEN, ANN, 1)
    await store.end(MATCH, BEN, invitation)
    assert await store.invited(MATCH) == []
    assert await store.invite(invitation, silently=False)


async def test_shown_invitation_is_found_unless_it_was_declined(store: PeopleStore) -> None:
    """Its maker may have been killed before its player was to find it."""
    invitation = Invitation(MATCH, BEN, ANN, 1)
    assert [await store.show(invitation) for _ in range(2)] == [True, True]
    assert await store.invitations(BEN) == [invitation]
    assert not await store.show(Invitation(OTHER, BEN, ANN, 1, declined=True))
    assert await store.invitations(BEN) == [invitation]


async def test_message_of_an_invitation_is_noted_while_it_is_as_it_was(store: PeopleStore) -> None:
    """Not in the place of one that was declined meanwhile, or has ended."""
    invitation = Invitation(MATCH, BEN, ANN, 1)
    await store.invite(invitation, silently=False)
    await store.note_posted(invitation)
    (told,) = await store.invited(MATCH)
    assert told == Invitation(MATCH, BEN, ANN, 1, posted=True)
    await store.end(MATCH, BEN, told)
    await store.note_posted(told)
    assert [each.declined for each in await store.invited(MATCH)] == [True]
    await store.end(MATCH, BEN)
    await store.note_posted(told)
    assert await store.invited(MATCH) == []


async def test_message_is_noted_when_an_earlier_version_kept_the_invitation(redis_stores: Stores, valkey_url: str) -> None:
    """Which knew no such notes: however often its maker asks again, the message is posted once."""
    store, invitation = STORE.of(redis_stores), Invitation(MATCH, BEN, ANN, 1)
    await store.invite(invitation, silently=False)
    with Redis.from_url(valkey_url) as raw:
        (key,) = raw.keys(f"*invited-to:{MATCH}")
        raw.hset(key, BEN, msgspec.msgpack.encode((MATCH, BEN, ANN, 1, False, False)))
    (kept,) = await store.invited(MATCH)
    await store.note_posted(kept)
    assert await store.invited(MATCH) == [Invitation(MATCH, BEN, ANN, 1, posted=True)]


async def test_oldest_invitations_make_room(store: PeopleStore) -> None:
    """A player keeps the newest."""
    for number in range(MOST_RECEIVED + 2):
        await store.invite(Invitation(MatchId(f"m-{number}"), BEN, ANN, number), silently=False)
    assert not await store.show(Invitation(MatchId("m-0"), BEN, ANN, 0))
    found = await store.invitations(BEN)
    assert {each.at_ms for each in found} == set(range(2, MOST_RECEIVED + 2))


async def test_code_is_given_once(store: PeopleStore) -> None:
    """Of many who ask for it at once, one gets it, and gets it again; none is found of another player or after it was dropped."""
    code = DeviceCode(600_000, "t-1", ("read",), None)
    await store.keep_code(ANN, b"one", code, 0)
    await store.keep_code(ANN, b"two", code, 0)
    assert (await store.code(ANN, b"one"), await store.code(BEN, b"one")) == (code, None)
    names = [b"%d" % number for number in range(5)]
    taken = await asyncio.gather(*(store.take_code(b"one", name) for name in names))
    assert sorted(taken) == [False] * 4 + [True]
    assert [await store.take_code(b"one", name) for name in names] == taken
    await store.drop_codes(ANN)
    assert await store.code(ANN, b"two") is None


async def test_oldest_codes_make_room(store: PeopleStore) -> None:
    """A player has few at once."""
    for number in range(MOST_CODES + 1):
        await store.keep_code(ANN, b"%d" % number, DeviceCode(number, "t-1", ("read",), None), 0)
    assert await store.code(ANN, b"0") is None
    assert await store.code(ANN, b"1") is not None


async def test_nothing_is_left_of_a_forgotten_player(store: PeopleStore) -> None:
    """Neither of its own, nor with those who named it; the others keep what is theirs."""
    await store.relate(ANN, FOLLOWED, Related(BEN, 1), 9)
    await store.relate(ANN, FOLLOWED, Related(CLEO, 1), 9)
    await store.relate(BEN, BLOCKED, Related(ANN, 1), 9)
    await store.invite(Invitation(MATCH, BEN, ANN, 1), silently=False)
    await store.invite(Invitation(OTHER, BEN, ANN, 1), silently=True)
    await store.invite(Invitation(OTHER, CLEO, ANN, 1), silently=False)
    await store.keep_code(BEN, b"one", DeviceCode(600_000, "t-1", ("read",), None), 0)
    for _ in range(2):
        await store.forget(BEN)
    assert await store.related(ANN, FOLLOWED) == [Related(CLEO, 1)]
    assert await store.related(BEN, BLOCKED) == await store.invitations(BEN) == await store.invited(MATCH) == []
    assert [each.player for each in await store.invited(OTHER)] == [CLEO]
    assert await store.code(BEN, b"one") is None


async def test_what_is_old_leaves_the_memory(memory_stores: Stores) -> None:
    """A server lets it expire."""
    store = STORE.of(memory_stores)
    await store.invite(Invitation(MATCH, BEN, ANN, 1), silently=False)
    await store.keep_code(ANN, b"one", DeviceCode(600_000, "t-1", ("read",), None), 0)
    await store.prune(KEPT_MS + 1)
    assert await store.invitations(BEN) == await store.invited(MATCH) == []
    assert await store.code(ANN, b"one") is None
