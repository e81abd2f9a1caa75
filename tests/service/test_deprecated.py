"""What embedders imported in the release before goes on working, with a warning."""

from __future__ import annotations

from copy import copy
from importlib import import_module
from operator import attrgetter
from typing import Any

import pytest

from tafelrunde.api.app import create_app
from tafelrunde.domain.game import GameId
from tafelrunde.service import old_names
from tafelrunde.service.application import Application
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.settings import Settings


@pytest.mark.parametrize(
    ("old", "new", "name", "named"),
    [
        ("house", "application", "House", "Application"),
        ("house", "application", "Receipt", "Receipt"),
        ("house", "application", "unix_ms", "unix_ms"),
        ("opening", "matches.setup", "NewMatch", "NewMatch"),
        ("transparency", "transparency.checks", "check_inclusion", "check_inclusion"),
        ("transparency", "transparency.checks", "check_consistency", "check_consistency"),
        ("transparency", "transparency.checks", "leaves_of", "leaves_of"),
    ],
)
def test_old_name_is_the_new_one_with_a_warning(old: str, new: str, name: str, named: str) -> None:
    """An import from the old place gives the same object, and says where it lies now."""
    with pytest.warns(DeprecationWarning, match=f"tafelrunde.service.{new}.{named}"):
        found = getattr(import_module(f"tafelrunde.service.{old}"), name)
    assert found is getattr(import_module(f"tafelrunde.service.{new}"), named)


def test_app_takes_its_application_by_the_old_keyword_with_a_warning() -> None:
    """`create_app(house=...)` is `create_app(application=...)`."""
    application = Application(memory_stores(), Settings())
    with pytest.warns(DeprecationWarning, match="application"):
        app = create_app(house=application)
    assert app.state.running.settings is application.settings


@pytest.mark.parametrize("name", old_names.MOVED)
def test_old_name_of_the_application_is_the_new_one_with_a_warning(name: str) -> None:
    """What an application could do by itself, a service of it does: the same, and the warning names it."""
    application, new = Application(memory_stores(), Settings()), old_names.MOVED[name]
    with pytest.warns(DeprecationWarning, match=f"Application.{name} is now Application.{new}$") as caught:
        found = getattr(application, name)
    assert found == attrgetter(new)(application)
    assert caught[0].filename == __file__


@pytest.mark.parametrize("name", old_names.LOADING)
def test_old_name_of_the_matches_is_that_of_the_repository_with_a_warning(name: str) -> None:
    """Loading and folding was `application.matches`; commands are there now, and the rest goes on working."""
    application = Application(memory_stores(), Settings())
    with pytest.warns(DeprecationWarning, match=f"Application.repository.{name}$") as caught:
        found = getattr(application.matches, name)
    assert found == getattr(application.repository, name)
    assert caught[0].filename == __file__


def test_unknown_name_is_an_attribute_error_without_a_warning() -> None:
    """Only names that there were are found: a typing error stays one."""
    application = Application(memory_stores(), Settings())
    for place in (application, application.matches):
        with pytest.raises(AttributeError, match="no attribute 'vieww'"):
            getattr(place, "vieww")  # noqa: B009 - a type checker would find it


def test_services_can_be_copied_as_objects_without_old_names_can() -> None:
    """Copying asks an object that is not filled yet for names of its own: no old name is looked for in it."""
    application = Application(memory_stores(), Settings())
    assert vars(copy(application)) == vars(application)
    assert vars(copy(application.matches)) == vars(application.matches)


@pytest.mark.anyio
async def test_match_is_opened_by_the_old_name_as_by_the_new_one() -> None:
    """A host of the release before finds its match again after it has changed its calls: the ids are the same."""
    application = Application(memory_stores(), Settings())
    player = (await application.accounts.register("Ada"))[0].id
    old: Any = application
    new = NewMatch(game=GameId("coup"), seats=2)
    with pytest.warns(DeprecationWarning, match="Application.matches.open"):
        opening = old.open_match(player, new, "key")
    assert (await application.matches.open(player, new, "key")).match == (await opening).match


@pytest.mark.anyio
async def test_token_is_handed_in_by_its_keyword_when_a_host_calls_by_the_old_name() -> None:
    """Old calls keep the names of their arguments."""
    application = Application(memory_stores(), Settings())
    player, _, text = await application.accounts.register("Ada")
    old: Any = application
    with pytest.warns(DeprecationWarning, match="accounts.authenticate"):
        principal = await old.authenticate(token=text)
    with pytest.warns(DeprecationWarning, match="accounts.knows"):
        known = old.knows(token=text)
    assert (principal.player, known) == (player.id, True)
