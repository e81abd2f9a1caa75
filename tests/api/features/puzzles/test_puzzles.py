"""The puzzle of the day: chosen from reviewed matches, shown as one seat saw it, with one try, and without any name."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
import pytest

from tafelrunde.domain.game import DecisionId, GameId, Seat
from tafelrunde.domain.match import MatchId
from tafelrunde.domain.match.commands import BotPlay
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.application import Application
from tafelrunde.service.days import DAY_MS, Day
from tafelrunde.service.errors import StoreUnavailable
from tafelrunde.service.features.bots.hints import answers
from tafelrunde.service.features.coaching.coach import Coach
from tafelrunde.service.features.coaching.feature import STORE as COACHING
from tafelrunde.service.features.coaching.findings import PUZZLES, Costly, Findings, Tried, pack
from tafelrunde.service.features.puzzles.choice import CLEAR, NO_PLAYER, margin
from tafelrunde.service.features.puzzles.feature import STORE
from tafelrunde.service.features.puzzles.port import Candidate
from tafelrunde.service.features.puzzles.review_process import review
from tafelrunde.service.features.puzzles.service import BUSY_SECONDS, LEASE, LOOK_SECONDS, Puzzles, Shown
from tafelrunde.service.features.transparency.log import TransparencyLog
from tafelrunde.service.matches.repository import Loaded
from tafelrunde.service.runtime.consumer import Ownership
from tests.support.table import PLAIN, Table, opened
from tests.support.thorough import tries

pytestmark = pytest.mark.anyio

TODAY, TOMORROW = "2023-11-14", "2023-11-15"
PUBLIC = {"game": "coup", "spectators": "public"}
LOOKS = 400
COUP = GameId("coup")
SEARCHED = ("coup", "meister-coup")
"""Games whose matches the coach goes through in seconds."""


def puzzles(table: Table, *, games: tuple[str, ...] = ("coup",), most: int = 3, searched: bool = False) -> Puzzles:
    """Return the puzzles of these games, as a process makes them; what the coach finds is made by hand unless *searched*."""

    async def by_hand(match: MatchId, loaded: Loaded, seat: Seat, findings: Findings) -> Findings:
        return findings_about(application, loaded)[seat]

    found = table.application.get(Puzzles)
    application = table.application
    return application.provide(
        Puzzles,
        Puzzles(
            store=STORE.of(application.stores),
            coach=application.get(Coach),
            repository=application.repository,
            queries=application.queries,
            accounts=application.accounts,
            handler=application.handler,
            games={GameId(game): application.games[GameId(game)] for game in games},
            ids=found._ids,
            now_ms=application.now_ms,
            most=most,
            owned=Ownership(application.stores.leases, [LEASE]).renew,
            review=review if searched else by_hand,
        ),
    )


async def chosen(table: Table, puzzles: Puzzles) -> None:
    """Do what workers do until the puzzles are chosen, on a day on which someone was here."""
    await puzzles.note_visit()
    written = table.application.handler._on_written
    opened_now: list[MatchId] = []
    assert written is not None

    def note(match: MatchId, what: Any) -> None:
        opened_now.append(match)
        written(match, what)

    table.application.handler._on_written = note
    assert await puzzles.step() == LOOK_SECONDS
    for _ in range(LOOKS):
        if await puzzles.step() != BUSY_SECONDS:
            return
        for match in dict.fromkeys(opened_now):
            await table.application.process_manager.play_bots(match, deep=True, alone=True)
        opened_now.clear()
    raise AssertionError("the puzzles are never chosen")


async def reviewed(table: Table, **wishes: Any) -> tuple[str, list[str], list[str]]:
    """Play a match of two people and review all of it; return it with the players and their tokens."""
    (one, first), (other, second) = await table.player("Anna of Nowhere"), await table.player("Bert of Nowhere")
    match = await table.begin(first, second, **{**PUBLIC, **wishes})
    await table.finish(match, first, second)
    await coached(table, match)
    return match, [one, other], [first, second]


async def coached(table: Table, match: str) -> None:
    """Keep findings that make a puzzle of three answers of each seat, whatever a search would say of them."""
    application = table.application
    loaded = await application.repository.load_latest(MatchId(match))
    for seat, findings in findings_about(application, loaded).items():
        store = COACHING.of(application.stores)
        assert await store.keep(MatchId(match), seat, pack(findings), (await store.read(MatchId(match))).get(seat))
        await application.get(Puzzles).note(MatchId(match), seat, loaded, findings)


def findings_about(application: Application, loaded: Loaded) -> Mapping[Seat, Findings]:
    """Return such findings about each seat of a match."""
    costly: dict[Seat, list[Costly]] = {Seat(seat): [] for seat in range(loaded.match.settings.seats)}
    for version, before, given in answers(loaded, application.repository.codec):
        seat = given.seat if isinstance(given, BotPlay) else before.seat_of(given.player)
        assert seat is not None
        others = [each for each in before.game.legal(before.table, seat) if each != given.command]
        if others and len(costly[seat]) < PUZZLES:
            moves = (Tried(msgspec.json.encode(others[0]), 0.9, 48), Tried(msgspec.json.encode(given.command), 0.2, 48))
            costly[seat].append(Costly(version, given.decision, 0.7, moves[1].command, moves))
    return {seat: Findings(reached=loaded.version, whole=True, costly=tuple(found)) for seat, found in costly.items()}


async def test_new_deployment_has_no_puzzle_and_soon_one_for_each_day() -> None:
    """From matches that it plays and reviews by itself: of today and of tomorrow, two different ones."""
    games = SEARCHED[: tries(1, 2)]
    async with opened(PLAIN) as table:
        for game in GAMES:
            answer = await table.get(f"/puzzles/today?game={game}")
            assert (answer.status, answer.json["type"]) == (404, "urn:tafelrunde:problem:no-puzzle")
        assert (await table.get("/puzzles/today")).json["type"] == "urn:tafelrunde:problem:no-puzzle"
        made = puzzles(table, games=games, searched=True)
        await chosen(table, made)
        today = await sheets(table, games)
        table.now_ms += DAY_MS
        tomorrow = await sheets(table, games)
        assert {each["day"] for each in today.values()} == {TODAY}
        assert {each["day"] for each in tomorrow.values()} == {TOMORROW}
        for game, sheet in today.items():
            assert sheet["game"] == game
            assert sheet["bots"]
            assert sheet["view"] != tomorrow[game]["view"]
            assert len(sheet["legal"]) > 1
            assert sheet["yours"] is None
        table.now_ms += DAY_MS
        assert (await table.get("/puzzles/today")).status == 404


async def opens_a_match(table: Table, puzzles: Puzzles) -> bool:
    """Take two steps, as the first of a process only waits; return whether a match of bots was opened."""
    opened_before = await count_matches(table)
    for _ in range(2):
        await puzzles.step()
    return await count_matches(table) > opened_before


async def count_matches(table: Table) -> int:
    """Return how many matches the store holds."""
    events = table.application.stores.events
    return sum([len(await events.matches(shard)) for shard in await events.ends()])


async def test_puzzles_are_made_on_days_on_which_someone_was_here(table: Table) -> None:
    """A request without a token does not count; one of a player counts until the UTC day ends."""
    made = puzzles(table)
    await table.get("/games")
    await table.get("/puzzles/today")
    assert not await opens_a_match(table, made)
    _, token = await table.player()
    assert (await table.get("/me", token)).status == 200
    assert await opens_a_match(table, made)
    table.now_ms += DAY_MS
    assert not await opens_a_match(table, made)
    _, other = await table.player()
    assert (await table.get("/me", other)).status == 200
    assert await opens_a_match(table, made)


async def test_one_process_makes_puzzles(table: Table) -> None:
    """All others wait while it has the lease."""
    one, other = puzzles(table), puzzles(table)
    await one.note_visit()
    assert await opens_a_match(table, one)
    assert not await opens_a_match(table, other)
    assert await other.step() == LOOK_SECONDS


async def test_visit_is_noted_once_a_day(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the store refused is written with the next visit."""
    store = STORE.of(table.application.stores)
    noted: list[str] = []

    async def note(day: Day) -> None:
        noted.append(day)
        if len(noted) == 1:
            raise StoreUnavailable("away")

    monkeypatch.setattr(store, "note_visit", note)
    made = puzzles(table)
    for _ in range(4):
        await made.note_visit()
    assert noted == [TODAY, TODAY]
    table.now_ms += DAY_MS
    await made.note_visit()
    assert noted == [TODAY, TODAY, TOMORROW]


