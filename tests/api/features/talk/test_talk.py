"""Talk: each room is heard by those who may hear it, in order, and by no one else while the match runs."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import msgspec
import pytest

from tafelrunde.api.features.talk import stream
from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.service.environment import read_settings
from tafelrunde.service.features.talk.duty import DAY_MS, PAUSE_SECONDS, TalkSweep
from tafelrunde.service.features.talk.feature import LINES
from tafelrunde.service.features.talk.phrases import PHRASES, REACTIONS
from tafelrunde.service.features.talk.port import MOST_REPORTS, MatchRoom, Room
from tafelrunde.service.features.talk.rooms import TalkMode
from tafelrunde.service.features.talk.settings import TalkSettings
from tafelrunde.service.matches.spectator_delay import DELAY_MS
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.table import API, NOW_MS, PLAIN, Table, opened
from tests.support.wire import Answer

pytestmark = pytest.mark.anyio


async def say(table: Table, match: str, token: str, text: str, **more: Any) -> Any:
    """Say a text, and return the line."""
    answer = await table.post(f"/matches/{match}/talk", token, {"text": text}, **more)
    assert answer.status == 200, answer
    return answer.json


async def heard(table: Table, match: str, token: str | None = None, **query: Any) -> list[str]:
    """Return what is heard in a room, each line with its number."""
    answer = await table.get(f"/matches/{match}/talk?{'&'.join(f'{name}={each}' for name, each in query.items())}", token)
    assert answer.status == 200, answer
    return [f"{each['n']} {each['text'] or each['phrase'] or each['reaction']}" for each in answer.json["items"]]


def kind(answer: Answer) -> tuple[int, str]:
    """Return the status and the type of a problem."""
    return answer.status, answer.json["type"].removeprefix("urn:tafelrunde:problem:")


async def trio(table: Table) -> tuple[str, str, str]:
    """Return the tokens of three players."""
    one, other, third = [(await table.player(name))[1] for name in ("Anna", "Bert", "Cleo")]
    return one, other, third


async def test_what_can_be_said_is_listed(table: Table) -> None:
    """With its texts, for everyone."""
    sheet = (await table.get("/talk/phrases")).json
    assert (sheet["mode"], sheet["longest"]) == ("all", 280)
    assert {each["id"]: each["text"]["de"] for each in sheet["phrases"]} == {name: each.de for name, each in PHRASES.items()}
    assert {each["id"]: each["text"]["en"] for each in sheet["reactions"]} == {name: each.en for name, each in REACTIONS.items()}


async def test_players_talk_before_during_and_after_a_match(table: Table) -> None:
    """In one sequence, each with the seat that it has then; guests like all others."""
    _, one = await table.player("Anna")
    guest_id, guest = await table.player()
    match = await table.open(one)
    await say(table, match, one, "Who joins?")
    avatar = (await table.get(f"/players/{guest_id}")).json["avatar"]
    await table.post(f"/matches/{match}/seats", guest)
    told = (await table.post(f"/matches/{match}/talk", guest, {"phrase": "hello"})).json
    assert told == {
        "n": 2,
        "at_ms": NOW_MS,
        "room": "table",
        "author": {"player": guest_id, "name": "Guest", "guest": True, "seat": 1, "avatar": avatar},
        "kind": "phrase",
        "phrase": "hello",
        "reaction": None,
        "text": None,
        "hides": None,
    }
    await table.post(f"/matches/{match}/start", one)
    await table.post(f"/matches/{match}/talk", one, {"reaction": "smile"})
    await table.finish(match, one, guest)
    await say(table, match, guest, "Good game")
    expected = ["1 Who joins?", "2 hello", "3 smile", "4 Good game"]
    assert await heard(table, match, one) == await heard(table, match, guest, room="table") == expected
    assert await heard(table, match, one, after=2, limit=1) == ["3 smile"]


async def test_rooms_are_apart_until_the_match_is_over(table: Table) -> None:
    """Players hear the table alone, all others the stands; afterwards both are open to all who may see the match."""
    one, other, third = await trio(table)
    match = await table.open(one, spectators="public")
    await say(table, match, third, "from the stands")
    await say(table, match, one, "at the table")
    for begin in (False, True):
        if begin:
            await table.post(f"/matches/{match}/seats", other)
            await table.post(f"/matches/{match}/start", one)
        for token, own, closed in ((one, "table", "stands"), (third, "stands", "table"), (None, "stands", "table")):
            assert await heard(table, match, token) == await heard(table, match, token, room=own)
            for path in (f"talk?room={closed}", f"talk/stream?room={closed}"):
                assert kind(await table.get(f"/matches/{match}/{path}", token)) == (403, "talk-apart")
        for token, room in ((one, "stands"), (third, "table")):
            content = {"room": room, "n": 1, "reason": "spam"}
            assert kind(await table.post(f"/matches/{match}/talk/reports", token, content)) == (403, "talk-apart")
    await table.finish(match, one, other)
    for token in (one, other, third, None):
        assert await heard(table, match, token, room="table") == ["1 at the table"]
        assert await heard(table, match, token, room="stands") == ["1 from the stands"]
    assert (await say(table, match, one, "thanks"))["room"] == "table"
    assert (await say(table, match, third, "thanks"))["room"] == "stands"


async def test_table_stays_closed_to_delayed_spectators_until_they_know_the_end(table: Table) -> None:
    """A minute longer than for the players, who hear the stands at once."""
    one, other, third = await trio(table)
    match = await table.begin(one, other, spectators="delayed")
    await say(table, match, one, "I have the ten")
    await say(table, match, third, "Who wins?")
    await table.finish(match, one, other)
    assert await heard(table, match, one, room="stands") == ["1 Who wins?"]
    assert kind(await table.get(f"/matches/{match}/talk?room=table", third)) == (403, "talk-apart")
    table.now_ms += DELAY_MS
    assert await heard(table, match, third, room="table") == ["1 I have the ten"]


async def test_stands_are_closed_where_spectators_are_off(table: Table) -> None:
    """As the match is; one that is none of a stranger's business is not there for talk, either."""
    one, other, third = await trio(table)
    match = await table.begin(one, other)
    assert kind(await table.get(f"/matches/{match}/talk", third)) == (403, "spectators-off")
    assert kind(await table.post(f"/matches/{match}/talk", third, {"phrase": "hello"})) == (403, "spectators-off")
    hidden = await table.begin(one, other, visibility="unlisted")
    assert kind(await table.get(f"/matches/{hidden}/talk", third)) == (404, "not-found")
    assert kind(await table.get("/matches/m" + "a" * 24 + "/talk", one)) == (404, "not-found")


