"""The arena: how much better one bot plays than another, measured with common deals and every seat.

A *duel* asks what one seat of a challenger wins against a table full of another bot: each deal is played once for every seat
of the challenger, with the same cards. The fair share of wins (a shared win counts in part) is 1 / seats. Intervals are
bootstrapped over deals, since the matches of one deal are alike.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import TypeAlias, TypeVar

import msgspec

from ....domain.game import AnyGame, Budget, Command, GameId, GameView, InvalidOptions, Seat, Table
from ....domain.match import MatchId
from ....domain.match.opening import read_options
from ....domain.match.terms import BotName, OptionValue
from ....domain.search import SearchBot
from ...simulate import MOST_DECISIONS, AnyBot, Unlimited, start_table
from ...strength.model import BEGINNER, fold
from ...strength.scores import BASE, BOT, SCALE, Entrant, Result, Score

Element = TypeVar("Element")
AnySearch: TypeAlias = SearchBot[GameView, Table, Command]

CHEAT = "cheat:"
"""Prefix for a searching bot that is shown the true table: an upper bound, in the arena only."""
RESAMPLES = 2_000
ORDERS = 20
CERTAINTY = 0.95


class Task(msgspec.Struct, frozen=True):
    """One deal of a duel."""

    game: GameId
    options: Mapping[str, OptionValue]
    seats: int
    challenger: str
    other: str
    seed: int
    deal: int


class DuelOutcome(msgspec.Struct, frozen=True):
    """The outcome of a task: the ranks of all seats for each seat of the challenger, in order. None: the match did not end."""

    task: Task
    ranks: tuple[tuple[int, ...] | None, ...]
    decisions: int

    @property
    def share(self) -> float:
        """The challenger's share of wins, from 0 to 1."""
        return sum(_share_won(ranks, seat) for seat, ranks in enumerate(self.ranks)) / len(self.ranks)


class Duel(msgspec.Struct, frozen=True):
    """A challenger against a table of another bot: its share of wins, the interval of 95 %, and the fair share."""

    challenger: str
    other: str
    deals: int
    matches: int
    share: float
    low: float
    high: float
    fair: float


class Rating(msgspec.Struct, frozen=True):
    """How strong a bot is on one scale for all bots of a game, and the standard deviation of that belief."""

    bot: str
    points: int
    spread: int
    matches: int


class DealtChance:
    """Chance of one deal: the n-th draw under a label is always the same, whatever was drawn before."""

    def __init__(self, seed: int, deal: int) -> None:
        self._name = f"{seed}/{deal}"
        self._drawn: dict[str, int] = {}

    def shuffle(self, label: str, items: Sequence[Element]) -> list[Element]:
        """Return the items in a uniformly random order."""
        return self._source(label).sample(items, len(items))

    def below(self, label: str, bound: int) -> int:
        """Return a uniformly random integer in 0..bound-1."""
        return self._source(label).randrange(bound)

    def _source(self, label: str) -> random.Random:
        number = self._drawn[label] = self._drawn.get(label, 0) + 1
        return random.Random(f"{self._name}/{label}/{number}")  # noqa: S311 - repeatable on purpose


class Contestant:
    """A bot in the arena, or one of a game's exploiters; a cheating one is shown the table."""

    def __init__(self, game: AnyGame, name: str) -> None:
        offered = {**game.exploiters(), **game.bots()}
        self._cheats = name.startswith(CHEAT)
        found = offered.get(name.removeprefix(CHEAT))
        if found is None or (self._cheats and not isinstance(found, SearchBot)):
            raise InvalidOptions("bots", f"{game.id} has no bot {name!r}, but {', '.join(offered)}")
        self._game = game
        self._bot: AnyBot = found
        self._search: AnySearch | None = found if isinstance(found, SearchBot) else None

    def answer(self, table: Table, seat: Seat, rng: random.Random, budget: Budget) -> Command:
        """Return its answer."""
        view = self._game.view(table, seat)
        legal = self._game.legal(table, seat)
        if self._cheats and self._search is not None and len(legal) > 1:
            return self._search.weigh(view, legal, rng, budget, table)[0].command
        return self._bot.choose(view, legal, rng, budget)


def tasks(
    game: AnyGame, options: Mapping[str, OptionValue], seats: int, pairs: Sequence[tuple[str, str]], deals: int, seed: int
) -> list[Task]:
    """Return the deals of some duels; raise InvalidOptions if the game does not support them."""
    read_options(game, options, seats)
    for name in {name for pair in pairs for name in pair}:
        Contestant(game, name)
    return [
        Task(game.id, dict(options), seats, BotName(challenger), BotName(other), seed, deal)
        for deal in range(deals)
        for challenger, other in pairs
    ]


