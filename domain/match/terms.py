"""What the commands and events of a match speak of: its ids, where it is in its life, and the words of its settings."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, NewType, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from ..game import Pace

MatchId = NewType("MatchId", str)
PlayerId = NewType("PlayerId", str)
BotName = NewType("BotName", str)
OptionValue: TypeAlias = "bool | int | str | list[int | str] | None"

EDITION = 4
"""The edition of the rules around the table that new matches follow. A stored match keeps its own, so that a command that is
decided again causes what it caused then. Since the second one a leaving host is followed by another, a player whom the host
removes stays away, who ends a rated match alone forfeits it, and a return by an answer shows once the decision is closed.
Since the third one a table waits for its players once none of them is there, and who has left a rated match is asked as well
whether it ends without a result. Since the fourth one who is out of the game neither keeps a table from waiting nor makes it
wait."""


DRAWS = 2
"""The newest version of how chance is drawn (`docs/fair-dealing.md`): since the second one by what a draw is for, and how many
draws were for it before. A match that does not say has the first one, where a draw depends on the length of the log."""


class Status(Enum):
    """Where a match is in its life."""

    OPEN = "open"
    RUNNING = "running"
    OVER = "over"
    ABORTED = "aborted"

    @property
    def finished(self) -> bool:
        """Whether nothing is played any more."""
        return self is Status.OVER or self is Status.ABORTED  # a set would hash it


class Spectators(Enum):
    """Who may watch: no one, everyone, or everyone with a delay of one minute."""

    OFF = "off"
    PUBLIC = "public"
    DELAYED = "delayed"


class Visibility(Enum):
    """Whether the lobby lists the match, or only its link leads there."""

    LISTED = "listed"
    UNLISTED = "unlisted"


CLOCK_STEP_MS = 500
"""A time further ahead than that was written before the clock was set back."""

WEEK_SECONDS = 604_800
Seconds = Annotated[int, msgspec.Meta(ge=1, le=WEEK_SECONDS)]
AWAY_SECONDS = 300
"""For how long the table of a new match waits if its host does not say: a call at the door, a lost connection."""


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Time for a decision, in seconds, and after how many missed ones in a row a bot stands in (0: never).

    `away_seconds`: for how long the table waits once no player is at it any more (0: not at all). A new match has 300 if this is
    left out; older matches have none, and their tables do not wait.
    """

    turn_seconds: Seconds = 120
    reaction_seconds: Seconds = 30
    stand_in_after: Annotated[int, msgspec.Meta(ge=0, le=100)] = 2
    away_seconds: Annotated[int, msgspec.Meta(ge=0, le=WEEK_SECONDS)] | UnsetType = UNSET

    def milliseconds(self, pace: Pace) -> int:
        """Return how long a decision of this pace stays open."""
        return 1000 * (self.turn_seconds if pace is Pace.TURN else self.reaction_seconds)

    @property
    def away_ms(self) -> int:
        """How long the table waits for its players."""
        return 0 if self.away_seconds is UNSET else 1000 * self.away_seconds


class Dealing(Enum):
    """How the cards of a match are committed to. Matches that do not say have a commitment to their secret only."""

    CARDS = "cards"
