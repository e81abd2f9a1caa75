"""English is plain: `words.txt` lists patterns that must not occur in contract, texts, docs, code, tests and the web client."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from tafelrunde.api.contract.openapi import contract
from tafelrunde.api.features import problem_kinds
from tafelrunde.api.http.static_files import FOLDER
from tafelrunde.workers.cli import app
from tests.support.paths import ROOT
from tools.generate_docs import DOCS, PART

PRODUCT = ("domain", "service", "api", "workers", "audit", "research", "openapi/client")
LINES = [line for line in (ROOT / "tests" / "docs" / "words.txt").read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
WORDS = {pattern: re.compile(pattern, re.IGNORECASE) for pattern, _, _ in (line.partition("\t") for line in LINES)}
ONE_WORD = [pattern for pattern in WORDS if " " not in pattern]
"""The patterns that names are held to: those of several words depend on a sentence."""
NO_NAME = re.compile(r"\b(?:[A-Z][A-Z_]+|seat_or_nobody)\b")
"""Constants, and what returns NOBODY."""
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_")
CODE = re.compile(r"```.*?```|`[^`\n]*`|\]\([^)]*\)|^    [^\n]*$", re.DOTALL | re.MULTILINE)
CONSTANT = re.compile(r"\b[A-Z][A-Z_]+\b")
PROGRAM = re.compile(r"=>|^import ", re.MULTILINE)
TOKEN = re.compile(
    r"""[A-Za-z]+\"{3}(?:\\.|[^\\])*?\"{3} | (?P<docstring>\"{3}(?:\\.|[^\\])*?\"{3}) | (?P<comment>[#][^\n]*)
      | '{3}(?:\\.|[^\\])*?'{3} | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
    """,
    re.DOTALL | re.VERBOSE,
)
"""A text or a comment of Python; Python's own tokenizer takes ten times as long."""
TEST = re.compile(r"^[ \t]*(?:async )?def (test_\w+)", re.MULTILINE)
NAME = re.compile(r"\w+")
REMARK = re.compile(r"/[*].*?[*]/|(?<![:\"'`\\\\])//[^\n]*", re.DOTALL)
TYPE = re.compile(r"@(?:type|typedef|param|returns?|template)\b\s*(?:\{(?:[^{}]|\{[^{}]*\})*\})?[^\n]*")
ENGLISH = re.compile(r'\ben: "([^"]*)"')
THIRD_PARTY = {"lit", "swagger-ui"}
WEB = [
    path
    for path in sorted(FOLDER.rglob("*.*"))
    if path.suffix in {".js", ".css"} and path.name.partition(".")[0] not in THIRD_PARTY
]
READ = [
    *(ROOT / f"{name}.md" for name in ("README", "CHANGELOG", "CODE_OF_CONDUCT", "CONTRIBUTING", "RELEASING", "SECURITY")),
    ROOT / "openapi" / "clients" / "README.md",
    *(page for page in sorted(DOCS.rglob("*.md")) if page.name != "rules-coverage.md"),
]


def found(text: str) -> list[str]:
    """Return the patterns that occur in a text, code left out."""
    plain = " ".join(CODE.sub(" ", text).split())
    return [pattern for pattern, compiled in WORDS.items() if compiled.search(plain)]


def _texts(value: object, name: str = "") -> Iterator[str]:
    """Yield all descriptions and summaries of the contract; examples hold what games and players say."""
    match value:
        case dict():
            for key, each in value.items():
                if key in {"description", "summary"} and isinstance(each, str):
                    yield each
                elif key not in {"example", "examples"}:
                    yield from _texts(each, key)
        case list():
            for each in value:
                yield from _texts(each, name)
        case _:
            return


def _comments(path: Path) -> Iterator[str]:
    """Yield the docstrings and comments of a module, without names of constants; not the programs in it."""
    for token in TOKEN.finditer(path.read_text(encoding="utf-8")):
        remark = token["docstring"] or token["comment"]
        if remark is not None and not (token["docstring"] and PROGRAM.search(remark)):
            yield CONSTANT.sub(" ", " ".join(remark.split()))


def _names(path: Path) -> set[str]:
    """Return all names in the code of a module; of one in the tests, only those of its tests."""
    text = path.read_text(encoding="utf-8")
    if path.relative_to(ROOT).parts[0] in {"tests", "testing"}:
        return {*TEST.findall(text)}
    return {*NAME.findall(NO_NAME.sub(" ", TOKEN.sub(" ", text)))}


def named(name: str) -> list[str]:
    """Return the patterns of one word that occur in a name."""
    words = HUMP.sub(" ", name)
    return [pattern for pattern in ONE_WORD if WORDS[pattern].search(words)]


