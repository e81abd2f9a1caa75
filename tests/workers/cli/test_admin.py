"""Operating at the command line: operators, corrections, deleted players."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec
import pytest

from tafelrunde.domain.game import GameId, Placing, Seat
from tafelrunde.domain.match import BotName, MatchId, PlayerId
from tafelrunde.service.application import Application
from tafelrunde.service.errors import NotFound
from tafelrunde.service.failures import MANY
from tafelrunde.service.features.oauth.clients import Clients
from tafelrunde.service.features.oauth.port import Client
from tafelrunde.service.features.talk.moderation import Reports
from tafelrunde.service.features.talk.port import Kind, MatchRoom, Reason, Room
from tafelrunde.service.features.talk.speaking import Speakers
from tafelrunde.service.matches.codec import Envelope
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.settings import Settings
from tests.support.processes import run

pytestmark = pytest.mark.real
HOST = PlayerId("host")
T = TypeVar("T")


def within(url: str, work: Callable[[Application], Awaitable[T]]) -> T:
    """Do something in a house of its own."""

    async def inside() -> T:
        async with await RedisStores.connect(url) as stores:
            return await work(Application(stores, Settings(bot_pause_ms=0)))

    return asyncio.run(inside())


async def over(application: Application) -> MatchId:
    """Let bots play a match."""
    bots = {Seat(seat): BotName("random") for seat in range(2)}
    new = NewMatch(game=GameId("coup"), seats=2, seat=None, bots=bots, start=True)
    match = (await application.matches.open(HOST, new, "open")).match
    await application.process_manager.play_bots(match)
    return match


def test_results_are_set_and_taken_back(valkey_url: str) -> None:
    """The operator at the console is the actor in the log."""
    match = within(valkey_url, over)
    done = run("adjudicate", match, "--ranks", "2, 1", "--reason", "Seats were mixed up.", redis_url=valkey_url)
    assert (done.returncode, done.stdout) == (0, "The result was changed.\n")
    summary = within(valkey_url, lambda application: application.queries.load_public_facts(match))
    assert summary.placings == (Placing(Seat(0), 2), Placing(Seat(1), 1))
    done = run("void", match, "--reason", "Nobody knows.", redis_url=valkey_url)
    assert (done.returncode, done.stdout) == (0, "The result was voided.\n")

    async def newest(application: Application) -> Envelope:
        loaded = await application.repository.load_latest(match)
        assert loaded.match.placings is None
        return application.repository.codec.decode(loaded.entries[-1])[0]

    assert within(valkey_url, newest).actor == "operator:console"


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        pytest.param(["void", "nowhere", "--reason", "x"], 1, "No such match.", id="unknown"),
        pytest.param(["adjudicate", "-", "--ranks", "1", "--reason", "x"], 1, "Every seat needs one rank", id="placings"),
        pytest.param(["adjudicate", "-", "--ranks", "1,b", "--reason", "x"], 2, "ranks", id="ranks"),
        pytest.param(["forget", "nobody"], 1, "No such player.", id="player"),
    ],
)
def test_wrong_wish_is_refused_in_one_sentence(valkey_url: str, arguments: list[str], code: int, sentence: str) -> None:
    """What is wrong is said, and nothing has happened."""
    match = within(valkey_url, over)
    found = run(*(match if each == "-" else each for each in arguments), redis_url=valkey_url)
    assert (found.returncode, found.stdout, len(found.stderr.splitlines())) == (code, "", 1)
    assert sentence in found.stderr


def test_operator_gets_a_token_that_may_operate(valkey_url: str) -> None:
    """It has no more scopes than that needs, is printed only once, and is the only one of its player."""
    made = run("operator", "Olga", redis_url=valkey_url)
    assert made.returncode == 0, made.stderr

    async def look(application: Application) -> None:
        principal = await application.accounts.authenticate(made.stdout.strip())
        assert principal.scopes == {"read", "admin"}
        assert (await application.accounts.player(principal.player)).name == "Olga"
        assert [token.label for token in await application.accounts.tokens(principal.player)] == ["operator"]

    within(valkey_url, look)


def test_player_is_forgotten(valkey_url: str) -> None:
    """As by itself over HTTP."""

    async def make(application: Application) -> PlayerId:
        return (await application.accounts.register("Anna"))[0].id

    player = within(valkey_url, make)
    assert run("forget", player, redis_url=valkey_url).stdout == "The player was deleted.\n"
    with pytest.raises(NotFound):
        within(valkey_url, lambda application: application.accounts.player(player))


@pytest.mark.parametrize(
    ("options", "scopes"),
    [
        ((), {"read", "play", "create"}),
        (("--scope", "embed", "--scope", "create"), {"embed", "create"}),
        (("--scope", "admin"), {"admin"}),
    ],
)
def test_token_has_the_scopes_that_are_asked_for(valkey_url: str, options: tuple[str, ...], scopes: set[str]) -> None:
    """The operator gives out the first admin's token, and the keys of other applications."""
    done = run("token", "Somebody", *options, redis_url=valkey_url)
    assert done.returncode == 0, done.stderr

    async def look(application: Application) -> None:
        holder = await application.accounts.authenticate(done.stdout.strip())
        assert holder.scopes == scopes
        assert [token.id for token in await application.accounts.tokens(holder.player)] == [holder.token]

    within(valkey_url, look)