async def test_spectators_cannot_tell_whether_the_table_talks() -> None:
    """Two worlds, in one of which players talk: all that spectators get is the same, byte for byte, and so is the log."""
    answers: list[list[Any]] = []
    for talks in (False, True):
        got: list[Any] = []
        async with opened(stores=msgspec.structs.replace(memory_stores(), id_key=bytes(32))) as table:
            one, other, third = await trio(table)
            match = await table.open(one, spectators="public")
            here = f"/matches/{match}"
            await table.post(f"{here}/seats", other)
            await say(table, match, third, "hello")
            async with table.listen(f"{API}{here}/talk/stream") as ear:
                await ear.begin()
                await ear.hear(b'"text":"hello"')
                waiting = asyncio.ensure_future(table.get(f"{here}/talk?after=1&wait=30"))
                for number in range(6):
                    if number == 3:
                        await table.post(f"{here}/start", one)
                    if talks:
                        await say(table, match, one, f"secret {number}")
                        await table.post(f"{here}/talk", other, {"reaction": "smile"})
                        await table.application.get(TalkSweep).step()
                    for path in ("talk", "talk?after=1", "talk?after=2", "talk?room=table", "talk/stream?room=table", ""):
                        for token in (third, None):
                            answer = await table.get(f"{here}/{path}".rstrip("/"), token)
                            got.append((number, path, answer.status, scrubbed(answer.body, match)))
                    got.append(len((await table.get(f"{here}/feed")).json["items"]))
                    for n in (1, 2):
                        content = {"room": "table", "n": n, "reason": "spam"}
                        got.append(kind(await table.post(f"{here}/talk/reports", third, content)))
                assert not waiting.done()
                await say(table, match, third, "still there")
                got.append(scrubbed((await waiting).body, match))
                got.append(scrubbed(await ear.hear(b"still there"), match))
        answers.append(got)
    assert answers[0] == answers[1]


