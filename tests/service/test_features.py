"""The core runs without its features: each is a folder and one line, and nothing else names it."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, cast

import msgspec
import pytest
import typer
from typer.core import TyperGroup
from typer.main import get_command

from tafelrunde.api.features import ALL, api_of, operations, problem_kinds
from tafelrunde.api.problem_types import KINDS
from tafelrunde.api.routes import CORE
from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.service.application import Application
from tafelrunde.service.core import Core
from tafelrunde.service.features import FOLDERS
from tafelrunde.service.features.inbox.duty import Outbox
from tafelrunde.service.features.inbox.feature import FEATURE as INBOX
from tafelrunde.service.features.inbox.feature import STORE as INBOXES
from tafelrunde.service.features.inbox.messages import Message
from tafelrunde.service.features.inbox.service import Inboxes
from tafelrunde.service.features.quick.duty import QuickFilling
from tafelrunde.service.features.registry import FEATURES, with_own, without
from tafelrunde.service.features.tournaments.duty import Director
from tafelrunde.service.hooks import Attached
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.settings import Settings
from tafelrunde.workers.cli import app
from tafelrunde.workers.cli.features import commands_of
from tests.support.deleted import commands_left
from tests.support.paths import ROOT
from tests.support.table import opened

LEFT_OUT = [pytest.param((name,), id=name) for name in FOLDERS] + [pytest.param(FOLDERS, id="all")]
OF_SEVERAL = {"export-all": {"records", "transparency"}, "verify": {"records", "transparency"}}
"""Commands that are made of several features."""


class LoggedInboxes(Inboxes):
    """Inboxes of a host, which notes what is posted."""

    posted: ClassVar[list[str]] = []

    async def post(self, player: PlayerId, message: Message) -> None:
        """Note it, and post it."""
        self.posted.append(type(message).__name__)
        await super().post(player, message)


def _attach_logged(core: Core) -> Attached:
    """Attach inboxes as usual, with a service of the host in the place of one."""
    attached = INBOX.attach(core)
    inboxes = LoggedInboxes(INBOXES.of(core.stores), core.now_ms)
    return msgspec.structs.replace(attached, services={**attached.services, Inboxes: inboxes})


@pytest.mark.anyio
async def test_service_of_a_host_is_found_by_its_declared_class() -> None:
    """Features that request the class get the host's subclass."""
    features = with_own(msgspec.structs.replace(INBOX, attach=_attach_logged))
    async with opened(features=features) as table:
        (_, one), (bert, _) = await table.player("Anna"), await table.player("Bert")
        match = await table.open(one)
        assert (await table.post(f"/matches/{match}/invitations", one, {"player": bert})).status == 200
        assert isinstance(table.application.get(Inboxes), LoggedInboxes)
        assert LoggedInboxes.posted == ["PlayerInvited"]


def test_service_is_refused_when_it_is_not_of_its_declared_class(memory_stores: Stores) -> None:
    """Otherwise callers would fail later, far from the mistake."""
    application = Application(memory_stores, Settings())
    with pytest.raises(TypeError, match="object is not a Inboxes"):
        application.provide(Inboxes, cast("Inboxes", object()))


def test_all_that_a_feature_brings_is_registered() -> None:
    """No field of `Attached` is forgotten by the core."""
    read = "".join((ROOT / "service" / name).read_text("utf-8") for name in ("core.py", "hooks.py"))
    assert [name for name in Attached.__struct_fields__ if f"attached.{name}" not in read] == []


@pytest.mark.anyio
@pytest.mark.parametrize("names", LEFT_OUT)
async def test_match_is_played_without_a_feature(names: tuple[str, ...]) -> None:
    """Matches are opened, played, streamed, listed and replayed; the contract lacks the operations of what is not there."""
    features = without(*names)
    async with opened(features=features) as table:
        (_, one), (_, other) = await table.player("Anna"), await table.player("Bert")
        match = await table.begin(one, other)
        async with table.listen(f"/api/v1/matches/{match}/stream", token=one) as stream:
            assert (await stream.begin()).status == 200
            await stream.hear(b"duel")
        await table.finish(match, one, other)
        feed = (await table.get(f"/matches/{match}/feed", one)).json
        assert feed["items"]
        await table.project(match)
        bots = (await table.get(f"/matches/{match}")).json["bots"]
        assert bool(bots) is ("bots" in {each.name for each in features})
        assert [each["match"] for each in (await table.get("/me/matches", one)).json["items"]] == [match]
        replayed = await table.application.repository.load_latest(MatchId(match))
        assert replayed.match.status.finished
        document = (await table.get("/openapi.json")).json
        served = {found["operationId"] for methods in document["paths"].values() for found in methods.values()}
        on = [each.name for each in features if each.on(table.application.settings)]
        assert served == {each.name for each in operations(on)}
        assert served >= {each.name for each in CORE}