def run(game: AnyGame, task: Task) -> DuelOutcome:
    """Play one deal, once for each seat of the challenger."""
    typed = read_options(game, task.options, task.seats)
    challenger, other = Contestant(game, task.challenger), Contestant(game, task.other)
    found: list[tuple[int, ...] | None] = []
    decisions = 0
    for place in range(task.seats):
        chance = DealtChance(task.seed, task.deal)
        table = start_table(game, typed, task.seats, chance)
        players = [challenger if seat == place else other for seat in range(task.seats)]
        rng = random.Random(f"{task.seed}/{task.deal}/{place}")  # noqa: S311 - repeatable on purpose
        decisions += _play(game, table, players, chance, rng)
        standing = game.standing(table)
        found.append(None if standing is None else tuple(placing.rank for placing in standing.placings))
    return DuelOutcome(task, tuple(found), decisions)


def _play(game: AnyGame, table: Table, players: Sequence[Contestant], chance: DealtChance, rng: random.Random) -> int:
    decisions = 0
    budget = Unlimited()
    while (ask := game.pending(table)) is not None and decisions < MOST_DECISIONS:
        seat = ask.open[0]
        game.play(table, seat, players[seat].answer(table, seat, rng, budget), chance)
        decisions += 1
    return decisions


def _share_won(ranks: Sequence[int] | None, seat: int) -> float:
    """Return a seat's share of the win: 0 in a match without an end."""
    if ranks is None or ranks[seat] != 1:
        return 0.0
    return 1 / sum(rank == 1 for rank in ranks)


def duels(outcomes: Iterable[DuelOutcome]) -> list[Duel]:
    """Return the result of each duel, in the order of first appearance."""
    found: dict[tuple[str, str], list[DuelOutcome]] = {}
    for outcome in outcomes:
        found.setdefault((outcome.task.challenger, outcome.task.other), []).append(outcome)
    return [_duel(*pair, parts) for pair, parts in found.items()]


def _duel(challenger: str, other: str, parts: Sequence[DuelOutcome]) -> Duel:
    shares = [part.share for part in parts]
    low, high = interval(shares)
    seats = parts[0].task.seats
    return Duel(challenger, other, len(parts), seats * len(parts), sum(shares) / len(shares), low, high, 1 / seats)


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the bootstrap interval of a mean."""
    rng = random.Random(1)  # noqa: S311 - repeatable on purpose
    size = len(values)
    means = sorted(sum(rng.choices(values, k=size)) / size for _ in range(RESAMPLES))
    cut = int(RESAMPLES * (1 - CERTAINTY) / 2)
    return means[cut], means[-1 - cut]


def rate(outcomes: Iterable[DuelOutcome]) -> list[Rating]:
    """Return the strength of all bots that played, the strongest first, from all matches.

    Model: Plackett and Luce, see `ratings.py`; `points` is 1000 for a bot before its first match. Such a rating follows the
    newest matches, so this is the mean over `ORDERS` orders, always the same ones: otherwise a bot would be rated by its last
    opponents.
    """
    mixed = list(outcomes)
    rng = random.Random(1)  # noqa: S311 - repeatable on purpose
    found: dict[Entrant, list[Score]] = {}
    for _ in range(ORDERS):
        rng.shuffle(mixed)
        for entrant, score in fold(result for outcome in mixed for result in _results(outcome)).items():
            found.setdefault(entrant, []).append(score)
    return sorted((_rating(entrant, scores) for entrant, scores in found.items()), key=lambda rating: -rating.points)


def _rating(entrant: Entrant, scores: Sequence[Score]) -> Rating:
    strength, spread = fmean(score.mu for score in scores), fmean(score.sigma for score in scores)
    points = round(BASE + SCALE * (strength - BEGINNER.mu))
    return Rating(entrant.removeprefix(BOT), points, round(SCALE * spread), scores[0].matches)


def _results(outcome: DuelOutcome) -> Iterator[Result]:
    """Yield the matches of an outcome as ratings take them."""
    task = outcome.task
    for place, ranks in enumerate(outcome.ranks):
        if ranks is not None:
            names = [task.challenger if seat == place else task.other for seat in range(task.seats)]
            match_id = MatchId(f"{task.challenger}/{task.other}/{task.deal}/{place}")
            yield Result(match_id, tuple(Entrant(BOT + name) for name in names), ranks, False, 0)


def read_outcomes(lines: Iterable[bytes]) -> Iterator[DuelOutcome]:
    """Yield outcomes as they were written, one JSON line each; a last line that was cut off is left out."""
    for line in lines:
        if line.endswith(b"\n"):
            yield msgspec.json.decode(line, type=DuelOutcome)
