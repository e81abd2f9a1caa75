"""Every quota belongs to those who spend it: what one of them uses up, no other one of its address misses."""

from __future__ import annotations

import ast
from collections.abc import Awaitable, Callable, Iterator

import msgspec
import pytest

from tafelrunde.domain.match import PlayerId
from tafelrunde.service.features.oauth.settings import OauthSettings
from tafelrunde.service.features.passkeys.settings import PasskeySettings
from tafelrunde.service.features.people.settings import PeopleSettings
from tafelrunde.service.features.talk.settings import TalkSettings
from tafelrunde.service.features.tournaments.settings import TournamentSettings
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.players import quota_table
from tafelrunde.service.players.accounts import Accounts
from tafelrunde.service.players.budgets import Budgets
from tafelrunde.service.players.quota_table import ADDRESS_SHARES, TABLE, Row, Spender
from tafelrunde.service.players.quotas import Quotas
from tafelrunde.service.players.token_seal import token_seal_of
from tafelrunde.service.ports.players import PlayerRecord
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.paths import ROOT
from tests.support.table import Table, opened
from tests.support.wire import Answer

pytestmark = pytest.mark.anyio
HERE, ELSEWHERE = ("198.51.100.1", 1), ("198.51.100.2", 1)
GUEST, NAMED, NEWCOMER, VICTIM = [PlayerId(f"p{number:026x}") for number in range(4)]
SETTINGS = Settings(
    bot_pause_ms=0,
    public_url="https://cards.example.org",
    limits=LimitSettings(
        reads_per_minute=8,
        advice_per_minute=4,
        commands_per_minute=24,
        streams_per_minute=6,
        sign_ups_per_minute=6,
        failures_per_minute=4,
        requests_per_minute=240,
        matches_per_player_daily=12,
        matches_per_address_daily=300,
        open_seats_per_player=2,
        max_streams=3,
        bot_matches_per_minute=5,
    ),
    features=(
        OauthSettings(oauth=True, oauth_applications_hourly=3),
        TournamentSettings(tournaments_per_player=3),
        PasskeySettings(passkeys=True),
    ),
)
ALL_SETTINGS = (LimitSettings(), OauthSettings(), PeopleSettings(), TalkSettings(), TournamentSettings())
BOTS = {"game": "duel", "seats": 2, "seat": None, "bots": [{"seat": seat, "bot": "steady"} for seat in range(2)], "start": True}
DUEL = {"game": "duel", "seats": 2}
TRIES = 60
ELSEWHERE_PROVEN = {
    "connections": "tests/api/server/test_http11.py::test_idle_connection_makes_room_when_its_address_has_too_many",
    "kept-seats": "tests/service/features/quick/test_quick.py::test_guests_who_never_come_keep_no_others_from_meeting",
    "practice": "tests/api/routes/test_caps.py::test_address_has_its_own_number_of_practice_matches",
    "live-streams": "tests/api/http/test_sse.py::test_crowd_without_tokens_watches_from_one_address",
    "open-tournaments": "tests/api/features/tournaments/test_tournaments.py::test_tournaments_of_an_address_are_counted_together",
}
"""Quotas whose proof needs more than requests, and where it is."""
Spend = Callable[[Table, str | None], Awaitable[Answer]]


# All quotas are in the table


