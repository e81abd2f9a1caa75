from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import pytest

from tafelrunde.domain.game import Seat
from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.service.errors import NotFound, Unauthenticated
from tafelrunde.service.players.accounts import Accounts
from tafelrunde.service.players.token_seal import token_seal_of
from tafelrunde.service.ports.players import Origin, PlayerRecord, ProgramRecord, TokenRecord
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store.client import Client, Reply, items, number
from tafelrunde.service.redis_store.players import RedisPlayers
from tests.support.servers import Server


class Killed(BaseException):
    """The process ends here."""


pytestmark = pytest.mark.anyio
ANN = PlayerRecord(PlayerId("p-ann"), "Änn\0", guest=False, created_ms=1)
BEN = PlayerRecord(PlayerId("p-ben"), "Ben", guest=True, created_ms=2)


def token(name: str, created_ms: int, player: PlayerId = ANN.id) -> TokenRecord:
    """Return a token's record."""
    return TokenRecord(name, player, f"of {name}", ("read", "play"), created_ms, None)


async def test_player_comes_back_and_is_replaced(stores: Stores) -> None:
    """A player is known by its id, with its newest name."""
    assert await stores.players.player(ANN.id) is None
    await stores.players.put_player(ANN)
    assert await stores.players.player(ANN.id) == ANN
    renamed = PlayerRecord(ANN.id, "Anna", guest=False, created_ms=1)
    await stores.players.put_player(renamed)
    assert await stores.players.player(ANN.id) == renamed


async def test_people_are_those_who_are_known(stores: Stores) -> None:
    """Players that exist are given, others are left out."""
    await stores.players.put_player(ANN)
    await stores.players.put_player(BEN)
    assert await stores.players.people([ANN.id, PlayerId("p-nobody"), BEN.id]) == {ANN.id: ANN, BEN.id: BEN}
    assert await stores.players.people([]) == {}


async def test_player_that_is_gone_is_not_written_again(stores: Stores) -> None:
    """A write by a process that read the player before its removal does not bring its name back."""
    assert not await stores.players.replace_player(ANN, ANN)
    assert await stores.players.player(ANN.id) is None
    await stores.players.put_player(ANN)
    renamed = PlayerRecord(ANN.id, "Anna", guest=False, created_ms=1)
    assert await stores.players.replace_player(ANN, renamed)
    assert await stores.players.player(ANN.id) == renamed


async def test_player_is_replaced_if_it_is_as_it_was_read(stores: Stores) -> None:
    """So two changes that were made of the same one do not undo each other; the same again counts as written."""
    renamed, other = (PlayerRecord(ANN.id, name, guest=False, created_ms=1) for name in ("Anna", "Anne"))
    await stores.players.put_player(ANN)
    for _ in range(2):
        assert await stores.players.replace_player(ANN, renamed)
    assert not await stores.players.replace_player(ANN, other)
    assert await stores.players.player(ANN.id) == renamed


async def test_changes_at_once_leave_each_other_alone(stores: Stores) -> None:
    """A name from one device and languages from another one."""
    accounts = Accounts(stores.players, lambda: 1, token_seal_of(stores.id_key))
    player, _, _ = await accounts.register("Ann")
    fields: list[dict[str, object]] = [{"name": "Anna"}, {"languages": ("de",)}, {"guest": True}]
    await asyncio.gather(*(accounts.change(player.id, **each) for each in fields))
    changed = await accounts.player(player.id)
    assert (changed.name, changed.languages, changed.guest) == ("Anna", ("de",), True)


async def test_token_is_found_by_digest_until_revoked(stores: Stores) -> None:
    """A token works from its making to its revoking; another player cannot revoke it."""
    digest = bytes(range(32))
    await stores.players.put_player(ANN)
    assert await stores.players.token(digest) is None
    await stores.players.put_token(digest, token("t1", 5))
    assert await stores.players.token(digest) == token("t1", 5)
    assert not await stores.players.revoke(BEN.id, "t1")
    assert not await stores.players.revoke(ANN.id, "t2")
    assert await stores.players.token(digest) == token("t1", 5)
    assert await stores.players.revoke(ANN.id, "t1")
    assert not await stores.players.revoke(ANN.id, "t1")
    assert await stores.players.token(digest) is None
    assert list(await stores.players.tokens(ANN.id)) == []


