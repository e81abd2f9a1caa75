"""Verifying records with all that is here: the rules of this release, and answers of bots on request.

The command line checks files, folders and addresses by it, and the service its own matches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ....domain.game import AnyGame, Budget, GameId
from ....domain.search import Steps
from ...matches.codec import Codec
from .bot_check import BotCheck, Sample, each, sample_of
from .verdict import Verdict
from .verify import examine


class Verifier:
    """Checks records one after the other. Every *every_bot*-th answer of a bot is computed again (0: none; None: a sample)."""

    def __init__(
        self,
        games: Mapping[GameId, AnyGame],
        codec: Codec | None = None,
        *,
        every_bot: int | None = 0,
        budget: Callable[[int], Budget] = Steps,
    ) -> None:
        self._games = games
        self.codec = codec or Codec(games)
        self._every_bot = every_bot
        self._budget = budget

    def verdict(self, lines: Sequence[bytes]) -> Verdict:
        """Return what is found in the lines of a record."""
        return self.examine(lines)[0]

    def examine(self, lines: Sequence[bytes]) -> tuple[Verdict, list[bytes]]:
        """Like `verdict`, and return the entries of the record as well, as far as they were checked."""
        return self._judge(lines, each(self._every_bot) if self._every_bot is not None else sample_of(lines))

    def verdict_of(self, lines: Iterable[bytes], every_bot: int) -> Verdict:
        """Like `verdict`, with another number of answers of bots; reads the lines once, as they come."""
        return self._judge(lines, each(every_bot))[0]

    def _judge(self, lines: Iterable[bytes], sample: Sample) -> tuple[Verdict, list[bytes]]:
        return examine(lines, self._games, self.codec, BotCheck(sample, self._budget))
