"""Records and verdicts over HTTP."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Callable, Iterator

import pytest

from tafelrunde.api.features.records import routes as records
from tafelrunde.api.features.records.caches import Records
from tafelrunde.api.features.records.routes import MOST_ANSWERS
from tafelrunde.audit.record_sources import split_record
from tafelrunde.domain.game import Event
from tafelrunde.domain.match import MatchId
from tafelrunde.service.features.records import export
from tafelrunde.service.features.records.export import MatchRecords
from tafelrunde.service.features.records.verdict import Verdict
from tafelrunde.service.features.records.verify import verify
from tafelrunde.service.matches.codec import Codec, Envelope
from tafelrunde.service.matches.repository import Loaded
from tests.support.table import API, GAMES, Table
from tests.support.wire import Wire

pytestmark = pytest.mark.anyio

LINES = [("Accept", "application/x-ndjson")]
PACKED = [("Accept-Encoding", "gzip, br")]


async def finished(table: Table, **wishes: object) -> tuple[str, str]:
    """Return a match of Duel that is over, and the token of one of its players."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other, **wishes)
    await table.finish(match, one, other)
    return match, one


async def test_record_has_two_forms_with_the_same_lines(table: Table) -> None:
    """A document, and lines; both are found right."""
    match, token = await finished(table)
    document = await table.get(f"/matches/{match}/record", token)
    lines = await table.get(f"/matches/{match}/record", token, headers=LINES)
    assert (document.status, document.header("content-type")) == (200, "application/json")
    assert (lines.status, lines.header("content-type")) == (200, "application/x-ndjson")
    assert split_record(document.body) == split_record(lines.body)
    assert verify(split_record(lines.body), GAMES).finding is None
    assert [json.loads(line)["line"] for line in lines.body.splitlines()][-2:] == ["end", "sum"]


async def test_verification_tells_what_was_checked(table: Table) -> None:
    """All is right, again and again."""
    match, token = await finished(table)
    first, again = [await table.get(f"/matches/{match}/verification", token) for _ in range(2)]
    assert first.body == again.body
    assert (first.json["right"], first.json["finding"], first.json["match"]) == (True, None, match)
    assert first.json["entries"] > first.json["commands"] > 0


