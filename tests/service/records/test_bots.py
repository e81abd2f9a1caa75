"""Answers of bots, computed again from the record: a bot that looked, and an answer that was exchanged, are found."""

from __future__ import annotations

import asyncio
import functools
import random
from collections.abc import Callable
from typing import Any, TypeAlias, cast

import msgspec
import pytest

from tafelrunde.domain.coup.table import CoupTable
from tafelrunde.domain.game import AnyGame, Budget, Command, DecisionId, GameId, Rng, Seat
from tafelrunde.domain.match import BotName, PlayerId
from tafelrunde.domain.match.commands import BotPlay
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.application import Application
from tafelrunde.service.bots import turns
from tafelrunde.service.matches import bot_answers
from tafelrunde.service.matches.bot_answers import again, seed_of
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.records.verdict import Verdict
from tafelrunde.service.records.verify import verify
from tafelrunde.service.settings import Settings
from tests.service.records.test_record import REAL, Story, opening, story
from tests.support.stranger import VECTORS

COUP = GAMES[GameId("coup")]
Answering: TypeAlias = Callable[[Match, Seat, DecisionId, Command], BotPlay]
PLAIN = ("honest", "random", "search-small")
KEYED = {"draws": 2, "bot_chance": 1, "bot_code": bot_answers.bot_code(COUP)}


async def played(game: AnyGame, bots: list[str], dealing: int = 2) -> list[bytes]:
    """Return the record of a match of bots, played by the service in memory."""
    application = Application(memory_stores(), Settings(dealing=dealing))
    seats = {Seat(seat): BotName(name) for seat, name in enumerate(bots)}
    new = NewMatch(game=game.id, seats=len(bots), seat=None, bots=seats, start=True)
    match = (await application.matches.open(PlayerId("host"), new, "one")).match
    await application.process_manager.play_bots(match)
    return await application.records.export(match)


@functools.cache
def record_of(game: GameId) -> list[bytes]:
    """Return a record of a match between bots of several levels."""
    size = GAMES[game].min_seats
    names = [name for name in PLAIN if name in GAMES[game].bots()]
    return asyncio.run(played(GAMES[game], [names[seat % len(names)] for seat in range(size)]))


def other(lines: list[bytes], every_bot: int = 1) -> Verdict:
    """Return the verdict, with answers computed again."""
    return verify(lines, GAMES, every_bot=every_bot)


@pytest.mark.parametrize("game", GAMES)
def test_every_answer_of_a_bot_comes_out_again(game: GameId) -> None:
    """Of bots of rules of thumb, of chance, and of a search, in every game."""
    verdict = other(record_of(game))
    assert (verdict.finding, verdict.bots.unable) == (None, "")
    assert verdict.bots.computed == verdict.bots.given > 0


def test_every_so_many_answers_are_computed() -> None:
    """As many as the caller pays for: none by default."""
    lines = record_of(COUP.id)
    given = other(lines).bots.given
    assert other(lines, every_bot=5).bots.computed == given // 5
    assert verify(lines, GAMES).bots.computed == 0
    assert verify(lines, GAMES).bots.given == given


def peeking(match: Match, seat: Seat, rng: Rng, budget: Budget) -> Command:
    """Choose as a bot that knows the hands: it doubts just the claims that are false."""
    table = cast("CoupTable", match.table)
    legal = match.game.legal(table, seat)
    doubt = next((each for each in legal if type(each).__name__ == "Challenge"), None)
    if doubt is None:
        return bot_answers.choose(match, seat, rng, budget)
    claimant, role = table.open_claim()
    return doubt if role not in table.hands[claimant] else next(each for each in legal if type(each).__name__ == "LetPass")


def test_bot_that_looked_at_hidden_cards_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """All its answers are legal, and all else in the record is right; but what its view leads to is something else."""
    monkeypatch.setattr(turns, "choose", peeking)
    records = [asyncio.run(played(COUP, ["honest"] * 3)) for _ in range(4)]  # in one of them it may not have mattered
    monkeypatch.undo()
    assert all(verify(lines, GAMES).right for lines in records)
    finding = next(found for lines in records if (found := other(lines).finding) is not None)
    assert finding.what == "what the bot honest answers from its seat's view"
    assert "Challenge" in finding.expected + finding.found or "LetPass" in finding.expected + finding.found


def told(change: Callable[[Story, Command, list[Command]], Command], play: Answering | None = None) -> Story:
    """Return a match of bots that is written by hand; *change* may exchange an answer, *play* say more than seat and answer."""
    begun = opening(COUP, 2, {}, people=0)
    story = Story()
    story.do(msgspec.structs.replace(begun, **KEYED))
    while (decision := story.match.open_decision()) is not None:
        seat = story.match.bots_asked()[0]
        legal = story.match.game.legal(story.match.table, seat)
        answer = change(story, again(story.match, seat, decision), legal)
        story.do(BotPlay(seat, decision, answer) if play is None else play(story.match, seat, decision, answer))
    return story


