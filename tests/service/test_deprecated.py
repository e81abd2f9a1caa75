"""What embedders imported in the release before goes on working, with a warning."""

from __future__ import annotations

from importlib import import_module

import pytest

from tafelrunde.api.app import create_app
from tafelrunde.service.application import Application
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