async def sheets(table: Table, games: Sequence[str]) -> Mapping[str, Any]:
    """Return the puzzles of the day."""
    return {game: (await table.get(f"/puzzles/today?game={game}")).json for game in games}


async def test_without_a_game_it_is_another_one_each_day(table: Table) -> None:
    """Among those that have a puzzle."""
    made = puzzles(table, games=("coup", "meister-coup"))
    await chosen(table, made)
    first = (await table.get("/puzzles/today")).json["game"]
    table.now_ms += DAY_MS
    assert {first, (await table.get("/puzzles/today")).json["game"]} == {"coup", "meister-coup"}


async def test_match_of_the_service_itself_is_public_by_its_link_alone(table: Table) -> None:
    """It has no player, counts for no rating, is in no list; who has answered may take it up again from there."""
    await chosen(table, puzzles(table))
    token = (await table.player())[1]
    sheet = (await table.get("/puzzles/today?game=coup", token)).json
    answer = {"game": "coup", "day": TODAY, "command": sheet["legal"][0]}
    solution = (await table.post("/puzzles/today", token, answer, key=None)).json["yours"]
    facts = (await table.get(f"/matches/{solution['match']}")).json
    assert (facts["host"], facts["rated"], facts["visibility"], facts["status"]) == (NO_PLAYER, False, "unlisted", "over")
    await table.project(solution["match"])
    assert solution["match"] not in str((await table.get("/matches?status=over")).json)
    wish = {"decision": solution["decision"], "seat": sheet["seat"]}
    practice = await table.post(f"/matches/{solution['match']}/what-if", token, wish)
    assert practice.status == 201
    assert (await table.view(practice.json["match"], token))["table"] == sheet["view"]


