"""Vacation over HTTP: slow matches wait for it, for as long as was left, and quick ones never."""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import Seat
from tafelrunde.domain.match import MatchId
from tafelrunde.domain.match.events import TimedOut
from tafelrunde.service.features.vacation.port import DAY_MS
from tafelrunde.service.features.vacation.service import LOOK_MS, Vacations
from tests.support.table import Table, opened

pytestmark = pytest.mark.anyio

SLOW = {"turn_seconds": 86_400, "reaction_seconds": 86_400}


async def timed_out(table: Table, match: str) -> bool:
    """Let the clock of a match strike, and return whether a decision timed out."""
    await table.application.process_manager.time_out(MatchId(match))
    loaded = await table.application.repository.load_latest(MatchId(match))
    codec = table.application.repository.codec
    return any(isinstance(loaded.fact(version, codec)[1], TimedOut) for version in range(1, loaded.version + 1))


async def asked_alone(table: Table, match: str, *tokens: str) -> None:
    """Play on until the first player is asked alone."""
    for _ in range(40):
        ask = (await table.application.repository.load_latest(MatchId(match))).match.pending()
        assert ask is not None
        if ask.seats == (Seat(0),):
            return
        await table.play(match, tokens[ask.open[0]])
    raise AssertionError("the first player was never asked alone")


async def seated(table: Table, *tokens: str) -> str:
    """Begin a slow match of these players."""
    match = await table.open(tokens[0], seats=len(tokens), clock=SLOW)
    for token in tokens[1:]:
        assert (await table.post(f"/matches/{match}/seats", token)).status == 200
    assert (await table.post(f"/matches/{match}/start", tokens[0])).status == 200
    return match


async def test_slow_match_waits_for_a_player_on_vacation() -> None:
    """Until it is over, and then for as long as was left; the stored log is that of any match."""
    async with opened() as table:
        (_, one), (_, other) = await table.player("Anna"), await table.player("Bert")
        match = await table.begin(one, other, clock=SLOW)
        await asked_alone(table, match, one, other)
        table.now_ms += DAY_MS // 2
        until_ms = table.now_ms + 10 * DAY_MS
        assert (await table.ask("PUT", "/api/v1/me/vacation", token=one, content={"until_ms": until_ms})).status == 200
        seen = (await table.get(f"/matches/{match}/vacations", other)).json
        assert seen == {"match": match, "items": [{"seat": 0, "until_ms": until_ms}]}
        table.now_ms += DAY_MS
        assert not await timed_out(table, match)
        table.now_ms = until_ms + DAY_MS // 2 - 1
        assert not await timed_out(table, match)
        table.now_ms += 1
        assert await timed_out(table, match)


async def test_match_goes_on_within_the_hour_when_a_vacation_ends_early() -> None:
    """The time-out is looked at again; nothing waits for the day that was meant first."""
    async with opened() as table:
        (_, one), (_, other) = await table.player(), await table.player()
        match = await table.begin(one, other, clock=SLOW)
        await asked_alone(table, match, one, other)
        content = {"until_ms": table.now_ms + 20 * DAY_MS}
        assert (await table.ask("PUT", "/api/v1/me/vacation", token=one, content=content)).json["days_left"] == 10
        table.now_ms += DAY_MS
        vacations = table.application.get(Vacations)
        found = (await table.application.repository.load_latest(MatchId(match))).match
        assert await vacations.put_off(found) == table.now_ms + LOOK_MS
        assert (await table.ask("DELETE", "/api/v1/me/vacation", token=one)).json == {"until_ms": None, "days_left": 29}
        assert (await table.get(f"/matches/{match}/vacations", other)).json["items"] == []
        table.now_ms += DAY_MS - 1
        assert not await timed_out(table, match)
        table.now_ms += 1
        assert await timed_out(table, match)


async def test_quick_match_does_not_wait_for_a_vacation() -> None:
    """Neither does a slow one for a player who is not asked, or whose seat a bot plays; and it lists no one."""
    async with opened() as table:
        (_, one), (_, other) = await table.player(), await table.player()
        match = await table.begin(one, other)
        slow = await table.begin(one, other, clock=SLOW)
        await table.play(slow, one)
        content = {"until_ms": table.now_ms + 5 * DAY_MS}
        assert (await table.ask("PUT", "/api/v1/me/vacation", token=one, content=content)).status == 200
        assert (await table.get(f"/matches/{match}/vacations", other)).json["items"] == []
        table.now_ms += DAY_MS
        assert await timed_out(table, match)
        assert await timed_out(table, slow)


async def test_time_of_others_is_not_prolonged_by_a_vacation() -> None:
    """A decision of all seats ends after its normal time, whether or not the traveller is one of those who have not answered."""
    for answered in (False, True):
        async with opened() as table:
            tokens = [(await table.player(name))[1] for name in ("Anna", "Bert", "Carla")]
            match = await seated(table, *tokens)
            content = {"until_ms": table.now_ms + 20 * DAY_MS}
            assert (await table.ask("PUT", "/api/v1/me/vacation", token=tokens[2], content=content)).status == 200
            if answered:
                await table.play(match, tokens[2])
            table.now_ms += DAY_MS
            assert await timed_out(table, match)


async def test_agreement_to_end_a_match_does_not_wait_for_a_traveller() -> None:
    """All others agree, and it ends without a result; the same request again has the same answer when the vacation is over."""
    async with opened() as table:
        tokens = [(await table.player(name))[1] for name in ("Anna", "Bert", "Carla")]
        match = await seated(table, *tokens)
        content = {"until_ms": table.now_ms + 20 * DAY_MS}
        assert (await table.ask("PUT", "/api/v1/me/vacation", token=tokens[2], content=content)).status == 200
        assert (await table.post(f"/matches/{match}/abort", tokens[0])).status == 200
        assert (await table.view(match, tokens[0]))["status"] == "running"
        first = await table.post(f"/matches/{match}/abort", tokens[1], key="end")
        assert (await table.view(match, tokens[0]))["status"] == "aborted"
        await table.ask("DELETE", "/api/v1/me/vacation", token=tokens[2])
        again = await table.post(f"/matches/{match}/abort", tokens[1], key="end")
        assert (first.status, again.status) == (200, 200)


async def test_vacation_of_a_player_is_shown_with_the_days_that_are_left() -> None:
    """Before one, during it, and when more days are asked for than are left, which changes nothing."""
    async with opened() as table:
        _, token = await table.player()
        assert (await table.get("/me/vacation", token)).json == {"until_ms": None, "days_left": 30}
        content = {"until_ms": table.now_ms + 10 * DAY_MS}
        begun = await table.ask("PUT", "/api/v1/me/vacation", token=token, content=content)
        content = {"until_ms": table.now_ms + 31 * DAY_MS}
        refused = await table.ask("PUT", "/api/v1/me/vacation", token=token, content=content)
        assert (refused.status, refused.json["type"].rpartition(":")[2]) == (422, "vacation-too-long")
        assert (await table.get("/me/vacation", token)).json == begun.json == {**begun.json, "days_left": 20}
