"""What is said of events: web client and Python client choose the service's text, and no sentence has a hole or a bare number."""

from __future__ import annotations

import functools
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence

import msgspec
import pytest

from tafelrunde.api.http.catalog import Catalog
from tafelrunde.client.shapes import GameSheet
from tafelrunde.client.wording import Words
from tafelrunde.domain.game import AnyGame, GameId
from tafelrunde.domain.registry import GAMES
from tafelrunde.domain.secrecy import redact
from tafelrunde.domain.wording import wording
from tests.support.cases import CASES, SENSIBLE, WILD, played
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS
from tests.support.readings import Reading, readings, with_texts
from tests.support.thorough import tries
from tools.node import environment

SAID_AS_NUMBERS = {
    *("round", "trick", "number", "size", "hand_size", "count", "total", "value"),
    *("coins", "tricks", "points", "scores", "bids", "meistercoups"),
}
"""What a sentence counts. Everything else that is a number has a name: a card, a role, a seat, a team."""
RARE = {"coup"}
"""Where random answers do not lead to every sentence; elsewhere sensible ones are given as well in the thorough profile."""
HOLE = re.compile(r"[{}]| [ .,:;!?)]|\(\)|–|undefined|NaN|\[object|nobody")

every_game = pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in GAMES.values()])


class Thing(msgspec.Struct, frozen=True):
    """An event or a command, and who reads it."""

    game: GameId
    seat: int | None
    thing: Mapping[str, object]


class Said(msgspec.Struct, frozen=True):
    """What the web client chose and said, and the names of the values that it said as numbers."""

    keys: list[str]
    said: list[str]
    numbers: list[str]


@functools.cache
def sheet_of(game: AnyGame) -> GameSheet:
    """Return a game's sheet as a client gets it."""
    return msgspec.json.decode(Catalog(GAMES).game(game, "").body, type=GameSheet)


def web(game: AnyGame, asked: Sequence[Reading], told: Sequence[Thing]) -> Said:
    """Return what `told.js` makes of some readings and some things that happened."""
    sheet = sheet_of(game)
    question = {
        "sheets": {game.id: {"id": game.id, "cards": [], "messages": sheet.messages}},
        "readings": [{"game": game.id, **each._asdict()} for each in asked],
        "events": told,
    }
    command = ["node", str(ROOT / "tests" / "web" / "told.js")]
    done = subprocess.run(
        command,
        input=msgspec.json.encode(question),
        env=environment(),
        capture_output=True,
        check=False,
        timeout=10 * PATIENCE_SECONDS,
    )
    assert done.returncode == 0, done.stderr.decode()
    return msgspec.json.decode(done.stdout, type=Said)


def happened(game: AnyGame) -> Iterator[Thing]:
    """Yield what each viewer sees of matches with all options, and the commands that were given, in the order of their fields."""
    seeds = (WILD, SENSIBLE)[: 2 if game.id in RARE else tries(1, 2)]
    for case in CASES:
        for seed in seeds if case.game is game else ():
            for step in played(case, seed):
                for seat in case.viewers():
                    shown = [seen for event in step.events if (seen := redact(event, seat)) is not None]
                    shown += [step.command] if step.command is not None and seat == step.seat else []
                    yield from (Thing(game.id, seat, msgspec.json.decode(msgspec.json.encode(each))) for each in shown)


@functools.cache
def different(game: AnyGame) -> list[Thing]:
    """Return every thing that happened once for each of its readers."""
    return list({msgspec.json.encode(each): each for each in happened(game)}.values())


@every_game
def test_clients_choose_the_text_that_the_service_chooses(game: AnyGame) -> None:
    """For all values and readers, `sheet.js` and the Python client take the key that `domain/wording.py` takes."""
    asked = [each for kind, texts in with_texts() if texts is game.messages for each in readings(kind, texts)]
    expected = [wording(game.messages, each.key, each.given, each.seat) for each in asked]
    assert web(game, asked, []).keys == expected
    python = [Words(sheet_of(game), each.seat).wording(each.key, each.given) for each in asked]
    assert python == expected


@every_game
def test_no_sentence_has_a_hole_or_the_number_of_a_card(game: AnyGame) -> None:
    """Whatever happened, the sentence of either client is whole, and cards and roles have their names."""
    told = different(game)
    found = web(game, [], told)
    assert [line for line in found.said if HOLE.search(line)] == []
    assert set(found.numbers) <= SAID_AS_NUMBERS
    python = [Words(sheet_of(game), each.seat, lang).sentence(each.thing) for lang in ("de", "en") for each in told]
    assert [line for line in python if HOLE.search(line)] == []


def test_own_action_in_coup_names_role_and_target() -> None:
    """Who claims a role reads it as all others do, and not the bare name of the action."""
    coup = GAMES[GameId("coup")]
    claim = {"type": "coup.action-declared.1", "seat": 0, "action": "steal", "target": 1, "role": "captain", "cost": 0}
    german, english = web(coup, [], [Thing(coup.id, 0, claim)]).said
    assert german == "Du behauptest, Captain zu sein, und willst Bruno bis zu zwei Münzen abnehmen."
    assert english == "You claim to be the captain and want to take up to two coins from Bruno."


def test_cards_to_choose_from_have_their_names() -> None:
    """Equal cards are said by name in the log of Meister Coup."""
    game = GAMES[GameId("meister-coup")]
    choice = {"type": "meister-coup.choice-given.1", "seat": 2, "equal": [33, 45]}
    names = [sheet_of(game).messages[f"meister-coup.card.{card}"].en for card in (33, 45)]
    assert web(game, [], [Thing(game.id, 0, choice)]).said[1] == f"Cleo chooses among equal cards: {names[0]}, {names[1]}."
