"""The plugin for pytest: `tafelrunde_games = ["my-game"]` in its configuration adds the suites over all games, for these games.

A game is named by its entry point (service/games.py): so what passes here is what a deployment finds. Where no game is named,
nothing happens, and nothing else of Tafelrunde is imported.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

OPTION = "tafelrunde_games"
HERE = Path(__file__).parent
SUITES = f"{__package__}.suites"

pytest.register_assert_rewrite(SUITES)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the setting that names games."""
    parser.addini(OPTION, "Games that run through the suites of Tafelrunde, by the names of their entry points.", "args", [])


def pytest_configure(config: pytest.Config) -> None:
    """Choose the named games; their suites run with the other tests unless certain tests were asked for."""
    config.addinivalue_line("markers", "xdist_group(name): tests that share a process, if there are several")
    if not (names := config.getini(OPTION)):
        return
    from ..service.errors import StartupRefused
    from ..service.games import installed_games
    from .games import choose

    try:
        choose(installed_games(names))
    except StartupRefused as error:
        raise pytest.UsageError(str(error).replace("TAFELRUNDE_GAMES", OPTION)) from error
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args.append(str(HERE))


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Take the folders of the suites as plain ones: as packages they would put all of Tafelrunde's folders onto the path."""
    return pytest.Dir.from_parent(parent, path=path) if path.is_relative_to(HERE) else None


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Collect a suite under the name that everything else imports it by."""
    return Suite.from_parent(parent, path=module_path) if module_path.is_relative_to(HERE) else None


class Suite(pytest.Module):
    """A module of suites."""

    def _getobj(self) -> ModuleType:
        return import_module(f"{SUITES}.{self.path.stem}")