def test_token_is_refused_when_its_scope_is_unknown(valkey_url: str) -> None:
    """With the exit code of a wrong option."""
    assert run("token", "Somebody", "--scope", "everything", redis_url=valkey_url).returncode == 2


@pytest.mark.parametrize(
    "command",
    [
        ("operator", ""),
        ("token", "two\nlines"),
        ("token", "x" * 41),
        ("void", "m", "--reason", " "),
        ("void", "m", "--reason", "a\nb"),
    ],
    ids=["no name", "a name of two lines", "a long name", "no reason", "a reason of two lines"],
)
def test_name_or_reason_that_no_one_could_read_is_refused_at_the_console(command: tuple[str, ...]) -> None:
    """Names are public, so they follow the same rules as over HTTP. No server is asked."""
    done = run(*command, redis_url="redis://127.0.0.1:1/0")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(("name: ", "reason: "))


def test_application_of_others_is_ended(valkey_url: str) -> None:
    """One that is not registered is an error."""
    made: list[Client] = []

    async def register(application: Application) -> None:
        clients = application.get(Clients)
        made.append(await clients.register("Chess clock", ["https://clock.example/back"], "127.0.0.1"))

    within(valkey_url, register)
    assert run("end-application", made[0].id, redis_url=valkey_url).stdout == f"{made[0].id} has ended.\n"
    again = run("end-application", made[0].id, redis_url=valkey_url)
    assert (again.returncode, again.stdout, len(again.stderr.splitlines())) == (1, "", 1)


def test_reports_of_talk_are_listed(valkey_url: str) -> None:
    """Each on a line of its own, with what was said and why it was reported."""

    async def quarrel(application: Application) -> None:
        host, guest = [(await application.accounts.register(name))[0].id for name in ("Anna", "Bert")]
        new = NewMatch(game=GameId("coup"), seats=2, seat=Seat(0))
        match = (await application.matches.open(host, new, "open")).match
        await application.get(Speakers).say(host, match, Kind.TEXT, "\u201edu\u201c spielst schlecht")
        await application.matches.take_seat(guest, match, None, "", "sit")
        await application.get(Reports).report(guest, MatchRoom(match, Room.TABLE), 1, Reason.INSULT)

    assert run("reports", redis_url=valkey_url).stdout == ""
    within(valkey_url, quarrel)
    done = run("reports", "--limit", "5", redis_url=valkey_url)
    found = [msgspec.json.decode(line) for line in done.stdout.splitlines()]
    assert [(each["line"]["said"], each["reason"]) for each in found] == [("\u201edu\u201c spielst schlecht", "insult")]


def test_failing_work_is_listed(valkey_url: str) -> None:
    """What it is about, the kind of failure and its place, and how often; nothing is listed before the tenth time."""
    done = run("failing", redis_url=valkey_url)
    assert (done.returncode, done.stdout) == (0, "Nothing keeps failing.\n")

    async def fail(application: Application) -> None:
        for _ in range(MANY):
            await application.failures.note("work", "m1", KeyError("a card"), 10_000)

    within(valkey_url, fail)
    done = run("failing", redis_url=valkey_url)
    assert done.returncode == 0
    assert done.stdout.startswith("work m1: KeyError, 10 times since 20")
    assert "card" not in done.stdout


def test_operator_moderates_at_the_command_line(valkey_url: str) -> None:
    """A line is hidden, its author silenced and suspended, the report closed, and a sanction lifted; the list has it all."""

    async def insult(application: Application) -> tuple[str, MatchId, str]:
        (anna, _, _), (bert, _, _) = [await application.accounts.register(name) for name in ("Anna", "Bert")]
        match = (await application.matches.open(anna.id, NewMatch(game=GameId("coup"), seats=2, seat=None), "open")).match
        await application.get(Speakers).say(bert.id, match, Kind.TEXT, "an insult")
        place = MatchRoom(match, Room.STANDS)
        return bert.id, match, (await application.get(Reports).report(bert.id, place, 1, Reason.INSULT)).id

    bert, match, report = within(valkey_url, insult)
    why = ("--reason", "An insult.")

    def moderate(*arguments: str) -> dict[str, object]:
        done = run("moderation", *arguments, redis_url=valkey_url)
        assert done.returncode == 0, done.stderr
        return msgspec.json.decode(done.stdout)

    hidden = moderate("hide-line", match, "stands", "1", *why)
    closed = moderate("close-report", report, *why)
    silenced = moderate("silence", bert, "--days", "2", *why)
    suspended = moderate("suspend", bert, "--days", "7", "--address", *why)
    lifted = moderate("lift", str(silenced["id"]))
    assert (hidden["by"], hidden["player"], closed["report"], suspended["address"]) == (None, bert, report, "")
    assert lifted["lifted_ms"] is not None
    listed = run("moderation", "acts", redis_url=valkey_url).stdout.splitlines()
    assert [msgspec.json.decode(each)["kind"] for each in listed] == ["suspend", "silence", "close-report", "hide-line"]
    refused = run("moderation", "lift", str(hidden["id"]), redis_url=valkey_url)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "only a sanction can be lifted" in refused.stderr
