"""The command line: simulations, replays, rebuilt projections, health."""

from __future__ import annotations

import asyncio
import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, Clock, MatchId, PlayerId, Status
from tafelrunde.service.application import Application
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.ports.rows import Listing
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.settings import Settings
from tests.support.processes import run, run_apart

COUP = GameId("coup")
HOST = PlayerId("host")
NOWHERE = "m" + "a" * 24


def stored(url: str, *, over: bool) -> MatchId:
    """Store a match of a guest against two bots: played to its end by bots alone, or just begun."""

    async def play() -> MatchId:
        async with await RedisStores.connect(url) as stores:
            application = Application(stores, Settings(bot_pause_ms=0))
            bots = {Seat(seat): BotName("random") for seat in (1, 2)}
            new = NewMatch(game=COUP, seats=3, bots=bots, clock=Clock(away_seconds=0), start=True)
            match = (await application.matches.open(HOST, new, "open")).match
            if over:
                await application.matches.leave_seat(HOST, match, "leave")
                await application.process_manager.play_bots(match)
                assert (await application.repository.load_latest(match)).match.status is Status.OVER
            return match

    return asyncio.run(play())


# simulate


def simulated(*arguments: str) -> dict[str, object]:
    """Return what a simulation prints as JSON."""
    found = run("simulate", "coup", *arguments, "--json")
    assert found.returncode == 0, found.stderr
    return json.loads(found.stdout)


def test_version_is_that_of_the_distribution() -> None:
    """A report of a fault can name it."""
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"tafelrunde {version('tafelrunde')}\n")


def test_help_of_serve_names_settings() -> None:
    """Who looks for a flag for the port finds the variable, and where all of them are."""
    told = " ".join(run("serve", "--help").stdout.split())
    assert all(name in told for name in ("TAFELRUNDE_PORT", "TAFELRUNDE_HOST", "TAFELRUNDE_DATA_DIR", "docs/operating.md"))


def test_simulate_prints_one_object_with_the_tally() -> None:
    """Game, seats, matches, ended, wins of each seat, decisions, seconds."""
    tally = simulated("--seats", "4", "--matches", "50", "--seed", "1")
    assert {name: tally[name] for name in ("game", "seats", "matches", "ended")} == {
        "game": "coup",
        "seats": 4,
        "matches": 50,
        "ended": 50,
    }
    wins, decisions, seconds = tally["wins"], tally["decisions"], tally["seconds"]
    assert isinstance(wins, list)
    assert (len(wins), sum(wins) >= 50) == (4, True)
    assert isinstance(decisions, int)
    assert decisions > 50
    assert isinstance(seconds, float)


def test_simulate_gives_the_same_wins_when_the_seed_is_the_same() -> None:
    """A seed stands for its matches, in every process."""
    first, other = (simulated("--seats", "3", "--matches", "40", "--seed", seed) for seed in ("5", "6"))
    apart = run_apart("simulate", "coup", "--seats", "3", "--matches", "40", "--seed", "5", "--json")
    again = json.loads(apart.stdout)
    assert first["wins"] == again["wins"]
    assert first["decisions"] == again["decisions"] != other["decisions"]


def test_simulate_takes_bots_and_options() -> None:
    """Both are named as the game names them."""
    tally = simulated(
        "--seats", "2", "--matches", "5", "--bots", "random", "--option", "duel_draft=true", "--option", "first_seat=1"
    )
    assert tally["ended"] == 5


@pytest.mark.parametrize(
    "wish",
    [
        "matchmaster --seats 7 --option first_dealer=6",
        "meister-coup --seats 6 --option mode=team",
        "meister-coup --seats 3 --option diamonds=[0,1,2,3,0,1,2,3,0,1,2,3]",
        "stich-meister --seats 5 --option rules=[22,24,38,40]",
        "mondkrone --seats 4 --option deck=extended --option scoring=all_cards",
    ],
)
def test_simulate_plays_every_game_with_its_options(wish: str) -> None:
    """Words, numbers and lists; a list is written as JSON."""
    found = run("simulate", *wish.split(), "--matches", "2", "--bots", "random", "--json")
    assert json.loads(found.stdout)["ended"] == 2, found.stderr


def test_simulate_prints_a_table_for_people() -> None:
    """Without --json there is a line and a table."""
    found = run("simulate", "coup", "--seats", "2", "--matches", "5")
    assert found.stdout.startswith("coup: 5 of 5 matches ended, ")
    assert "share" in found.stdout


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        pytest.param(["tarot", "--seats", "2"], "tarot", id="game"),
        pytest.param(["coup", "--seats", "9"], "seats", id="seats"),
        pytest.param(["coup", "--seats", "2", "--bots", "oracle"], "oracle", id="bot"),
        pytest.param(["coup", "--seats", "2", "--option", "fifth_role=jester"], "fifth_role", id="value"),
        pytest.param(["coup", "--seats", "2", "--option", "jokers=1"], "jokers", id="option"),
    ],
)
def test_simulate_is_refused_in_one_sentence_when_the_game_does_not_offer_it(arguments: list[str], word: str) -> None:
    """What is wrong is named, with exit code 2."""
    found = run("simulate", *arguments)
    assert (found.returncode, found.stdout, len(found.stderr.strip().splitlines())) == (2, "", 1)
    assert word in found.stderr


