"""Playing again: as often as the players like, each rematch known to the match before."""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, MatchId, PlayerId, Status
from tafelrunde.domain.match.commands import AgreeRematch
from tafelrunde.service.application import Application
from tafelrunde.service.matches.command_handler import IssuedCommand, fingerprint_of, issued_by
from tafelrunde.service.matches.ids import DerivedIds
from tafelrunde.service.matches.setup import NewMatch, rematch
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.settings import Settings

pytestmark = pytest.mark.anyio

ANNA, BERT = PlayerId("p-anna"), PlayerId("p-bert")
COUP = GameId("coup")


class House:
    """A service whose bots answer when they are asked to."""

    def __init__(self) -> None:
        self.application = Application(memory_stores(), Settings(bot_pause_ms=0), now_ms=lambda: 1_000_000)

    async def open(self, *, bots: int) -> MatchId:
        """Open and begin a match of Anna and Bert, or of Anna and bots."""
        seats = 1 + (bots or 1)
        wish = NewMatch(game=COUP, seats=seats, bots={Seat(seat): BotName("honest") for seat in range(1, 1 + bots)})
        return (await self.application.matches.open(ANNA, wish, "open")).match

    async def play(self, match: MatchId, *players: PlayerId) -> None:
        """Seat the players who are missing, begin, and play the first legal commands to the end."""
        matches = self.application.matches
        seated = [chair.player for chair in (await self.application.queries.summary(ANNA, match)).chairs]
        for player in players:
            if player not in seated:
                await matches.take_seat(player, match, None, "", "sit")
        if (await self.application.queries.summary(ANNA, match)).status is Status.OPEN:
            await matches.start(ANNA, match, "start")
        while (await self.application.queries.summary(ANNA, match)).status is Status.RUNNING:
            await self.application.process_manager.play_bots(match)
            for player in players:
                seen = await self.application.queries.view(await self.application.queries.viewer(player, match), match)
                if (question := seen.view.question) is not None:
                    key = f"play-{question.decision}"
                    await matches.play(player, match, question.decision, question.legal[0], key)

    async def again(self, match: MatchId, *players: PlayerId) -> MatchId:
        """Let all players agree to play again, and return the rematch."""
        for player in players:
            await self.application.matches.rematch(player, match, "again")
        successor = (await self.application.queries.summary(ANNA, match)).rematch
        assert successor is not None
        return successor


@pytest.mark.parametrize(("players", "bots"), [((ANNA, BERT), 0), ((ANNA,), 2)], ids=["two-players", "with-bots"])
async def test_players_play_again_as_often_as_they_like(players: tuple[PlayerId, ...], bots: int) -> None:
    """Each rematch has a rematch, which is another match and names the one before."""
    house = House()
    match = await house.open(bots=bots)
    played = [match]
    for _ in range(4):
        await house.play(match, *players)
        successor = await house.again(match, *players)
        assert (await house.application.queries.summary(ANNA, successor)).parent == match
        played.append(match := successor)
    assert len(set(played)) == 5


async def test_rematch_that_an_earlier_release_could_not_note_is_found_by_its_match() -> None:
    """Both openings have the key `rematch` in the log, and the second match waits for its name since."""
    house = House()
    first = await house.open(bots=0)
    await house.play(first, ANNA, BERT)
    second = await house.again(first, ANNA, BERT)
    await house.play(second, ANNA, BERT)
    for player in (ANNA, BERT):
        await house.application.handler.carry_out(issued_by(player, second, AgreeRematch(player), "again"))
    third = DerivedIds(house.application.stores.id_key).rematch(second)
    opening = rematch(third, second, await house.application.repository.load_latest(second))
    order = IssuedCommand(
        match=third, actor="clock", key="rematch", fingerprint=fingerprint_of("rematch", second), command=opening
    )
    await house.application.handler.open(order)
    await house.application.process_manager.play_bots(second)
    assert (await house.application.queries.summary(ANNA, second)).rematch == third
    await house.play(third, ANNA, BERT)
    await house.again(third, ANNA, BERT)
