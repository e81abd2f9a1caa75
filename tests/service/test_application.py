"""The application over stores in memory: commands, replays, looks, waiting, bots, clocks, rematches, projections."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from tafelrunde.domain.game import GameId, InvalidOptions, RuleViolation, Seat
from tafelrunde.domain.match import BotName, Clock, MatchId, PlayerId, Spectators, Status, Visibility
from tafelrunde.domain.match.refusals import DecisionNotOpen
from tafelrunde.domain.matchmaster.messages import PlaceBid
from tafelrunde.service.application import Application
from tafelrunde.service.errors import Forbidden, KeyReused, NotFound, Unauthenticated
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.ports.events import NO_EVENTS, SHARDS, EventStore, Log, Shard, Version
from tafelrunde.service.ports.rows import Listing
from tafelrunde.service.settings import Settings
from tafelrunde.service.views.feeds import Cursor, CursorUnknown
from tafelrunde.service.views.queries import Seen
from tests.support.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.anyio

COUP = GameId("coup")
BOT = BotName("random")


class Table:
    """A house with a clock that the test moves, and two players."""

    def __init__(self) -> None:
        self.now_ms = 1_000_000
        self.application = Application(memory_stores(), Settings(bot_pause_ms=0), now_ms=lambda: self.now_ms)
        self.anna = PlayerId("")
        self.bert = PlayerId("")

    async def open(self, key: str = "open", **wishes: object) -> MatchId:
        """Open a match of two with both players seated, running."""
        new = msgspec.structs.replace(NewMatch(game=COUP, seats=2, options={"first_seat": 0}), **wishes)
        match = (await self.application.matches.open(self.anna, new, key)).match
        await self.application.matches.take_seat(self.bert, match, None, "", "sit")
        await self.application.matches.start(self.anna, match, "start")
        return match

    async def step(self, player: PlayerId, match: MatchId) -> bool:
        """Let a player give its first legal command, if it is asked."""
        question = (await self.seen(match, player)).view.question
        if question is None:
            return False
        await self.application.matches.play(player, match, question.decision, question.legal[0], f"step-{question.decision}")
        return True

    async def seen(self, match: MatchId, player: PlayerId | None = None) -> Seen:
        """Return what a player sees now, Anna if none is named."""
        viewer = await self.application.queries.viewer(player or self.anna, match)
        return await self.application.queries.view(viewer, match)

    async def finish(self, match: MatchId) -> None:
        """Let both players play their first legal commands until the match is over."""
        while (await self.application.queries.summary(self.anna, match)).status is Status.RUNNING:
            assert await self.step(self.anna, match) or await self.step(self.bert, match)


@pytest.fixture
async def table() -> Table:
    """A house with two players, and no match yet."""
    made = Table()
    made.anna = (await made.application.accounts.register("Anna"))[0].id
    made.bert = (await made.application.accounts.register(None))[0].id
    return made


async def test_match_played_by_two_players_ends_with_a_winner_and_its_secret(table: Table) -> None:
    """The whole way of a command: open, sit, start, play, end; the last item reveals the secret."""
    match = await table.open()
    await table.finish(match)
    seen = await table.seen(match)
    assert seen.view.placings is not None
    viewer = await table.application.queries.viewer(table.anna, match)
    page = await table.application.queries.feed(viewer, match, None, 10_000)
    again = await Application(table.application.stores, Settings()).queries.feed(viewer, match, None, 10_000)
    assert (again.items, again.cursor, again.ended) == (page.items, page.cursor, page.ended)
    assert page.ended
    assert type(page.items[-1].event).__name__ == "MatchEnded"


async def test_opening_again_with_the_same_key_leads_to_the_same_match(table: Table) -> None:
    """A client that lost the answer asks again and gets the same receipt."""
    new = NewMatch(game=COUP, seats=3)
    first = await table.application.matches.open(table.anna, new, "k")
    again = await table.application.matches.open(table.anna, new, "k")
    assert (again.match, again.items, again.cursor) == (first.match, first.items, first.cursor)
    assert (first.replayed, again.replayed) == (False, True)


async def test_opening_with_a_reused_key_is_refused(table: Table) -> None:
    """A key stands for one request."""
    await table.application.matches.open(table.anna, NewMatch(game=COUP, seats=3), "k")
    with pytest.raises(KeyReused):
        await table.application.matches.open(table.anna, NewMatch(game=COUP, seats=4), "k")


async def test_opening_with_options_that_the_game_lacks_names_the_field(table: Table) -> None:
    """A wrong option is reported by its name."""
    with pytest.raises(InvalidOptions) as caught:
        await table.application.matches.open(table.anna, NewMatch(game=COUP, seats=2, options={"fifth_role": "jester"}), "k")
    assert caught.value.field == "fifth_role"


async def test_command_sent_twice_with_one_key_gives_one_receipt(table: Table) -> None:
    """The second answer equals the first, even if the match has continued meanwhile."""
    match = await table.open()
    question = (await table.seen(match)).view.question
    assert question is not None
    first = await table.application.matches.play(table.anna, match, question.decision, question.legal[0], "k")
    await table.step(table.bert, match)
    again = await table.application.matches.play(table.anna, match, question.decision, question.legal[0], "k")
    assert (again.items, again.cursor, again.replayed) == (first.items, first.cursor, True)


async def test_command_to_an_answered_decision_is_refused(table: Table) -> None:
    """A late command names a decision that is closed, and changes nothing."""
    match = await table.open()
    question = (await table.seen(match)).view.question
    assert question is not None
    await table.step(table.anna, match)
    with pytest.raises(DecisionNotOpen):
        await table.application.matches.play(table.anna, match, question.decision, question.legal[0], "late")


async def test_dry_run_refuses_what_play_refuses_and_writes_nothing(table: Table) -> None:
    """A dry run reveals legality and nothing else."""
    match = await table.open()
    anna = await table.application.queries.viewer(table.anna, match)
    before = await table.application.queries.view(anna, match)
    assert before.view.question is not None
    decision = before.view.question.decision
    legal = before.view.question.legal[0]
    await table.application.matches.dry_run(table.anna, match, decision, legal)
    with pytest.raises(RuleViolation):
        await table.application.matches.dry_run(table.bert, match, decision, legal)
    assert await table.application.queries.view(anna, match) == before


async def test_answer_that_stood_is_written_when_another_process_has_changed_it(table: Table) -> None:
    """Only the newest state says whether an answer stands: a process that knows an older one loses no command."""
    new = NewMatch(game=GameId("matchmaster"), seats=2, bots={Seat(1): BOT}, start=True)
    match = (await table.application.matches.open(table.anna, new, "open")).match
    other = Application(table.application.stores, table.application.settings, now_ms=lambda: table.now_ms)
    question = (await table.seen(match)).view.question
    assert question is not None
    for number, (application, tricks) in enumerate([(table.application, 1), (other, 0), (table.application, 1)]):
        receipt = await application.matches.play(table.anna, match, question.decision, PlaceBid(tricks), f"bid-{number}")
        assert [item.event for item in receipt.items] != []
        question = (await other.queries.view(await other.queries.viewer(table.anna, match), match)).view.question
        assert question is not None
        assert question.answered == PlaceBid(tricks)


async def test_races_of_many_writers_accept_each_decision_once(table: Table) -> None:
    """Eight attempts to answer one decision: one is accepted, the others learn that it is closed."""
    match = await table.open()
    question = (await table.seen(match)).view.question
    assert question is not None
    answers = await asyncio.gather(
        *(table.application.matches.play(table.anna, match, question.decision, question.legal[0], f"k{n}") for n in range(8)),
        return_exceptions=True,
    )
    assert sum(not isinstance(answer, BaseException) for answer in answers) == 1
    assert sum(isinstance(answer, DecisionNotOpen) for answer in answers) == 7


async def test_view_at_each_own_cursor_repeats_what_was_seen_then(table: Table) -> None:
    """Time travel: the view at an earlier cursor equals the view that was given at that cursor."""
    match = await table.open()
    bert = await table.application.queries.viewer(table.bert, match)
    seen = [await table.application.queries.view(bert, match)]
    while (await table.application.queries.summary(table.bert, match)).status is Status.RUNNING:
        assert await table.step(table.anna, match) or await table.step(table.bert, match)
        seen.append(await table.application.queries.view(bert, match))
    assert [await table.application.queries.view(bert, match, at=each.cursor) for each in seen] == seen


@pytest.mark.parametrize("cursor", ["", "x", "1-00000000", "-1-00000000", "999-12345678", "1", "٣-00000000"])
async def test_cursor_of_no_known_history_is_refused(table: Table, cursor: str) -> None:
    """A cursor that this feed never gave is refused, never guessed."""
    match = await table.open()
    with pytest.raises(CursorUnknown):
        await table.application.queries.feed(await table.application.queries.viewer(table.anna, match), match, Cursor(cursor), 10)


async def test_wait_wakes_with_the_next_item(table: Table) -> None:
    """A waiting client is woken at once, not at its timeout."""
    match = await table.open()
    running = asyncio.create_task(table.application.run())
    bert = await table.application.queries.viewer(table.bert, match)
    cursor = (await table.application.queries.view(bert, match)).cursor
    waiting = asyncio.create_task(table.application.queries.wait(bert, match, cursor, 600_000))
    await asyncio.sleep(0.02)
    await table.step(table.anna, match)
    page = await asyncio.wait_for(waiting, PATIENCE_SECONDS)
    assert page.items
    running.cancel()


class Asked:
    """How often a store was asked for the entries of a match."""

    def __init__(self, events: EventStore, patch: pytest.MonkeyPatch) -> None:
        self.count = 0
        self._load = events.load
        patch.setattr(events, "load", self.load)

    async def load(self, match: MatchId, after: Version = NO_EVENTS) -> Log | None:
        """Count, and ask it."""
        self.count += 1
        return await self._load(match, after)


async def test_waiting_asks_no_store_for_what_this_process_has_written(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is known here already; what another process writes is asked for, and its cursors are none that were lost."""
    match = await table.open()
    queries = table.application.queries
    other = Application(table.application.stores, Settings(bot_pause_ms=0), now_ms=lambda: table.now_ms)
    running = asyncio.create_task(table.application.run())
    anna = await queries.viewer(table.anna, match)
    asked = Asked(table.application.stores.events, monkeypatch)
    with queries.watch(match):
        for application in (table.application, other):
            cursor = (await queries.wait(anna, match, None, 0)).cursor
            player = table.anna if (await table.seen(match)).view.question is not None else table.bert
            question = (await table.seen(match, player)).view.question
            assert question is not None
            await application.queries.view(anna, match)
            waiting = asyncio.create_task(queries.wait(anna, match, cursor, 600_000))
            await asyncio.sleep(0.02)
            before = asked.count
            receipt = await application.matches.play(player, match, question.decision, question.legal[0], "p")
            if player == table.anna:  # of which this process may not have heard yet
                await queries.wait(anna, match, receipt.cursor, 0)
            page = await asyncio.wait_for(waiting, PATIENCE_SECONDS)
            assert page.items
            assert (asked.count == before) is (application is not other)
    running.cancel()