# replay


def replayed(url: str, match: MatchId, *viewer: str) -> list[dict[str, Any]]:
    """Return what one viewer sees, event by event."""
    found = run("replay", match, *viewer, "--format", "json", redis_url=url)
    assert found.returncode == 0, found.stderr
    return [event for line in found.stdout.splitlines() for event in json.loads(line)["events"]]


def hands_dealt(events: list[dict[str, Any]]) -> list[list[str] | None]:
    """Return the hands that were dealt, as the viewer saw them."""
    return next(event["hands"] for event in events if event["type"] == "coup.dealt.1")


@pytest.mark.real
def test_replay_shows_each_viewer_its_own_items(valkey_url: str) -> None:
    """A seat sees its own cards and no others, the public none, and afterwards everyone may see all."""
    match = stored(valkey_url, over=True)
    own, public, everything = (replayed(valkey_url, match, *viewer) for viewer in (("--seat", "0"), (), ("--open",)))
    assert [hand is not None for hand in hands_dealt(own)] == [True, False, False]
    assert hands_dealt(public) == [None, None, None]
    assert None not in hands_dealt(everything)
    assert len(everything) >= len(own) >= len(public)


@pytest.mark.real
@pytest.mark.parametrize(("language", "word"), [("de", "Platz 0 ist am Zug"), ("en", "Seat 0's turn")])
def test_replay_tells_step_by_step_in_both_languages(language: str, word: str, valkey_url: str) -> None:
    """One line for each step."""
    match = stored(valkey_url, over=True)
    found = run("replay", match, "--open", "--language", language, redis_url=valkey_url)
    assert found.returncode == 0, found.stderr
    assert len(found.stdout.splitlines()) > 5
    assert word in found.stdout


@pytest.mark.real
def test_replay_keeps_the_cards_closed_while_the_match_runs(valkey_url: str) -> None:
    """The operator's tool is no way to look into hands."""
    found = run("replay", stored(valkey_url, over=False), "--open", redis_url=valkey_url)
    assert (found.returncode, found.stdout) == (1, "")
    assert "when the match is over" in found.stderr


@pytest.mark.real
def test_replay_of_unknown_seat_is_refused(valkey_url: str) -> None:
    """There is no such seat."""
    found = run("replay", stored(valkey_url, over=True), "--seat", "3", redis_url=valkey_url)
    assert (found.returncode, found.stdout, found.stderr) == (1, "", "No such seat.\n")


@pytest.mark.real
def test_replay_of_unknown_match_is_refused(valkey_url: str) -> None:
    """One sentence."""
    found = run("replay", NOWHERE, redis_url=valkey_url)
    assert (found.returncode, found.stdout, found.stderr) == (1, "", "No such match.\n")


@pytest.mark.real
def test_replay_starts_the_embedded_server_when_nothing_runs(short_path: Path) -> None:
    """The data folder is enough, and is free again afterwards."""
    for _ in range(2):
        found = run("replay", NOWHERE, data_dir=str(short_path / "d"))
        assert (found.returncode, found.stderr) == (1, "No such match.\n")


# projections, health


@pytest.mark.real
def test_projections_rebuild_makes_the_lists_again(valkey_url: str) -> None:
    """The lists come from the logs alone."""
    match = stored(valkey_url, over=True)
    found = run("projections", "rebuild", redis_url=valkey_url)
    assert (found.returncode, found.stdout) == (0, "1 matches projected.\n")

    async def listed() -> list[tuple[MatchId, Status]]:
        async with await RedisStores.connect(valkey_url) as stores:
            return [(row.match, row.status) for row in await stores.rows.rows(Listing(player=HOST))]

    assert asyncio.run(listed()) == [(match, Status.OVER)]


@pytest.mark.real
@pytest.mark.parametrize("role", ["worker", "sweeper"])
def test_health_is_bad_when_nothing_runs(role: str, valkey_url: str) -> None:
    """Exit code 1 and one sentence."""
    found = run("health", role, redis_url=valkey_url)
    assert (found.returncode, found.stdout, len(found.stderr.splitlines())) == (1, "", 1)


@pytest.mark.parametrize(
    "setting",
    [{"webhook_networks": "10.0.0.1/8"}, {"webhook_ports": "https"}, {"cors_origins": "nonsense"}],
    ids=["networks", "ports", "origins"],
)
def test_setting_that_is_a_wrong_list_is_named_before_anything_starts(setting: dict[str, str], tmp_path: Path) -> None:
    """In one sentence, and once: no process is started that would end at once, and again."""
    found = run("serve", data_dir=str(tmp_path / "data"), port="0", **setting)
    assert (found.returncode, found.stdout, len(found.stderr.splitlines())) == (2, "", 1)
    assert found.stderr.startswith(f"TAFELRUNDE_{next(iter(setting)).upper()}")
    assert not (tmp_path / "data").exists()