async def test_one_try_counts_and_reveals_the_solution(table: Table) -> None:
    """Before it there is no word of it; a second answer changes nothing; guests may try; all are counted."""
    await chosen(table, puzzles(table))
    tokens = [(await table.player())[1] for _ in range(2)]
    sheet = (await table.get("/puzzles/today?game=coup", tokens[0])).json
    assert (sheet["all"], sheet["own"]) == ({"answered": 0, "right": 0}, {"answered": 0, "right": 0})
    first = await answered(table, tokens[0], sheet, sheet["legal"][-1])
    best = first["yours"]["moves"][0]["command"]
    again = await answered(table, tokens[0], sheet, best)
    assert again["yours"] == first["yours"]
    assert first["yours"]["command"] == sheet["legal"][-1]
    assert first["yours"]["right"] == (best == sheet["legal"][-1])
    assert first["yours"]["played"] in sheet["legal"]
    assert first["yours"]["played"] != best
    worths = [move["worth"] for move in first["yours"]["moves"]]
    assert worths[0] - max(worths[1:]) >= CLEAR - 1e-3
    right = await answered(table, tokens[1], sheet, best)
    assert right["yours"]["right"]
    assert right["own"] == {"answered": 1, "right": 1}
    assert right["all"]["answered"] == 2
    assert right["all"]["right"] == 1 + first["yours"]["right"]
    assert (await table.get("/puzzles/today?game=coup")).json["yours"] is None
    assert (await table.get("/puzzles/today?game=coup", tokens[1])).json == right


async def answered(table: Table, token: str, sheet: Any, command: Any) -> Any:
    """Answer a puzzle."""
    answer = {"game": sheet["game"], "day": sheet["day"], "command": command}
    found = await table.post("/puzzles/today", token, answer, key=None)
    assert found.status == 200
    return found.json


