"""Answers of bots, computed again from the record: a bot that looked, and an answer that was exchanged, are found."""

from __future__ import annotations

import asyncio
import functools
import random
from collections.abc import Callable
from typing import Any, TypeAlias, cast

import msgspec
import pytest
from msgspec import UNSET

from tafelrunde.domain.coup.table import CoupTable
from tafelrunde.domain.game import AnyGame, Budget, Command, DecisionId, GameId, Rng, Seat
from tafelrunde.domain.match import BotName, PlayerId
from tafelrunde.domain.match.commands import BotPlay
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.application import Application
from tafelrunde.service.features.bots import service as turns
from tafelrunde.service.features.records.bot_check import AT_LEAST, SAMPLE_SECONDS, BotCheck, sample_of
from tafelrunde.service.features.records.export import MatchRecords
from tafelrunde.service.features.records.verdict import Conclusion, Verdict
from tafelrunde.service.features.records.verifier import Verifier
from tafelrunde.service.features.records.verify import examine, verify
from tafelrunde.service.matches import bot_answers
from tafelrunde.service.matches.bot_answers import again, seed_of
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.settings import Settings
from tests.service.features.records.test_record import REAL, Story, finished, opening, story
from tests.support.stranger import VECTORS

COUP = GAMES[GameId("coup")]
Answering: TypeAlias = Callable[[Match, Seat, DecisionId, Command], BotPlay]
PLAIN = ("honest", "random", "search-small")
TRIES = 40
KEYED = {"draws": 2, "bot_chance": 1, "bot_code": bot_answers.bot_code(COUP)}


async def played(game: AnyGame, bots: list[str]) -> list[bytes]:
    """Return the record of a match of bots, played by the service in memory."""
    application = Application(memory_stores(), Settings())
    seats = {Seat(seat): BotName(name) for seat, name in enumerate(bots)}
    new = NewMatch(game=game.id, seats=len(bots), seat=None, bots=seats, start=True)
    match = (await application.matches.open(PlayerId("host"), new, "one")).match
    await application.process_manager.play_bots(match)
    return await application.get(MatchRecords).export(match)


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
    for _ in range(TRIES):  # in one match of ten what it saw does not matter
        lines = asyncio.run(played(COUP, ["honest"] * 3))
        assert verify(lines, GAMES).right
        if (finding := other(lines).finding) is not None:
            break
    else:
        raise AssertionError("no bot was found")
    assert finding.what == "what the bot honest answers from its seat's view"
    assert '{"type":"coup.challenge"}' in {finding.expected, finding.found}


def line_of(answered: bool, chain: str = "") -> bytes:
    """Return what a sample looks at in a line of a record."""
    command = {"type": "match.bot-play"} if answered else None
    return msgspec.json.encode({"line": "entry", "chain": chain, "command": command})


@pytest.mark.parametrize("given", [0, 1, AT_LEAST - 1, AT_LEAST, AT_LEAST + 1, 2 * AT_LEAST, 59, 1_000, 1_019])
def test_sample_has_twenty_answers_or_all(given: int) -> None:
    """From whichever place the last chain chooses: no answer is safe from being computed again."""
    chosen = set[int]()
    for chain in range(60):
        every, first, _ = sample_of(
            [*[line_of(answered=True)] * given, line_of(answered=False, chain=f"{chain:064x}"), b"no line"]
        )
        numbers = {number for number in range(1, given + 1) if (number - first) % every == 0}
        assert len(numbers) >= min(given, AT_LEAST)
        assert len(numbers) < 2 * AT_LEAST
        chosen |= numbers
    assert chosen == {*range(1, given + 1)}


