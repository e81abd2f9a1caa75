"""What happens by itself, over each store: two processes drive the same tournament, and nothing happens twice."""

from __future__ import annotations

import asyncio
import base64
import hashlib
from collections.abc import Sequence

import pytest

from tafelrunde.domain.game import GameId
from tafelrunde.domain.match import BotName, MatchId, MatchSettings, PlayerId
from tafelrunde.service.application import Application
from tafelrunde.service.days import DAY_MS
from tafelrunde.service.errors import StoreUnavailable
from tafelrunde.service.features.tournaments.commitments import match_of_table
from tafelrunde.service.features.tournaments.duty import BEING_OPENED_MS, BOTS_AT_ONCE, Director
from tafelrunde.service.features.tournaments.events import CancelReason, TournamentKind
from tafelrunde.service.features.tournaments.feature import STORE
from tafelrunde.service.features.tournaments.port import TournamentId
from tafelrunde.service.features.tournaments.rules import TournamentStage
from tafelrunde.service.features.tournaments.service import NewTournament, Tournaments
from tafelrunde.service.features.tournaments.standings import POINT, standings
from tafelrunde.service.matches.command_handler import IssuedCommand
from tafelrunde.service.ports.events import SHARDS, Shard, Written
from tafelrunde.service.ports.stores import Stores
from tests.support.table import GAMES, PLAIN

pytestmark = pytest.mark.anyio
DUEL = MatchSettings(game=GameId("duel"), seats=2)


def process(stores: Stores) -> Application:
    """Return one process of a deployment."""
    return Application(stores, PLAIN, games=GAMES)


async def opened_by(
    application: Application, *, bots: int, rounds: int, others: Sequence[PlayerId] = ()
) -> tuple[PlayerId, TournamentId]:
    """Return a player, and its tournament with some bots and other players, which has begun."""
    player, *_ = await application.accounts.register("Anna")
    tournaments = application.get(Tournaments)
    wish = NewTournament(name="Cup", settings=DUEL, kind=TournamentKind.SWISS, rounds=rounds, bots=(BotName("random"),) * bots)
    found = await tournaments.open(player.id, wish)
    for other in others:
        await tournaments.join(other, found.id, "")
    await tournaments.start(player.id, found.id)
    return player.id, found.id


async def play_out(application: Application, player: PlayerId, match: MatchId) -> None:
    """Play a match to its end: the player by the first legal command, bots as they do."""
    number = 0
    while True:
        await application.process_manager.play_bots(match)
        loaded = await application.repository.load_latest(match)
        if loaded.match.status.finished:
            return
        viewer = await application.queries.viewer(player, match)
        question = (await application.queries.view(viewer, match)).view.question
        if question is not None:
            await application.matches.play(player, match, question.decision, question.legal[0], f"move-{number}")
        number += 1


async def test_two_processes_drive_a_tournament_as_one(stores: Stores) -> None:
    """Rounds are drawn once and matches opened once, by the one who comes first, also those of bots alone."""
    both = [process(stores) for _ in range(2)]
    player, cup = await opened_by(both[0], bots=3, rounds=2)
    for number in (1, 2):
        await asyncio.gather(*(each.get(Director).tend(cup) for each in (*both, *both)))
        state = (await both[1].get(Tournaments).get(cup)).state
        assert [len(each.tables) for each in state.rounds] == [2] * number
        for table in range(2):
            await play_out(both[number % 2], player, match_of_table(cup, number, table))
    await asyncio.gather(*(each.get(Director).tend(cup) for each in both))
    state = (await both[0].get(Tournaments).get(cup)).state
    assert (state.stage, len(state.rounds)) == (TournamentStage.OVER, 2)
    assert sum(row.points for row in standings(state)) == 4 * POINT
    matches = [each for shard in range(SHARDS) for each in await stores.events.matches(Shard(shard))]
    assert len(matches) == len(set(matches)) == 4
    assert {row.played for row in standings(state)} == {2}


async def test_bots_that_meet_play_a_few_tables_at_once(stores: Stores) -> None:
    """The others follow when those are over; every result comes from a match, which counts for no player's budget."""
    application = process(stores)
    player, cup = await opened_by(application, bots=15, rounds=1)
    director, ledger = application.get(Director), application.get(Tournaments)
    played = set[int]()
    for _ in range(8):
        await director.tend(cup)
        state = (await ledger.get(cup)).state
        newest = state.rounds[0]
        running = [table for table, each in enumerate(newest.tables) if each.opened and each.ranks is None]
        assert sum(state.is_for_bots(newest.tables[table]) for table in running) <= BOTS_AT_ONCE
        for table in running:
            await play_out(application, player, match_of_table(cup, 1, table))
            played.add(table)
    assert played == set(range(8))
    state = (await ledger.get(cup)).state
    assert state.stage is TournamentStage.OVER
    assert all(each.ranks for each in state.rounds[0].tables)


