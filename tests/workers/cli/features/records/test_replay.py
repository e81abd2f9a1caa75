"""Replays of records: every game, for every kind of viewer, as text in both languages and as JSON."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import MatchId
from tafelrunde.domain.match.view import view
from tafelrunde.domain.mondkrone.events import MondkroneWon
from tafelrunde.domain.registry import GAMES
from tafelrunde.domain.stich_meister.events import CardsTurnedUp, StichPlay
from tafelrunde.service.errors import NotFound, RecordWrong
from tafelrunde.service.features.records.record import Recorder, encode_lines
from tafelrunde.service.matches.repository import Loaded
from tafelrunde.service.settings import Settings
from tafelrunde.service.views.feeds import Feed
from tafelrunde.workers.cli import main
from tafelrunde.workers.cli.features.records.replay import Audience, Story, Viewer, as_json, read_story, steps
from tafelrunde.workers.cli.features.records.replay_text import TEXTS, Language, as_text
from tests.support.facts import facts_of
from tests.support.processes import run
from tools.archive_matches import CODEC, STYLES, Kept, kept, loaded_of, path_of

NAMES = "|".join(("match", *GAMES))
GAP = re.compile(rf"[{{}}]|None|\b({NAMES})\.[a-z]")
"""What is left where a text or an argument is missing."""
COUP = GameId("coup")
LAID_OPEN = frozenset(tag for game in GAMES for tag in facts_of(game).laid_open)
each_game = pytest.mark.parametrize("game", GAMES)
each_language = pytest.mark.parametrize("language", Language)


@functools.cache
def archived(game: GameId) -> tuple[Kept, ...]:
    """Return archived matches of a game, with three seats: the first in each style."""
    every = [each for each in kept(path_of(GAMES[game])) if each.plan.startswith(f"{game}-3-")]
    return tuple(next(each for each in every if each.plan.endswith(style)) for style in STYLES)


def matches(game: GameId) -> list[tuple[MatchId, Loaded]]:
    """Return those matches as the service has them."""
    return [(each.match, loaded_of(each)) for each in archived(game)]


def record(game: GameId) -> list[bytes]:
    """Return the lines of the record of a match with people that come and go."""
    [each] = [each for each in archived(game) if each.plan.endswith("people")]
    return list(encode_lines(Recorder(CODEC).lines(each.match, loaded_of(each))))


def written(folder: Path, lines: list[bytes]) -> str:
    """Return where a record was written to."""
    path = folder / "record.ndjson"
    path.write_bytes(b"".join(lines))
    return str(path)


def no_settings() -> Settings:
    """A file and an address need no service."""
    raise AssertionError("settings were asked for")


def viewers(loaded: Loaded) -> list[Viewer]:
    """Return all possible viewers."""
    return [*map(Seat, range(len(loaded.match.chairs))), *Audience]


def parts(value: Any) -> Iterator[Any]:
    """Yield all that is in a JSON value."""
    yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from parts(each)


# Words


@each_language
@each_game
def test_words_lack_nothing_no_matter_who_looks(game: GameId, language: Language) -> None:
    """Every event and prompt has its sentence, every argument its value, and no hidden value shows as a gap."""
    for match, loaded in matches(game):
        for viewer in viewers(loaded):
            story = Story(match=match, game=loaded.match.game, viewer=viewer, steps=steps(loaded, CODEC, viewer))
            lines = list(as_text(story, language))
            assert len(lines) > 5
            assert [line for line in lines if GAP.search(line)] == []


@each_game
def test_words_are_those_of_the_language(game: GameId) -> None:
    """The match begins and ends in German, or in English."""
    match, loaded = matches(game)[0]
    for language, words in ((Language.DE, ("Platz", "Ergebnis: Rang 1")), (Language.EN, ("Seat", "Result: rank 1"))):
        story = Story(match=match, game=loaded.match.game, viewer=Seat(0), steps=steps(loaded, CODEC, Seat(0)))
        text = "\n".join(as_text(story, language))
        assert all(word in text for word in words), text


@pytest.mark.parametrize(("language", "seat"), [(Language.DE, "Platz"), (Language.EN, "seat")])
def test_seats_are_named_as_such_when_there_are_several(language: Language, seat: str) -> None:
    """Who shares a win, and whose a card is: a bare number says neither."""
    turned_up = CardsTurnedUp((StichPlay(Seat(2), 1), StichPlay(Seat(0), 2)))
    for game, event, named in (
        (GameId("mondkrone"), MondkroneWon((Seat(0), Seat(2))), (f"{seat} 0, {seat} 2.",)),
        (GameId("stich-meister"), turned_up, (f"{seat} 2: ", f", {seat} 0: ")),
    ):
        match, loaded = matches(game)[0]
        step = msgspec.structs.replace(next(steps(loaded, CODEC, Seat(0))), events=(event,))
        story = Story(match=match, game=loaded.match.game, viewer=Seat(0), steps=iter((step,)))
        said = list(as_text(story, language))[-1]
        assert [each for each in named if each not in said] == [], said


def test_own_texts_have_the_same_arguments_in_both_languages() -> None:
    """What one language says, the other says too."""
    for key, text in TEXTS.items():
        found = [sorted(part.split("}")[0] for part in each.split("{")[1:]) for each in (text.de, text.en)]
        assert found[0] == found[1], key


@pytest.mark.parametrize("game", [game for game in GAMES if facts_of(game).replay_heading])
def test_rounds_and_tricks_have_headings(game: GameId) -> None:
    """In their order, each once, and never behind the end."""
    match, loaded = matches(game)[0]
    story = Story(match=match, game=loaded.match.game, viewer=Audience.PUBLIC, steps=steps(loaded, CODEC, Audience.PUBLIC))
    lines = list(as_text(story, Language.EN))
    headings = [line for line in lines if line.startswith(("Round ", "Trick "))]
    assert headings.count(str(facts_of(game).replay_heading)) == 1
    assert len(set(headings)) == len(headings)
    [end] = [number for number, line in enumerate(lines) if "Result: " in line]
    assert max(number for number, line in enumerate(lines) if line in headings) < end


@each_game
def test_words_tell_one_s_own_hand_and_no_others(game: GameId) -> None:
    """A hand is shown after the deal, to its seat alone; with all cards open all hands are."""
    match, loaded = matches(game)[0]

    def hands(viewer: Viewer) -> set[str]:
        story = Story(match=match, game=loaded.match.game, viewer=viewer, steps=steps(loaded, CODEC, viewer))
        dealt = [found[1] for line in as_text(story, Language.EN) for found in re.finditer(r"\bhand (seat [^;)]+)", line)]
        return {seat for line in dealt for seat in re.findall(r"seat \d", line)}

    assert hands(Seat(1)) == {"seat 1"}
    assert hands(Audience.PUBLIC) == set()
    assert hands(Audience.OPEN) == {"seat 0", "seat 1", "seat 2"}


# What a viewer knew


@each_game
def test_seat_is_shown_what_its_feed_tells_and_sees_what_it_saw(game: GameId) -> None:
    """Events, times and numbers are those of the feed, the views are folded from the log up to there."""
    for _, loaded in matches(game):
        for seat in (None, *map(Seat, range(len(loaded.match.chairs)))):
            feed = Feed(seat, loaded.entries)
            feed.extend(loaded, CODEC)
            found = list(steps(loaded, CODEC, Audience.PUBLIC if seat is None else seat))
            assert [event for step in found for event in step.events] == [item.event for item in feed.items]
            assert [step.version for step in found][-1] == len(feed.items)
            for step in found:
                assert step.at_ms == feed.items[step.version - 1].at_ms
            assert found[-1].view == view(loaded.match, seat)
            assert all(step.view.seat == seat for step in found)


@each_game
def test_seat_learns_nothing_of_hidden_cards(game: GameId) -> None:
    """No event before the end has the secret, or a hand or a deck that is hidden from it."""
    for _, loaded in matches(game):
        secret = loaded.match.facts.secret
        assert secret
        for seat in (Seat(0), Audience.PUBLIC):
            found = list(steps(loaded, CODEC, seat))
            until = next(n for n, step in enumerate(found) if step.view.status.finished)
            text = b"".join(msgspec.json.encode(step) for step in found[:until]).decode()
            assert secret not in text
            for step in found[:until]:
                for event in step.events:
                    assert wrongly_known(msgspec.to_builtins(event), seat) == []


def wrongly_known(event: dict[str, Any], viewer: Viewer) -> list[str]:
    """Return the fields of an event that hold hands or decks that a viewer must not know."""
    found = [name for name in ("court", "deck", "third", "rule_deck", "secret") if event.get(name)]
    for name in ("hands", "new_rules", "received"):
        dealt = event.get(name)
        if dealt and event["type"] not in LAID_OPEN:
            found += [f"{name} of {seat}" for seat, hand in enumerate(dealt) if hand and seat != viewer]
    return found


@each_game
def test_other_seats_secret_moves_leave_no_trace(game: GameId) -> None:
    """A step that shows nothing is no step: neither its number, nor its time, nor an empty line reveals it."""
    hidden = 0
    for _, loaded in matches(game):
        for seat in (Seat(0), Audience.PUBLIC):
            found = list(steps(loaded, CODEC, seat))
            assert all(step.events for step in found)
            assert [step.version for step in found] == list(counted(found))
        hidden += len(list(steps(loaded, CODEC, Audience.OPEN))) - len(found)
    assert hidden > 0 or not facts_of(game).secret_answers


def counted(found: list[Any]) -> Iterator[int]:
    """Yield after how many events each step stands."""
    count = 0
    for step in found:
        count += len(step.events)
        yield count


@each_game
def test_all_is_open_when_it_shall_be(game: GameId) -> None:
    """Every event as it is stored, and the views of all seats after each step."""
    for _, loaded in matches(game):
        found = list(steps(loaded, CODEC, Audience.OPEN))
        assert [event for step in found for event in step.events] == [CODEC.decode(entry)[1] for entry in loaded.entries]
        for step in found:
            assert [each.seat for each in step.seats] == list(range(len(step.view.chairs)))
        assert found[-1].seats == tuple(view(loaded.match, Seat(seat)) for seat in range(len(loaded.match.chairs)))


# Sources


@each_game
def test_json_has_a_line_for_each_step(game: GameId, tmp_path: Path) -> None:
    """Version, time, events and view; the views of all seats only with all cards open."""
    source = written(tmp_path, record(game))
    for viewer, names in ((Seat(0), set[str]()), (Audience.PUBLIC, set[str]()), (Audience.OPEN, {"seats"})):
        lines = [json.loads(line) for line in as_json(read_story(source, viewer, no_settings))]
        assert all(line.keys() == {"version", "at_ms", "events", "view"} | names for line in lines)
        assert lines[-1]["view"]["status"] in {"over", "aborted"}


def test_record_can_be_one_document(tmp_path: Path) -> None:
    """As the service gives it unless lines are requested."""
    lines = record(COUP)
    path = tmp_path / "record.json"
    path.write_bytes(b'{"lines":[' + b",".join(line.rstrip() for line in lines) + b"]}")
    story = read_story(str(path), Seat(1), no_settings)
    assert list(as_json(story)) == list(as_json(read_story(written(tmp_path, lines), Seat(1), no_settings)))


def test_seat_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """The match has three."""
    with pytest.raises(NotFound, match="seat"):
        read_story(written(tmp_path, record(COUP)), Seat(3), no_settings)


# Records that are not right


def truncated(lines: list[bytes]) -> Iterator[tuple[str, list[bytes]]]:
    """Yield ends of a record that are missing."""
    yield "nothing at all", []
    yield "the head alone", lines[:1]
    yield "half of the entries", lines[: len(lines) // 2]
    yield "the sum", lines[:-1]
    yield "the end and the sum", lines[:-2]
    yield "half a line", [*lines[:-1], lines[-1][:20]]


def tampered(lines: list[bytes]) -> Iterator[tuple[str, list[bytes]]]:
    """Yield records in which something was changed."""
    yield "another seat", [line.replace(b'"seat":0', b'"seat":1') for line in lines]
    yield "another time", [lines[0], lines[1].replace(b'"time_ms":1', b'"time_ms":2'), *lines[2:]]
    yield "an entry less", [*lines[:5], *lines[6:]]
    yield "two entries exchanged", [*lines[:5], lines[6], lines[5], *lines[7:]]
    yield "no record", [b"Dear Sir\n"]
    yield "no text", [b"\xff\xfe\x00"]


@pytest.mark.parametrize("game", ["coup", "stich-meister"])
def test_record_that_is_not_right_is_refused(game: str, tmp_path: Path) -> None:
    """Truncated or tampered with: the line, and what is wrong with it; nothing of the match is shown."""
    lines = record(GameId(game))
    read_story(written(tmp_path, lines), Audience.OPEN, no_settings)
    for what, wrong in (*truncated(lines), *tampered(lines)):
        with pytest.raises(RecordWrong) as found:
            read_story(written(tmp_path, wrong), Audience.OPEN, no_settings)
        assert found.value.line, what
        assert str(found.value).startswith(f"the record is wrong at {found.value.line}: "), what


def test_record_of_other_rules_is_folded_without_asking_todays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Old matches stay readable when the rules change; what was changed in them is found by chain, sum and digests."""
    game = GameId("mondkrone")
    lines = record(game)
    wanted = list(as_json(read_story(written(tmp_path, lines), Seat(0), no_settings)))
    monkeypatch.setattr(type(GAMES[game]), "rules_version", 99)
    monkeypatch.setattr("tafelrunde.service.features.records.verify.decide", lambda *_: pytest.fail("today's rules were asked"))
    assert list(as_json(read_story(written(tmp_path, lines), Seat(0), no_settings))) == wanted
    for what, wrong in (*truncated(lines), *tampered(lines)):
        with pytest.raises(RecordWrong) as found:
            read_story(written(tmp_path, wrong), Seat(0), no_settings)
        assert found.value.what, what


