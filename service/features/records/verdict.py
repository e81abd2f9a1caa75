"""The result of checking a record."""

from __future__ import annotations

from enum import Enum

import msgspec

from ....domain.match import MatchId


class Finding(msgspec.Struct, frozen=True):
    """The first error: in which line (the version for entries), what, and what was expected and found."""

    line: str
    what: str
    expected: str
    found: str


class TakenUp(msgspec.Struct, frozen=True, kw_only=True):
    """What a match begins with that was not dealt in it: `events` of another match's table, as that one was at a version."""

    match: MatchId
    version: int
    chain: str
    events: int


class Bots(msgspec.Struct, frozen=True, kw_only=True):
    """How many answers bots gave, how many of these were computed again, and why one that should have been could not be.

    `late`: time was up for a sample.
    """

    given: int
    computed: int
    unable: str
    late: bool = False


class Conclusion(Enum):
    """The result of a verification. `undecided`: nothing is wrong, but rules, bots or keys that it takes to tell are not here."""

    RIGHT = "right"
    WRONG = "wrong"
    UNDECIDED = "undecided"


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What came of checking a record; `finding` is None if nothing in it is wrong.

    `rules_version` is that of the record, `decided` whether its commands were decided again. `commitment` and `chain` are to
    be compared with what the players received during the match. `early` counts time-outs before their deadline.
    `unsure` is why a record cannot be called right beside what was kept of its match, empty if it can.
    """

    match: str
    game: str
    rules_version: int
    commitment: str
    chain: str
    entries: int
    commands: int
    deals: int
    early: int
    decided: bool
    taken_up: TakenUp | None
    bots: Bots
    finding: Finding | None
    unsure: str = ""

    @property
    def conclusion(self) -> Conclusion:
        """Whether it is right, wrong, or cannot be decided here."""
        if self.finding is not None:
            return Conclusion.WRONG
        return Conclusion.RIGHT if self.decided and not self.doubts else Conclusion.UNDECIDED

    @property
    def doubts(self) -> str:
        """Why it is undecided though its commands were decided again; empty if it is not."""
        bots = "answers of its bots could not be computed again" if self.bots.unable else ""
        return "; ".join(filter(None, (self.unsure, bots)))

    @property
    def right(self) -> bool:
        """Whether everything was decided again, also the bots' answers that were to be, and nothing is wrong or unsure."""
        return self.conclusion is Conclusion.RIGHT
