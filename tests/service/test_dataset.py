"""Data sets: what a row has, and what it must never have."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from tafelrunde.domain.game import GameId, InvalidOptions, Seat
from tafelrunde.domain.match import BotName, MatchId, PlayerId, Spectators
from tafelrunde.domain.match.opening import read_options
from tafelrunde.domain.match.terms import Visibility
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.application import Application
from tafelrunde.service.dataset import Decision, Source, self_play
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.settings import Settings


@pytest.mark.parametrize("game", GAMES)
def test_self_play_gives_the_same_rows_for_a_seed(game: GameId) -> None:
    """A row has what its seat saw, a legal command, and how the match ended."""
    found = GAMES[game]
    options = read_options(found, {}, found.min_seats)
    seats = found.min_seats
    rows = list(self_play(found, options, seats, 1, 1, bots=[BotName("random")], legal=True))
    again = list(self_play(found, options, seats, 1, 1, bots=[BotName("random")], legal=True))
    assert msgspec.json.encode(rows) == msgspec.json.encode(again)
    for row in rows:
        assert row.view.seat == row.seat  # type: ignore[attr-defined] # every game's view has a seat
        assert row.legal is not None
        assert row.command in row.legal
    ranks = {row.seat: row.rank for row in rows}
    assert 1 in ranks.values()
    assert {row.match for row in rows} == {1}


def test_bots_of_self_play_change_seats() -> None:
    """With each match every bot sits one seat further; a bot that the game has not is refused."""
    coup = GAMES[GameId("coup")]
    options = read_options(coup, {}, 2)
    names = [BotName("honest"), BotName("random")]
    seated = {(row.match, row.seat): row.bot for row in self_play(coup, options, 2, 2, 1, bots=names)}
    assert [seated[1, Seat(0)], seated[1, Seat(1)]] == names
    assert [seated[2, Seat(0)], seated[2, Seat(1)]] == names[::-1]
    with pytest.raises(InvalidOptions):
        next(self_play(coup, options, 2, 1, 1, bots=[BotName("nobody")]))


class House:
    """A service in memory with a player who plays matches against a bot."""

    def __init__(self) -> None:
        self.application = application = Application(memory_stores(), Settings(bot_pause_ms=0))
        self.source = Source(application.stores, application.repository, application.accounts)
        self.count = 0

    async def player(self, name: str) -> PlayerId:
        record, _, _ = await self.application.accounts.register(name)
        return record.id

    async def match(self, player: PlayerId, *, moves: int = 100_000, **settings: object) -> MatchId:
        """Let a player play a match of Coup, by its first legal command, for some moves or to its end."""
        self.count += 1
        new = NewMatch(game=GameId("coup"), seats=2, seat=Seat(0), bots={Seat(1): BotName("random")}, start=True)
        new = msgspec.structs.replace(new, **{"spectators": Spectators.PUBLIC, **settings})
        application = self.application
        match = (await application.matches.open(player, new, f"open{self.count}")).match
        while moves and not (loaded := (await application.repository.load_latest(match)).match).status.finished:
            ask = loaded.pending()
            if ask is not None and Seat(0) in ask.open:
                moves -= 1
                command = loaded.game.legal(loaded.table, Seat(0))[0]
                await application.matches.play(player, match, ask.decision, command, f"{match}{moves}")
            else:
                await application.process_manager.play_bots(match)
        return match

    async def rows(self, *, private: bool = False, legal: bool = False) -> list[Decision]:
        return [row async for row in self.source.decisions(private=private, legal=legal)]


def test_data_set_has_finished_public_matches_without_names() -> None:
    """No row names a player or a match; running matches are left out, unlisted and closed ones unless they are wanted."""

    async def scene() -> None:
        house = House()
        player = await house.player("Wanda")
        match = await house.match(player)
        await house.match(player, moves=1)
        await house.match(player, visibility=Visibility.UNLISTED)
        await house.match(player, spectators=Spectators.OFF)
        rows = await house.rows()
        assert {row.match for row in rows} == {1}
        assert {row.bot for row in rows} == {None, "random"}
        written = msgspec.json.encode(rows)
        for name in (player, match, "Wanda"):
            assert name.encode() not in written
        assert {row.match for row in await house.rows(private=True)} == {1, 2, 3}

    asyncio.run(scene())


def test_view_of_a_row_is_what_the_seat_saw_before_it_answered() -> None:
    """The rows of a stored match are those that the seat would have been asked with: its question had that command."""

    async def scene() -> None:
        house = House()
        await house.match(await house.player("Wanda"))
        rows = await house.rows(legal=True)
        assert len(rows) > 5
        for row in rows:
            assert row.command in (row.legal or ())
            assert row.view.decision == row.decision  # type: ignore[attr-defined] # every game's view counts decisions

    asyncio.run(scene())


def test_erased_player_leaves_the_data_set() -> None:
    """What a player decided is not there any more once the player was deleted; what others decided is."""

    async def scene() -> None:
        house = House()
        player = await house.player("Wanda")
        await house.match(player)
        assert None in {row.bot for row in await house.rows()}
        await house.application.erasure.forget(player)
        assert {row.bot for row in await house.rows()} == {"random"}

    asyncio.run(scene())