def scrubbed(body: bytes, match: str) -> bytes:
    """Return an answer without what is drawn by chance in each world."""
    ids = re.sub(rb"p[0-9a-f]{26}", b"p", body.replace(match.encode(), b"m"))
    return re.sub(rb"[0-9a-f]{8,}|\"avatar\":{[^}]*}", b"-", ids)


async def test_nothing_of_talk_is_in_the_log_of_a_match(table: Table) -> None:
    """It has as many events as before, and no feed moves."""
    one, other, _ = await trio(table)
    match = await table.begin(one, other)
    before = (await table.get(f"/matches/{match}/feed", one)).json
    version = (await table.application.repository.load_latest(MatchId(match))).version
    await say(table, match, one, "well, well")
    assert (await table.application.repository.load_latest(MatchId(match))).version == version
    assert (await table.get(f"/matches/{match}/feed", one)).json == before


async def test_player_for_whom_a_seat_is_kept_is_at_the_table(table: Table) -> None:
    """As after a rematch was agreed: before it has sat down."""
    one, other, third = await trio(table)
    match = await table.begin(one, other)
    await table.finish(match, one, other)
    successor = await table.agree_rematch(match, one, other)
    assert (await say(table, successor, other, "coming"))["author"]["seat"] is None
    assert await heard(table, successor, one) == ["1 coming"]
    assert await heard(table, successor, third) == []


async def test_seat_token_talks_for_its_seat(table: Table) -> None:
    """In its own match alone; muting is the player's."""
    one, other, _ = await trio(table)
    match, elsewhere = await table.begin(one, other), await table.begin(one, other)
    seat = (await table.post(f"/matches/{match}/seats/0/tokens", one)).json["text"]
    assert (await say(table, match, seat, "from a frame"))["author"]["seat"] == 0
    assert await heard(table, match, seat) == ["1 from a frame"]
    assert kind(await table.post(f"/matches/{elsewhere}/talk", seat, {"phrase": "hello"})) == (403, "scope-missing")
    assert kind(await table.get("/me/muted", seat)) == (403, "scope-missing")


async def test_what_cannot_be_said_is_refused(table: Table) -> None:
    """Nothing, two things at once, what is not ready, what cannot be seen; and programs do not talk."""
    one, other, _ = await trio(table)
    match = await table.begin(one, other)
    program = (await table.post("/players", content={"name": "Deep", "bot": True})).json["text"]
    mine = await table.open(program)
    wrong: tuple[dict[str, str], ...] = (
        {},
        {"phrase": "hello", "text": "hello"},
        {"phrase": "smile"},
        {"reaction": "hello"},
        {"text": "\u200b"},
        {"text": "\ufb2c" * 280},
    )
    for content in wrong:
        assert kind(await table.post(f"/matches/{match}/talk", one, content)) == (422, "talk-refused")
    assert kind(await table.post(f"/matches/{mine}/talk", program, {"phrase": "hello"})) == (422, "talk-refused")
    for malformed in ({"text": ""}, {"text": "a" * 281}, {"phrase": "Hello"}, {"say": "x"}):
        assert kind(await table.post(f"/matches/{match}/talk", one, malformed)) == (400, "invalid-request")
    assert await heard(table, match, one) == []


