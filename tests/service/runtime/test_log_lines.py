"""Every log line of the service: plain words that stay, and fields that are on the list."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tafelrunde.service.runtime.logging_setup import FIELDS
from tests.support.paths import ROOT

CALLS = {f"log.{level}" for level in ("debug", "info", "warning", "error", "exception", "critical")}
PLAIN = re.compile(r"[a-z][\w ,:()?'/-]*[a-z)?]")


def lines(source: str) -> Iterator[ast.Call]:
    """Yield the calls of a module that write a log line."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in CALLS:
            yield node


def complaints(source: str) -> list[str]:
    """Return what is wrong with the log lines of a module."""
    found: list[str] = []
    for call in lines(source):
        match call.args:
            case [ast.Constant(value=str(words))]:
                found += [words] if not PLAIN.fullmatch(words) else []
            case [ast.IfExp() | ast.Name() | ast.Attribute()]:
                pass  # one of several constants, or handed in
            case [ast.JoinedStr(values=[ast.FormattedValue(value=named), ast.Constant(value=str(words))])]:
                # a consumer's own name, which is a constant, then what happened to it
                found += [words] if ast.unparse(named) != "self.name" or not PLAIN.fullmatch(f"name{words}") else []
            case _:
                found.append(ast.unparse(call))
        found += [f"{each.arg}=" for each in call.keywords if each.arg is not None and each.arg not in FIELDS]
    return found


def test_log_lines_have_plain_words_and_listed_fields() -> None:
    """Values stand in fields that may be written; the words of an event are always the same, so they can be searched for."""
    files = [path for layer in ("service", "api", "workers", "audit") for path in sorted((ROOT / layer).rglob("*.py"))]
    assert sum(len(list(lines(path.read_text(encoding="utf-8")))) for path in files) > 40
    found = {path.name: said for path in files if (said := complaints(path.read_text(encoding="utf-8")))}
    assert found == {}


@pytest.mark.parametrize(
    "source",
    [
        "log.info(f'match {name} ended')",
        "log.info(f'{match}: ended')",
        "log.info(f'{self.name}: Ended.')",
        "log.info('Match ended.')",
        "log.error('job failed', card=3)",
        "log.info('a', 'b')",
    ],
)
def test_wrong_log_line_is_found(source: str) -> None:
    """A value among the words, a sentence, a field off the list, and an argument without a name are all seen."""
    assert complaints(source)
