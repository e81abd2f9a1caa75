"""Delayed spectators: whatever they ask, nothing that happened since the start shows before its minute has passed."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Mapping
from typing import Any, cast

import pytest

from tafelrunde.api.app import running
from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.service.errors import Forbidden
from tafelrunde.service.features.daily.deals import DailyDeals
from tafelrunde.service.features.inbox.duty import Outbox
from tafelrunde.service.features.inbox.messages import TYPES
from tafelrunde.service.features.ratings.duty import RatingProjector
from tafelrunde.service.matches.spectator_delay import DELAY_MS
from tafelrunde.service.ports.events import SHARDS, Shard
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.table import API, Table
from tests.support.wire import Answer
from tests.whole.hidden.asking import ABOUT, Known, gaps, questions
from tests.whole.hidden.asking import WAYS as ALL_WAYS
from tests.whole.hidden.world import Viewer, World

pytestmark = pytest.mark.anyio

SECOND_MS = 1_000
ALL_SHARDS = [Shard(number) for number in range(SHARDS)]
OUTSIDE = (Viewer("spectator", None, None), Viewer("stranger", None, 2), Viewer("host", None, 3))
Answers = Mapping[tuple[str, int, str], tuple[int, object, bytes]]


class Scene(Table):
    """A delayed match of two players, with a host who only watches and a stranger; all of them have webhooks."""

    seats = 2
    game = "duel"

    def __init__(self) -> None:
        super().__init__(Settings(bot_pause_ms=0, limits=LimitSettings(rate_limits=False)))
        self.match = MatchId("")
        self.players: list[str] = []
        self.tokens: list[str] = []
        self.webhooks: list[str] = []

    async def gather(self, **wishes: Any) -> None:
        """Make all players, open the match and fill its seats."""
        for name in ("Anna", "Ben", "Carla", "Dora"):
            player, token = await self.player(name)
            self.players.append(player)
            self.tokens.append(token)
            hook = {"url": "https://example.com/hook", "events": TYPES}
            self.webhooks.append((await self.post("/webhooks", token, hook)).json["webhook"]["id"])
        self.match = MatchId(await self.open(self.tokens[3], seat=None, spectators="delayed", **wishes))
        for token in self.tokens[:2]:
            assert (await self.post(f"/matches/{self.match}/seats", token)).status == 200

    async def start(self) -> None:
        """Start it."""
        assert (await self.post(f"/matches/{self.match}/start", self.tokens[3])).status == 200

    async def over(self) -> None:
        """Play it to its end, all within a second."""
        await self.finish(self.match, *self.tokens[:2])

    async def follow(self, ms: int = 0) -> None:
        """Let the clock go on, and let lists, log, ratings and messages follow."""
        self.now_ms += ms
        for shard in ALL_SHARDS:
            await self.application.projector.catch_up(shard)
        await self.application.projector.freshen(ALL_SHARDS)
        await self.application.get(DailyDeals).step()  # else the first who asks for the deal of a day enters it into the log
        while await self.application.finalizer.openings() == 0:
            pass
        while await self.application.finalizer.portion() == 0:
            pass
        await self.application.get(RatingProjector).catch_up()
        await self.application.get(Outbox).catch_up()

    def told(self, answer: Answer, operation: str) -> tuple[int, object, bytes]:
        """Return all of an answer that a client can see, but for the time of the question."""
        status, headers, body = told(answer)
        return status, headers, body.replace(b"%d" % self.now_ms, b"now") if operation in TIMED else body

    async def answers(self) -> Answers:
        """Return what every viewer without a seat receives, for every operation of the contract."""
        found: dict[tuple[str, int, str], tuple[int, object, bytes]] = {}
        for viewer in OUTSIDE:
            known = Known(cast("World", self), viewer, random.Random(7))
            token = self.tokens[viewer.place] if viewer.place is not None else None
            for number, question in enumerate(questions(known)):
                if viewer.name == "host" and question.method != "GET":
                    continue  # it may clear seats and abort, and it knows what it has begun
                answer = await super().ask(question.method, API + question.path, token=token, **question.more)
                found[viewer.name, number, question.operation] = self.told(answer, question.operation)
            for number, player in enumerate(self.players):
                found[viewer.name, -number, "getPlayer"] = told(await self.get(f"/players/{player}", token))
        return found


TIMED = {"exportMe", "listMyTurns"}
"""What says when it was asked for."""


def told(answer: Answer) -> tuple[int, object, bytes]:
    """Return all of an answer that a client can see."""
    return answer.status, answer.headers, answer.body


def different(before: Answers, after: Answers) -> set[str]:
    """Return the operations that answer otherwise."""
    assert before.keys() == after.keys()
    return {operation for (viewer, number, operation), found in before.items() if after[viewer, number, operation] != found}


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    """A running service."""
    scene = Scene()
    async with running(scene.app):
        yield scene


def test_every_operation_is_asked_for() -> None:
    """An operation that the contract gains is asked for as well, or this test says what it takes."""
    assert gaps(ALL_WAYS) == []
    assert len(ABOUT) > 30


RUNS = {
    "getMatch",
    "listMatches",
    "listMyMatches",
    "getView",
    "getViews",
    "getFeed",
    "listProofs",
    "listDeliveries",
    "takeSeat",
    "abortMatch",
    "getInbox",
    "invitePlayer",
    "listMatchInvitations",
    "withdrawInvitation",
}
"""What says that a match runs."""
ENDS = {
    "getMatch", "listMatches", "listMyMatches", "getView", "getViews", "getFeed", "listProofs", "getProof",
    "listDeliveries", "abortMatch",
    "getRecord", "getVerification", "askForCoaching", "getCoaching", "openWhatIf",
    "getCheckpoint", "getSignedCheckpoint", "listLogEntries", "getOpeningProof", "getDayProof",
    "getLogProofs", "getLogConsistency", "listLogLeaves", "getLeaderboard", "getPlayer", "listRecords",
    "listMyRecords", "getRatingHistory", "listPlayerMatches", "getTalk", "reportTalk",
}  # fmt: skip
"""What says that it is over, and how it ended."""
QUIET_LATE = {
    "streamFeed",
    "streamInbox",
    "giveCommand",
    "getDelivery",
    "getHint",
    "agreeRematch",
    "leaveSeat",
    "clearSeat",
    "seatBot",
    "passHost",
    "listVacations",
    "say",
    "streamTalk",
}
"""What would be late too, if it said anything to those who have no seat: refusals that are always the same, the stream of
the inbox, which has what its pages have, and that of the feed, whose delay `tests/api/http/test_sse.py` sees to."""
NOT_LATE: Mapping[str, str] = {
    **dict.fromkeys(
        ("listGames", "getGame", "getRules", "getLesson", "getDaily", "getDailyRanking", "getPuzzle", "answerPuzzle",
         "getOpenapi", "getAsyncapi", "getDocs", "getOembed", "getLiveness", "getProgram",
         "getSigningKeys", "listCosignatures", "addCosignature", "getToday", "getTalkPhrases", "getPushKey", "listQuickMatches"),
        "about no match",
    ),
    **dict.fromkeys(
        ("changeProfile", "exportMe", "listFollowed", "followPlayer", "unfollowPlayer", "listBlocked", "blockPlayer",
         "unblockPlayer", "listMuted", "mutePlayer", "unmutePlayer", "createDeviceCode", "dropDeviceCodes", "redeemDeviceCode",
         "getNotices", "chooseNotices", "setNoticeMail", "deleteNoticeMail", "confirmNoticeMail", "addNoticeBrowser",
         "removeNoticeBrowser", "getVacation", "beginVacation", "endVacation", "listApplications", "revokeApplication",
         "registerApplication", "getAuthorization", "decideAuthorization", "exchangeToken", "endAuthorization",
         "listPasskeys", "preparePasskey", "addPasskey", "renamePasskey", "removePasskey", "preparePasskeySignIn",
         "signInByPasskey", "getOpenid", "beginOpenidSignIn", "finishOpenidSignIn", "getOpenidLink", "beginOpenidLink",
         "finishOpenidLink", "unlinkOpenid"),
        "the caller's own account",
    ),
    **dict.fromkeys(
        ("listMyTurns", "listRecentPlayers", "listInvitations", "declineInvitation", "seekQuickMatch"),
        "the caller's own seats, and invitations to open matches",
    ),
    **dict.fromkeys(
        ("listTournaments", "listMyTournaments", "openTournament", "getTournament", "getTournamentRound", "joinTournament",
         "leaveTournament", "startTournament", "cancelTournament"),
        "about tournaments, to none of which the match belongs",
    ),
    **dict.fromkeys(("getReadiness", "getMetrics"), "figures of the processes, for operators: they count at once"),
    **dict.fromkeys(
        ("createPlayer", "getMe", "renameMe", "deleteMe", "listTokens", "createToken", "revokeToken", "declareProgram",
         "revokeProgram"), "the caller's own account"
    ),
    **dict.fromkeys(
        (
            "createWebhook", "listWebhooks", "getWebhook", "changeWebhook", "deleteWebhook", "rotateWebhookSecret", "pingWebhook",
            "redeliver",
        ),
        "the caller's own receiver; what it is sent is late",
    ),
    **dict.fromkeys(("openMatch", "openLesson", "openDaily", "startMatch"), "the caller does it"),
    **dict.fromkeys(("createSeatToken", "seatUser"), "for those who sit there, and for their application"),
    **dict.fromkeys(("voidMatch", "adjudicateMatch", "listReports", "endApplication"), "for operators"),
    **dict.fromkeys(("createModerationAct", "liftModerationAct", "listModerationActs"), "for operators"),
    "listMyModerationActs": "what operators have decided about the caller, and nothing of matches",
}  # fmt: skip
"""What is not late, and why that reveals nothing."""


def test_every_operation_is_late_or_says_why_not() -> None:
    """An operation that the contract gains takes a side here, and in docs/streams.md if it is not late."""
    late = RUNS | ENDS | QUIET_LATE
    assert late.isdisjoint(NOT_LATE)
    assert late | NOT_LATE.keys() == {way.operation for way in ALL_WAYS}


async def test_nothing_shows_within_the_minute_when_a_match_starts_and_ends(scene: Scene) -> None:
    """Facts, lists, views, feeds, proofs, log, boards, messages and refusals stay as they were before the start."""
    await scene.gather()
    await scene.follow(2 * DELAY_MS)
    before = await scene.answers()
    await scene.start()
    await scene.follow()
    assert different(before, await scene.answers()) == set()
    await scene.play(scene.match, scene.tokens[0])
    await scene.play(scene.match, scene.tokens[1])
    await scene.follow(SECOND_MS)
    assert different(before, await scene.answers()) == set()
    await scene.over()
    await scene.follow(DELAY_MS - SECOND_MS - 1)
    assert different(before, await scene.answers()) == set()
    await scene.follow(2 * SECOND_MS)
    changed = different(before, await scene.answers())
    assert changed == RUNS | ENDS


async def test_nothing_shows_within_the_minute_when_a_match_is_played_at_once(scene: Scene) -> None:
    """A match that starts as it is opened is shown as open for a minute, with all players on their seats."""
    (_, token), (_, other) = await scene.player(), await scene.player()
    wishes = {"spectators": "delayed", "start": True, "bots": [{"seat": 1, "bot": "random"}]}
    match = await scene.open(token, **wishes)
    await scene.follow()
    for asker in (None, other):
        facts = (await scene.get(f"/matches/{match}", asker)).json
        view = await scene.view(match, asker)
        listed = (await scene.get("/matches?status=open", asker)).json["items"]
        assert (facts["status"], facts["decision"], view["status"], view["table"]) == ("open", None, "open", None)
        assert [each["match"] for each in listed] == [match]
        assert {**listed[0], "your_turn": None} == {**facts, "your_turn": None}
        assert all(chair["player"] or chair["bot"] for chair in view["chairs"])
        feed = (await scene.get(f"/matches/{match}/feed", asker)).json
        assert (feed["cursor"], feed["more"], feed["ended"]) == (view["cursor"], False, False)
        assert [item["event"]["type"] for item in feed["items"]] == [
            "match.opened.1",
            "match.draws-keyed.1",
            "match.seat-taken.1",
            "match.bot-seated.1",
        ]
    assert (await scene.get("/matches?status=running")).json["items"] == []
    await scene.follow(DELAY_MS)
    assert (await scene.get(f"/matches/{match}")).json["status"] == "running"
    assert [each["match"] for each in (await scene.get("/matches?status=running")).json["items"]] == [match]
    assert (await scene.get("/matches?status=open")).json["items"] == []


async def test_nothing_shows_within_the_minute_when_a_finished_match_goes_on(scene: Scene) -> None:
    """A rematch, with its place in the lists, and a correction are late; what is public already stays available."""
    await scene.gather()
    await scene.start()
    await scene.over()
    await scene.follow(2 * DELAY_MS)
    await scene.answers()  # a what-if is allowed now; from here on it is a repetition
    await scene.follow(SECOND_MS)
    before = await scene.answers()
    assert {before[key][0] for key in before if key[2] == "getRecord"} == {200}
    for token in scene.tokens[:2]:
        assert (await scene.post(f"/matches/{scene.match}/rematch", token)).status == 200
    operator = (await scene.application.accounts.issue(PlayerId(scene.players[0]), "operator", ["admin"], None))[1]
    assert (await scene.post(f"/matches/{scene.match}/void", operator, {"reason": "a test"})).status == 200
    await scene.follow(SECOND_MS)
    assert different(before, await scene.answers()) == set()
    rematch = (await scene.get(f"/matches/{scene.match}", scene.tokens[0])).json["rematch"]
    for asker in (None, scene.tokens[2]):
        for path in ("", "/view", "/feed", "/proofs"):
            assert (await scene.get(f"/matches/{rematch}{path}", asker)).status == 404
    await scene.follow(DELAY_MS)
    changed = different(before, await scene.answers())
    assert changed >= {"getMatch", "listMatches", "getRecord", "getLogProofs", "getLeaderboard", "listDeliveries"}
    assert (await scene.get(f"/matches/{rematch}")).status == 200


async def test_rematch_is_known_at_once_to_whom_a_seat_is_reserved_there(scene: Scene) -> None:
    """Otherwise they could not sit down in the first minute. Who loses the reservation is a spectator again."""
    await scene.gather()
    await scene.start()
    await scene.over()
    rematch = await scene.agree_rematch(scene.match, *scene.tokens[:2])
    await scene.project(rematch)
    for token in scene.tokens[:2]:
        for path in ("", "/view", "/feed"):
            assert (await scene.get(f"/matches/{rematch}{path}", token)).status == 200
        assert rematch in [each["match"] for each in (await scene.get("/me/matches", token)).json["items"]]
    watching = await scene.application.queries.viewer(PlayerId(scene.players[1]), MatchId(rematch))
    assert (await scene.post(f"/matches/{rematch}/seats", scene.tokens[0])).status == 200
    bot = {"bot": "steady"}
    given = await scene.ask("PUT", f"/api/v1/matches/{rematch}/seats/1/bot", token=scene.tokens[3], content=bot, key=scene.key())
    assert given.status == 200
    assert (await scene.get(f"/matches/{rematch}/view", scene.tokens[1])).status == 404
    with pytest.raises(Forbidden):
        await scene.application.queries.feed(watching, MatchId(rematch), None, 10)


async def test_players_know_everything_at_once(scene: Scene) -> None:
    """Seated players see facts, their own list and the result as they are, and receive messages at once."""
    await scene.gather()
    await scene.start()
    await scene.over()
    await scene.follow()
    for token, webhook in zip(scene.tokens[:2], scene.webhooks[:2], strict=True):
        assert (await scene.get(f"/matches/{scene.match}", token)).json["status"] == "over"
        assert [each["status"] for each in (await scene.get("/me/matches?status=over", token)).json["items"]] == ["over"]
        assert (await scene.get("/me/matches?status=open", token)).json["items"] == []
        assert (await scene.get(f"/matches/{scene.match}/record", token)).status == 200
        sent = (await scene.get(f"/webhooks/{webhook}/deliveries", token)).json["items"]
        assert "match.ended" in {each["type"] for each in sent}


async def test_host_without_a_seat_is_a_spectator(scene: Scene) -> None:
    """It finds its match in its list as the public knows it, and its messages are sent a minute late."""
    await scene.gather()
    await scene.start()
    await scene.over()
    await scene.follow()
    token, webhook = scene.tokens[3], scene.webhooks[3]
    assert [each["status"] for each in (await scene.get("/me/matches", token)).json["items"]] == ["open"]
    assert (await scene.get("/me/matches?status=over", token)).json["items"] == []
    sent = (await scene.get(f"/webhooks/{webhook}/deliveries", token)).json["items"]
    assert {each["type"] for each in sent} <= {"match.created", "match.seat-changed"}
    await scene.follow(DELAY_MS)
    assert [each["status"] for each in (await scene.get("/me/matches?status=over", token)).json["items"]] == ["over"]
    sent = (await scene.get(f"/webhooks/{webhook}/deliveries", token)).json["items"]
    assert "match.ended" in {each["type"] for each in sent}


@pytest.mark.parametrize("known_ms", [0, 2 * DELAY_MS])
async def test_host_is_refused_for_what_it_knows_when_a_match_has_ended(scene: Scene, known_ms: int) -> None:
    """A host without a seat cannot find out by commands that are refused: whether it knows the start or not even that."""
    await scene.gather()
    await scene.start()
    await scene.follow(known_ms)
    acts = (
        "POST /abort",
        "POST /start",
        "POST /rematch",
        "DELETE /seats/0",
        "PUT /seats/0/bot",
        "POST /seats",
        "DELETE /seats/me",
    )

    async def refusals() -> list[tuple[int, object, bytes]]:
        found: list[tuple[int, object, bytes]] = []
        for act in acts:
            method, _, path = act.partition(" ")
            more = {"content": {"bot": "random"}} if method == "PUT" else {}
            answer = await scene.ask(method, f"{API}/matches/{scene.match}{path}", token=scene.tokens[3], key=scene.key(), **more)
            assert answer.status >= 400, act
            found.append(told(answer))
        return found

    before = await refusals()
    await scene.over()
    await scene.follow()
    assert await refusals() == before
    await scene.follow(DELAY_MS)
    assert (await refusals() != before) == (known_ms == 0)  # then it knows of the start; the end alone changes no refusal


async def test_view_never_runs_ahead_of_the_feed_when_time_goes_on(scene: Scene) -> None:
    """View, feed, facts and list stand at the same item, which is as old as the delay says, at every moment."""
    await scene.gather(options={"cards": 4})
    rng = random.Random(5)
    cursors = set[str]()
    await scene.start()
    for _ in range(40):
        token = rng.choice(scene.tokens[:2])
        if (await scene.view(scene.match, token))["question"] is not None:
            await scene.play(scene.match, token)
        await scene.follow(rng.randrange(1, 9_000))
        for asker in (None, scene.tokens[2], scene.tokens[3]):
            view = await scene.view(scene.match, asker)
            facts = (await scene.get(f"/matches/{scene.match}", asker)).json
            feed = (await scene.get(f"/matches/{scene.match}/feed?limit=500", asker)).json
            listed = {each["match"]: each for each in (await scene.get("/matches?limit=50", asker)).json["items"]}[scene.match]
            assert (view["cursor"], view["status"]) == (feed["cursor"], facts["status"])
            assert feed["ended"] == (view["status"] == "over")
            assert facts["updated_ms"] == feed["items"][-1]["at_ms"]
            assert {**listed, "your_turn": None} == {**facts, "your_turn": None}
            if facts["status"] != "open":
                assert scene.now_ms - facts["updated_ms"] >= DELAY_MS
            cursors.add(view["cursor"])
    assert len(cursors) >= 9