async def test_seat_token_comes_back_with_its_origin(stores: Stores) -> None:
    """From its digest and in the list of its player: its place, and the token with which it ends."""
    await stores.players.put_player(ANN)
    place = (MatchId("m" + 24 * "a"), Seat(1), Origin("t0", 9))
    made = TokenRecord("t1", ANN.id, "seat", ("read", "play"), 5, 8, *place)
    await stores.players.put_token(b"d" * 32, made)
    assert await stores.players.token(b"d" * 32) == made
    assert list(await stores.players.tokens(ANN.id)) == [made]


async def test_player_gets_no_more_tokens_than_it_may_have_when_many_are_made_at_once(stores: Stores) -> None:
    """The count is made where it is written; a token that is refused does not work, and a revoked one makes room."""
    await stores.players.put_player(ANN)
    digests = [bytes([number]) * 32 for number in range(12)]
    made = await asyncio.gather(
        *(stores.players.put_token(digest, token(f"t{number}", number), 3) for number, digest in enumerate(digests))
    )
    works = [await stores.players.token(digest) is not None for digest in digests]
    assert works == made
    assert sum(made) == len(await stores.players.tokens(ANN.id)) == 3
    await stores.players.revoke(ANN.id, f"t{made.index(True)}")
    assert await stores.players.put_token(b"n" * 32, token("tn", 99), 3)
    assert not await stores.players.put_token(b"o" * 32, token("to", 99), 3)


async def test_token_of_player_that_is_gone_is_none(stores: Stores) -> None:
    """Even one that was on its way while the player was removed: it could never be revoked."""
    assert not await stores.players.put_token(b"s" * 32, token("t1", 5))
    await stores.players.put_player(ANN)
    digests = [bytes([number]) * 32 for number in range(10)]
    await asyncio.gather(
        *(stores.players.put_token(digest, token(f"t{number}", number)) for number, digest in enumerate(digests)),
        stores.players.remove_player(ANN.id),
    )
    assert [await stores.players.token(digest) for digest in (b"s" * 32, *digests)] == [None] * 11
    assert list(await stores.players.tokens(ANN.id)) == []


async def test_deletion_is_known_until_it_has_ended(stores: Stores) -> None:
    """With the time at which it began, also when it begins again."""
    players = stores.players
    for now_ms in (5, 9):
        await players.begin_deletion(ANN.id, now_ms)
    await players.begin_deletion(BEN.id, 7)
    assert [set(await players.deletions(until_ms)) for until_ms in (4, 5, 7)] == [set(), {ANN.id}, {ANN.id, BEN.id}]
    for _ in range(2):
        await players.end_deletion(ANN.id)
    assert list(await players.deletions(99)) == [BEN.id]