async def test_line_is_said_once_when_its_request_is_repeated(table: Table) -> None:
    """With the same key: also many at once, and if the answer was lost before it was kept."""
    one, other, _ = await trio(table)
    match = await table.begin(one, other)
    asked = [table.post(f"/matches/{match}/talk", one, {"text": "once"}, key="k") for _ in range(5)]
    assert len({answer.body for answer in await asyncio.gather(*asked)}) == 1
    assert kind(await table.post(f"/matches/{match}/talk", one, {"text": "twice"}, key="k")) == (422, "key-reused")
    assert await heard(table, match, one) == ["1 once"]


async def test_lines_of_all_who_talk_at_once_are_there() -> None:
    """Through two processes, each once and in one order for all."""
    stores = memory_stores()
    async with opened(stores=stores) as table, opened(stores=stores) as another:
        one, other, _ = await trio(table)
        match = await table.begin(one, other)
        wishes = [(each, token) for each in (table, another) for token in (one, other) for _ in range(5)]
        asked = [
            each.post(f"/matches/{match}/talk", token, {"text": f"line {number}"}, key=f"at once {number}".replace(" ", "-"))
            for number, (each, token) in enumerate(wishes)
        ]
        lines = [answer.json for answer in await asyncio.gather(*asked)]
        assert sorted(line["n"] for line in lines) == list(range(1, 21))
        expected = [f"{line['n']} {line['text']}" for line in sorted(lines, key=lambda line: line["n"])]
        assert await heard(table, match, one) == await heard(another, match, other) == expected


async def test_muted_player_is_not_heard(table: Table) -> None:
    """By who has muted it, in any match, until it is heard again; all others hear it, and it does not know."""
    one, other, third = await trio(table)
    me, them = [(await table.get("/me", token)).json["id"] for token in (one, other)]
    match = await table.begin(one, other, seats=2)
    await say(table, match, other, "nonsense")
    await say(table, match, one, "please")
    muted = await table.ask("PUT", f"{API}/me/muted/{them}", token=one)
    assert muted.json == {"items": [{"player": them, "name": "Bert", "guest": False}]}
    await table.ask("PUT", f"{API}/me/muted/{me}", token=one)
    await say(table, match, other, "more")
    assert await heard(table, match, one) == ["2 please"]
    assert await heard(table, match, other) == ["1 nonsense", "2 please", "3 more"]
    page = (await table.get(f"/matches/{match}/talk?after=2", one)).json
    assert (page["items"], page["cursor"], page["more"]) == ([], 3, False)
    again = await table.ask("DELETE", f"{API}/me/muted/{them}", token=one)
    assert [each["name"] for each in again.json["items"]] == ["Anna"]
    assert await heard(table, match, one, limit=2) == ["1 nonsense", "2 please"]
    assert kind(await table.ask("PUT", f"{API}/me/muted/p" + "0" * 26, token=one)) == (404, "not-found")
    assert (await table.get("/me/muted", third)).json == {"items": []}


async def test_page_goes_on_behind_lines_that_are_hidden(table: Table) -> None:
    """As many lines as asked for, with the muted ones passed over."""
    one, other, _ = await trio(table)
    match = await table.begin(one, other)
    for number in range(150):
        await say(table, match, other if number % 50 else one, f"{number}")
    await table.ask("PUT", f"{API}/me/muted/{(await table.get('/me', other)).json['id']}", token=one)
    assert await heard(table, match, one, limit=2) == ["1 0", "51 50"]
    page = (await table.get(f"/matches/{match}/talk?limit=2", one)).json
    assert page["more"]
    assert await heard(table, match, one, after=page["cursor"]) == ["101 100"]