async def test_wrong_questions_are_refused(table: Table) -> None:
    """An answer that was not legal, another day, no token, an unknown game: nothing is counted."""
    await chosen(table, puzzles(table))
    token = (await table.player())[1]
    sheet = (await table.get("/puzzles/today?game=coup", token)).json
    command = {"type": "duel.bid", "tricks": 0}
    answer = {"game": "coup", "day": TODAY, "command": command}
    illegal = await table.post("/puzzles/today", token, answer, key=None)
    assert (illegal.status, illegal.json["type"], illegal.json["field"]) == (
        422,
        "urn:tafelrunde:problem:not-a-choice",
        "/command",
    )
    legal = {**answer, "command": sheet["legal"][0]}
    assert (await table.post("/puzzles/today", None, legal, key=None)).status == 401
    for day in (TOMORROW, "2023-11-13"):
        over = await table.post("/puzzles/today", token, {**legal, "day": day}, key=None)
        assert (over.status, over.json["type"]) == (409, "urn:tafelrunde:problem:puzzle-over")
    assert (await table.post("/puzzles/today", token, {**legal, "game": "chess"}, key=None)).status == 404
    assert (await table.get("/puzzles/today?game=chess")).json["type"] == "urn:tafelrunde:problem:not-found"
    assert (await table.get("/puzzles/today?game=coup", token)).json["all"]["answered"] == 0


ODD = (None, True, -1, 1.5, 10**30, "", "\0", "ace", [], [[]], {}, {"type": "coup"})


def mutants(rng: random.Random, legal: list[Any], number: int) -> Iterator[Any]:
    """Yield commands that are no legal ones, though they are like them."""
    found = 0
    while found < number:
        mutant = dict(rng.choice(legal))
        name = rng.choice([*mutant, "further"])
        if rng.random() < 0.2:
            mutant.pop(name, None)
        else:
            mutant[name] = rng.choice([*ODD, *(value for each in legal for value in each.values())])
        if not any(
            json.dumps({**each, **mutant}) == json.dumps(each) for each in legal
        ):  # a field that is left out has its default
            found += 1
            yield mutant
    yield from ODD


@pytest.mark.parametrize("game", GAMES)
async def test_every_answer_is_right_wrong_or_refused(table: Table, game: str) -> None:
    """A legal one counts, and is right if it is the best; of many others each is refused, and reveals and counts nothing."""
    await chosen(table, puzzles(table, games=(game,)))
    token = (await table.player())[1]
    sheet = (await table.get(f"/puzzles/today?game={game}", token)).json
    for mutant in mutants(random.Random(game), sheet["legal"], 60):
        answer = {"game": game, "day": TODAY, "command": mutant}
        refused = await table.post("/puzzles/today", token, answer, key=None)
        kind = (refused.status, refused.json["type"])
        assert kind in {(400, "urn:tafelrunde:problem:invalid-request"), (422, "urn:tafelrunde:problem:not-a-choice")}, (
            mutant
        )  # by its schema or not
    assert (await table.get(f"/puzzles/today?game={game}", token)).json == sheet
    right = []
    for command in sheet["legal"][:12]:
        found = await answered(table, (await table.player())[1], sheet, command)
        assert found["yours"]["command"] == command
        assert found["yours"]["right"] == (command == found["yours"]["moves"][0]["command"])
        right.append(found["yours"]["right"])
        assert found["all"] == {"answered": len(right), "right": sum(right)}


async def test_reviewed_match_of_people_goes_before_matches_of_bots(table: Table) -> None:
    """It is shown as its seat saw it, and neither a name nor an id of a player or of the match is said before the answer."""
    match, players, tokens = await reviewed(table)
    offered = await STORE.of(table.application.stores).candidates(COUP)
    assert offered
    assert {each.match for each in offered} == {match}
    await chosen(table, puzzles(table))
    answer = await table.get("/puzzles/today?game=coup")
    sheet = answer.json
    assert not sheet["bots"]
    for secret in (*players, match, "Nowhere"):
        assert secret.encode() not in answer.body
    seen = list[Any]()
    page = {"more": True, "cursor": "0-00000000"}
    while page["more"]:
        page = (await table.get(f"/matches/{match}/views?after={page['cursor']}", tokens[sheet["seat"]])).json
        seen += [each["table"] for each in page["views"]]
    assert sheet["view"] in seen
    assert offered[0][:2] == (match, sheet["seat"])
    solved = await answered(table, (await table.player())[1], sheet, sheet["legal"][0])
    assert solved["yours"]["match"] == match