@pytest.mark.parametrize("half", [False, True])
async def test_bot_sits_down_for_a_player_who_was_deleted_since_the_draw(
    stores: Stores, monkeypatch: pytest.MonkeyPatch, half: bool
) -> None:
    """Who is gone is in no new match, also while its deletion is under way, and stays in the standings as withdrawn."""
    application = process(stores)
    tournaments, director = application.get(Tournaments), application.get(Director)
    leaver, *others = [(await application.accounts.register(name))[0].id for name in ("Bert", "Carl", "Dora")]
    player, cup = await opened_by(application, bots=0, rounds=1, others=[leaver, *others])

    async def away(*_: object) -> None:
        raise StoreUnavailable

    with monkeypatch.context() as patch:
        patch.setattr(application.handler, "open", away)
        with pytest.raises(StoreUnavailable):
            await director.tend(cup)
    await (application.accounts.remove(leaver) if half else application.erasure.forget(leaver))
    await director.tend(cup)
    state = (await tournaments.get(cup)).state
    gone = state.number_of(leaver)
    assert gone is not None
    table, seat = next((at, each.entrants.index(gone)) for at, each in enumerate(state.rounds[0].tables) if gone in each.entrants)
    chairs = (await application.repository.load_latest(match_of_table(cup, 1, table))).match.chairs
    assert (chairs[seat].player, chairs[seat].bot is None, state.entrants[gone].withdrawn) == (None, False, not half)
    assert player != leaver


async def test_table_whose_players_were_all_deleted_is_played_by_bots(stores: Stores) -> None:
    """If that was before it began."""
    application = process(stores)
    director = application.get(Director)
    others = [(await application.accounts.register(name))[0].id for name in ("Bert", "Carl", "Dora")]
    player, cup = await opened_by(application, bots=0, rounds=1, others=others)
    for each in (player, *others):
        await application.accounts.remove(each)
    await director.tend(cup)
    for table in range(2):
        await play_out(application, player, match_of_table(cup, 1, table))
    await director.tend(cup)
    state = (await application.get(Tournaments).get(cup)).state
    assert all(each.ranks for each in state.rounds[0].tables)