async def test_blocked_player_is_not_heard_and_does_not_see_it(table: Table) -> None:
    """The one who has blocked it does not hear it; it goes on hearing everyone, as all others do, so nothing shows the block."""
    one, other, third = await trio(table)
    them = (await table.get("/me", other)).json["id"]
    assert (await table.ask("PUT", f"{API}/me/blocked/{them}", token=one)).status < 300
    match = await table.open(one, seats=3)
    for token in (other, third):
        await table.post(f"/matches/{match}/seats", token)
    for token, text in ((one, "a"), (other, "b"), (third, "c")):
        await say(table, match, token, text)
    assert await heard(table, match, one) == ["1 a", "3 c"]
    assert await heard(table, match, other) == ["1 a", "2 b", "3 c"]
    assert await heard(table, match, third) == ["1 a", "2 b", "3 c"]


async def test_guests_at_an_address_share_what_they_may_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new guest has a budget of its own, but not one for the address that it talks from."""
    monkeypatch.setattr("tafelrunde.service.players.quota_table.ADDRESS_SHARES", 2)
    async with opened(Settings(limits=LimitSettings(), features=(TalkSettings(talk_per_minute=1),))) as table:
        one, other, third = await trio(table)
        match = await table.open(one, seats=3)
        for token in (other, third):
            await table.post(f"/matches/{match}/seats", token)
        told = [await table.post(f"/matches/{match}/talk", each, {"phrase": "hello"}) for each in (one, other, third)]
        assert [each.status for each in told] == [200, 200, 429]


async def test_report_reaches_the_operator_with_what_was_said(table: Table) -> None:
    """And no one else; the second one of a line takes the place of the first."""
    one, other, _ = await trio(table)
    admin = await table.operator()
    match = await table.begin(one, other)
    await say(table, match, other, "an insult")
    content = {"room": "table", "n": 1, "reason": "other"}
    await table.post(f"/matches/{match}/talk/reports", one, content)
    receipt = (await table.post(f"/matches/{match}/talk/reports", one, {**content, "reason": "insult"})).json
    assert (receipt["reason"], receipt["n"]) == ("insult", 1)
    assert kind(await table.post(f"/matches/{match}/talk/reports", one, {**content, "n": 2})) == (404, "not-found")
    assert kind(await table.get("/reports", one)) == (403, "scope-missing")
    page = (await table.get("/reports", admin)).json
    assert page["cursor"] is None
    assert [(each["said"], each["author_name"], each["reporter_name"]) for each in page["items"]] == [
        ("an insult", "Bert", "Anna")
    ]
    await say(table, match, other, "another")
    await table.post(f"/matches/{match}/talk/reports", one, {**content, "n": 2})
    page = (await table.get("/reports?limit=1", admin)).json
    assert [each["said"] for each in page["items"]] == ["another"]
    rest = (await table.get(f"/reports?limit=1&after={page['cursor']}", admin)).json
    assert [each["said"] for each in rest["items"]] == ["an insult"]
    assert (await table.get(f"/reports?after={MOST_REPORTS}", admin)).json == {"items": [], "cursor": None}


async def test_player_who_says_too_much_has_to_wait() -> None:
    """As the settings say, in all matches together; a report has a budget of its own."""
    settings = Settings(limits=LimitSettings(), features=(TalkSettings(talk_per_minute=3, reports_per_hour=1),))
    async with opened(settings) as table:
        one, other, _ = await trio(table)
        match, second = await table.begin(one, other), await table.begin(one, other)
        for each in (match, second, match):
            await say(table, each, one, "hello")
        refused = await table.post(f"/matches/{match}/talk", one, {"text": "hello"})
        assert kind(refused) == (429, "too-many-requests")
        assert refused.json["detail"] == "talk: 3 a minute"
        wait = int(refused.header("retry-after") or 0)
        assert 0 < wait <= 20
        await say(table, match, other, "hello")
        table.now_ms += 1_000 * wait
        await say(table, match, one, "hello")
        content = {"room": "table", "n": 1, "reason": "spam"}
        assert (await table.post(f"/matches/{match}/talk/reports", other, content)).status == 200
        refused = await table.post(f"/matches/{match}/talk/reports", other, {**content, "n": 2})
        assert (kind(refused), refused.json["detail"]) == ((429, "too-many-requests"), "reports: 1 an hour")


@pytest.mark.parametrize("mode", TalkMode)
async def test_operator_decides_what_may_be_said(mode: TalkMode) -> None:
    """Nothing, what is ready, or anything."""
    async with opened(msgspec.structs.replace(PLAIN, features=(TalkSettings(talk=mode),))) as table:
        one, other, _ = await trio(table)
        match = await table.begin(one, other)
        assert (await table.get("/talk/phrases")).json["mode"] == mode.value
        answers = [
            await table.post(f"/matches/{match}/talk", one, content)
            for content in ({"phrase": "hello"}, {"reaction": "smile"}, {"text": "hello"})
        ]
        may = {TalkMode.OFF: 0, TalkMode.PHRASES: 2, TalkMode.ALL: 3}[mode]
        assert [answer.status for answer in answers] == [200] * may + [403] * (3 - may)
        assert {kind(answer)[1] for answer in answers[may:]} <= {"talk-off"}
        listened = await table.get(f"/matches/{match}/talk", one)
        assert listened.status == (403 if mode is TalkMode.OFF else 200)


async def test_talk_is_gone_some_days_after_its_match() -> None:
    """And its reports are; what is said of a match that goes on stays as long as it does."""
    settings = read_settings({"TAFELRUNDE_TALK_DAYS": "2", "TAFELRUNDE_RATE_LIMITS": "false"})
    async with opened(settings) as table:
        one, other, _ = await trio(table)
        match, lasting = await table.begin(one, other), await table.begin(one, other)
        for each in (match, lasting):
            await say(table, each, one, "hello")
        await table.post(f"/matches/{match}/talk/reports", other, {"room": "table", "n": 1, "reason": "spam"})
        sweep = table.application.get(TalkSweep)
        assert await sweep.step() == PAUSE_SECONDS
        await table.finish(match, one, other)
        table.now_ms += DAY_MS
        await sweep.step()
        table.now_ms += 2 * DAY_MS - 1
        await sweep.step()
        assert await heard(table, match, one) == ["1 hello"]
        table.now_ms += 1
        await sweep.step()
        assert await heard(table, match, one) == []
        assert await heard(table, lasting, one) == ["1 hello"]
        assert (await table.get("/reports", await table.operator())).json["items"] == []


async def test_player_gets_all_that_it_has_said(table: Table) -> None:
    """With whom it has muted and what it has reported, and nothing that others have."""
    one, other, _ = await trio(table)
    match = await table.begin(one, other)
    await say(table, match, one, "mine")
    await say(table, match, other, "theirs")
    them = (await table.get("/me", other)).json["id"]
    await table.ask("PUT", f"{API}/me/muted/{them}", token=one)
    await table.post(f"/matches/{match}/talk/reports", one, {"room": "table", "n": 2, "reason": "spam"})
    assert (await table.get("/me/export", one)).json["features"]["talk"] == {
        "lines": [{"match": match, "room": "table", "n": 1, "at_ms": NOW_MS, "kind": "text", "said": "mine"}],
        "muted": [them],
        "reported": [{"match": match, "room": "table", "n": 2, "at_ms": NOW_MS, "reason": "spam"}],
    }


async def test_lines_of_a_deleted_player_are_gone(table: Table) -> None:
    """With their texts and reports; others' stay, and so does the proof of the match."""
    one, other, third = await trio(table)
    match = await table.begin(one, other)
    for token, text in ((one, "a"), (other, "b"), (one, "c")):
        await say(table, match, token, text)
    await table.post(f"/matches/{match}/talk/reports", one, {"room": "table", "n": 2, "reason": "spam"})
    player = PlayerId((await table.get("/me", other)).json["id"])
    await table.ask("PUT", f"{API}/me/muted/{player}", token=third)
    await table.application.erasure.forget(player)
    assert await heard(table, match, one) == ["1 a", "3 c"]
    stored = await LINES.of(table.application.stores).read(MatchRoom(MatchId(match), Room.TABLE), 0, 10)
    assert [line.said for _, line in stored.found] == ["a", "c"]
    assert (await table.get("/reports", await table.operator())).json["items"] == []
    assert (await table.get("/me/muted", third)).json["items"] == []