def calls_of(name: str) -> Iterator[str]:
    """Yield the modules in which something of that name is called."""
    for folder in ("service", "api", "workers"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                    yield path.relative_to(ROOT).as_posix()


def test_no_quota_is_made_outside_of_the_table() -> None:
    """A further one is a row of the table, which names its spender and who comes first."""
    assert set(calls_of("Quota")) == {"service/players/quota_table.py"}
    assert set(calls_of("Budget")) == {"service/players/budgets.py"}
    assert set(calls_of("ConnectionLimiter")) == {"api/http/sse.py", "service/runtime/connections.py"}
    assert set(calls_of("_Cap")) == {"service/matches/caps.py"}


def test_every_row_is_used() -> None:
    """A row that no code reads would promise what nothing keeps."""
    names = {name for name, row in vars(quota_table).items() if isinstance(row, Row)}
    used = {
        node.attr if isinstance(node, ast.Attribute) else node.id
        for folder in ("service", "api", "workers")
        for path in (ROOT / folder).rglob("*.py")
        if path.name != "quota_table.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, (ast.Name, ast.Attribute))
    }
    assert names - used == set()
    assert len({row.name for row in TABLE}) == len(TABLE) == len(names)


def settings_of(row: Row) -> msgspec.Struct | None:
    """Return the settings, with their defaults, that have the shares of a row."""
    needed = {each for each in (row.one, row.together) if isinstance(each, str) and each}
    return next((each for each in ALL_SETTINGS if needed <= set(dir(each))), None)


def test_address_has_many_shares_of_every_player() -> None:
    """At least 25 times what one has; of running bots, which each keep a core busy, more than six times."""
    few = {}
    for row in TABLE:
        if row.spender is Spender.PLAYER and row.one is not None and row.together is not None:
            times = row.shared(settings_of(row)) / row.share(settings_of(row))
            if times < ADDRESS_SHARES:
                few[row.name] = int(times)
    assert few == {"bots": 6}


# Budgets that are spent over time, apart from those of requests


@pytest.mark.parametrize("row", [row for row in TABLE if row.window_s is not None], ids=lambda row: row.name)
async def test_guest_uses_up_nothing_of_others(row: Row) -> None:
    """A guest spends all it can; a named player and a newcomer of the same address have theirs."""
    stores = memory_stores()
    await stores.players.put_player(PlayerRecord(NAMED, "Ann", guest=False, created_ms=1))
    accounts = Accounts(stores.players, lambda: 1_000_000, token_seal_of(stores.id_key))
    budgets = Budgets(Quotas(stores.budgets, lambda: 1_000_000), accounts, stores.id_key, limited=True)
    budget = budgets.of_row(row, settings_of(row))

    async def spend(player: PlayerId) -> bool:
        if row.of_sender is not None:
            return await budget.spend_for(player, VICTIM) is None
        if row.spender is Spender.PLAYER:
            return await budget.spend(player, "at 192.0.2.1") is None
        return await budget.spend_by(player) is None

    most = row.share(settings_of(row))
    spent = [await spend(GUEST) for _ in range(most + 2)]
    assert spent.count(True) == (row.of_sender or most)
    others = (NAMED,) if row.of_sender is not None else (NAMED, NEWCOMER)
    assert all([await spend(each) for each in others])


# Requests and matches, over HTTP


async def read(table: Table, token: str | None) -> Answer:
    """Read something."""
    return await table.get("/me" if token else "/games", token, peer=HERE)


async def take_advice(table: Table, token: str | None) -> Answer:
    """Ask for something expensive."""
    return await table.get("/me/export", token, peer=HERE)


async def command(table: Table, token: str | None) -> Answer:
    """Do something that may change something."""
    return await table.ask("DELETE", "/api/v1/me/device-codes", token=token, peer=HERE)


async def stream(table: Table, token: str | None) -> Answer:
    """Open a stream."""
    match = table.app.state.watched
    async with table.listen(f"/api/v1/matches/{match}/stream", token=token, peer=HERE) as exchange:
        return await exchange.begin()


async def sign_up(table: Table, token: str | None) -> Answer:
    """Make a player."""
    return await table.post("/players", content={}, peer=HERE)


async def challenge(table: Table, token: str | None) -> Answer:
    """Ask for a challenge."""
    return await table.post("/passkey-options", peer=HERE)


async def guess(table: Table, token: str | None) -> Answer:
    """Send an invalid token without a seal."""
    return await table.get("/me", f"tr_{'x' * 43}", peer=HERE)


async def open_match(table: Table, token: str | None) -> Answer:
    """Open a match, which ends."""
    answer = await table.post("/matches", token, DUEL, peer=HERE)
    if answer.status == 201:
        await table.post(f"/matches/{answer.json['match']}/abort", token, peer=ELSEWHERE)
    return answer


async def hold_seat(table: Table, token: str | None) -> Answer:
    """Open a match with a seat."""
    return await table.post("/matches", token, DUEL, peer=HERE)


async def run_bots(table: Table, token: str | None) -> Answer:
    """Begin a match of bots."""
    return await table.post("/matches", token, BOTS, peer=HERE)


async def register(table: Table, token: str | None) -> Answer:
    """Register an application."""
    return await table.post("/oauth/applications", content={"redirect_uris": ["https://app.example/back"]}, peer=HERE)


async def open_tournament(table: Table, token: str | None) -> Answer:
    """Open a tournament."""
    wish = {"name": "Cup", "game": "duel", "seats": 2, "kind": "swiss"}
    return await table.post("/tournaments", token, wish, peer=HERE)


SPENDING: dict[str, Spend] = {
    "reads": read,
    "advice": take_advice,
    "commands": command,
    "streams": stream,
    "no-token": read,
    "sign-ups": sign_up,
    "challenges": challenge,
    "failures": guess,
    "matches": open_match,
    "seats": hold_seat,
    "open": hold_seat,
    "bots": run_bots,
    "bot-matches": run_bots,
    "tournaments": open_tournament,
    "oauth-clients": register,
}
"""How each quota is spent, by a request. Those of "no token" and of addresses are spent without one."""
WITHOUT_TOKEN = frozenset({"no-token", "sign-ups", "challenges", "failures", "oauth-clients"})
BY_BUDGET = frozenset(
    {"invitations", "invitations-to", "talk", "reports", "notice-codes", "notice-codes-to", "notices", "notices-turn"}
)
"""Those that a budget alone decides, which the test above has spent."""


def test_every_quota_has_a_proof() -> None:
    """A new row of the table fails here until it has one; `address` is spent by all of these together."""
    assert {row.name for row in TABLE} == {*SPENDING, *ELSEWHERE_PROVEN, *BY_BUDGET, "address"}
    for proof in ELSEWHERE_PROVEN.values():
        path, _, name = proof.partition("::")
        assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), proof


