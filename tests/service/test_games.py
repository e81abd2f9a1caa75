"""Games of other packages: found by their entry points, and only if the settings name them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import invalidate_caches
from pathlib import Path
from typing import TypeAlias

import pytest

from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tafelrunde.research import env
from tafelrunde.service import games
from tafelrunde.service.application import Application
from tafelrunde.service.environment import read_settings
from tafelrunde.service.errors import StartupRefused
from tafelrunde.service.ports.stores import Stores
from tests.support.own import DUEL

Install: TypeAlias = Callable[..., None]
OFFERED = "tests.support.duel:GAME"


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Give a function that installs a package with entry points for games, as pip would leave them."""
    monkeypatch.syspath_prepend(tmp_path)

    def installed(package: str, **offers: str) -> None:
        folder = tmp_path / f"{package}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
        lines = "".join(f"{name.replace('_', '-')} = {value}\n" for name, value in offers.items())
        (folder / "entry_points.txt").write_text(f"[{games.GROUP}]\n{lines}", encoding="utf-8")
        invalidate_caches()
        games.games_of.cache_clear()

    return installed


@pytest.fixture(autouse=True)
def _forgotten() -> None:
    """What other tests installed is not known."""
    games.games_of.cache_clear()


def test_installed_game_is_there_when_the_settings_name_it(install: Install, memory_stores: Stores) -> None:
    """Behind those of the registry; blanks around the name do not matter."""
    install("duel-cards", duel=OFFERED)
    settings = read_settings({games.VARIABLE: " duel ,"})
    application = Application(memory_stores, settings)
    assert [*application.games] == [*GAMES, DUEL.id]
    assert application.games[DUEL.id] is DUEL


def test_research_plays_an_installed_game_without_a_setting(install: Install) -> None:
    """Naming it is the choice to run it; the refusal of an unknown name lists the installed games as well."""
    install("duel-cards", duel=OFFERED)
    table = env("duel")
    table.reset(seed=1)
    assert table.course.game is DUEL
    with pytest.raises(ValueError, match=r"there is no game 'chess', only coup, .*, duel"):
        env("chess")


def test_installed_game_is_not_imported_when_no_setting_names_it(install: Install, memory_stores: Stores) -> None:
    """A package that happens to be there runs nothing in the service."""
    install("duel-cards", duel="no_module_of_this_name:GAME")
    assert Application(memory_stores, read_settings({})).games is GAMES


@pytest.mark.parametrize(
    ("offers", "name", "why"),
    [
        ({}, "duel", "is offered by no installed package"),
        ({"duel": OFFERED}, "whist", "is offered by no installed package; there are duel"),
        ({"coup": OFFERED}, "coup", "is a game of Tafelrunde itself"),
        ({"whist": OFFERED}, "whist", "has the id 'duel'"),
        ({"duel": "tests.support.duel.cards:DECK"}, "duel", "is no game"),
        ({"duel": "tests.support.no_such_module:GAME"}, "duel", "cannot be imported from tests.support.no_such_module:GAME"),
        ({"duel": "tests.support.duel:NOTHING"}, "duel", "cannot be imported"),
    ],
)
def test_game_is_refused_when_it_cannot_be_here(install: Install, offers: dict[str, str], name: str, why: str) -> None:
    """One sentence names the variable, the game, and what is wrong."""
    install("cards", **offers)
    with pytest.raises(StartupRefused) as refused:
        games.games_of(name)
    assert str(refused.value).startswith(f"TAFELRUNDE_GAMES names '{name}', which {why}")


def test_game_is_refused_when_two_packages_offer_it(install: Install) -> None:
    """The setting does not say which of them is meant."""
    install("duel-cards", duel=OFFERED)
    install("other-cards", duel="tests.support.own:DUEL")
    with pytest.raises(StartupRefused, match="is offered more than once"):
        games.games_of("duel")


def test_game_is_refused_when_its_tags_are_not_its_own(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stored events are read by their tags: two games must not have the same."""
    coup = GAMES[GameId("coup")]
    monkeypatch.setattr(type(DUEL), "event_types", coup.event_types)
    install("duel-cards", duel=OFFERED)
    with pytest.raises(StartupRefused, match=r"says coup\.[a-z-]+\.\d+, which does not begin with its id"):
        games.games_of("duel")
