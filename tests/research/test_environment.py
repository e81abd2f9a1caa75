"""The games as environments: PettingZoo's own tests, and what a seat must not learn from them."""

from __future__ import annotations

import hashlib
import random
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import msgspec
import numpy as np
import pytest
from typer.testing import CliRunner

from tafelrunde.domain.game import GameId, InvalidOptions, Placing, Seat, Standing
from tafelrunde.domain.registry import GAMES
from tafelrunde.research import ParallelTafelrunde, Tafelrunde, env, parallel_env, tables
from tafelrunde.research.actions import Sentence, vocabulary_of
from tafelrunde.research.course import SeededChance, rewards
from tafelrunde.research.encodings import ENCODINGS
from tafelrunde.research.observations import LEAST, MOST, VERSION, Layout, layout_of
from tafelrunde.workers.cli import app
from tests.support.blocks import blocks
from tests.support.cases import CASES
from tests.support.facts import facts_of
from tests.support.paths import ROOT
from tests.support.stored import stored

with warnings.catch_warnings():  # where pygame is installed, this makes a game of PettingZoo's own by a way that it deprecates
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test  # pyright: ignore[reportMissingTypeStubs]  # typed, but without the marker

every_game = pytest.mark.parametrize("game", GAMES)


def largest(game: GameId) -> Tafelrunde:
    """Return an environment with as many seats as the game has, with the first options that go with them."""
    case = next(case for case in CASES if case.game.id == game and case.seats == GAMES[game].max_seats)
    return Tafelrunde(game, seats=case.seats, options=msgspec.to_builtins(case.options))


def played(table: Tafelrunde, seed: int, most: int = 10_000) -> int:
    """Play at random; return how many actions that took."""
    rng = random.Random(seed)
    table.reset(seed=seed)
    for number, agent in enumerate(table.agent_iter(most)):
        if table.terminations[agent]:
            return number
        table.step(int(rng.choice(np.flatnonzero(table.observe(agent)["action_mask"]))))
    return most


# PettingZoo wants an array and a Box, and excepts its own card games by name; a terminated agent has nothing to say.
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array", "ignore:Observation space for each agent probably")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")
@every_game
def test_environment_passes_the_api_test(game: GameId) -> None:
    """PettingZoo's own test of everything it promises to learners."""
    api_test(env(game), num_cycles=60)


@every_game
def test_environment_passes_the_seed_test(game: GameId) -> None:
    """The same seed gives the same match."""
    seed_test(lambda: env(game), num_cycles=60)


@every_game
def test_parallel_environment_passes_the_api_test(game: GameId) -> None:
    """The same for the environment in which all seats act at once."""
    parallel_api_test(parallel_env(game), num_cycles=60)


@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")
def test_environment_passes_the_render_test(capsys: pytest.CaptureFixture[str]) -> None:
    """Each mode gives what PettingZoo expects of it; what a picture says cannot break its markup."""
    coup: Any = partial(env, "coup")
    render_test(coup, custom_tests={"svg": lambda picture: fromstring(picture).tag.endswith("svg")})  # noqa: S314 - our own
    assert "Coup, 2 seats" in capsys.readouterr().out


@every_game
def test_picture_for_spectators_is_the_same_whatever_is_hidden(game: GameId) -> None:
    """Text and picture for a spectator show what is public; those of an agent show its own cards, too."""
    table = Tafelrunde(game, render_mode="ansi")
    played(table, 4, most=12)
    text, picture = table.render(), table.svg()
    table.course.table = table.game.determinize(table.game.view(table.course.table, None), random.Random(5))
    assert (table.render(), table.svg()) == (text, picture)
    assert table.text(table.agents[0]) != text


@every_game
def test_match_ends_with_rewards_by_rank(game: GameId) -> None:
    """With as many seats as may be, too; rewards are in -1..1 and add up to nothing."""
    table = largest(game)
    assert played(table, 1) > 0
    assert table.terminations == dict.fromkeys(table.possible_agents, True)
    assert sum(table.rewards.values()) == pytest.approx(0)
    assert max(table.rewards.values()) > 0