@pytest.mark.anyio
async def test_deployment_without_webhooks_keeps_friends_quick_matches_and_tournaments() -> None:
    """They post into inboxes, which need no webhooks."""
    async with opened(features=without("webhooks")) as table:
        (anna, one), (bert, other) = await table.player("Anna"), await table.player("Bert")
        start = (await table.get("/me/inbox", other)).json["cursor"]
        for token, player in ((one, bert), (other, anna)):
            assert (await table.ask("PUT", f"/api/v1/me/followed/{player}", token=token)).status == 204
        assert [each["name"] for each in (await table.get("/me/followed", one)).json["items"]] == ["Bert"]
        match = await table.open(one)
        assert (await table.post(f"/matches/{match}/invitations", one, {"player": bert})).status == 200
        wish = {"game": "coup", "seats": 2, "pace": "quick", "patience_seconds": 30}
        for token in (one, other):
            place = (await table.post("/quick-matches", token, wish)).json
            assert (await table.post(f"/matches/{place['match']}/seats", token)).status == 200
        await table.application.get(QuickFilling).step()
        cup = {"name": "Cup", "game": "duel", "seats": 2, "kind": "round-robin"}
        tournament = (await table.post("/tournaments", one, cup)).json["facts"]["tournament"]
        for token in (one, other, *[(await table.player(name))[1] for name in ("Cleo", "Dora")]):
            entry = await table.ask("PUT", f"/api/v1/tournaments/{tournament}/entries/me", token=token, content={})
            assert entry.status == 200
        assert (await table.post(f"/tournaments/{tournament}/start", one)).status == 200
        await table.application.get(Director).step()
        await table.application.get(Outbox).catch_up()
        items = (await table.get(f"/me/inbox?after={start}", other)).json["items"]
        types = {each["message"]["type"] for each in items}
        assert types >= {"player.invited", "quick.matched", "tournament.round-started", "match.started"}


@pytest.mark.anyio
async def test_problems_of_a_feature_leave_with_it() -> None:
    """A problem belongs to the core or to one feature, and has a page where that is attached."""
    owned = [name for each in ALL for name in api_of(each).problems]
    assert sorted([*KINDS, *owned]) == sorted(problem_kinds())
    async with opened(features=without(*FOLDERS)) as table:
        assert {(await table.ask("GET", f"/problems/{name}")).status for name in owned} == {404}
        assert {(await table.ask("GET", f"/problems/{name}")).status for name in KINDS} == {200}


def test_feature_needs_those_that_stand_before_it() -> None:
    """A feature is attached after those that it is made of."""
    for number, feature in enumerate(FEATURES):
        assert {*feature.needs} <= {*FOLDERS[:number]}


def test_no_import_is_broken_by_a_deleted_feature(tmp_path: Path) -> None:
    """The folders of a feature and of those that need it are deleted with their lines; only they and their commands are gone."""
    copies = {name: (name,) for name in FOLDERS} | {"all": FOLDERS}
    kept = {name: tuple(each.name for each in without(*gone)) for name, gone in copies.items()}
    for name, commands in commands_left(tmp_path, kept).items():
        gone = {command for feature in FOLDERS if feature not in kept[name] for command in _commands(feature)}
        gone |= {command for command, needed in OF_SEVERAL.items() if not needed <= {*kept[name]}}
        assert commands == _names(app) - gone, name


def test_command_belongs_to_the_feature_that_it_is_made_of() -> None:
    """It is gone with that one; of several, with each of them. What the core can do alone belongs to none."""
    owned = {name: _commands(name) for name in FOLDERS}
    assert owned["records"] >= {"replay", "export"}
    assert owned["transparency"] >= {*OF_SEVERAL, "witness", "monitor", "judge", "accept-signing-key", "new-signing-key"}
    assert (owned["bots"], owned["talk"]) == ({"arena"}, {"reports"})
    assert _names(app).difference(*owned.values()) >= {"serve", "simulate", "backup", "openapi"}


def _commands(feature: str) -> set[str]:
    """Return the names of the commands that a feature adds."""
    own = typer.Typer(callback=lambda: None)
    for each in commands_of(feature).values():
        own.add_typer(each)
    return _names(own)


def _names(commands: typer.Typer) -> set[str]:
    return {*cast("TyperGroup", get_command(commands)).commands}