async def test_drain_ends_every_wait(table: Table) -> None:
    """A process that is about to stop wakes all waiting clients."""
    match = await table.open()
    bert = await table.application.queries.viewer(table.bert, match)
    cursor = (await table.application.queries.view(bert, match)).cursor
    waiting = asyncio.create_task(table.application.queries.wait(bert, match, cursor, 600_000))
    await asyncio.sleep(0.02)
    table.application.drain()
    assert not (await asyncio.wait_for(waiting, PATIENCE_SECONDS)).items


async def test_spectator_without_permission_is_refused_once_the_match_runs(table: Table) -> None:
    """Spectators are off by default."""
    match = await table.open()
    stranger = (await table.application.accounts.register(None))[0].id
    with pytest.raises(Forbidden):
        await table.application.queries.viewer(stranger, match)


async def test_unlisted_match_without_spectators_does_not_exist_for_strangers(table: Table) -> None:
    """Callers who may not see it get the same answer as for a match that never existed."""
    match = await table.open(visibility=Visibility.UNLISTED)
    stranger = (await table.application.accounts.register(None))[0].id
    for player in (stranger, None):
        with pytest.raises(NotFound):
            await table.application.queries.summary(player, match)
    with pytest.raises(NotFound):
        await table.application.matches.leave_seat(stranger, match, "k")