def test_rewards_are_by_rank() -> None:
    """Who beats all gets 1, who is beaten by all -1, and equals get the same."""
    ranks = (1, 2, 2, 4)
    standing = Standing(tuple(Placing(Seat(seat), rank) for seat, rank in enumerate(ranks)))
    assert rewards(standing) == [1, 0, 0, -1]


@every_game
def test_every_legal_command_can_be_said_in_one_way(game: GameId) -> None:
    """Whatever is legal can be reached action by action, and each way leads to a command of its own."""
    table = largest(game)
    rng = random.Random(2)
    table.reset(seed=2)
    for agent in table.agent_iter(150):
        if table.terminations[agent]:
            break
        seat = table.possible_agents.index(agent)
        rules = table.game.rulebook
        legal = list(rules.legal(table.course.table, seat))
        for move in rng.sample(legal, min(5, len(legal))):
            sentence = Sentence(table.vocabulary, legal, seat)
            said = None
            for word in table.vocabulary.spell(rules.command_of(move), seat):
                if said is None:
                    assert word in sentence.next
                    said = sentence.say(word)
            assert said == move
        table.step(int(rng.choice(np.flatnonzero(table.observe(agent)["action_mask"]))))


@pytest.mark.parametrize("game", [game for game in GAMES if facts_of(game).secret_answers])
def test_seat_asked_later_learns_nothing_of_the_answers_before(game: GameId) -> None:
    """Where several seats are asked at once, the observation of the next is the same whatever the one before has said."""
    table, branch = largest(game), largest(game)
    rng = random.Random(3)
    compared = 0
    table.reset(seed=3)
    branch.reset(seed=3)
    for agent in table.agent_iter(120):
        ask = table.game.pending(table.course.table)
        if ask is None:
            break
        if len(ask.open) > 1 and not table.course.sentence.said:
            seen = {seen for seen in next_views(table, branch, rng) if seen is not None}
            compared += len(seen)
            assert len(seen) <= 1
        table.step(int(rng.choice(np.flatnonzero(table.observe(agent)["action_mask"]))))
    assert compared > 0


def next_views(table: Tafelrunde, branch: Tafelrunde, rng: random.Random) -> Iterator[bytes | None]:
    """Yield what the seat that is asked next gets after some answers of the first; None where it is not asked any more."""
    ask = table.game.pending(table.course.table)
    assert ask is not None
    first, second = ask.open[:2]
    legal = table.game.legal(table.course.table, first)
    for command in rng.sample(legal, min(3, len(legal))):
        other = table.course.table.copy()
        branch.game.play(other, first, command, SeededChance(rng))
        branch.course.take_up(other)
        now = branch.game.pending(other)
        if now is None or now.decision != ask.decision:
            yield None
            continue
        assert branch.course.asked == second
        yield branch.observe(f"seat_{second}")["observation"].tobytes()


@every_game
def test_observation_is_made_of_one_s_own_view_alone(game: GameId) -> None:
    """Two tables that a seat cannot distinguish give it the same observation."""
    table = largest(game)
    again = largest(game)
    for most in (3, 12, 40):
        played(table, most, most=most)
        for agent in table.agents:
            again.course.take_up(table.game.determinize(table.view(agent), random.Random(5)))
            again.course.sentence.said = table.course.sentence.said if agent == table.agent_selection else ()
            assert np.array_equal(again.observe(agent)["observation"], table.observe(agent)["observation"])


def test_seats_are_counted_from_the_one_that_looks_and_speaks() -> None:
    """`+1` is the next seat clockwise, in observations and in actions, so that a policy is the same on all seats."""
    table = Tafelrunde("coup", seats=3)
    coins = [table.layout.names.index(f"seats[{seat}].coins") for seat in ("self", "+1", "+2")]
    steal = [str(word) for word in table.vocabulary.words].index("coup.claim-steal target=+1")
    thieves = 0
    for seed in range(8):
        table.reset(seed=seed)
        thief = table.course.asked
        for agent in table.agents:
            own = table.possible_agents.index(agent)
            coins_of: Any = table.course.table.digest_form()["coins"]
            held = [coins_of[(own + place) % 3] for place in range(3)]
            assert table.observe(agent)["observation"][coins] * 10 == pytest.approx(held)
        table.step(steal)
        seen: Any = table.game.view(table.course.table, None)
        assert seen.target == (thief + 1) % 3
        thieves |= 1 << thief
    assert thieves == 0b111


