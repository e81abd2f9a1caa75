"""What the modules of a game offer, so that one line makes a rulebook of them and the type checker compares each signature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from .chance import Chance, Rng
from .event import Event
from .game import Choice, Command, GameView, Hand, Refusal, Rulebook, Seat, Shown
from .table import Table

T = TypeVar("T", bound=Table)
T_co = TypeVar("T_co", bound=Table, covariant=True)
T_contra = TypeVar("T_contra", bound=Table, contravariant=True)
M = TypeVar("M")
M_co = TypeVar("M_co", covariant=True)
C = TypeVar("C", bound=Command)
C_contra = TypeVar("C_contra", bound=Command, contravariant=True)
E = TypeVar("E", bound=Event)
E_contra = TypeVar("E_contra", bound=Event, contravariant=True)
V = TypeVar("V", bound=GameView)
V_co = TypeVar("V_co", bound=GameView, covariant=True)
V_contra = TypeVar("V_contra", bound=GameView, contravariant=True)

# ruff: noqa: D102 - each function promises what `Rulebook` says of it


class Rules(Protocol[T_contra, M]):
    """`rules.py`."""

    def set_up(self, table: T_contra, chance: Chance, /) -> None: ...
    def apply(self, table: T_contra, seat: int, move: M, chance: Chance, /) -> None: ...
    def default(self, table: T_contra, seat: int, /) -> M: ...


class Moves(Protocol[T_contra, M_co]):
    """`moves.py`."""

    def waiting(self, table: T_contra, /) -> int: ...
    def legal(self, table: T_contra, seat: int, /) -> Sequence[M_co]: ...


class MoveCodec(Protocol[M, C]):
    """`move_codec.py`."""

    def command_of(self, move: M, /) -> C: ...
    def move_of(self, command: C, /) -> M: ...


class Refusals(Protocol[T_contra, C_contra]):
    """`refusals.py`."""

    def why_not(self, table: T_contra, seat: int, command: C_contra, /) -> Refusal | None: ...
    def menu(self, table: T_contra, seat: int, /) -> list[Choice]: ...


class Fold(Protocol[T_contra, E_contra]):
    """`fold.py`."""

    def fold(self, table: T_contra, event: E_contra, /) -> None: ...


class View(Protocol[T_contra, V_co]):
    """`view.py`."""

    def view(self, table: T_contra, seat: Seat | None, /) -> V_co: ...


class Disclosure(Protocol[T_contra, E_contra]):
    """`disclosure.py`."""

    def dealt(self, table: T_contra, event: E_contra, /) -> tuple[Hand, ...]: ...
    def shown(self, event: E_contra, /) -> tuple[Shown, ...]: ...


class Determinization(Protocol[V_contra, T_co]):
    """`bots/determinization.py`."""

    def determinize(self, view: V_contra, rng: Rng, /) -> T_co: ...


def assemble(  # noqa: PLR0913, PLR0917 - one for each file of the floor plan
    rules: Rules[T, M],
    moves: Moves[T, M],
    move_codec: MoveCodec[M, C],
    refusals: Refusals[T, C],
    fold: Fold[T, E],
    view: View[T, V],
    disclosure: Disclosure[T, E],
    determinization: Determinization[V, T],
) -> Rulebook[T, M, C, E, V]:
    """Return the rulebook that a game's modules make up."""
    return Rulebook(
        set_up=rules.set_up,
        waiting=moves.waiting,
        legal=moves.legal,
        apply=rules.apply,
        default=rules.default,
        command_of=move_codec.command_of,
        move_of=move_codec.move_of,
        why_not=refusals.why_not,
        menu=refusals.menu,
        fold=fold.fold,
        view=view.view,
        dealt=disclosure.dealt,
        shown=disclosure.shown,
        determinize=determinization.determinize,
    )
