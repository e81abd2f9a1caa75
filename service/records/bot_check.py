"""Computing answers of bots again: every k-th, from what the seat could see, by the chance that the revealed secret gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy

from msgspec import UNSET

from ...domain.game import Budget, Command
from ...domain.match.commands import BotPlay, MatchCommand
from ...domain.match.state import Match
from ...domain.search import Steps
from ..matches.bot_answers import again, bot_code, code_of, repeatable

FROM_SYSTEM = "its bots drew from the system"
"""Why answers cannot be computed again by any release."""
ANSWER = "what the bot {} answers from its seat's view"
"""What is not as expected where an answer is another one."""


class BotCheck:
    """Counts the answers of bots, and computes every `every`-th of them again (0: none).

    `given` and `computed` say how many there were, `unable` why no more could be computed.
    """

    def __init__(self, every: int = 0, budget: Callable[[int], Budget] = Steps) -> None:
        self.every = every
        self._budget = budget
        self.given = self.computed = 0
        self.unable = ""
        self._states: list[Match] = []

    def differs(self, before: Match, command: MatchCommand) -> tuple[str, Command] | None:
        """Return the name of a bot and what it answers, if *command* gives another answer for it to the match *before*."""
        if self.every:
            self._keep(before)
        if not isinstance(command, BotPlay):
            return None
        self.given += 1
        if not self.every or self.given % self.every or not self._able(before, command):
            return None
        self.computed += 1
        expected = again(before, command.seat, command.decision, self._budget)
        if command.command == expected or any(command.command == earlier for earlier in self._earlier(before, command)):
            return None
        return str(before.chairs[command.seat].bot), expected

    def _able(self, before: Match, play: BotPlay) -> bool:
        """Return whether an answer can be computed again here: another release may have other bots."""
        code = code_of(before, play)
        if not repeatable(before):
            self.unable = FROM_SYSTEM
        elif code != bot_code(before.game):
            self.unable = "they are bots of other code, " + ("which it does not name" if code is UNSET else str(code))
        else:
            return True
        return False

    def _earlier(self, before: Match, command: BotPlay) -> Iterator[Command]:
        """Yield what the bot answers to what it saw earlier in the same decision: it may have thought before others answered."""
        chair = before.chairs[command.seat]
        for state in self._states[:-1]:
            if state.chairs[command.seat] == chair and state.game.asks(state.table, command.seat):
                yield again(state, command.seat, command.decision, self._budget)

    def _keep(self, state: Match) -> None:
        """Keep the states of the open decision only."""
        if self._states and self._states[-1].open_decision() != state.open_decision():
            self._states.clear()
        self._states.append(state.copy())

    def copy(self) -> BotCheck:
        """Return a check at the same place, which continues independently."""
        twin = copy(self)
        twin._states = [*self._states]
        return twin