def test_sample_of_a_record_is_computed_and_ends_in_time() -> None:
    """All of a short match; where the time for it is up, the verdict says that it was."""
    lines = record_of(COUP.id)
    verdict = Verifier(GAMES, every_bot=None).verdict(lines)
    given = verdict.bots.given
    every, first, _ = sample_of(lines)
    assert verdict.right
    assert verdict.bots.computed == len([number for number in range(1, given + 1) if (number - first) % every == 0])
    clock = iter(range(0, 1_000, SAMPLE_SECONDS + 1))
    check = BotCheck(sample_of(lines), clock=lambda: float(next(clock)))
    bots = examine(lines, GAMES, None, check)[0].bots
    assert (bots.computed, bots.late, bots.unable) == (1, True, "")


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


def test_answers_that_were_exchanged_are_found_in_a_short_match_by_a_sample() -> None:
    """Every 25th answer of a match with fewer would be none: all of them are in the sample."""
    once = iter([True])
    lines = told(lambda _, answer, legal: next((each for each in legal if each != answer and next(once, None)), answer)).lines()
    assert 0 < verify(lines, GAMES).bots.given < 2 * AT_LEAST
    assert Verifier(GAMES, every_bot=None).verdict(lines).conclusion is Conclusion.WRONG


def test_answer_that_was_thought_out_before_others_answered_is_right() -> None:
    """A bot may have looked at any moment since its decision opened."""
    lines = asyncio.run(played(GAMES[GameId("stich-meister")], ["search-small", "honest", "random"]))
    assert other(lines).right


def test_bots_that_drew_from_the_system_are_not_judged() -> None:
    """Matches that do not say where their bots' chance comes from, and those of version 1."""
    case = REAL[0]
    first = Story()
    first.do(msgspec.structs.replace(opening(case.game, case.seats, msgspec.to_builtins(case.options)), draws=UNSET))
    for told_of in (story(case), finished(first, case, 1)):
        verdict = other(lines := told_of.lines())
        assert verdict.conclusion is Conclusion.UNDECIDED
        assert (verdict.bots.computed, verdict.bots.unable) == (0, "its bots drew from the system")
        assert {each.value for each in verify(lines, GAMES).undecided} == ({"old_draws"} if told_of is first else set())


def test_bots_of_other_code_are_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """They may answer otherwise, whichever release wrote the record: with their answers asked for it is not right."""
    monkeypatch.setattr("tafelrunde.service.features.records.bot_check.bot_code", lambda _: "f" * 32)
    assert verify(record_of(COUP.id), GAMES).right
    verdict = other(record_of(COUP.id))
    assert verdict.conclusion is Conclusion.UNDECIDED
    assert verdict.doubts == "answers of its bots could not be computed again"
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
    assert (found.conclusion, found.bots.given, found.bots.computed) == (Conclusion.UNDECIDED, given, 0)
    assert found.bots.unable == "they are bots of other code, " + "f" * 32
    exchanged = told(lambda _, answer, legal: next((each for each in legal if each != answer), answer), bot_answers.play_of)
    assert other(exchanged.lines()).conclusion is Conclusion.WRONG


def test_one_answer_of_other_code_among_those_asked_for_leaves_it_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or a bot would name other code just where it looked."""
    names = iter([bot_answers.bot_code(COUP), "f" * 32, *([bot_answers.bot_code(COUP)] * 1_000)])

    def named(match: Match, seat: Seat, decision: DecisionId, command: Command) -> BotPlay:
        return msgspec.structs.replace(BotPlay(seat, decision, command), bot_code=next(names))

    found = other(told(lambda _, answer, __: answer, named).lines())
    assert (found.conclusion, found.bots.computed) == (Conclusion.UNDECIDED, found.bots.given - 1)


def test_match_that_names_no_code_of_its_bots_is_not_judged() -> None:
    """It was opened by a release that did not say so."""
    story = Story()
    begun = opening(COUP, 2, {}, people=0)
    story.do(msgspec.structs.replace(begun, draws=2, bot_chance=1))
    while (decision := story.match.open_decision()) is not None:
        seat = story.match.bots_asked()[0]
        story.do(BotPlay(seat, decision, again(story.match, seat, decision)))
    verdict = other(story.lines())
    assert (verdict.conclusion, verdict.bots.computed) == (Conclusion.UNDECIDED, 0)
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
