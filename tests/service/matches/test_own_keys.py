"""Idempotency keys that the service makes for itself: one module makes them, and two acts never share one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

from tafelrunde.domain.match import PlayerId
from tafelrunde.service.matches.own_keys import Act, PlayersAct, players_key

TREE = Path(__file__).parents[3]
LAYERS = ("service", "workers", "api", "audit")
MADE_IN = TREE / "service/matches/own_keys.py"
KEY_AT = {"IssuedCommand": None, "issued_by": 3, "issued_by_service": 1, "Batch": None}
"""Where a call takes the idempotency key: by the name `key`, or at this place."""
CLIENT_KEY = re.compile(r"[A-Za-z0-9._:-]{1,64}")


def calls() -> Iterator[tuple[str, ast.expr]]:
    """Yield each key that the code gives to a command or a batch, with its place."""
    for path in (path for layer in LAYERS for path in (TREE / layer).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in KEY_AT:
                continue
            named = [each.value for each in node.keywords if each.arg == "key"]
            at = KEY_AT[node.func.id]
            for key in named or ([node.args[at]] if at is not None else []):
                yield f"{path.relative_to(TREE)}:{node.lineno}", key


def test_key_of_a_command_is_never_written_where_it_is_used() -> None:
    """Only `own_keys` has the forms of keys; the empty key is that of a command that is only checked."""
    found = list(calls())
    assert len(found) > 15
    literal = [place for place, key in found if isinstance(key, ast.JoinedStr) or (isinstance(key, ast.Constant) and key.value)]
    made = [
        str(path.relative_to(TREE))
        for layer in LAYERS
        for path in (TREE / layer).rglob("*.py")
        if path != MADE_IN and re.search(r"\bOwnKey\(", path.read_text())
    ]
    assert (literal, made) == ([], [])


def test_keys_of_two_acts_differ_whatever_they_are_about() -> None:
    """A key begins with the fixed part of its form, and that of one act never begins as that of another."""
    forms = [each.value for each in Act]
    assert len(set(forms)) == len(Act.__members__), "an alias is two acts with one key"
    fixed = [form.partition("{}")[0] for form in forms]
    alike = [
        (one, other)
        for one, other in permutations(zip(forms, fixed, strict=True), 2)
        if ("{}" in one[0] and other[1].startswith(one[1])) or one[0] == other[0]
    ]
    assert alike == []


def test_keys_of_one_act_differ_by_what_they_are_about() -> None:
    """Two parts are separated, so that (1, 11) is not (11, 1)."""
    about = [(one, other) for one in (1, 11, 111) for other in (1, 11, 111)]
    shared = []
    for act in Act:
        count = act.value.count("{}")
        wanted = {parts[:count] for parts in about}
        if len({act.key(*parts) for parts in wanted}) != len(wanted):
            shared.append(act)
    assert shared == []


def test_clients_cannot_send_a_key_that_the_service_uses() -> None:
    """Keys of players have the player's id in front; the service's own acts for a player have a sign that no client may send."""
    player = PlayerId("p" + "0" * 26)
    own = [act.key(*("1", "2")[: act.value.count("{}")]) for act in Act]
    assert [key for key in own if key.startswith(players_key(player, ""))] == []
    assert [act for act in PlayersAct if CLIENT_KEY.fullmatch(act.key(1))] == []
    assert len({act.value.partition("{}")[0] for act in PlayersAct}) == len(PlayersAct.__members__)


def test_stored_forms_stay_as_they_are() -> None:
    """A command that is repeated after an update finds what it wrote before."""
    assert {act.name: act.value for act in Act} == {
        "OPEN_REMATCH": "rematch",
        "NOTE_REMATCH": "rematch-noted",
        "OPEN_TOURNAMENT_MATCH": "tournament",
        "OPEN_PUZZLE": "puzzle",
        "OPEN_QUICK_MATCH": "quick",
        "RESERVE_QUICK_SEAT": "quick|{}",
        "RELEASE_QUICK_SEAT": "quick-lapse|{}|{}",
        "SEAT_QUICK_BOT": "quick-bot|{}|{}",
        "START_QUICK_MATCH": "quick-start|{}",
        "TIME_OUT": "timeout-{}",
        "EXPIRE": "expire",
        "ANSWER_FOR_BOT": "bot-{}-{}",
    }
    assert {act.name: act.value for act in PlayersAct} == {
        "OPEN_DAILY": "daily|{}",
        "TAKE_HINT": "hint|{}",
        "FORGET": "forget|{}",
    }