# The command


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[object, str, str]]:
    """Run a replay in this process: return its exit code, and what it printed to both outputs."""

    def replayed(*arguments: str) -> tuple[object, str, str]:
        monkeypatch.setattr("sys.argv", ["tafelrunde", "replay", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
        printed = capsys.readouterr()
        return end.value.code, printed.out, printed.err

    return replayed


def test_command_takes_a_file_a_seat_and_a_language(tmp_path: Path) -> None:
    """No server is started for a file."""
    data = tmp_path / "data"
    found = run("replay", written(tmp_path, record(COUP)), "--seat", "1", "--language", "de", data_dir=str(data))
    assert (found.returncode, found.stderr, data.exists()) == (0, "", False)
    assert "Gesehen von Platz 1." in found.stdout.splitlines()[0]


def test_command_prints_lines_of_json(tmp_path: Path, command: Callable[..., tuple[object, str, str]]) -> None:
    """With --format json there is one object for each step."""
    source = written(tmp_path, record(COUP))
    code, printed, _ = command(source, "--open", "--format", "json")
    assert (code, printed.splitlines()) == (0, list(as_json(read_story(source, Audience.OPEN, no_settings))))


def test_command_names_what_is_wrong_with_a_record(tmp_path: Path, command: Callable[..., tuple[object, str, str]]) -> None:
    """One sentence and exit code 1."""
    code, printed, said = command(written(tmp_path, record(COUP)[:-1]))
    assert (code, printed, len(said.splitlines())) == (1, "", 1)
    assert said.startswith("The record is wrong at end: ")


def test_command_quotes_what_it_found_as_it_is(tmp_path: Path, command: Callable[..., tuple[object, str, str]]) -> None:
    """With its capitals."""
    found = tmp_path / "record"
    found.write_text('{"Nope": "Niemand"}\n', encoding="utf-8")
    assert '{"Nope": "Niemand"}' in command(str(found))[2]


def test_command_takes_a_seat_or_all_cards_but_not_both(tmp_path: Path, command: Callable[..., tuple[object, str, str]]) -> None:
    """They contradict each other."""
    code, printed, _ = command(written(tmp_path, record(COUP)), "--seat", "0", "--open")
    assert (code, printed) == (2, "")
