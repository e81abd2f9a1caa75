"""A match's settings travel whole: each is in every place that carries or shows it, and a place that lacks one is named here."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Mapping

import msgspec
import pytest

from tafelrunde.api.schema.matches import MatchFacts, MatchRequest
from tafelrunde.api.schema.presenters import match_facts
from tafelrunde.client import shapes
from tafelrunde.domain.game import DecisionId, Seat
from tafelrunde.domain.match import BotName, Clock, MatchId, MatchSettings, PlayerId, Spectators, Visibility
from tafelrunde.domain.match.commands import OpenMatch, Seating
from tafelrunde.domain.match.events import MatchOpened
from tafelrunde.domain.match.settings import settings_of
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.secrecy import redact
from tafelrunde.service.matches.branching import PRACTICE, WhatIf, taking_up
from tafelrunde.service.matches.codec import plain_of
from tafelrunde.service.matches.repository import Loaded
from tafelrunde.service.matches.setup import NewMatch, opening, rematch
from tafelrunde.service.ports.events import GENESIS, Version, chain_over
from tafelrunde.service.views.projections import Projected, summarize
from tests.support.own import DUEL
from tests.support.paths import ROOT
from tests.support.transcripts import CODEC, GAMES, Recording, log

ANNA = PlayerId("anna")
MATCH = MatchId("m-1")
PARENT = MatchId("m-0")
BOT = BotName("random")
PLAIN = MatchSettings(game=DUEL.id, seats=2)
OTHER = MatchSettings(
    game=DUEL.id,
    seats=3,
    options={"cards": 3, "prizes": [], "first_seat": 0},
    clock=Clock(turn_seconds=77, away_seconds=88),
    spectators=Spectators.PUBLIC,
    visibility=Visibility.UNLISTED,
    rated=False,
    hints=True,
)
"""Settings of which none is the default."""
NAMES = MatchSettings.__struct_fields__
YOUNGER = ("rated", "hints")
"""Settings that came after the first stored matches."""


def properties(schema: str) -> set[str]:
    """Return the properties of a schema of the contract."""
    contract = msgspec.json.decode((ROOT / "openapi" / "openapi.json").read_bytes())
    return set(contract["components"]["schemas"][schema]["properties"])


def of_the_form() -> set[str]:
    """Return the settings that the web client knows: each with the value that its form begins with, or with a control."""
    script = (ROOT / "api" / "web" / "pages" / "match-settings.js").read_text(encoding="utf-8")
    table = script.partition("const SETTINGS = {\n")[2].partition("\n};")[0]
    return set(re.findall(r"^  (\w+): \{", table, re.MULTILINE))


def forgotten(settings: type[MatchSettings]) -> Mapping[str, set[str]]:
    """Return which settings each place lacks."""
    places = {
        "MatchOpened": {*MatchOpened.__struct_fields__, "hints"},  # `HintsAllowed` is an event of its own
        "MatchRequest": set(MatchRequest.__struct_fields__),
        "MatchFacts": set(MatchFacts.__struct_fields__),
        "openapi.json: MatchRequest": properties("MatchRequest"),
        "openapi.json: MatchFacts": properties("MatchFacts"),
        "openapi/client/shapes.py": set(shapes.Match.__struct_fields__),
        "api/web/pages/match-settings.js": of_the_form(),
    }
    names = set(settings.__struct_fields__)
    return {place: names - there for place, there in places.items() if names - there}


def test_no_place_lacks_a_setting() -> None:
    """The opening event, the contract, the Python client and the web client have each of them."""
    assert forgotten(MatchSettings) == {}


def test_every_place_is_named_when_it_lacks_a_setting() -> None:
    """A setting that is only declared is missed everywhere."""

    class Wider(MatchSettings, frozen=True, kw_only=True):
        quiet: bool = False

    missed = forgotten(Wider)
    assert len(missed) == 7
    assert all(names == {"quiet"} for names in missed.values())


def test_settings_here_are_other_than_the_defaults() -> None:
    """So that one that is dropped on the way is noticed."""
    assert [name for name in NAMES if name != "game" and getattr(OTHER, name) == getattr(PLAIN, name)] == []


def opened(settings: MatchSettings) -> OpenMatch:
    """Return the command that opens a match of Anna and bots."""
    bots = {Seat(seat): BOT for seat in range(1, settings.seats)}
    return opening(MATCH, ANNA, NewMatch(**msgspec.structs.asdict(settings), bots=bots, start=True), guest=False)


def played(settings: MatchSettings) -> Loaded:
    """Return a finished match as the service loads it, all of it read from its bytes."""
    recording = Recording(1)
    recording.do(CODEC.command_of(CODEC.command(opened(settings))))
    recording.finish(random.Random(1))
    entries = [bytes.fromhex(entry) for entry in log(recording)]
    match = Match(GAMES)
    for entry in entries:
        match.fold(CODEC.decode(entry)[1])
    return Loaded(match, Version(len(entries)), chain_over(GENESIS, entries), entries)


@pytest.mark.parametrize("name", NAMES)
def test_setting_alone_survives_its_bytes(name: str) -> None:
    """Command and opening event are read as they were written, whichever setting differs."""
    command = msgspec.structs.replace(opened(PLAIN), settings=msgspec.structs.replace(PLAIN, **{name: getattr(OTHER, name)}))
    assert CODEC.command_of(CODEC.command(command)) == command


def test_younger_settings_are_stored_only_where_they_are_not_the_default() -> None:
    """A match without them keeps the bytes that it had before there were any."""
    assert [name for name in YOUNGER if name in plain_of(CODEC.command(opened(PLAIN)))] == []
    assert list(plain_of(CODEC.command(opened(OTHER))))[-3:-1] == list(YOUNGER)


def test_settings_are_the_same_from_the_wish_to_every_listing() -> None:
    """In the log, in the match, in its rematch, in a match that takes it up, in its row and in what the API shows."""
    loaded = played(OTHER)
    settings = loaded.match.settings
    assert settings == OTHER
    again = rematch(MATCH, PARENT, loaded).settings
    assert msgspec.structs.replace(again, options=settings.options) == settings
    practice = taking_up(MATCH, ANNA, WhatIf(decision=DecisionId(1), seat=Seat(0)), PARENT, loaded, CODEC).settings
    assert practice == msgspec.structs.replace(settings, **PRACTICE, clock=Clock(turn_seconds=77, away_seconds=604_800))
    summary = summarize(MATCH, loaded, CODEC)
    row = msgspec.msgpack.encode(Projected(summary=summary, open=()))
    assert settings_of(msgspec.msgpack.decode(row, type=Projected).summary) == settings
    assert settings_of(match_facts(summary, {}, lambda _: (), "")) == settings


def test_row_without_younger_settings_has_their_defaults() -> None:
    """Rows that an older version wrote are read, also while both versions run."""
    summary = summarize(MATCH, played(OTHER), CODEC)
    plain = msgspec.to_builtins(Projected(summary=summary, open=()), str_keys=True)
    for name in YOUNGER:
        del plain["summary"][name]
    read = msgspec.msgpack.decode(msgspec.msgpack.encode(plain), type=Projected).summary
    assert (read.rated, read.hints) == (True, False)


def test_settings_are_public() -> None:
    """Lists and facts show all of them, so the event that has them hides none."""
    event = CODEC.decode(played(OTHER).entries[0])[1]
    seen = redact(event, None)
    assert isinstance(event, MatchOpened)
    assert isinstance(seen, MatchOpened)
    assert (seen.secret, seen.settings) == (None, event.settings)


def test_seating_is_no_setting() -> None:
    """Who sits where, and whether to start at once, are wishes for one match."""
    command = opened(PLAIN)
    assert type(command.settings) is MatchSettings
    assert command.seating == (Seating(seat=Seat(0), player=ANNA), Seating(seat=Seat(1), bot=BOT))


PLANTED = r"""
import sys
from importlib.machinery import SourceFileLoader