async def test_delayed_spectator_sees_what_is_a_minute_old(table: Table) -> None:
    """A delayed spectator cannot help a player at the table."""
    match = await table.open(spectators=Spectators.DELAYED)
    start_ms = table.now_ms
    table.now_ms += 30_000
    await table.step(table.anna, match)
    viewer = await table.application.queries.viewer(None, match)
    table.now_ms = start_ms + 60_000
    page = await table.application.queries.feed(viewer, match, None, 100)
    assert page.items
    assert all(item.at_ms == start_ms for item in page.items)
    assert (await table.application.queries.view(viewer, match)).cursor == page.cursor
    table.now_ms = start_ms + 90_000
    assert (await table.application.queries.feed(viewer, match, page.cursor, 100)).items


async def test_delayed_spectator_cannot_have_a_guess_confirmed(table: Table) -> None:
    """A cursor of what it may not know yet is as unknown as one that never will be, though the feed has been built that far."""
    match = await table.open(spectators=Spectators.DELAYED)
    feed = table.application.feeds.of(
        match, await table.application.repository.load_latest(match), None
    )  # as messages are made of it
    viewer = await table.application.queries.viewer(None, match)
    known = await table.application.queries.feed(viewer, match, None, 100)
    for ahead in feed.items[len(known.items) :]:
        with pytest.raises(CursorUnknown):
            await table.application.queries.feed(viewer, match, ahead.cursor, 100)
        with pytest.raises(CursorUnknown):
            await table.application.queries.view(viewer, match, ahead.cursor)
    table.now_ms += 60_000
    assert (await table.application.queries.feed(viewer, match, feed.items[-1].cursor, 100)).items == ()