def _helps(command: object) -> Iterator[str]:
    """Yield the help of a command, of its options and arguments, and of the commands in it."""
    if isinstance(command, TyperGroup):
        for each in command.commands.values():
            yield from _helps(each)
    if isinstance(command, (TyperGroup, TyperCommand)):
        yield command.help or ""
        yield from (getattr(each, "help", None) or "" for each in command.params)


@pytest.mark.parametrize(
    "sentence",
    [
        "At most so many items.",
        "Wait up to so many seconds if there is nothing yet.",
        "Only that seat is told.",
        "Whoever has them all can compute every root anew.",
        "Make sure that nobody puts a socket of theirs into the place of ours.",
        "Everybody at the table sees it.",
        "The cards that the asker can prove.",
        "No sign of life.",
        "The log over all matches.",
        "It hears the news.",
        "Leave the own seat.",
        "After so many milliseconds a board is asked for again.",
        "Wait for a server that is away.",
        "A run that is gone on with.",
    ],
)
def test_planted_sentence_is_found(sentence: str) -> None:
    """The list finds sentences that once stood in the contract and in the docs."""
    assert found(f"A good sentence. {sentence} Another one.") != []


@pytest.mark.parametrize(
    "sentence",
    ["Maximum number of items to return.", "Run `whoever --anew` now.", "Not so much that it fails."],
)
def test_plain_sentence_and_code_pass(sentence: str) -> None:
    """Plain English, and whatever stands in code, is left alone."""
    assert found(sentence) == []


def test_contract_is_plain() -> None:
    """No pattern occurs in a description or summary of the API."""
    texts = list(_texts(msgspec.json.decode(contract())))
    assert len(texts) > 500
    assert {each: words for each in texts if (words := found(each))} == {}


@pytest.mark.parametrize(
    "folder", ["domain", "service", "api", "workers", "audit", "research", "testing", "openapi/client", "tools", "bench", "tests"]
)
def test_code_is_plain(folder: str) -> None:
    """No pattern occurs in a docstring or comment; many of them are descriptions in the contract, or help texts."""
    texts = [each for path in sorted((ROOT / folder).rglob("*.py")) if path != Path(__file__) for each in _comments(path)]
    assert len(texts) > 20
    assert {each: words for each in texts if (words := found(each))} == {}


def test_docstrings_and_comments_of_a_module_are_read(tmp_path: Path) -> None:
    """Not its other texts, also where they look like a comment; a comment may look like a text."""
    source = [
        "async def one():",
        '    """First."""',
        '    x = "# no comment"  # it\'s one',
        '    y = \'"""\'  # "another',
        '    z = r"""no docstring"""',
        "class Two:",
        '    """Last."""',
    ]
    (tmp_path / "one.py").write_text("\n".join(source), encoding="utf-8")
    assert [*_comments(tmp_path / "one.py")] == ['"""First."""', "# it's one", '# "another', '"""Last."""']


@pytest.mark.parametrize("name", ["told", "_told", "told_again", "MatchTold", "test_row_is_made_anew", "test_nobody_waits"])
def test_planted_name_is_found(name: str) -> None:
    """The list finds names that once stood in the code and in the tests."""
    assert named(name) != []


@pytest.mark.parametrize("folder", [*PRODUCT, "testing", "tests"])
def test_names_are_plain(folder: str) -> None:
    """No pattern of one word occurs in a name of the product: of a function, a class, a variable; nor in that of a test."""
    names = {name for path in sorted((ROOT / folder).rglob("*.py")) for name in _names(path)}
    assert len(names) > 20
    assert {name: words for name in names if (words := named(name))} == {}


@pytest.mark.parametrize("path", WEB, ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_web_client_is_plain(path: Path) -> None:
    """No pattern occurs in a comment of a script or style sheet in any of its folders, or in a text of the client."""
    text = path.read_text(encoding="utf-8")
    comments = (TYPE.sub(" ", comment) for comment in REMARK.findall(text))
    assert {each: words for each in (*comments, *ENGLISH.findall(text)) if (words := found(each))} == {}


def test_problems_are_plain() -> None:
    """No pattern occurs in a title of a problem, or in what a client can do about it."""
    assert {name: words for name, kind in problem_kinds().items() if (words := found(f"{kind.en} {kind.advice}"))} == {}


def test_help_texts_are_plain() -> None:
    """No pattern occurs in what the command line says of itself."""
    texts = list(_helps(get_command(app)))
    assert len(texts) > 50
    assert {each: words for each in texts if (words := found(each))} == {}


@pytest.mark.parametrize("page", READ, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_pages_are_plain(page: Path) -> None:
    """No pattern occurs in the README or in a page of docs/; the refusals of the games are made from their rules."""
    text = page.read_text(encoding="utf-8")
    assert found(PART.sub(lambda part: "" if part[2] == "refusals" else part[0], text)) == []