@every_game
def test_observations_stay_within_their_space(game: GameId) -> None:
    """Numbers are scaled: whole matches with the most seats never leave the bounds, and hardly pass 1."""
    table = largest(game)
    table.reset(seed=7)
    rng = random.Random(7)
    largest_seen = 0.0
    for agent in table.agent_iter(4_000):
        seen = table.observe(agent)
        largest_seen = max(largest_seen, float(np.abs(seen["observation"]).max()))
        possible = np.flatnonzero(seen["action_mask"])
        table.step(int(rng.choice(possible)) if len(possible) else None)
    assert largest_seen <= MOST == -LEAST
    assert largest_seen <= 4 or game not in ENCODINGS


@every_game
def test_places_of_an_observation_have_names(game: GameId) -> None:
    """Each place is named once, each action is said in words, and blocks cover all places without a gap."""
    for seats in {GAMES[game].min_seats, GAMES[game].max_seats}:
        layout = layout_of(GAMES[game], seats)
        words = [str(word) for word in vocabulary_of(GAMES[game], seats).words]
        assert len(set(layout.names)) == len(layout.names)
        assert len(set(words)) == len(words)
        assert [block.start for block in layout.blocks[1:]] == [block.start + block.size for block in layout.blocks[:-1]]


@pytest.mark.parametrize("game", ENCODINGS)
def test_what_the_encodings_name_is_there(game: GameId) -> None:
    """A field that is renamed, or a new number of which nothing is said, does not go unnoticed."""
    layout = layout_of(GAMES[game], GAMES[game].max_seats)
    assert ENCODINGS[game].keys() <= layout.fields
    assert not layout.unsaid


@every_game
def test_parallel_match_ends_as_its_actions_say(game: GameId) -> None:
    """The same seed and actions give the same match, to its end; rewards add up to nothing."""
    first, second = parallel_env(game), parallel_env(game)
    assert whole(first) == whole(second)


def whole(table: ParallelTafelrunde) -> tuple[bytes, ...]:
    """Play at random to the end; return all that was observed."""
    rng = random.Random(3)
    seen, _ = table.reset(seed=3)
    found: list[bytes] = []
    rewards = dict[str, float]()
    while table.agents:
        found += [each["observation"].tobytes() for each in seen.values()]
        actions = {agent: int(rng.choice(np.flatnonzero(each["action_mask"]))) for agent, each in seen.items()}
        seen, rewards, *_ = table.step(actions)
    assert sum(rewards.values()) == pytest.approx(0)
    return tuple(found)


def test_parallel_answer_of_a_seat_that_is_not_asked_is_refused() -> None:
    """Who is not asked waits; anything else is refused before anything has happened."""
    table = parallel_env("coup")
    seen, _ = table.reset(seed=1)
    actions = {agent: int(np.flatnonzero(each["action_mask"])[0]) for agent, each in seen.items()}
    waiting = next(agent for agent, action in actions.items() if action == table.wait)
    before = stored(table.course.table.digest_form())
    with pytest.raises(ValueError, match=f"{waiting}: action 0 is not possible now"):
        table.step({**actions, waiting: 0})
    assert stored(table.course.table.digest_form()) == before


@every_game
def test_tables_go_on_as_single_ones_do(game: GameId) -> None:
    """Each table of many gives what an environment gives for the same cards and actions, and deals again at its end."""
    many = tables(game, 3, seed=5)
    batch = many.batch()
    rng = np.random.default_rng(5)
    for _ in range(40):
        for place, course in enumerate(many.courses):
            assert batch.observations[place].tobytes() == course.row(course.asked).tobytes()
            assert batch.action_masks[place].tobytes() == bytes(course.mask(course.asked))
        kept = batch.observations.copy()
        before = batch
        batch = many.step((batch.action_masks * rng.random(batch.action_masks.shape)).argmax(axis=1))
        assert np.array_equal(before.observations, kept)
    again = tables(game, 3, seed=5)
    assert np.array_equal(again.batch().observations, many.reset(seed=5).observations)