async def test_viewer_who_left_the_seat_sees_no_more(table: Table) -> None:
    """The right to look ends with the seat, also for a stream that is already open."""
    match = (await table.application.matches.open(table.anna, NewMatch(game=COUP, seats=2), "k")).match
    await table.application.matches.take_seat(table.bert, match, None, "", "sit")
    bert = await table.application.queries.viewer(table.bert, match)
    await table.application.matches.leave_seat(table.bert, match, "leave")
    with pytest.raises(Forbidden):
        await table.application.queries.feed(bert, match, None, 10)


async def test_bots_finish_a_match_on_their_own(table: Table) -> None:
    """A match of bots alone is played to its end by one call."""
    new = NewMatch(game=COUP, seats=3, seat=None, bots={Seat(n): BOT for n in range(3)}, start=True, spectators=Spectators.PUBLIC)
    match = (await table.application.matches.open(table.anna, new, "k")).match
    await table.application.process_manager.play_bots(match)
    assert (await table.application.queries.summary(None, match)).status is Status.OVER


async def test_deadline_that_has_not_come_changes_nothing(table: Table) -> None:
    """An early job is harmless."""
    match = await table.open(clock=Clock(turn_seconds=10))
    before = await table.application.queries.summary(table.anna, match)
    table.now_ms += 9_999
    await table.application.process_manager.time_out(match)
    assert await table.application.queries.summary(table.anna, match) == before


async def test_absent_players_are_replaced_and_the_match_ends(table: Table) -> None:
    """No player can delay a match indefinitely: after two missed decisions a bot stands in."""
    match = await table.open(clock=Clock(turn_seconds=10, reaction_seconds=10))
    for _ in range(1_000):
        if (await table.application.queries.summary(table.anna, match)).status is Status.OVER:
            break
        table.now_ms += 10_000
        await table.application.process_manager.time_out(match)
        await table.application.process_manager.play_bots(match)
    summary = await table.application.queries.summary(table.anna, match)
    assert summary.status is Status.OVER
    assert all(chair.bot is not None for chair in summary.chairs)


