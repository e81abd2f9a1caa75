"""Computing answers of bots again: every k-th, from what the seat could see, by the chance that the revealed secret gives.

Which ones that are without a word of the reader, the last chain of the record says: it depends on all that was answered.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from ....domain.game import Budget, Command
from ....domain.match.commands import BotPlay, MatchCommand
from ....domain.match.state import Match
from ....domain.search import Steps
from ...matches.bot_answers import again, bot_code, code_of, repeatable

FROM_SYSTEM = "its bots drew from the system"
"""Why answers cannot be computed again by any release."""
LATE = "the others would take longer than {} seconds"
"""Why a sample is smaller than it should be."""
AT_LEAST = 20
"""How many answers a sample has, of a match with as many."""
SAMPLE_SECONDS = 60
"""For how long the answers of a sample are computed."""
ANSWER = "what the bot {} answers from its seat's view"
"""What is not as expected where an answer is another one."""


class Sample(NamedTuple):
    """Which answers are computed again: every `every`-th (0: none), the first of them that with number `first`.

    `seconds`: after how long a time of computing no further one is begun.
    """

    every: int
    first: int
    seconds: float = float("inf")


def each(every: int) -> Sample:
    """Return every k-th answer, the k-th first."""
    return Sample(every, every)


NONE = each(0)
"""No answer."""


class _Line(msgspec.Struct, frozen=True):
    """What of a line says whether a bot answered there, and how far the chain had come."""

    chain: str = ""
    command: dict[str, object] | None = None


def sample_of(lines: Iterable[bytes]) -> Sample:
    """Return at least `AT_LEAST` answers of a record, all of one with fewer, from the place on that its last chain chooses.

    Of lines that are none nothing is said here: the check finds them.
    """
    given = 0
    chain = "0"
    for line in lines:
        try:
            found = msgspec.json.decode(line, type=_Line)
            number = int(found.chain or chain, 16)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            continue
        chain = f"{number:x}"
        given += found.command is not None and found.command.get("type") == BotPlay.__struct_config__.tag
    every = max(given // AT_LEAST, 1)
    return Sample(every, int(chain, 16) % every + 1, SAMPLE_SECONDS)


class BotCheck:
    """Counts the answers of bots, and computes those of a sample again.

    `given` and `computed` say how many there were, `unable` why one of the sample could not be computed, `late` whether the
    sample was left before its end.
    """

    def __init__(
        self,
        sample: Sample = NONE,
        budget: Callable[[int], Budget] = Steps,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.sample = sample
        self._budget = budget
        self._clock = clock
        self._spent = 0.0
        self.given = self.computed = 0
        self.unable = ""
        self.late = False
        self._states: list[Match] = []

    def differs(self, before: Match, command: MatchCommand) -> tuple[str, Command] | None:
        """Return the name of a bot and what it answers, if *command* gives another answer for it to the match *before*."""
        if self.sample.every:
            self._keep(before)
        if not isinstance(command, BotPlay):
            return None
        self.given += 1
        if not self._choose() or not self._able(before, command):
            return None
        self.computed += 1
        began = self._clock()
        expected = again(before, command.seat, command.decision, self._budget)
        same = command.command == expected or any(command.command == earlier for earlier in self._earlier(before, command))
        self._spent += self._clock() - began
        return None if same else (str(before.chairs[command.seat].bot), expected)

    def _choose(self) -> bool:
        """Return whether the answer just given is one of the sample, and there is time for it."""
        every, first, seconds = self.sample
        if not every or (self.given - first) % every:
            return False
        self.late |= self._spent > seconds
        return not self.late

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
