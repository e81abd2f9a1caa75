"""Draws of version 2: named by what they are for, counted over the whole match, and moved by nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import msgspec
import pytest
from msgspec import UNSET

from tafelrunde.domain.game import Command, DecisionId, Event, GameId, Seat
from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.domain.match.commands import Abort, Play, TimeOut
from tafelrunde.domain.match.decide import decide
from tafelrunde.domain.match.events import Drawn, DrawsKeyed, is_match_event
from tafelrunde.domain.secrecy import redact
from tafelrunde.service.dealing import dealer
from tafelrunde.service.dealing.dealer import Dealer, KeyedDealer, dealer_for
from tafelrunde.service.dealing.keyed_random import Draw
from tafelrunde.service.errors import CorruptHistory
from tafelrunde.service.features.records.verify import verify
from tafelrunde.service.matches import codec
from tafelrunde.service.matches.codec import Codec
from tests.service.features.records.test_record import NAME, REAL, SECRET, Story, opening, rewritten, story
from tests.support.cases import GAMES, Case

MATCH = MatchId("m1")
ORDER = "tafelrunde/order/1|"
every_case = pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in REAL])


@pytest.fixture
def prefixes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The prefixes of all draws of games, as they are made."""
    found: list[str] = []

    def drawn(key: bytes, prefix: str) -> Draw:
        found.append(prefix)
        return Draw(key, prefix)

    monkeypatch.setattr(dealer, "Draw", drawn)
    return found


def test_draw_depends_on_its_label_and_on_those_before_it_with_the_same_label(prefixes: list[str]) -> None:
    """Those of the commands before are handed in; each label is counted for itself."""
    chance = KeyedDealer(MATCH, SECRET, ["a", ""], {"court": 3})
    chance.shuffle("court", "ab")
    chance.shuffle("court", "ab")
    chance.below("first-seat", 2)
    before = f"tafelrunde/2|{MATCH}|a,|"
    assert prefixes == [f"{before}court|3", f"{before}court|4", f"{before}first-seat|0"]


@every_case
def test_every_draw_of_a_match_is_another_one_and_is_noted(case: Case, prefixes: list[str]) -> None:
    """No two draws of any game share a prefix, and the log says which there were, in order."""
    told = story(case)
    noted = [label for event in events(told) if isinstance(event, Drawn) for label in event.labels]
    assert noted
    counts = [noted[:place].count(label) for place, label in enumerate(noted)]
    wanted = [f"tafelrunde/2|{NAME}|n0,{',' * (case.seats - 2)}|{label}|{n}" for label, n in zip(noted, counts, strict=True)]
    assert prefixes == wanted
    assert len({*prefixes}) == len(prefixes)


def events(told: Story) -> list[Event]:
    """Return all events of a story."""
    reader = Codec(GAMES)
    return [reader.decode(entry)[1] for entry in told.entries]


def played(case: Case, disturb: Callable[[Story, DecisionId], None], draws: int) -> Sequence[Event]:
    """Return what happens on the table of two people's match; before each answer *disturb* may let harmless things happen."""
    begun = opening(case.game, case.seats, msgspec.to_builtins(case.options), people=2)
    told = Story()
    rng = random.Random(f"{case.name}/2")
    told.do(msgspec.structs.replace(begun, draws=UNSET if draws == 1 else draws))
    while (ask := told.match.pending()) is not None and (decision := told.match.open_decision()) is not None:
        disturb(told, decision)
        command = rng.choice(told.match.game.legal(told.match.table, ask.open[0]))
        told.do(Play(PlayerId(f"p{ask.open[0]}"), decision, command))
    return [event for event in events(told) if not is_match_event(event)]


def nothing(_: Story, __: DecisionId) -> None:
    """Let nothing happen."""


def agreeing(told: Story, _: DecisionId) -> None:
    """Let the seat that is asked agree to end the match, which its answer takes back."""
    ask = told.match.pending()
    if ask is not None and ask.seats == (Seat(0),):
        told.do(Abort(PlayerId("p0")))


FOR_TWO = [case for case in REAL if case.name in ("coup-2-default", "matchmaster-2-default", "mondkrone-2-default")]


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in FOR_TWO])
def test_harmless_events_do_not_change_a_shuffle(case: Case) -> None:
    """An agreement to end that is taken back makes the log longer; under version 1 the next round was another one."""
    assert played(case, nothing, 2) == played(case, agreeing, 2)
    assert played(case, nothing, 1) != played(case, agreeing, 1)


def test_what_was_drawn_is_for_no_viewer_and_the_version_for_all() -> None:
    """Which shuffles there were follows from public events; the version is fixed at the opening."""
    assert all(redact(Drawn(("court",)), seat) is None for seat in (None, 0, 1))
    assert redact(DrawsKeyed(2), None) == DrawsKeyed(2)


def test_version_1_is_drawn_as_before() -> None:
    """A match that does not say otherwise depends on the length of its log, and notes nothing."""
    case = FOR_TWO[0]
    begun = msgspec.structs.replace(opening(case.game, 2, {}), draws=UNSET)
    told = Story()
    told.do(begun)
    assert type(dealer_for(NAME, told.match, TimeOut(DecisionId(1)), 5)) is Dealer
    assert not any(isinstance(event, Drawn | DrawsKeyed) for event in events(told))


def test_unknown_version_is_refused() -> None:
    """A later release's way to draw is not taken for one that is known."""
    begun = msgspec.structs.replace(opening(FOR_TWO[0].game, 2, {}), draws=3)
    with pytest.raises(ValueError, match="draws of version 3"):
        Story().do(begun)


def test_older_release_cannot_read_a_match_of_version_2(monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not know the fact behind the opening, so it refuses instead of drawing on by version 1, even before the start."""
    told = Story()
    told.do(msgspec.structs.replace(opening(FOR_TWO[0].game, 2, {}), start=False))
    known = tuple(kind for kind in codec.MATCH_EVENTS if kind not in (DrawsKeyed, Drawn))
    monkeypatch.setattr(codec, "MATCH_EVENTS", known)
    older = Codec(GAMES)
    older.decode(told.entries[0])
    with pytest.raises(CorruptHistory, match=r"match\.draws-keyed\.1"):
        older.decode(told.entries[1])


@pytest.mark.parametrize("label", ["deal", "another"])
def test_forged_note_of_a_draw_is_found(label: str) -> None:
    """A label more in the log would make the next shuffle another one: deciding again shows that there was no such draw."""

    def more(entries: list[list[dict[str, list[str]]]]) -> None:
        next(entry[4] for entry in entries if "labels" in entry[4])["labels"].append(label)

    case = next(case for case in REAL if case.game.id == GameId("coup"))
    finding = verify(rewritten(story(case).lines(), more), GAMES).finding
    assert finding is not None
    assert finding.what == "the event that the rules give"


def test_same_commands_give_the_same_facts_whatever_the_version_of_the_log() -> None:
    """The dealer of version 2 is not even handed the length of the log."""
    told = story(FOR_TWO[0])
    command: Command | TimeOut = TimeOut(DecisionId(1))
    begun = Story()
    begun.do(opening(FOR_TWO[0].game, 2, msgspec.to_builtins(FOR_TWO[0].options)))
    ways = [decide(begun.match, command, dealer_for(NAME, begun.match, command, length), 1).events for length in (1, 99)]
    assert ways[0] == ways[1]
    assert told.match.drawn["deal"] == 1
