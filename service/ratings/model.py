"""Ratings, purely: results of matches in, strength of players and bots out. The same results in the same order give the same.

The model is that of Plackett and Luce in the form of Weng and Lin (JMLR 12, 2011), by the package `openskill`, with its defaults:
everyone begins with mu 25 and sigma 25/3. Numbers are rounded to six digits after each match, so that machines whose last
bits differ agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from openskill.models import PlackettLuce

from ...domain.game import GameId, Seat
from ...domain.match import MatchId
from ...domain.match.state import Chair, Match
from ..ports.ratings import BOT, Entrant, Result, Score
from ..ports.transparency import Leaf, Outcome

DIGITS = 6

_model = PlackettLuce()
_START = _model.rating()


BEGINNER = Score(round(_START.mu, DIGITS), round(_START.sigma, DIGITS), 0, 0, 0)
Scores = Mapping[Entrant, Score]


def bot_of(entrant: Entrant) -> str | None:
    """Return the name of a bot; None for a player."""
    return entrant.removeprefix(BOT) if entrant.startswith(BOT) else None


def result_of(match: Match, leaf: Leaf) -> tuple[GameId, Result] | None:
    """Return what a match, as it was at a leaf, says for ratings; None if it says nothing.

    A stand-in plays for its player, so the seat stays the player's. A match that was opened as unrated never counts, guests are
    left out, and an aborted match counts only for the seat that forfeited it.
    """
    aborted = leaf.outcome is Outcome.ABORTED
    if not match.settings.rated or (aborted and match.forfeited is None):
        return None
    by_seat = {placing.seat: placing.rank for placing in match.placings or ()} if not aborted else _forfeit(match)
    seats = [seat for seat, chair in enumerate(match.chairs) if chair.guest is not True]
    entrants = tuple(_entrant(match.chairs[seat]) for seat in seats)
    counts = match.status.finished and len(set(entrants)) > 1
    ranks = tuple(by_seat[Seat(seat)] for seat in seats) if counts and by_seat else ()
    only = _entrant(match.chairs[match.forfeited]) if aborted and match.forfeited is not None else None
    corrects = leaf.outcome in {Outcome.VOIDED, Outcome.ADJUDICATED}
    return match.settings.game, Result(leaf.match, entrants, ranks, corrects, leaf.time_ms, only)


def _entrant(chair: Chair) -> Entrant:
    return Entrant(chair.player or f"{BOT}{chair.bot}")


def _forfeit(match: Match) -> Mapping[Seat, int]:
    """Return the ranks of a match that one seat forfeited: it is last, and all others share the first rank."""
    return {Seat(seat): 2 if seat == match.forfeited else 1 for seat in range(len(match.chairs))}


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
        entrant: _changed(scores.get(entrant, BEGINNER), parts, result.at_ms, program=entrant in result.programs)
        for entrant, parts in earned.items()
    }


def _changed(before: Score, parts: Sequence[tuple[float, float, int]], at_ms: int, *, program: bool) -> Score:
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
    found = dict(scores or {})
    for result in effective(results):
        found.update(after(found, result))
    return found


def effective(results: Iterable[Result]) -> list[Result]:
    """Return the results that count, each at the place of its match's first result."""
    newest: dict[MatchId, Result] = {}
    for result in results:
        newest[result.match] = result
    return list(newest.values())