async def test_table_that_cannot_be_opened_holds_up_no_other(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others of its round begin, and it is tried again."""
    application = process(stores)
    director, opening = application.get(Director), application.handler.open
    others = [(await application.accounts.register(name))[0].id for name in ("Bert", "Carl", "Dora")]
    _, cup = await opened_by(application, bots=0, rounds=1, others=others)
    first, second = (match_of_table(cup, 1, table) for table in range(2))

    async def broken(order: IssuedCommand) -> Written:
        if order.match == first:
            raise RuntimeError
        return await opening(order)

    with monkeypatch.context() as patch:
        patch.setattr(application.handler, "open", broken)
        await director.tend(cup)
    assert await stores.events.head(first) is None
    assert await stores.events.head(second) is not None
    await director.tend(cup)
    assert await stores.events.head(first) is not None


async def test_matches_of_a_tournament_that_was_called_off_are_forgotten_once_over(stores: Stores) -> None:
    """Then they lead nowhere any more, and its secrets give nothing away."""
    application = process(stores)
    tournaments, director = application.get(Tournaments), application.get(Director)
    player, cup = await opened_by(application, bots=3, rounds=1)
    await director.tend(cup)
    matches = [match_of_table(cup, 1, table) for table in range(2)]
    await tournaments.cancel(player, cup)
    await director.tend(cup)
    assert cup in [await STORE.of(stores).tournament_of(each) for each in matches]
    assert not (await tournaments.get(cup)).state.deals_no_more
    for each in matches:
        if await stores.events.head(each) is not None:
            await play_out(application, player, each)
    await director.tend(cup)
    assert [await STORE.of(stores).tournament_of(each) for each in matches] == [None, None]
    assert (await tournaments.get(cup)).state.deals_no_more


async def test_match_is_listed_that_was_opened_just_before_its_tournament_was_called_off(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process died between the match and the note of it: its players find it all the same, once."""
    application = process(stores)
    tournaments, director = application.get(Tournaments), application.get(Director)
    player, cup = await opened_by(application, bots=3, rounds=1)
    append = STORE.of(stores).append

    async def cut_off(tournament: TournamentId, version: int, facts: Sequence[bytes]) -> bool:
        if any(b"tables-opened" in each for each in facts):
            raise StoreUnavailable
        return await append(tournament, version, facts)

    with monkeypatch.context() as patch:
        patch.setattr(STORE.of(stores), "append", cut_off)
        with pytest.raises(StoreUnavailable):
            await director.tend(cup)
    assert not any(each.opened for each in (await tournaments.get(cup)).state.rounds[0].tables)
    await tournaments.cancel(player, cup)
    for _ in range(2):
        await director.tend(cup)
        tables = (await tournaments.get(cup)).state.rounds[0].tables
        there = [await stores.events.head(match_of_table(cup, 1, table)) is not None for table in range(2)]
        assert [each.opened for each in tables] == there == [True, True]
    facts = await STORE.of(stores).read(cup, 0)
    assert facts is not None
    assert sum(b"tables-opened" in each for each in facts) == 1


async def test_match_that_another_process_may_be_opening_keeps_the_deals_of_a_tournament_closed(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After it was called off, a match that is not there counts as one that runs, as long as it could still begin."""
    clock = [1_700_000_000_000]
    application = Application(stores, PLAIN, games=GAMES, now_ms=lambda: clock[0])
    tournaments, director = application.get(Tournaments), application.get(Director)
    player, cup = await opened_by(application, bots=3, rounds=1)

    async def away(*_: object) -> None:
        raise StoreUnavailable

    with monkeypatch.context() as patch:
        patch.setattr(application.handler, "open", away)
        with pytest.raises(StoreUnavailable):
            await director.tend(cup)
    await tournaments.cancel(player, cup)
    closed: list[bool] = []
    for minutes in (0, 1, BEING_OPENED_MS // 60_000):
        clock[0] += 60_000 * minutes
        await director.tend(cup)
        closed.append(not (await tournaments.get(cup)).state.deals_no_more)
    assert closed == [True, True, False]


@pytest.mark.parametrize("drawn", [False, True])
async def test_tournament_whose_game_is_gone_is_called_off_after_a_day(
    stores: Stores, drawn: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """A process without the game logs that once, and takes no results: one of the next release may have it."""
    clock = [1_700_000_000_000]
    with_it = Application(stores, PLAIN, games=GAMES, now_ms=lambda: clock[0])
    _, cup = await opened_by(with_it, bots=3, rounds=1)
    if drawn:
        await with_it.get(Director).tend(cup)
    games = {name: game for name, game in GAMES.items() if name != DUEL.game}
    without = Application(stores, PLAIN, games=games, now_ms=lambda: clock[0])
    for _ in range(3):
        await without.get(Director).tend(cup)
    assert (await without.get(Tournaments).get(cup)).state.stage is TournamentStage.RUNNING
    assert capsys.readouterr().out.count("the game of a tournament is not here") == 1
    clock[0] += DAY_MS
    for _ in range(2):
        await without.get(Director).tend(cup)
    state = (await without.get(Tournaments).get(cup)).state
    assert (state.stage, state.cancelled) == (TournamentStage.CANCELLED, CancelReason.GAME_GONE)
    assert "error" not in capsys.readouterr().out


async def test_id_of_each_match_follows_from_tournament_round_and_table_alone(stores: Stores) -> None:
    """The deployment's key has no part in it: every draw takes the id, so a key would choose the deals once nonces are known."""
    application = process(stores)
    player, cup = await opened_by(application, bots=3, rounds=2)
    expected: list[str] = []
    for number in (1, 2):
        await application.get(Director).tend(cup)
        state = (await application.get(Tournaments).get(cup)).state
        for table, each in enumerate(state.rounds[-1].tables):
            if each.opened:
                label = f"tafelrunde/tournament-match/1|{cup}|{number}|{table}"
                match = "m" + base64.b32encode(hashlib.sha256(label.encode()).digest()[:15]).decode().lower()
                expected.append(match)
                await play_out(application, player, MatchId(match))
    matches = [each for shard in range(SHARDS) for each in await stores.events.matches(Shard(shard))]
    assert sorted(matches) == sorted(expected)
    assert len(expected) == 4


async def test_tournament_stored_before_ids_were_public_continues_with_its_own(stores: Stores) -> None:
    """A match that it has opened is found again, and its next rounds open theirs by the same rule."""
    application = process(stores)
    player, cup = await opened_by(application, bots=3, rounds=2)
    facts = await STORE.of(stores).read(cup, 0)
    assert facts is not None
    before = [each.replace(b',"public_ids":true', b"") for each in facts]
    assert before != facts
    await STORE.of(stores).remove(cup)
    assert await STORE.of(stores).append(cup, 0, before)
    played: list[str] = []
    for number in (1, 2):
        fresh = process(stores)
        await fresh.get(Director).tend(cup)
        state = (await fresh.get(Tournaments).get(cup)).state
        assert not state.opened.public_ids
        for table in range(2):
            match = fresh.get(Director).match_of(cup, state, number, table)
            assert match == fresh.ids.match("tournament", cup, str(number), str(table))
            await play_out(fresh, player, match)
            played.append(match)
    await process(stores).get(Director).tend(cup)
    assert (await process(stores).get(Tournaments).get(cup)).state.stage is TournamentStage.OVER
    matches = [each for shard in range(SHARDS) for each in await stores.events.matches(Shard(shard))]
    assert sorted(matches) == sorted(played)