sys.dont_write_bytecode = True
MAYBE = "    quiet: Public[bool | UnsetType] = UNSET\n"
ENDS = {
    "domain/match/settings.py": {"    hints: bool = False\n": "    quiet: bool = False\n"},
    "domain/match/events.py": {"    edition: Public[int | UnsetType] = UNSET\n": MAYBE},
    "api/schema/matches.py": {"    hints: bool = False\n": "    quiet: bool = False\n", "    hints: bool\n": "    quiet: bool\n"},
}
read = SourceFileLoader.get_data


def planted(loader, path):
    where = next((end for end in ENDS if path.endswith(end)), None)
    if path.endswith(".pyc") and any(end.removesuffix(".py").split("/")[-1] == path.split("/")[-1].split(".")[0] for end in ENDS):
        raise OSError("compiled without what is planted")
    text = read(loader, path)
    for line, new in ENDS[where].items() if where else ():
        assert text.count(line.encode()) == 1, (where, line)
        text = text.replace(line.encode(), (line + new).encode())
    return text


SourceFileLoader.get_data = planted

import random

import msgspec
from tafelrunde.api.routes.matches import _new_match
from tafelrunde.api.schema.matches import MatchRequest
from tafelrunde.api.schema.presenters import match_facts
from tafelrunde.domain.game import DecisionId, Seat
from tafelrunde.service.matches.branching import WhatIf, taking_up
from tafelrunde.service.matches.codec import plain_of
from tafelrunde.service.matches.repository import Loaded
from tafelrunde.service.matches.setup import opening, rematch
from tafelrunde.service.ports.events import GENESIS, chain_over
from tafelrunde.service.views.projections import summarize
from tests.support.transcripts import CODEC, GAMES, Recording, log


def loaded(quiet):
    wish = {"game": "duel", "seats": 2, "bots": [{"seat": 1, "bot": "random"}], "start": True, "quiet": quiet}
    raw = CODEC.command(opening("m-1", "anna", _new_match(msgspec.convert(wish, MatchRequest)), guest=False))
    recording = Recording(1)
    recording.do(CODEC.command_of(raw))
    recording.finish(random.Random(1))
    entries = [bytes.fromhex(entry) for entry in log(recording)]
    folded = type(recording.match)(GAMES)
    for entry in entries:
        folded.fold(CODEC.decode(entry)[1])
    return plain_of(raw), Loaded(folded, len(entries), chain_over(GENESIS, entries), entries)


for quiet in (False, True):
    raw, found = loaded(quiet)
    assert raw.get("quiet", False) is quiet
    assert ("quiet" in plain_of(CODEC.decode(found.entries[0])[0].event)) is quiet
    again = rematch("m-2", "m-1", found).settings.quiet
    practice = taking_up("m-3", "anna", WhatIf(decision=DecisionId(1), seat=Seat(0)), "m-1", found, CODEC).settings.quiet
    shown = match_facts(summarize("m-1", found, CODEC), {}, lambda _: (), "").quiet
    assert (found.match.settings.quiet, again, practice, shown) == (quiet,) * 4
print("travelled")
"""


def test_new_setting_travels_when_it_is_declared() -> None:
    """One line each in the settings, the event and the two shapes of the API: nothing in between hands it on by name."""
    done = subprocess.run([sys.executable, "-c", PLANTED], cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert (done.stdout, done.stderr) == ("travelled\n", "")
