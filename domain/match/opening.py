"""How a match begins: its options read and checked, its first facts, and what it takes up of another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Union, cast

import msgspec
from msgspec import UNSET

from ..game import AnyGame, Event, InvalidOptions, Options
from .commands import Branch, OpenMatch
from .events import DrawsKeyed, MatchBranched, MatchOpened
from .settings import as_stored
from .terms import OptionValue


def read_options(game: AnyGame, options: Mapping[str, OptionValue], seats: int) -> Options:
    """Return typed and checked options; raise InvalidOptions naming the first wrong field."""
    try:
        typed = msgspec.convert(options, game.options_type)
    except msgspec.ValidationError as error:
        raise _name(error, options, game) from error
    if not game.min_seats <= seats <= game.max_seats:
        raise InvalidOptions("seats", f"{game.id} has {game.min_seats} to {game.max_seats} seats")
    game.check(typed, seats)
    return typed


def _name(error: msgspec.ValidationError, options: Mapping[str, OptionValue], game: AnyGame) -> InvalidOptions:
    """Turn a conversion error into one that names the field."""
    reason, _, path = str(error).partition(" - at `$.")
    unknown = next((name for name in options if name not in game.options_type.__struct_fields__), None)
    return InvalidOptions(path.rstrip("`").split("[")[0] or unknown or "options", reason)


def open_match(command: OpenMatch, game: AnyGame, options: Options, now_ms: int) -> MatchOpened:
    """Return the opening fact, with every option spelled out. Hints are a fact of their own: `HintsAllowed`."""
    settings = msgspec.structs.replace(command.settings, options=msgspec.to_builtins(options), hints=False)
    return MatchOpened(
        **cast("dict[str, Any]", as_stored(settings)),
        rules_version=game.rules_version,
        host=command.host,
        commitment=command.commitment,
        secret=command.secret,
        parent=command.parent,
        at_ms=now_ms,
        dealing=command.dealing,
        edition=command.edition,
    )


def key_draws(command: OpenMatch) -> tuple[DrawsKeyed, ...]:
    """Return the event that says how chance is drawn; nothing for version 1."""
    return () if command.draws is UNSET else (DrawsKeyed(command.draws, command.bot_chance, command.bot_code),)


def branch_off(branch: Branch) -> MatchBranched:
    """Return the fact of which match is taken up."""
    return MatchBranched(branch.match, branch.decision, branch.version, branch.chain)


def history_of(branch: Branch, game: AnyGame) -> tuple[Event, ...]:
    """Return the game's events that a match begins with; raise InvalidOptions if they are none."""
    kinds = cast("type[Event]", Union[game.event_types])  # noqa: UP007 - the members are only known at run time
    try:
        return tuple(msgspec.convert(plain, kinds) for plain in branch.history)
    except msgspec.ValidationError as error:
        raise InvalidOptions("branch", str(error)) from error