async def use_up(table: Table, spend: Spend, *tokens: str | None) -> int:
    """Spend with some tokens until nothing is left; return after how many seconds there is more."""
    wait_s = 0
    for token in tokens:
        for _ in range(TRIES * 20):
            answer = await spend(table, token)
            assert answer.status in {200, 201, 204, 401, 409, 429}, answer
            if answer.status in {409, 429}:
                wait_s = max(wait_s, int(answer.header("retry-after") or 0))
                break
        else:
            raise AssertionError("it never ends")
    return wait_s


async def require_others_served(table: Table, spend: Spend, named: str) -> None:
    """Sign up a newcomer, then have it and a named player do what the guest may do no more."""
    signed_up = await sign_up(table, None)
    assert signed_up.status == 201, signed_up
    for token in (named, signed_up.json["text"]):
        assert (await table.get("/me", token, peer=HERE)).status == 200
        assert (await command(table, token)).status == 204
        assert (await spend(table, token)).status in {200, 201, 204}


@pytest.mark.parametrize("name", SPENDING)
async def test_others_of_the_address_are_served_when_one_has_spent_all(name: str) -> None:
    """A guest, with two tokens, or someone without any uses up what there is; a named player and a newcomer are served.

    What has to be spent without a token is the address's: a newcomer waits for it for seconds, and no one with a token at all.
    """
    async with opened(SETTINGS) as table:
        _, named = await table.player("Ann", peer=ELSEWHERE)
        _, first = await table.player(peer=ELSEWHERE)
        second = (await table.post("/me/tokens", first, {"scopes": ["read", "play", "create"]}, peer=ELSEWHERE)).json["text"]
        code = (await table.post("/me/device-codes", named, peer=ELSEWHERE)).json["code"]
        _, host = await table.player(peer=ELSEWHERE)
        table.app.state.watched = (await table.post("/matches", host, DUEL, peer=ELSEWHERE)).json["match"]
        table.now_ms += 60_000
        if name not in WITHOUT_TOKEN:
            await use_up(table, SPENDING[name], first, second)
            await require_others_served(table, SPENDING[name], named)
            return
        wait_s = await use_up(table, SPENDING[name], None)
        device = await table.post("/device-codes", content={"code": code, "label": "phone"}, peer=HERE)
        assert device.status == 200, "what proves itself never waits"
        for token in (named, device.json["text"]):
            assert (await table.get("/games", token, peer=HERE)).status == 200
        if name == "sign-ups":
            assert wait_s <= 60 / SETTINGS.limits.sign_ups_per_minute
            assert (await table.post("/players", content={}, peer=ELSEWHERE)).status == 201
            table.now_ms += 1_000 * wait_s
        await require_others_served(table, read, named)


async def test_guest_who_spends_everything_at_once_leaves_the_address_to_others() -> None:
    """All kinds of requests, with two tokens and without: the address has room for others."""
    async with opened(SETTINGS) as table:
        _, named = await table.player("Ann", peer=ELSEWHERE)
        _, first = await table.player(peer=ELSEWHERE)
        second = (await table.post("/me/tokens", first, {"scopes": ["read", "play", "create"]}, peer=ELSEWHERE)).json["text"]
        _, host = await table.player(peer=ELSEWHERE)
        table.app.state.watched = (await table.post("/matches", host, DUEL, peer=ELSEWHERE)).json["match"]
        table.now_ms += 60_000
        for spend in (read, take_advice, command, stream):
            await use_up(table, spend, first, second)
        for spend in (read, challenge, guess):
            await use_up(table, spend, None)
        for _ in range(1_000):
            await read(table, first)
        await require_others_served(table, read, named)