async def test_verification_computes_answers_of_bots_on_request(table: Table) -> None:
    """As many as asked for, but no more than 20 of a match: those are spread over it."""
    _, token = await table.player()
    bots = [{"seat": seat, "bot": "honest"} for seat in range(3)]
    wish = {"game": "coup", "seats": 3, "seat": None, "bots": bots, "start": True, "spectators": "public"}
    match = (await table.post("/matches", token, wish)).json["match"]
    await table.application.process_manager.play_bots(match)
    plain, one, all_of_them = [
        (await table.get(f"/matches/{match}/verification{query}", token)).json for query in ("", "?bots=9", "?bots=1")
    ]
    given = plain["bots"]["given"]
    assert plain["bots"] == {"given": given, "computed": 0, "unable": ""}
    assert given > MOST_ANSWERS
    assert one["bots"] == {"given": given, "computed": given // 9, "unable": ""}
    assert all_of_them["bots"]["computed"] == given // -(-given // MOST_ANSWERS) > given // 9
    assert [each["right"] for each in (plain, one, all_of_them)] == [True] * 3


async def test_verification_is_done_once_for_all_who_ask_the_same(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also at the same time."""
    match, token = await finished(table)
    verify = table.application.get(MatchRecords).verify
    steps = list[int]()

    async def counted(match: MatchId, loaded: Loaded, every_bot: int = 0) -> Verdict:
        steps.append(every_bot)
        return await verify(match, loaded, every_bot)

    monkeypatch.setattr(table.application.get(MatchRecords), "verify", counted)
    answers = await asyncio.gather(*(table.get(f"/matches/{match}/verification", token) for _ in range(3)))
    assert {each.json["conclusion"] for each in answers} == {"right"}
    assert steps == [0]


@pytest.mark.parametrize("what", ["record", "verification"])
async def test_nothing_is_reported_before_the_end(what: str, table: Table) -> None:
    """Not for the players, the spectators or anyone else."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other, spectators="public")
    for token in (one, other, None):
        answer = await table.get(f"/matches/{match}/{what}", token)
        assert (answer.status, answer.json["type"]) == (409, "urn:tafelrunde:problem:not-over")
    hidden = await table.begin(one, other)
    assert (await table.get(f"/matches/{hidden}/{what}")).json["type"] in {
        "urn:tafelrunde:problem:not-found",
        "urn:tafelrunde:problem:spectators-off",
    }


async def test_record_of_a_match_that_no_one_may_watch_is_for_its_players(table: Table) -> None:
    """Spectators are off: they stay off after the end."""
    match, token = await finished(table)
    assert (await table.get(f"/matches/{match}/record", token)).status == 200
    assert (await table.get(f"/matches/{match}/record")).status in {403, 404}


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A line for each record that is written."""
    found: list[str] = []
    honest = records._pack

    def noting(lines: Iterator[bytes], *, as_lines: bool) -> bytes:
        found.append("lines" if as_lines else "document")
        return honest(lines, as_lines=as_lines)

    monkeypatch.setattr(records, "_pack", noting)
    return found


async def test_record_is_written_once_when_many_ask(table: Table, written: list[str]) -> None:
    """It never changes by itself: it is kept packed, and sent so to clients that take it, each form with a tag of its own."""
    match, token = await finished(table)
    path = f"/matches/{match}/record"
    asking = [table.get(path, token) for _ in range(6)]
    packed, plain, *others = await asyncio.gather(Wire.ask(table, "GET", API + path, token=token, headers=PACKED), *asking)
    assert gzip.decompress(packed.body) == plain.body
    assert (packed.header("content-encoding"), plain.header("content-encoding")) == ("gzip", None)
    assert [answer.header("content-length") for answer in (plain, packed)] == [str(len(each.body)) for each in (plain, packed)]
    assert all(answer.body == plain.body for answer in others)
    lines = await Wire.ask(table, "GET", API + path, token=token, headers=[*LINES, *PACKED])
    tags = {answer.header("etag") for answer in (plain, packed, lines)}
    assert len(tags) == 3
    assert all(tag is not None and tag.startswith('"') for tag in tags)
    assert {value for name, value in plain.headers if name == b"vary"} >= {b"Authorization", b"Accept, Accept-Encoding"}
    assert written == ["document", "lines"]


async def test_record_is_not_written_when_the_client_has_it(table: Table, written: list[str]) -> None:
    """304, also by a process that does not have it; a correction makes another record."""
    match, token = await finished(table)
    path = f"/matches/{match}/record"
    tag = (await table.get(path, token)).header("etag") or ""
    table.app.state.running.keep(Records())
    again = await table.get(path, token, headers=[("If-None-Match", tag)])
    assert (again.status, again.body, again.header("etag")) == (304, b"", tag)
    assert (await table.get(path, None, headers=[("If-None-Match", tag)])).status == 403
    assert (await table.post(f"/matches/{match}/void", await table.operator(), {"reason": "a test"})).status == 200
    changed = await table.get(path, token, headers=[("If-None-Match", tag)])
    assert changed.status == 200
    assert changed.header("etag") != tag
    assert written == ["document", "document"]


async def test_costly_work_is_done_one_by_one_for_each_who_asks(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A caller with many requests at once has one share of the process; a caller with one does not wait for all of them."""
    (_, one), (_, other) = await table.player(), await table.player()
    matches = list[str]()
    for _ in range(3):
        matches.append(await table.begin(one, other))
        await table.finish(matches[-1], one, other)
    working = 0
    most = 0
    done = list[str]()
    honest = records.patiently

    async def counted(work: Callable[[], bytes]) -> bytes:
        nonlocal working, most
        working += 1
        most = max(most, working)
        body = await honest(work)
        working -= 1
        return body

    async def ask(match: str, token: str, headers: list[tuple[str, str]]) -> None:
        answer = await table.get(f"/matches/{match}/record", token, headers=headers)
        assert answer.status == 200
        done.append(token)

    monkeypatch.setattr(records, "patiently", counted)
    await asyncio.gather(*(ask(match, one, headers) for match in matches for headers in ([], LINES)))
    assert most == 1
    table.app.state.running.keep(Records())
    done.clear()
    await asyncio.gather(*(ask(match, one, []) for match in matches), ask(matches[2], other, LINES))
    assert most == 2
    assert done.index(other) < 3


@pytest.mark.parametrize("what", ["record", "verification"])
async def test_others_get_their_turn_between_two_entries_when_a_match_is_gone_through(
    table: Table, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where all of the log is read in one go, as for the head and the end of a record."""
    match, token = await finished(table)
    decode = Codec.decode
    since = 0
    longest = 0
    rests = 0

    def counted(self: Codec, entry: bytes) -> tuple[Envelope, Event]:
        nonlocal since, longest
        since += 1
        longest = max(longest, since)
        return decode(self, entry)

    def rest() -> None:
        nonlocal since, rests
        since = 0
        rests = rests + 1

    await table.get(f"/matches/{match}", token)
    monkeypatch.setattr(export, "rest", rest)
    monkeypatch.setattr(Codec, "decode", counted)
    assert (await table.get(f"/matches/{match}/{what}", token)).status == 200
    assert longest == 1
    assert rests > 2 * (await table.application.repository.load_latest(MatchId(match))).version


async def test_records_are_dropped_when_there_are_too_many() -> None:
    """The least recently asked for goes first."""
    kept = Records(limit_bytes=250)
    asked = list[int]()

    async def get(number: int) -> bytes:
        async def write() -> bytes:
            asked.append(number)
            return bytes(100)

        return await kept.get((MatchId("m"), bytes([number]), "text"), write)

    for number in (1, 2, 1, 3, 1, 2):
        await get(number)
    assert asked == [1, 2, 3, 2]
