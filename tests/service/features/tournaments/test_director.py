"""What happens by itself, over each store: two processes drive the same tournament, and nothing happens twice."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from tafelrunde.domain.game import GameId
from tafelrunde.domain.match import BotName, MatchId, MatchSettings, PlayerId
from tafelrunde.service.application import Application
from tafelrunde.service.errors import StoreUnavailable
from tafelrunde.service.features.tournaments.director import Director
from tafelrunde.service.features.tournaments.facts import TournamentKind
from tafelrunde.service.features.tournaments.port import TournamentId
from tafelrunde.service.features.tournaments.standings import POINT, standings
from tafelrunde.service.features.tournaments.tournament import TournamentStage
from tafelrunde.service.features.tournaments.tournaments import NewTournament, Tournaments
from tafelrunde.service.ports.events import SHARDS, Shard
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
    """Rounds are drawn once and matches opened once, by the one who comes first."""
    both = [process(stores) for _ in range(2)]
    player, cup = await opened_by(both[0], bots=3, rounds=2)
    for number in (1, 2):
        await asyncio.gather(*(each.get(Director).tend(cup) for each in (*both, *both)))
        state = (await both[1].get(Tournaments).get(cup)).state
        assert [len(each.tables) for each in state.rounds] == [2] * number
        for table in range(2):
            await play_out(both[table], player, both[0].get(Director).match_of(cup, number, table))
    await asyncio.gather(*(each.get(Director).tend(cup) for each in both))
    state = (await both[0].get(Tournaments).get(cup)).state
    assert (state.stage, len(state.rounds)) == (TournamentStage.OVER, 2)
    assert sum(row.points for row in standings(state)) == 4 * POINT
    matches = [each for shard in range(SHARDS) for each in await stores.events.matches(Shard(shard))]
    assert len(matches) == len(set(matches)) == 4


async def test_bot_sits_down_for_a_player_who_was_deleted_since_the_draw(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is gone is in no new match, and stays in the standings as withdrawn."""
    application = process(stores)
    tournaments, director = application.get(Tournaments), application.get(Director)
    leaver, *_ = await application.accounts.register("Bert")
    player, cup = await opened_by(application, bots=2, rounds=1, others=[leaver.id])

    async def away(*_: object) -> None:
        raise StoreUnavailable

    with monkeypatch.context() as patch:
        patch.setattr(application.handler, "open", away)
        with pytest.raises(StoreUnavailable):
            await director.tend(cup)
    await application.erasure.forget(leaver.id)
    await director.tend(cup)
    state = (await tournaments.get(cup)).state
    gone = state.number_of(leaver.id)
    assert gone is not None
    table, seat = next((at, each.entrants.index(gone)) for at, each in enumerate(state.rounds[0].tables) if gone in each.entrants)
    chairs = (await application.repository.load_latest(director.match_of(cup, 1, table))).match.chairs
    assert (chairs[seat].player, chairs[seat].bot is None, state.entrants[gone].withdrawn) == (None, False, True)
    assert player != leaver.id
