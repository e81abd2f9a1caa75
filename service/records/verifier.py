"""Verifying records with all that is here: the rules of this release, wheels of other rules, and answers of bots on request.

The command line checks files, folders and addresses by it, and the service its own matches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import msgspec

from ...domain.game import AnyGame, Budget, GameId
from ...domain.search import Steps
from ..matches.bot_answers import bot_code
from ..matches.codec import Codec
from .apart import Opinion
from .bot_check import ANSWER, FROM_SYSTEM, BotCheck, Sample, each, sample_of
from .verdict import Conclusion, Verdict
from .verify import examine
from .wheels import Wheel


class Verifier:
    """Checks records one after the other. Every *every_bot*-th answer of a bot is computed again (0: none; None: a sample).

    What this release leaves open, because it does not have the rules or bots of a record, is put to the wheels. Both must agree:
    what this release finds wrong is wrong.
    """

    def __init__(
        self,
        games: Mapping[GameId, AnyGame],
        codec: Codec | None = None,
        *,
        every_bot: int | None = 0,
        wheels: Sequence[Wheel] = (),
        budget: Callable[[int], Budget] = Steps,
    ) -> None:
        self._games = games
        self.codec = codec or Codec(games)
        self._every_bot = every_bot
        self._wheels = wheels
        self._budget = budget
        self._closed = False

    def verdict(self, lines: Sequence[bytes]) -> Verdict:
        """Return what is found in the lines of a record."""
        return self.examine(lines)[0]

    def examine(self, lines: Sequence[bytes]) -> tuple[Verdict, list[bytes]]:
        """Like `verdict`, and return the entries of the record as well, as far as they were checked."""
        sample = each(self._every_bot) if self._every_bot is not None else sample_of(lines)
        verdict, entries = self._own(lines, sample)
        return self.asked(lines, verdict, sample.every), entries

    def own(self, lines: Iterable[bytes], every_bot: int) -> tuple[Verdict, list[bytes]]:
        """Return what this release finds, and the entries."""
        return self._own(lines, each(every_bot))

    def _own(self, lines: Iterable[bytes], sample: Sample) -> tuple[Verdict, list[bytes]]:
        return examine(lines, self._games, self.codec, BotCheck(sample, self._budget))

    def close(self) -> None:
        """End the processes of the wheels; none is asked any more, also by a thread that is about to."""
        self._closed = True
        for wheel in self._wheels:
            wheel.close()

    def asked(self, lines: Sequence[bytes], verdict: Verdict, every_bot: int) -> Verdict:
        """Return the verdict with what the first of the wheels says that can decide what was left open; else the same.

        Waits for their processes, which may take as long as `wheels.PATIENCE_SECONDS` for each.
        """
        if verdict.conclusion is not Conclusion.UNDECIDED:
            return verdict
        if verdict.decided:
            return verdict if verdict.bots.unable == FROM_SYSTEM else self._bots_asked(lines, verdict, every_bot)
        rules = msgspec.json.decode(lines[0], type=dict[str, object])["rules"]
        first = sorted(self._wheels, key=lambda wheel: rules not in wheel.rules)  # those with the code of its game
        for wheel, opinion in self._opinions(first, lines, every_bot):
            if not (opinion.decided or opinion.finding is not None):
                continue
            told = verdict.bots if opinion.bots is None else msgspec.structs.replace(opinion.bots, by=wheel.name)
            return msgspec.structs.replace(verdict, decided=opinion.decided, by=wheel.name, bots=told, finding=opinion.finding)
        return verdict

    def _bots_asked(self, lines: Sequence[bytes], verdict: Verdict, every_bot: int) -> Verdict:
        """Return the verdict with the answers of bots that wheels have computed: each those of the code that it has.

        Nothing else that a wheel says counts, as the record may have what its release did not know.
        """
        bots, start = verdict.bots, ANSWER.partition("{")[0]
        for wheel, opinion in self._opinions(self._of_other_bots(verdict), lines, every_bot):
            if opinion.bots is None or not opinion.bots.computed:
                continue
            computed, by = bots.computed + opinion.bots.computed, f"{bots.by}, {wheel.name}" if bots.by else wheel.name
            bots = msgspec.structs.replace(bots, computed=computed, by=by)
            if opinion.finding is not None and opinion.finding.what.startswith(start):
                return msgspec.structs.replace(verdict, bots=bots, finding=opinion.finding)
        all_done = bots.computed >= bots.given // every_bot
        return msgspec.structs.replace(verdict, bots=msgspec.structs.replace(bots, unable="" if all_done else bots.unable))

    def _of_other_bots(self, verdict: Verdict) -> Iterable[Wheel]:
        """Return one wheel for each code of bots that there is: releases may share it, and each answer counts once."""
        game = self._games[GameId(verdict.game)]
        folder = type(game).__module__.rpartition(".")[0].replace(".", "/")
        found = {wheel.bots.get(folder, ""): wheel for wheel in self._wheels}
        if verdict.bots.computed:
            found.pop(bot_code(game), None)
        return found.values()

    def _opinions(self, wheels: Iterable[Wheel], lines: Sequence[bytes], every_bot: int) -> Iterator[tuple[Wheel, Opinion]]:
        for wheel in wheels:
            if not self._closed and (opinion := wheel.opinion(lines, every_bot)) is not None:
                yield wheel, opinion