async def test_long_poll_of_talk_waits_for_the_first_line(table: Table) -> None:
    """Also of what another process has written; a muted one's line does not end it."""
    one, other, third = await trio(table)
    match = await table.open(one, seats=3)
    for token in (other, third):
        await table.post(f"/matches/{match}/seats", token)
    await table.ask("PUT", f"{API}/me/muted/{(await table.get('/me', third)).json['id']}", token=one)
    waiting = asyncio.ensure_future(table.get(f"/matches/{match}/talk?wait=30", one))
    await say(table, match, third, "unheard")
    async with opened(stores=table.application.stores) as another:
        another.now_ms = table.now_ms
        await say(another, match, other, "at last")
        page = (await waiting).json
    assert [each["text"] for each in page["items"]] == ["at last"]
    assert page["cursor"] == 2


async def test_stream_of_talk_is_resumed_where_it_was_cut(table: Table) -> None:
    """Each line once and in order; a room whose talk was deleted is reported, and starts over."""
    one, other, _ = await trio(table)
    match = await table.begin(one, other)
    path = f"{API}/matches/{match}/talk/stream"
    for text in ("a", "b"):
        await say(table, match, other, text)
    async with table.listen(path, token=one) as ear:
        assert (await ear.begin()).status == 200
        await ear.hear(b'"text":"b"')
        await say(table, match, one, "c")
        whole = await ear.hear(b'"text":"c"')
    lines = [msgspec.json.decode(data) for data in re.findall(rb"event: item\ndata: (.*)\n", whole)]
    assert lines == (await table.get(f"/matches/{match}/talk", one)).json["items"]
    async with table.listen(path, token=one, headers=[("Last-Event-ID", "2")]) as ear:
        await ear.begin()
        assert re.findall(rb"(?m)^id: .*$", await ear.hear(b'"text":"c"')) == [b"id: 3"]
    async with table.listen(f"{path}?after=9", token=one) as ear:
        await ear.begin()
        again = await ear.hear(b'"text":"c"')
    assert again.index(b"event: reset\n") < again.index(b"id: 1\n")
    assert kind(await table.get(f"/matches/{match}/talk?after=9", one)) == (409, "cursor-unknown")
    refused = await table.get(f"/matches/{match}/talk/stream", one, headers=[("Last-Event-ID", "x")])
    assert (refused.status, refused.json["field"]) == (400, "Last-Event-ID")


async def test_stream_of_talk_ends_when_the_room_is_another_one(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `bye`: at the latest with the next ping; and with the token."""
    monkeypatch.setattr(stream, "PING_SECONDS", 0.02)
    one, other, third = await trio(table)
    match = await table.open(one, seats=3)
    async with table.listen(f"{API}/matches/{match}/talk/stream", token=other) as ear:
        await ear.begin()
        await ear.hear(b": ping")
        await table.post(f"/matches/{match}/seats", other)
        assert (await ear.hear(b"event: bye")).count(b"event:") == 1
    async with table.listen(f"{API}/matches/{match}/talk/stream", token=third) as ear:
        await ear.begin()
        await ear.hear(b": ping")
        await table.ask("DELETE", f"{API}/me", token=third)
        await ear.hear(b"event: bye")
    async with table.listen(f"{API}/matches/{match}/talk/stream", token=one) as ear:
        await ear.begin()
        table.application.drain()
        await ear.hear(b"event: bye")
