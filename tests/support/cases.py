"""What the suites run over: every registered game and the tests' own, with its numbers of seats and its options."""

# ruff: noqa: E402, F403 - the games are chosen before the suites, which are made from them
from tafelrunde.domain.registry import GAMES as REGISTERED
from tafelrunde.testing.games import choose
from tests.support.own import GAMES as OWN

choose({**REGISTERED, **OWN})

from tafelrunde.testing.suites.cases import *