def test_table_whose_match_has_ended_is_dealt_again() -> None:
    """Its rewards are those of the match that ended, and its observation that of the next one."""
    many = tables("coup", 4, seed=1)
    batch = many.batch()
    ended = 0
    rng = np.random.default_rng(1)
    while ended < 5:
        batch = many.step((batch.action_masks * rng.random(batch.action_masks.shape)).argmax(axis=1))
        assert np.allclose(batch.rewards.sum(axis=1), 0)
        assert np.array_equal(np.abs(batch.rewards).max(axis=1) == 1, batch.ended)
        assert batch.action_masks.any(axis=1).all()
        ended += int(batch.ended.sum())
    assert batch.matches.sum() == ended


def test_what_may_not_be_said_is_refused() -> None:
    """An action outside the mask changes nothing, and neither do options that the game does not have."""
    table = Tafelrunde("coup")
    table.reset(seed=1)
    closed = int(np.flatnonzero(table.observe(table.agent_selection)["action_mask"] == 0)[0])
    before = stored(table.course.table.digest_form())
    with pytest.raises(ValueError, match=f"seat_.: action {closed} is not possible now"):
        table.step(closed)
    assert stored(table.course.table.digest_form()) == before
    with pytest.raises(InvalidOptions):
        Tafelrunde("coup", seats=9)
    with pytest.raises(ValueError, match="there is no game 'poker', only coup, "):
        Tafelrunde("poker")
    with pytest.raises(ValueError, match="there is no render mode 'rgb_array', only human, ansi, svg"):
        Tafelrunde("coup", render_mode="rgb_array")


@pytest.mark.parametrize("number", range(5))
def test_page_shows_what_works(number: int) -> None:
    """The code of docs/research.md runs as it is."""
    told: dict[str, Any] = {}
    exec(blocks(ROOT / "docs" / "research.md", "python")[number], told)  # noqa: S102 - the page's own code is what is tested
    match number:
        case 0 | 1:
            assert told["table"].agents == []
        case 2:
            assert -1 <= told["reward"] <= 1
            assert told["over"]
        case 3:
            assert told["many"].shape[0] == len(told["batch"].seats) == 64
        case _:
            assert len(told["vector"]) == len(layout_of(GAMES[GameId("coup")], 2).names)


def test_page_has_commands_that_there_are(tmp_path: Path) -> None:
    """The command for bots works as the page has it, and the one for a deployment has no other options than there are."""
    shell = "".join(blocks(ROOT / "docs" / "research.md", "sh")).splitlines()
    (play,) = [line.split()[1:] for line in shell if "dataset play" in line]
    play[play.index("--out") + 1] = str(tmp_path / "rows.ndjson")
    play[play.index("--matches") + 1] = "2"
    assert CliRunner().invoke(app, play, catch_exceptions=False).exit_code == 0
    (stored_matches,) = [line.split()[1:] for line in shell if "dataset matches" in line]
    offered = CliRunner().invoke(app, ["dataset", "matches", "--help"]).output
    assert all(each in offered for each in stored_matches if each.startswith("--"))


def test_layouts_change_with_their_version_only() -> None:
    """A policy that was trained on a version finds each place where it was: any change needs another version."""
    stored_layouts = msgspec.json.decode((ROOT / "tests" / "research" / "layouts.json").read_bytes())
    found = {game.id: _digest(layout_of(game, game.max_seats)) for game in GAMES.values() if game.id in ENCODINGS}
    assert {"version": VERSION, **found} == stored_layouts, "give observations.VERSION its next number, and store the digests"


def _digest(layout: Layout) -> str:
    return hashlib.sha256("\n".join((*layout.names, *(block.meaning for block in layout.blocks))).encode()).hexdigest()[:16]