async def test_removal_is_finished_by_the_next_when_it_was_killed_at_any_step(
    redis_kind_stores: Stores, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player and its tokens are several keys; whatever was removed of them, the rest is, the second time."""
    players = redis_kind_stores.players
    wire = Client(server.url)
    assert isinstance(players, RedisPlayers)
    write = players._client.write
    left = 0

    async def mortal(*command: Any) -> Reply:
        nonlocal left
        if left == 0:
            raise Killed
        left -= 1
        return await write(*command)

    for steps in range(20):
        await players.put_player(ANN)
        for name in range(2):
            assert await players.put_token(bytes([name]) * 32, token(f"t{name}", name))
        left = steps
        with monkeypatch.context() as patch, suppress(Killed):
            patch.setattr(players._client, "write", mortal)
            await players.remove_player(ANN.id)
        await players.remove_player(ANN.id)
        assert items(await wire.call("KEYS", "*p-ann*")) == []
        assert [await players.token(bytes([name]) * 32) for name in range(2)] == [None] * 2
        if left:
            break
    else:
        pytest.fail("it never ends")
    assert steps > 3
    await wire.close()


async def test_tokens_of_player_are_listed_by_age(stores: Stores) -> None:
    """A player sees its own tokens, oldest first."""
    await stores.players.put_player(ANN)
    await stores.players.put_player(BEN)
    for index, created_ms in enumerate((30, 10, 20)):
        await stores.players.put_token(bytes([index]) * 32, token(f"t{index}", created_ms))
    await stores.players.put_token(b"b" * 32, token("tb", 1, BEN.id))
    assert [each.id for each in await stores.players.tokens(ANN.id)] == ["t1", "t2", "t0"]
    assert [each.id for each in await stores.players.tokens(BEN.id)] == ["tb"]
    await stores.players.revoke(ANN.id, "t2")
    assert [each.id for each in await stores.players.tokens(ANN.id)] == ["t1", "t0"]


async def test_seat_token_keeps_its_seat(stores: Stores) -> None:
    """Match, seat and end come back with it."""
    await stores.players.put_player(ANN)
    seat = TokenRecord("t1", ANN.id, "seat", ("read", "play"), 5, 10, MatchId("m1"), Seat(3))
    await stores.players.put_token(b"s" * 32, seat)
    assert await stores.players.token(b"s" * 32) == seat
    assert list(await stores.players.tokens(ANN.id)) == [seat]


async def test_token_is_revoked_by_one_when_several_try(stores: Stores) -> None:
    """Exactly one caller learns that it was there: a token is exchanged once."""
    await stores.players.put_player(ANN)
    await stores.players.put_token(b"s" * 32, token("t1", 5))
    found = await asyncio.gather(*(stores.players.revoke(ANN.id, "t1") for _ in range(10)))
    assert sorted(found) == [False] * 9 + [True]


async def test_token_is_forgotten_by_the_server_when_it_has_expired(server: Server, redis_kind_stores: Stores) -> None:
    """A minute after its life, by the server's own clock; one without an end is kept."""
    players = redis_kind_stores.players
    wire = Client(server.url)
    await players.put_player(ANN)
    before = await server.time_ms(wire)
    await players.put_token(b"s" * 32, TokenRecord("t1", ANN.id, "seat", (), 5_000, 65_000))
    after = await server.time_ms(wire)
    await players.put_token(b"f" * 32, token("t2", 5))
    ends = [number(await wire.call("PEXPIRETIME", f"token:{each.hex()}")) for each in (b"s" * 32, b"f" * 32)]
    await wire.close()
    assert before + 120_000 <= ends[0] <= after + 120_000
    assert ends[1] == -1


async def everything(server: Server) -> AsyncIterator[Reply]:
    """Yield every key and every value of a server."""
    wire = Client(server.url)
    for key in items(await wire.call("KEYS", "*")):
        assert isinstance(key, bytes)
        yield key
        if await wire.call("TYPE", key) == b"string":
            yield await wire.call("GET", key)
        else:
            for each in items(await wire.call("HGETALL", key)):
                yield each
    await wire.close()


async def test_server_never_holds_text_of_token(server: Server, redis_kind_stores: Stores) -> None:
    """Neither a key nor a value has a token's text: read access to the server is not enough to act as a player."""
    players = Accounts(redis_kind_stores.players, lambda: 1, token_seal_of(redis_kind_stores.id_key))
    player, record, text = await players.register("Ann")
    _, other = await players.issue(player.id, "second", ("read",), None)
    stored = [each async for each in everything(server) if isinstance(each, bytes)]
    assert any(record.id.encode() in each for each in stored)
    for secret in (text, other, text.removeprefix("tr_"), other.removeprefix("tr_")):
        assert not [each for each in stored if secret.encode() in each]
    await players.revoke(player.id, record.id)
    with pytest.raises(Unauthenticated):
        await players.authenticate(text)
    with pytest.raises(NotFound):
        await players.revoke(player.id, record.id)
    assert (await players.authenticate(other)).player == player.id


async def test_statement_replaces_what_its_writer_has_read(stores: Stores) -> None:
    """Of several writers one comes first, the others learn of it; a player that is gone has no program."""
    one, two, three = (ProgramRecord((), revoked_ms=number) for number in (1, 2, 3))
    assert not await stores.players.put_program(ANN.id, None, one)
    assert await stores.players.program(ANN.id) is None
    await stores.players.put_player(ANN)
    assert await stores.players.put_program(ANN.id, None, one)
    done = await asyncio.gather(*(stores.players.put_program(ANN.id, one, each) for each in (two, three)))
    assert sorted(done) == [False, True]
    assert await stores.players.program(ANN.id) in (two, three)
    assert not await stores.players.put_program(ANN.id, one, one)
    await stores.players.remove_player(ANN.id)
    assert await stores.players.program(ANN.id) is None
