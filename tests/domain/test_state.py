"""State is declared once: slots, copies and the stored form of digests come from the annotations of its class."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from types import new_class
from typing import Annotated

import pytest

from tafelrunde.domain.fields import Derived, Transient, stored
from tafelrunde.domain.game import Table
from tafelrunde.domain.state import State
from tests.support.cases import Case, every_case, played


class Board(State):
    hand: list[int]
    rows: list[list[int]]
    groups: list[set[int]]
    queue: deque[int]
    seen: dict[int, bool]
    past: Sequence[tuple[int, ...]]
    seats: Derived[int]
    listener: Transient[list[int]]
    turn: Annotated[int, stored(name="player")]
    passed: Annotated[list[int], stored(form=sorted)]

    def __init__(self) -> None:
        self.queue = deque([9])
        self.hand = [1]
        self.rows = [[2], [3]]
        self.groups = [{4}]
        self.seen = {5: True}
        self.past = [(6,)]
        self.seats = 2
        self.listener = [7]
        self.turn = 1
        self.passed = [1, 0]


class Game(State):
    board: Board


class Longer(Board):
    last: list[int]


def containers(value: object) -> Iterator[object]:
    """Yield a list, dict or set, and those in a list."""
    if isinstance(value, list | dict | set | deque):
        yield value
    if isinstance(value, list):
        for each in value:
            yield from containers(each)


def fields(state: State) -> dict[str, object]:
    """Return all fields of a state."""
    return {name: getattr(state, name) for kind in type(state).__mro__ for name in getattr(kind, "__slots__", ())}


def test_copy_has_its_own_lists_dicts_sets_and_states() -> None:
    """What is changed in the one does not show in the other; what is read only is shared."""
    game = Game()
    game.board = one = Board()
    other = game.copy().board
    assert fields(other) == fields(one) | {"listener": None}
    for name in ("hand", "rows", "groups", "queue", "seen", "passed"):
        found = list(containers(getattr(one, name)))
        assert found
        assert not {id(each) for each in found} & {id(each) for each in containers(getattr(other, name))}
    assert other.past is one.past


def test_copy_of_a_longer_state_is_of_its_class() -> None:
    """A class adds fields to those that it inherits."""
    one = Longer()
    one.last = [8]
    other = one.copy()
    assert isinstance(other, Longer)
    assert other.last == [8]
    assert other.last is not one.last
    assert set(one.digest_form()) == {*Board().digest_form(), "last"}


def test_digest_form_has_stored_names_and_forms() -> None:
    """A derived or transient field is not stored, a renamed one keeps its name, and a form is applied."""
    assert Board().digest_form() == {
        "hand": [1],
        "rows": [[2], [3]],
        "groups": [{4}],
        "queue": deque([9]),
        "seen": {5: True},
        "past": [(6,)],
        "player": 1,
        "passed": [0, 1],
    }


def test_state_has_no_field_that_is_not_declared() -> None:
    """A value that copies and digests would lack cannot be set."""
    with pytest.raises(AttributeError):
        Board().misspelled = 1  # pyright: ignore[reportAttributeAccessIssue] - what is tried


@pytest.mark.parametrize(
    "hint", ["list[list[list[int]]]", "tuple[list[int], ...]", "list[int] | None", "dict[int, list[int]]", "list"]
)
def test_field_whose_copy_would_share_a_list_is_refused(hint: str) -> None:
    """A class with a list where copies would share it cannot be made."""
    with pytest.raises(TypeError, match=r"Odd\.field: a copy would share"):
        new_class("Odd", (State,), exec_body=lambda body: body.update(__annotations__={"field": hint}, __module__=__name__))


def test_two_fields_with_one_stored_name_are_refused() -> None:
    """One of them would be in no digest."""
    hints = {"turn": "Annotated[int, stored(name='player')]", "player": "int"}
    with pytest.raises(TypeError, match=r"Odd\.player: another field is stored as player"):
        new_class("Odd", (State,), exec_body=lambda body: body.update(__annotations__=hints, __module__=__name__))


def test_slots_by_hand_are_refused() -> None:
    """A field in them alone would be in no copy and no digest."""
    with pytest.raises(TypeError, match="Odd: the annotations of a state are its slots"):
        new_class("Odd", (State,), exec_body=lambda body: body.update(__slots__=("hand",)))


@every_case
def test_copied_table_shares_nothing_that_can_change(case: Case) -> None:
    """In every game, at every moment of a match."""
    for step in played(case, seed=1):
        table: Table = step.after
        copied = table.copy()
        assert fields(copied) == fields(table) | {"emit": None}
        assert copied.digest_form() == table.digest_form()
        shared = {id(each) for value in fields(table).values() for each in containers(value)}
        both = {name for name, value in fields(copied).items() if any(id(each) in shared for each in containers(value))}
        assert both <= {"last_tricks"}, "declared as a sequence, never changed in place"
