"""Computing answers of bots again: every k-th, from what the seat could see, by the chance that the revealed secret gives."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

from ...domain.game import Command, GameId
from ...domain.match.commands import BotPlay, MatchCommand
from ...domain.match.state import Match
from ..matches.bot_answers import again, repeatable
from .record import RecordHead, rules_digest, software


class BotCheck:
    """Counts the answers of bots, and computes every `every`-th of them again (0: none).

    `given` and `computed` say how many there were, `unable` why no more could be computed.
    """

    def __init__(self, every: int = 0) -> None:
        self.every = every
        self.given = self.computed = 0
        self.unable = ""
        self._states: list[Match] = []

    def begin(self, head: RecordHead, match: Match) -> None:
        """Note whether the bots of the record are those that are here: another release may have others."""
        played = match.games[GameId(head.game)].of_version(head.rules_version)
        if (head.software, head.rules) != (software(), rules_digest(played)):
            self.unable = f"they are bots of another release ({head.software}, rules {head.rules[:12]})"

    def differs(self, before: Match, command: MatchCommand) -> tuple[str, Command] | None:
        """Return the name of a bot and what it answers, if *command* gives another answer for it to the match *before*."""
        if self.every:
            self._keep(before)
        if not isinstance(command, BotPlay):
            return None
        self.given += 1
        if not self.every or self.unable or self.given % self.every:
            return None
        if not repeatable(before):
            self.unable = "its bots drew from the system"
            return None
        self.computed += 1
        expected = again(before, command.seat, command.decision)
        if command.command == expected or any(command.command == earlier for earlier in self._earlier(before, command)):
            return None
        return str(before.chairs[command.seat].bot), expected

    def _earlier(self, before: Match, command: BotPlay) -> Iterator[Command]:
        """Yield what the bot answers to what it saw earlier in the same decision: it may have thought before others answered."""
        chair = before.chairs[command.seat]
        for state in self._states[:-1]:
            if state.chairs[command.seat] == chair and state.game.asks(state.table, command.seat):
                yield again(state, command.seat, command.decision)

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
