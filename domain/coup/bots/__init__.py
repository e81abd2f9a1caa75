"""The bots of Coup by name. They see what their seat sees, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ...bots import RandomBot
from ...game import Bot, Character, Level, Message
from ...search import SearchBot
from ..guide.reasons import reason
from ..messages import CoupCommand
from ..view import CoupView
from .beginner import BeginnerBot
from .crowd_habits import CROWD
from .honest import BLUFFER, SUSPICIOUS, HonestBot
from .learned_habits import HABITS
from .learned_policy import RISES, UNIT, UNITS, WEIGHTS
from .policy import Net, PolicyBot
from .rollout import Rollout
from .styles import CHARACTERS as OF_STYLES
from .styles import STYLES

FEW_PER_SEAT, FEW, MANY = 4, 16, 960
"""A search that sees few worlds needs more of them where more rivals may block or doubt; one that sees many shares them out
twice, since with every further seat a play-out is longer and more bots think about one window."""
APART = 4
"""At any table a search has at least this many times the worlds of the one below: with fewer it is no level of its own."""

MIX = 0.5
"""With two seats it plays any move that is worse than the best by less than this number of standard errors, so that its answers
tell less of its cards."""
DUEL = 2
"""Players at a table of two do other things than with more: there they claim and doubt far less."""


def many(view: CoupView) -> int:
    """Return in how many worlds the strongest search tries its moves."""
    return max(APART * FEW, MANY // len(view.seats) ** 2)


@cache
def _net() -> Net:
    """Return the net of the bot that was trained against itself."""
    return Net(UNITS, WEIGHTS, RISES, UNIT)


def _mix(view: CoupView) -> float:
    return MIX if len(view.seats) == DUEL else 0.0


def _rollout(view: CoupView) -> Rollout:
    """Return what the strongest search makes of a view."""
    return Rollout(view, habits=HABITS if len(view.seats) == DUEL else CROWD)


BOTS: Mapping[str, Bot[CoupView, CoupCommand]] = {
    "honest": HonestBot(),
    "random": RandomBot(),
    "beginner": BeginnerBot(),
    "search-small": SearchBot(Rollout, lambda view: min(FEW, FEW_PER_SEAT * len(view.seats))),
    "search-large": SearchBot(_rollout, many, longest_ms=200, mix=_mix, reason=reason),
    "policy": PolicyBot(_net),
    **STYLES,
    "bluffer": HonestBot(BLUFFER),
    "suspicious": HonestBot(SUSPICIOUS),
}

CHARACTERS: Mapping[str, Character] = {
    **OF_STYLES,
    "policy": Character(
        Level.POLICY,
        Message(de="Autodidakt", en="Self-Taught"),
        Message(
            de="hat in Hunderttausenden von Partien gelernt, meist gegen sich selbst",
            en="has learned from hundreds of thousands of games, mostly against itself",
        ),
    ),
    "bluffer": Character(
        Level.RULES,
        Message(de="Aufschneider", en="Braggart"),
        Message(de="behauptet gern Rollen, die er nicht hat", en="likes to claim roles that it does not hold"),
        offered=False,
    ),
    "suspicious": Character(
        Level.RULES,
        Message(de="Zweifler", en="Challenger"),
        Message(de="lügt selbst kaum und glaubt wenig", en="hardly ever lies and believes little"),
        offered=False,
    ),
}