async def test_rematch_agreed_twice_opens_one_match(table: Table) -> None:
    """The rematch keeps the same seats for them, and asking again leads to it, not to a second one."""
    match = await table.open()
    await table.finish(match)
    for key in ("a", "b"):
        await table.application.matches.rematch(table.anna, match, key)
        await table.application.matches.rematch(table.bert, match, key)
    successor = (await table.application.queries.summary(table.anna, match)).rematch
    assert successor is not None
    summary = await table.application.queries.summary(table.anna, successor)
    assert (summary.parent, summary.status) == (match, Status.OPEN)
    assert [(chair.player, chair.reserved) for chair in summary.chairs] == [(None, table.anna), (None, table.bert)]


async def test_player_looks_early_when_a_seat_of_a_delayed_match_is_reserved(table: Table) -> None:
    """Others are late; in a match that everyone may watch at once no one is either."""
    for spectators, early, late in ((Spectators.DELAYED, True, True), (Spectators.PUBLIC, False, False)):
        match = await table.open(spectators.value, spectators=spectators)
        await table.finish(match)
        for player in (table.anna, table.bert):
            await table.application.matches.rematch(player, match, "a")
        successor = (await table.application.queries.summary(table.anna, match)).rematch
        assert successor is not None
        table.now_ms += 60_000
        kept, other = [await table.application.queries.viewer(player, successor) for player in (table.anna, None)]
        assert (kept.early, kept.delayed) == (early, False)
        assert (other.early, other.delayed) == (False, late)


async def test_projection_lists_what_the_logs_say(table: Table) -> None:
    """Rows come from the logs alone, and a rebuild gives the same rows."""
    first = await table.open("one")
    second = await table.open("two", visibility=Visibility.UNLISTED)
    for shard in range(SHARDS):
        await table.application.projector.catch_up(Shard(shard))
    await table.finish(first)
    for shard in range(SHARDS):
        await table.application.projector.catch_up(Shard(shard))
    mine = await table.application.queries.matches_of(table.anna, Listing())
    assert {row.match for row in mine} == {first, second}
    assert [row.match for row in await table.application.queries.lobby(Listing())] == [first]
    for shard in range(SHARDS):
        await table.application.projector.rebuild(Shard(shard))
    assert await table.application.queries.matches_of(table.anna, Listing()) == mine


async def test_your_turn_is_shown_to_its_own_player_alone(table: Table) -> None:
    """A player's list says whether its own seat still has to answer."""
    match = await table.open()
    for shard in range(SHARDS):
        await table.application.projector.catch_up(Shard(shard))
    anna, bert = [(await table.application.queries.matches_of(player, Listing()))[0] for player in (table.anna, table.bert)]
    assert (anna.your_turn, bert.your_turn) == (True, False)
    assert (await table.application.queries.lobby(Listing()))[0].your_turn is None
    assert anna.match == match


async def test_token_revoked_is_refused_at_once(table: Table) -> None:
    """A revoked token is worth nothing."""
    token, text = await table.application.accounts.issue(table.anna, "phone", ("read",), None)
    assert table.application.accounts.at_once(text) is None
    assert (holder := await table.application.accounts.authenticate(text)).scopes == {"read"}
    assert table.application.accounts.at_once(text) == holder
    await table.application.accounts.revoke(table.anna, token.id)
    assert table.application.accounts.at_once(text) is None
    with pytest.raises(Unauthenticated):
        await table.application.accounts.authenticate(text)


async def test_token_past_its_time_is_refused(table: Table) -> None:
    """A token lives as long as it was made for."""
    _, text = await table.application.accounts.issue(table.anna, "short", ("read",), table.now_ms + 10)
    await table.application.accounts.authenticate(text)
    table.now_ms += 10
    assert table.application.accounts.at_once(text) is None
    with pytest.raises(Unauthenticated):
        await table.application.accounts.authenticate(text)


async def test_match_that_never_was_is_not_found(table: Table) -> None:
    """An unknown id is reported as such."""
    with pytest.raises(NotFound):
        await table.application.queries.summary(table.anna, MatchId("m" + "a" * 24))
