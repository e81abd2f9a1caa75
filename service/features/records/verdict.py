"""The result of checking a record."""

from __future__ import annotations

from collections.abc import Mapping
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


class Doubt(Enum):
    """Why a record in which nothing is wrong is not right either; the values are stable codes."""

    RULES = "rules"
    DRAWS = "draws"
    OLD_DRAWS = "old_draws"
    UNCOMMITTED = "uncommitted"
    LESSON = "lesson"
    DAY_COMMITMENT = "day_commitment"
    DAY_LEAF = "day_leaf"
    TAKEN_UP = "taken_up"
    BOTS = "bots"


DOUBTS: Mapping[Doubt, str] = {
    Doubt.RULES: "it says that it was played by a version of the rules which is not here",
    Doubt.DRAWS: "its draws have a version that is not known here, so no card was dealt again",
    Doubt.OLD_DRAWS: "its draws have version 1, by which a server can choose a shuffle, and it is none of the listed old records",
    Doubt.UNCOMMITTED: "its cards were not committed to when they were dealt",
    Doubt.LESSON: "it says that it is a lesson of an edition that is not listed, so its secret may have been chosen",
    Doubt.DAY_COMMITMENT: "it says that it is the deal of a day, without a commitment, so its secret may have been chosen",
    Doubt.DAY_LEAF: "it is the deal of a day, and its secret was not compared with the leaf of that day in the log",
    Doubt.TAKEN_UP: "it begins with events of another match as they are given, so its cards may have been chosen",
    Doubt.BOTS: "answers of its bots could not be computed again",
}
"""What each doubt says of a record."""


class Conclusion(Enum):
    """The result of a verification. `undecided`: nothing is wrong, but not all that it takes to call it right was checked."""

    RIGHT = "right"
    WRONG = "wrong"
    UNDECIDED = "undecided"


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What came of checking a record; `finding` is None if nothing in it is wrong.

    `rules_version` is that of the record, `decided` whether its commands were decided again. `commitment` and `chain` are to
    be compared with what the players received during the match. `early` counts time-outs before their deadline.
    `undecided` is why a record cannot be called right by itself, and `unsure` why it cannot beside what was kept of its match
    (empty if it can).
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
    undecided: tuple[Doubt, ...] = ()
    unsure: str = ""

    @property
    def conclusion(self) -> Conclusion:
        """Whether it is right, wrong, or cannot be decided here."""
        if self.finding is not None:
            return Conclusion.WRONG
        return Conclusion.UNDECIDED if self.doubts else Conclusion.RIGHT

    @property
    def doubts(self) -> str:
        """Why it is undecided; empty if it is not."""
        return "; ".join(filter(None, (*(DOUBTS[each] for each in self.undecided), self.unsure)))

    def settle(self, doubt: Doubt) -> Verdict:
        """Return the verdict after something else has settled a doubt."""
        return msgspec.structs.replace(self, undecided=tuple(each for each in self.undecided if each is not doubt))

    @property
    def right(self) -> bool:
        """Whether everything was decided again, also the bots' answers that were to be, and nothing is wrong or unsure."""
        return self.conclusion is Conclusion.RIGHT