def test_answer_that_was_exchanged_is_found() -> None:
    """One of all answers is another legal one, and everything after it follows from that: the verifier names it."""
    exchanged: list[int] = []

    def once(story: Story, answer: Command, legal: list[Command]) -> Command:
        if exchanged or len(legal) == 1 or len(story.entries) < 20:
            return answer
        exchanged.append(len(story.entries) + 1)
        return next(each for each in legal if each != answer)

    lines = told(once).lines()
    assert verify(lines, GAMES).right
    finding = other(lines).finding
    assert finding is not None
    assert finding.line == str(exchanged[0])
    assert other(told(lambda _, answer, __: answer).lines()).right


def test_answer_that_was_thought_out_before_others_answered_is_right() -> None:
    """A bot may have looked at any moment since its decision opened."""
    lines = asyncio.run(played(GAMES[GameId("stich-meister")], ["search-small", "honest", "random"]))
    assert other(lines).right


def test_bots_that_drew_from_the_system_are_not_judged() -> None:
    """Matches that do not say where their bots' chance comes from, and those of version 1."""
    for lines in (story(REAL[0]).lines(), asyncio.run(played(COUP, ["random"] * 2, dealing=1))):
        verdict = other(lines)
        assert verdict.finding is None
        assert (verdict.bots.computed, verdict.bots.unable) == (0, "its bots drew from the system")


def test_bots_of_other_code_are_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """They may answer otherwise, whichever release wrote the record: the log says whose they are."""
    monkeypatch.setattr("tafelrunde.service.records.bot_check.bot_code", lambda _: "f" * 32)
    verdict = other(record_of(COUP.id))
    assert verdict.right
    assert verdict.bots.computed == 0
    assert verdict.bots.unable == f"they are bots of other code, {bot_answers.bot_code(COUP)}"


def test_each_answer_is_judged_by_the_code_that_gave_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a match that an update overtook: what the later bots answered says so, and the others are those of the opening."""
    lines = told(lambda _, answer, __: answer).lines()
    given = other(lines).bots.given
    monkeypatch.setattr(bot_answers, "bot_code", lambda _: "f" * 32)
    later = told(lambda _, answer, __: answer, bot_answers.play_of).lines()
    monkeypatch.undo()
    found = other(later)
    assert (found.right, found.bots.given, found.bots.computed) == (True, given, 0)
    assert found.bots.unable == "they are bots of other code, " + "f" * 32
    exchanged = told(lambda _, answer, legal: next((each for each in legal if each != answer), answer), bot_answers.play_of)
    assert not other(exchanged.lines()).right


def test_match_that_names_no_code_of_its_bots_is_not_judged() -> None:
    """It was opened by a release that did not say so."""
    story, begun = Story(), opening(COUP, 2, {}, people=0)
    story.do(msgspec.structs.replace(begun, draws=2, bot_chance=1))
    while (decision := story.match.open_decision()) is not None:
        seat = story.match.bots_asked()[0]
        story.do(BotPlay(seat, decision, again(story.match, seat, decision)))
    verdict = other(story.lines())
    assert (verdict.right, verdict.bots.computed) == (True, 0)
    assert verdict.bots.unable == "they are bots of other code, which it does not name"


def test_code_of_bots_is_that_of_their_game_and_of_what_games_share() -> None:
    """Each game has its own digest, and all forms of its rules have the same."""
    assert len({bot_answers.bot_code(game) for game in GAMES.values()}) == len(GAMES)
    assert bot_answers.bot_code(COUP) == bot_answers.bot_code(COUP.of_version(1))


def test_seed_of_an_answer_is_the_published_one() -> None:
    """That of the page on fair dealing; another seat, decision or nonce has another."""
    vector: Any = VECTORS["bot"]
    nonces = vector["nonces"]
    places = ((nonces, 12, 2), (nonces, 12, 1), (nonces, 13, 2), ([], 12, 2))
    ways = [seed_of(VECTORS["secret"], *place) for place in places]
    assert len({*ways}) == len(ways)
    assert f"{ways[0]:064x}" == vector["seed"]
    assert [random.Random(ways[0]).random()] == vector["random"]


def test_chance_of_a_bot_tells_nothing_of_the_cards() -> None:
    """It is a draw of its own: the same secret gives other numbers to decks than to bots."""
    match = told(lambda _, answer, __: answer).match
    chance = bot_answers.chance_of(match, Seat(0), DecisionId(1))
    assert chance.random() == bot_answers.chance_of(match, Seat(0), DecisionId(1)).random()
    assert chance.random() != bot_answers.chance_of(match, Seat(1), DecisionId(1)).random()
