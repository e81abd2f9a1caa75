"""A match replayed command by command for one viewer: a seat, the public, or (once it is over) with all cards open.

The match comes from the store, from a file with its record, or from the address of one. A record is checked first: what
is shown of it is what was played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import TypeAlias

import msgspec

from .....audit.record_sources import load_content, split_record
from .....domain.game import AnyGame, Event, Seat
from .....domain.match import MatchId
from .....domain.match.state import Match
from .....domain.match.view import MatchView, view
from .....domain.secrecy import redact
from .....service.errors import Forbidden, NotFound
from .....service.features.records.verify import match_of, of_other_rules
from .....service.matches.codec import Codec
from .....service.matches.repository import Loaded
from .....service.settings import Settings
from ...environment import games_of_environment
from ...stored import ask_store


class Audience(Enum):
    """A viewer without a seat."""

    PUBLIC = "public"
    OPEN = "open"


Viewer: TypeAlias = "Seat | Audience"


class Step(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one command caused, as far as the viewer may know it, and the viewer's view after it.

    `version` counts the events that the viewer may know up to here, as its feed does; with all cards open these are all.
    `seats` are the views of all seats, with all cards open only; `view` is that of a spectator then.
    """

    version: int
    at_ms: int
    events: tuple[Event, ...]
    view: MatchView
    seats: tuple[MatchView, ...] = ()


class Story(msgspec.Struct, frozen=True, kw_only=True):
    """Whose match it is, who looks, and everything that happened, in order; `steps` can be taken once.

    `undecided`: it comes from a record of other rules than those that are here, so that no command was decided again.
    """

    match: MatchId
    game: AnyGame
    viewer: Viewer
    steps: Iterator[Step]
    undecided: bool = False


def read_story(source: str, viewer: Viewer, settings: Callable[[], Settings], token: str | None = None) -> Story:
    """Return what a viewer may know of the match that a file, an address (as the holder of a token) or the store has.

    Raises NotFound, Forbidden if it is not over and shall be open, RecordWrong for a record that is not right, and StartupRefused
    for an address that does not answer, or what is no file, address or id. Settings are asked for only if the store is.
    """
    content = load_content(source, token)
    if content is not None:
        match_id, loaded = match_of(split_record(content), games_of_environment())
    else:
        match_id, loaded = _load_stored(MatchId(source), settings)
    if isinstance(viewer, int) and viewer >= len(loaded.match.chairs):
        raise NotFound("seat")
    if viewer is Audience.OPEN and not loaded.match.status.finished:
        raise Forbidden("the cards are shown when the match is over")
    undecided = content is not None and of_other_rules(loaded.match)
    found = steps(loaded, Codec(loaded.match.games), viewer)
    return Story(match=match_id, game=loaded.match.game, viewer=viewer, steps=found, undecided=undecided)


def _load_stored(match_id: MatchId, settings: Callable[[], Settings]) -> tuple[MatchId, Loaded]:
    return match_id, ask_store(settings, lambda application: application.repository.load_latest(match_id))


def steps(loaded: Loaded, codec: Codec, viewer: Viewer) -> Iterator[Step]:
    """Yield what a viewer may know of a match, a step for each command that it notices. Cost: a view for each."""
    past = Match(loaded.match.games)
    visible = list[Event]()
    version = 0
    for entry in loaded.entries[: loaded.version]:
        envelope, event = codec.decode(entry)
        past.fold(event)
        known = event if viewer is Audience.OPEN else redact(event, _seat(viewer))
        if known is not None:
            visible.append(known)
        if envelope.complete and visible:
            version += len(visible)
            yield _step(past, version, envelope.time_ms, tuple(visible), viewer)
            visible = []


def _step(match: Match, version: int, at_ms: int, events: tuple[Event, ...], viewer: Viewer) -> Step:
    everyone = map(Seat, range(len(match.chairs))) if viewer is Audience.OPEN else ()
    return Step(
        version=version,
        at_ms=at_ms,
        events=events,
        view=view(match, _seat(viewer)),
        seats=tuple(view(match, seat) for seat in everyone),
    )


def _seat(viewer: Viewer) -> Seat | None:
    return None if isinstance(viewer, Audience) else viewer


def as_json(story: Story) -> Iterator[str]:
    """Yield one JSON object for each step."""
    for step in story.steps:
        yield msgspec.json.encode(step).decode()
