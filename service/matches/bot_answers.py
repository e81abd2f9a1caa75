"""What a bot answers: a function of its seat's view, of its legal commands, and of a chance that the match's secret gives.

So anyone who has the record can compute an answer again: a bot that looked at more than its view, or whose answer was exchanged,
is found. Answer and seed are those of one seat and decision; the whole scheme is in docs/fair-dealing.md.
"""

from __future__ import annotations

import hmac
import random
import secrets
import sys

from msgspec import UNSET

from ...domain.game import Budget, Command, DecisionId, Rng, Seat
from ...domain.match.state import Match
from ...domain.search import Steps
from .pacing import LONGEST_MS, bot_of, level_of

BOT_CHANCE = 1
"""The newest version of how bots' chance comes from the secret. Matches that do not say have bots that draw from the system."""


def choose(match: Match, seat: Seat, rng: Rng, budget: Budget) -> Command:
    """Return a bot's answer; it gets the seat's view and legal commands and nothing else."""
    bot = match.game.bots()[bot_of(match, seat)]
    return bot.choose(match.game.view(match.table, seat), match.game.legal(match.table, seat), rng, budget)


def chance_of(match: Match, seat: Seat, decision: DecisionId) -> Rng:
    """Return what a bot draws from for one answer.

    In a lesson it is always the same, so that all learners meet the same bots. Otherwise it comes from the match's secret, in
    matches that say so, and from the system in older ones.
    """
    if match.lesson is not None:
        return random.Random(f"{match.game.id}|{match.lesson}|{decision}|{seat}")  # noqa: S311 - nothing is at stake
    if not repeatable(match):
        return random.Random(secrets.randbits(256))  # noqa: S311 - no one sees its numbers, and it is faster than the system's
    nonces = [chair.nonce for chair in match.chairs]
    return random.Random(seed_of(match.facts.secret or "", nonces, decision, seat))  # noqa: S311 - its seed is a secret


def seed_of(secret: str, nonces: list[str], decision: int, seat: int) -> int:
    """Return the seed of one answer: HMAC-SHA256(secret, "tafelrunde/bot/1|nonces|decision|seat") as a big-endian number."""
    message = f"tafelrunde/bot/1|{','.join(nonces)}|{decision}|{seat}"
    return int.from_bytes(hmac.digest(bytes.fromhex(secret), message.encode(), "sha256"))


def repeatable(match: Match) -> bool:
    """Return whether the answers of a match's bots can be computed again."""
    return match.lesson is not None or (match.keyed is not None and match.keyed.bots == BOT_CHANCE)


def searches(match: Match, seat: Seat) -> bool:
    """Return whether the bot of a seat searches."""
    return level_of(match, seat) in LONGEST_MS


def again(match: Match, seat: Seat, decision: DecisionId) -> Command:
    """Return what the bot of a seat answers, by its own number of steps. Cost: as much as its thought."""
    budget = Steps(sys.maxsize if searches(match, seat) else 0)
    return choose(match, seat, chance_of(match, seat, decision), budget)


def by_steps(match: Match) -> bool:
    """Return whether thoughts end by their steps alone, and never by time, as they have to be the same when computed again."""
    return match.keyed is not None and match.keyed.bots is not UNSET
