"""What the coach has found about one seat, as it is kept beside the match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from ....domain.game import Command, DecisionId, Seat
from ..bots.hints import Reviewed, loss_of

PUZZLES = 3
"""How many of the costliest decisions become puzzles."""
COSTLY = 0.05
"""A decision that loses less than this is no puzzle: a search of this size cannot tell it from chance."""
MOST_DECISIONS = 250
"""How many decisions of a seat are looked at, at most: those after them are left out."""
_FORM = 1


class Point(msgspec.Struct, frozen=True, array_like=True):
    """A decision with a choice: the estimated chance of winning with the move that was played, and with the best one."""

    version: int
    decision: DecisionId
    chance: float
    best: float


class Tried(msgspec.Struct, frozen=True, array_like=True):
    """A move as the log encodes it, its average result from 0 (lost) to 1 (won), and in how many worlds it was tried."""

    command: bytes
    worth: float
    worlds: int


class Costly(msgspec.Struct, frozen=True, array_like=True):
    """One of the costliest decisions: what was played, what that lost, and all moves that were tried, the best first.

    `why` says what speaks for the best one.
    """

    version: int
    decision: DecisionId
    loss: float
    played: bytes
    moves: tuple[Tried, ...]
    why: tuple[str, dict[str, str | int]] | None = None


class Findings(msgspec.Struct, frozen=True, array_like=True):
    """What was found up to a version of the match; `whole`: there is nothing more to look at.

    `points` are in the order of play, `costly` with the costliest first.
    """

    reached: int = 0
    whole: bool = False
    points: tuple[Point, ...] = ()
    costly: tuple[Costly, ...] = ()
    form: int = _FORM

    def with_decision(self, found: Reviewed) -> Findings:
        """Return them with one more decision; one that the search has not tried adds nothing."""
        loss = loss_of(found.played, found.advice.moves)
        if loss is None:
            return msgspec.structs.replace(self, reached=found.version)
        best = found.advice.moves[0].worth
        point = Point(found.version, found.advice.decision, round(best - loss, 4), round(best, 4))
        points = (*self.points, point)
        full = len(points) >= MOST_DECISIONS
        return msgspec.structs.replace(
            self, reached=found.version, whole=full, points=points, costly=_costliest(self.costly, found, loss)
        )


def _costliest(costly: Sequence[Costly], found: Reviewed, loss: float) -> tuple[Costly, ...]:
    if loss < COSTLY:
        return tuple(costly)
    moves = tuple(Tried(_encode(move.command), round(move.worth, 4), move.worlds) for move in found.advice.moves)
    reason = found.advice.why
    why = (reason.key, dict(reason.arguments)) if reason is not None else None
    added = Costly(found.version, found.advice.decision, round(loss, 4), _encode(found.played), moves, why)
    return tuple(sorted((*costly, added), key=lambda each: (-each.loss, each.version))[:PUZZLES])


def _encode(command: Command) -> bytes:
    return msgspec.json.encode(command)


def pack(findings: Findings) -> bytes:
    """Return findings as they are stored."""
    return msgspec.msgpack.encode(findings)


def unpack(blob: bytes) -> Findings:
    """Return findings from their stored form; those of another form are as good as none."""
    try:
        found = msgspec.msgpack.decode(blob, type=Findings)
    except msgspec.DecodeError:
        return Findings()
    return found if found.form == _FORM else Findings()


def find_unfinished(kept: Mapping[Seat, bytes]) -> list[tuple[Seat, Findings]]:
    """Return the seats about which there is more to find, with what there is."""
    found = [(seat, unpack(blob)) for seat, blob in sorted(kept.items())]
    return [(seat, findings) for seat, findings in found if not findings.whole]