@pytest.mark.parametrize(
    "wishes", [{"spectators": "off"}, {"visibility": "unlisted"}], ids=["without spectators", "by its link alone"]
)
async def test_match_that_is_not_public_is_never_a_puzzle(table: Table, wishes: Mapping[str, str]) -> None:
    """Even if its own players have it reviewed."""
    await reviewed(table, **wishes)
    assert await STORE.of(table.application.stores).candidates(COUP) == []


async def test_deal_of_the_day_is_never_a_puzzle(table: Table) -> None:
    """Others may still play it; and when its day is over, it is one of many with the same cards."""
    token = (await table.player())[1]
    match = (await table.post("/daily/coup", token)).json["match"]
    while (view := await table.view(match, token))["status"] == "running":
        if view["question"] is None:
            await table.application.process_manager.play_bots(MatchId(match), deep=True, alone=True)
        else:
            assert (await table.play(match, token)).status == 200
    await coached(table, match)
    assert await STORE.of(table.application.stores).candidates(COUP) == []
    table.now_ms += DAY_MS
    found = await table.application.get(Coach).find(MatchId(match), Seat(0))
    assert found is not None
    await STORE.of(table.application.stores).offer(COUP, Candidate(MatchId(match), Seat(0), found.costly[0].version), 0.9)
    await chosen(table, puzzles(table, most=0))
    assert (await table.get("/puzzles/today?game=coup")).status == 404


async def test_running_match_is_never_a_puzzle(table: Table) -> None:
    """Even if it stood among the candidates, or had been chosen."""
    (_, one), (_, other) = await table.player(), await table.player()
    running = Candidate(MatchId(await table.begin(one, other, **PUBLIC)), Seat(0), 9)
    await STORE.of(table.application.stores).offer(COUP, running, 0.9)
    await chosen(table, puzzles(table, most=0))
    assert await STORE.of(table.application.stores).candidates(COUP) == []
    assert await STORE.of(table.application.stores).choices(table.application.get(Puzzles).today()) == {}
    await STORE.of(table.application.stores).choose(COUP, table.application.get(Puzzles).today(), running)
    assert (await table.get("/puzzles/today?game=coup")).json["type"] == "urn:tafelrunde:problem:no-puzzle"


async def test_deleted_player_takes_its_matches_out(table: Table) -> None:
    """Before the choice they are passed over; after it the puzzle is withdrawn, and its answers are forgotten."""
    _, _, tokens = await reviewed(table)
    made = puzzles(table, most=0)
    await chosen(table, made)
    sheet = (await table.get("/puzzles/today?game=coup", tokens[1])).json
    await answered(table, tokens[1], sheet, sheet["legal"][0])
    assert (await STORE.of(table.application.stores).tally(COUP, made.today())).answered == 1
    await table.ask("DELETE", "/api/v1/me", token=tokens[1])
    assert (await table.get("/puzzles/today?game=coup")).json["type"] == "urn:tafelrunde:problem:no-puzzle"
    assert (await STORE.of(table.application.stores).tally(COUP, made.today())).answered == 0
    assert await STORE.of(table.application.stores).candidates(COUP)
    table.now_ms += 2 * DAY_MS
    await made.note_visit()
    assert await made.step() != BUSY_SECONDS
    assert (await table.get("/puzzles/today?game=coup")).json["type"] == "urn:tafelrunde:problem:no-puzzle"
    assert await STORE.of(table.application.stores).candidates(COUP) == []


