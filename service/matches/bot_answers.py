"""What a bot answers: a function of its seat's view, of its legal commands, and of a chance that the match's secret gives.

So anyone who has the record can compute an answer again: a bot that looked at more than its view, or whose answer was exchanged,
is found. Answer and seed are those of one seat and decision; the whole scheme is in docs/fair-dealing.md.
"""

from __future__ import annotations

import functools
import hashlib
import hmac
import random
import secrets
import sys
from collections.abc import Callable, Mapping
from importlib.resources import files

import msgspec
from msgspec import UNSET, UnsetType

from ...domain.game import AnyGame, Budget, Command, DecisionId, Game, Rng, Seat
from ...domain.match.commands import BotPlay
from ...domain.match.state import Match
from ...domain.search import Steps
from .pacing import LONGEST_MS, bot_of, level_of

BOT_CHANCE = 1
"""The newest version of how bots' chance comes from the secret. Matches that do not say have bots that draw from the system."""

CODE_DIGITS = 32
OWN = ("bot_answers.py", "pacing.py")
"""The modules of this package that answers depend on."""


@functools.cache
def bot_code(game: AnyGame) -> str:
    """Return the digest of all code that a game's bots answer by: its rules, its bots, what games share, and these modules.

    It is in the log, since bots change from release to release, and a record may be written by a later one than played.
    """
    own, shared, matches = (name.rpartition(".")[0] for name in (type(game).__module__, Game.__module__, __name__))
    here = _modules(matches)
    folders = _modules(own), _modules(f"{own}.bots"), _modules(shared), {name: here[name] for name in OWN}
    sources = [(number, *module) for number, folder in enumerate(folders) for module in folder.items()]
    return hashlib.sha256(msgspec.msgpack.encode(sorted(sources))).hexdigest()[:CODE_DIGITS]


def _modules(package: str) -> Mapping[str, bytes]:
    return {each.name: each.read_bytes() for each in files(package).iterdir() if each.name.endswith(".py")}


def code_of(match: Match, play: BotPlay) -> str | UnsetType:
    """Return the digest of the code that an answer says it came from; UNSET if it does not."""
    return play.bot_code if play.bot_code is not UNSET or match.keyed is None else match.keyed.bot_code


def play_of(match: Match, seat: Seat, decision: DecisionId, command: Command) -> BotPlay:
    """Return the command that gives what a bot chose here; it says by which code unless it is that of the opening."""
    keyed = match.keyed
    here = bot_code(match.game)
    named = keyed is None or keyed.bots is UNSET or keyed.bot_code == here
    return BotPlay(seat, decision, command, UNSET if named else here)


def choose(match: Match, seat: Seat, rng: Rng, budget: Budget) -> Command:
    """Return a bot's answer; it gets the seat's view and legal commands and nothing else."""
    bot = match.game.bots()[bot_of(match, seat)]
    return bot.choose(match.game.view(match.table, seat), match.game.legal(match.table, seat), rng, budget)


def chance_of(match: Match, seat: Seat, decision: DecisionId) -> Rng:
    """Return what a bot draws from for one answer.

    It comes from the match's secret, in matches that say so, and from the system in older ones.
    """
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
    return match.keyed is not None and match.keyed.bots == BOT_CHANCE


def searches(match: Match, seat: Seat) -> bool:
    """Return whether the bot of a seat searches."""
    return level_of(match, seat) in LONGEST_MS


def again(match: Match, seat: Seat, decision: DecisionId, budget: Callable[[int], Budget] = Steps) -> Command:
    """Return what the bot of a seat answers, by its own number of steps. Cost: as much as its thought."""
    most = sys.maxsize if searches(match, seat) else 0
    return choose(match, seat, chance_of(match, seat, decision), budget(most))


def by_steps(match: Match) -> bool:
    """Return whether thoughts end by their steps alone, and never by time, as they have to be the same when computed again."""
    return match.keyed is not None and match.keyed.bots is not UNSET
