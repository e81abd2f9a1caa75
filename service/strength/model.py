"""Strength, purely: results of matches in, strength of players and bots out. The same results in the same order give the same.

The model is that of Plackett and Luce in the form of Weng and Lin (JMLR 12, 2011), by the package `openskill`, with its defaults:
everyone begins with mu 25 and sigma 25/3. Numbers are rounded to six digits after each match, so that machines whose last
bits differ agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from openskill.models import PlackettLuce

from ...domain.match import MatchId
from .scores import Entrant, Result, Score

DIGITS = 6

_model = PlackettLuce()
_START = _model.rating()


BEGINNER = Score(round(_START.mu, DIGITS), round(_START.sigma, DIGITS), 0, 0, 0)
Scores = Mapping[Entrant, Score]


def after(scores: Scores, result: Result) -> dict[Entrant, Score]:
    """Return the new scores of a result's entrants. A bot on several seats gets the mean of what its seats earn.

    A forfeit does not improve the rating of any other entrant: neither of those who had left, nor of the bots.
    """
    if not result.ranks:
        return {}
    before = [scores.get(entrant, BEGINNER) for entrant in result.entrants]
    teams = [[_model.rating(mu=score.mu, sigma=score.sigma)] for score in before]
    rated = _model.rate(teams, ranks=[float(rank) for rank in result.ranks])
    earned: dict[Entrant, list[tuple[float, float, int]]] = {}
    for entrant, (found,), rank in zip(result.entrants, rated, result.ranks, strict=True):
        if result.only in {None, entrant}:
            earned.setdefault(entrant, []).append((found.mu, found.sigma, rank))
    return {
        entrant: _change(scores.get(entrant, BEGINNER), parts, result.at_ms, program=entrant in result.programs)
        for entrant, parts in earned.items()
    }


def _change(before: Score, parts: Sequence[tuple[float, float, int]], at_ms: int, *, program: bool) -> Score:
    return Score(
        mu=round(sum(mu for mu, _, _ in parts) / len(parts), DIGITS),
        sigma=round(sum(sigma for _, sigma, _ in parts) / len(parts), DIGITS),
        matches=before.matches + 1,
        wins=before.wins + any(rank == 1 for _, _, rank in parts),
        at_ms=at_ms,
        program=before.program or program,
    )


def fold(results: Iterable[Result], scores: Scores | None = None) -> dict[Entrant, Score]:
    """Return the scores after results in order; what corrects a match stands in that match's place."""
    return trace(results, scores)[0]


def trace(results: Iterable[Result], scores: Scores | None = None) -> tuple[dict[Entrant, Score], list[tuple[Entrant, Score]]]:
    """Return the same scores as `fold`, and each entrant's score after each result that has changed it, in order."""
    found = dict(scores or {})
    steps: list[tuple[Entrant, Score]] = []
    for result in effective(results):
        changed = after(found, result)
        found.update(changed)
        steps += changed.items()
    return found, steps


def effective(results: Iterable[Result]) -> list[Result]:
    """Return the results that count, each at the place of its match's first result."""
    newest: dict[MatchId, Result] = {}
    for result in results:
        newest[result.match] = result
    return list(newest.values())