async def test_player_who_left_the_table_counts_as_well(table: Table) -> None:
    """A bot has played on for it, and the decisions before were the player's."""
    (_, one), (_, other) = await table.player("Anna"), await table.player("Bert")
    match = await table.begin(one, other, **PUBLIC)
    await table.ask("DELETE", f"/api/v1/matches/{match}/seats/me", token=other, key="away")
    await table.finish(match, one, other)
    await coached(table, match)
    await STORE.of(table.application.stores).offer(COUP, Candidate(MatchId(match), Seat(0), 9), 0.9)
    await table.ask("DELETE", "/api/v1/me", token=other)
    await chosen(table, puzzles(table, most=0))
    assert (await table.get("/puzzles/today?game=coup")).json["type"] == "urn:tafelrunde:problem:no-puzzle"


async def test_player_who_is_deleted_while_a_puzzle_is_chosen_takes_it_out(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The deletion looked at what was chosen before, and the choice at who was there before."""
    _, _, tokens = await reviewed(table)
    store = STORE.of(table.application.stores)
    made = puzzles(table, most=0)
    take = store.take

    async def deleted(game: GameId, candidate: Candidate) -> float | None:
        await table.ask("DELETE", "/api/v1/me", token=tokens[1])
        return await take(game, candidate)

    monkeypatch.setattr(store, "take", deleted)
    await chosen(table, made)
    found = (await store.choices(made.today()))[COUP]
    assert found.withdrawn
    assert (await table.get("/puzzles/today?game=coup")).json["type"] == "urn:tafelrunde:problem:no-puzzle"


async def test_puzzle_is_made_once_for_all_who_look_at_it_first(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the same time: replaying a match for each of them would be a burst of work at midnight."""
    await reviewed(table)
    await chosen(table, puzzles(table, most=0))
    asked = list[MatchId]()
    coach = table.application.get(Coach)
    found = coach.find

    async def noted(match: MatchId, seat: Seat) -> Findings | None:
        asked.append(match)
        await asyncio.sleep(0)
        return await found(match, seat)

    monkeypatch.setattr(coach, "find", noted)
    sheets = await asyncio.gather(*(table.get("/puzzles/today?game=coup") for _ in range(4)))
    assert {each.status for each in sheets} == {200}
    assert len(asked) == 1


async def test_answer_is_to_the_puzzle_of_the_day_on_which_it_came(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when that day ends while it is answered."""
    await reviewed(table)
    made = puzzles(table, most=0)
    await chosen(table, made)
    sheet = (await table.get("/puzzles/today?game=coup")).json
    _, token = await table.player()
    of = made.of

    async def late(game: GameId | None, day: Day) -> Shown:
        table.now_ms += DAY_MS
        return await of(game, day)

    monkeypatch.setattr(made, "of", late)
    solved = await answered(table, token, sheet, sheet["legal"][0])
    assert solved["day"] == sheet["day"]
    assert solved["yours"] is not None


async def test_deployment_that_plays_none_by_itself_has_none(table: Table) -> None:
    """The setting `puzzle_matches` is the budget; without it nothing is opened."""
    await chosen(table, puzzles(table, most=0))
    assert (await table.get("/puzzles/today?game=coup")).status == 404
    assert (await table.application.get(TransparencyLog).checkpoint()).size == 0


def test_best_answer_has_to_be_clearly_better() -> None:
    """Than every other one that was tried; what was played is never the solution."""
    moves = [(b"1", 0.6, 48), (b"2", 0.6 - CLEAR - 0.01, 20), (b"3", 0.1, 8)]

    def costly(*changed: tuple[bytes, float, int], played: bytes = b"3") -> Costly:
        return Costly(9, DecisionId(3), 0.3, played, tuple(Tried(*each) for each in changed or moves))

    assert margin(costly()) == pytest.approx(CLEAR + 0.01)
    assert margin(costly(moves[0], (b"2", 0.58, 8))) is None
    assert margin(costly((b"1", 0.9, 4), moves[1])) is None
    assert margin(costly(played=b"1")) is None


async def test_choice_is_the_same_for_all_processes(table: Table) -> None:
    """Two that choose at the same time show the same puzzle, and one that begins later keeps it."""
    await reviewed(table)
    await chosen(table, puzzles(table, most=0))
    first = (await table.get("/puzzles/today?game=coup")).json
    await chosen(table, puzzles(table, most=0))
    assert (await table.get("/puzzles/today?game=coup")).json == first
