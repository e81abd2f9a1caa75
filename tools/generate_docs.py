"""The parts of docs/ that are generated. `python -m tools.generate_docs` rewrites them; a test compares them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from pathlib import Path

import msgspec

from tafelrunde.api.features import operations, problem_kinds
from tafelrunde.api.http.operation import Access
from tafelrunde.api.schema.common import Scope
from tafelrunde.domain.game import GameId, Message
from tafelrunde.domain.match.events import MATCH_EVENTS
from tafelrunde.domain.match.refusals import MATCH_MESSAGES, MatchRefusal
from tafelrunde.domain.registry import GAMES
from tafelrunde.domain.secrecy import Known, known
from tafelrunde.research.observations import layout_of
from tafelrunde.service import environment
from tafelrunde.service.players.quota_table import ADDRESS_SHARES, DAY, HOUR, TABLE, Spender
from tafelrunde.service.settings import variables
from tests.support.paths import ROOT
from tools.commands import alone
from tools.reference import all_commands
from tools.tutorial import source

DOCS = ROOT / "docs"
WINDOWS = {None: "at once", 60: "a minute", HOUR: "an hour", DAY: "a day"}
PART = re.compile(r"(<!-- made: ([\w-]+)(?: (\S+))? -->\n).*?(<!-- end -->)", re.DOTALL)
LANGUAGES = {".cs": "csharp", ".go": "go", ".java": "java", ".mjs": "javascript", ".py": "python", ".ts": "typescript"}
DECISION = re.compile(r"# (?P<number>\d+)\. (?P<title>.+)\n\n- Status: (?P<status>[\w ]+)\n- Date: (?P<date>\d{4}-\d\d-\d\d)\n")


def problems() -> str:
    """Return a section for every type of problem, in the order of their statuses."""
    kinds = sorted(problem_kinds().items(), key=lambda each: each[1].status)
    return "".join(f"### {name}\n\nStatus {kind.status}. {kind.en} {kind.advice}\n\n" for name, kind in kinds)


def refusals() -> str:
    """Return a section for the match and for every game, with all reasons for a refusal."""
    games = (_section(game.id, game.messages[game.id].en, game.refusals, game.messages) for game in GAMES.values())
    return _section("match", "The match around every game", MatchRefusal, MATCH_MESSAGES) + "".join(games)


def _section(scope: str, title: str, codes: type[Enum], messages: Mapping[str, Message]) -> str:
    told = {each.value: messages[f"{scope}.refusal.{each.value}"] for each in codes}
    ruled = any(message.rule for message in told.values())
    rows = [(f"`{scope}.{code}`", message.en, *([message.rule] if ruled else ())) for code, message in told.items()]
    return f"### {title}\n\n{_table(('code', 'text', *(['rule'] if ruled else ())), rows)}\n"


def audiences() -> str:
    """Return a table of what only some viewers may know of events, and which events only one seat gets, or no one."""
    kinds = [*MATCH_EVENTS, *(each for game in GAMES.values() for each in game.event_types)]
    found = {f"`{kind.__struct_config__.tag}`": known(kind) for kind in kinds}
    rows = [(tag, "; ".join(_hidden(each))) for tag, each in found.items() if each.hidden or each.parts]
    own = ", ".join(tag for tag, each in found.items() if each.only == ("seat",))
    none = " and ".join(tag for tag, each in found.items() if each.only == ())
    table = _table(("event", "fields that are hidden, and who knows them"), rows)
    return f"{table}\nOnly the seat in `seat` gets {own}. No one gets {none}."


def _hidden(event: Known) -> Iterator[str]:
    for name in event.parts:
        yield f"`{name}`: each seat its own"
    for name, fields in event.hidden.items():
        yield f"`{name}`: {', '.join(f'`{each}`' for each in fields) or 'no one'}"


def lessons() -> str:
    """Return a table of the numbers that the secrets of lessons are made of."""
    rows = [(game.id, str(game.lesson.edition), str(game.lesson.chance)) for game in GAMES.values() if game.lesson]
    return _table(("game", "edition", "number"), rows)


def scopes() -> str:
    """Return a table of what each scope allows."""
    rows: list[tuple[str, ...]] = []
    for scope in Scope:
        found = [each for each in operations() if each.about.access is Access.OWNED and each.about.scope is scope]
        rows += [(f"`{scope.value}`", ", ".join(f"`{each.method} {each.path}`" for each in found))]
    return _table(("scope", "needed for"), rows)


def settings() -> str:
    """Return a table of all settings, those of the core first, from the lines of the docstrings of their classes."""
    return _table(("variable and default", "meaning"), [row for kind in environment.KINDS for row in _rows(kind)])


def quotas() -> str:
    """Return the table of all quotas, with the defaults of their settings."""
    defaults = {field: getattr(kind(), field) for kind in environment.KINDS for field in (*_fields(kind), *_derived(kind))}

    def number(given: int | str | None) -> str:
        return "-" if given is None else f"{defaults[given] if isinstance(given, str) else given:,}"

    rows: list[tuple[str, ...]] = []
    for row in TABLE:
        one = number(row.one)
        together = f"{ADDRESS_SHARES * int(one.replace(',', '')):,}" if row.together == "" else number(row.together)
        shares = ("-", one) if row.spender is Spender.ADDRESS else (one, together)
        rows.append((f"`{row.name}`", row.covers, *shares, WINDOWS[row.window_s], row.protects, row.first))
    return _table(("quota", "what it covers", "of one", "of an address", "in", "what it protects", "who comes first"), rows)


def _fields(kind: type[msgspec.Struct]) -> Iterator[str]:
    return (field for field, _ in variables(kind))


def _derived(kind: type[msgspec.Struct]) -> Iterator[str]:
    return (name for name, value in vars(kind).items() if isinstance(value, property))


def _rows(kind: type[msgspec.Struct]) -> list[tuple[str, str]]:
    about = " ".join((kind.__doc__ or "").partition("\n    - ")[2].split())
    parts = re.findall(r"(?:^|(?<=[.;] ))(?:- )?([a-z_]+(?:, [a-z_]+)*): (.*?)(?=; [a-z_]+: |\. - |$)", about)
    fields = [field for field, _ in variables(kind)]
    assert sorted(name for names, _ in parts for name in names.split(", ")) == sorted(fields), kind
    return [
        (", ".join(_variable(kind, name) for name in names.split(", ")), f"{text[:1].upper()}{text[1:].rstrip('.')}.")
        for names, text in parts
    ]


def _variable(kind: type[msgspec.Struct], field: str) -> str:
    name = "REDIS_URL" if field == "redis_url" else f"TAFELRUNDE_{field.upper()}"
    return f"`{name}` ({_said(getattr(kind(), field))})"


def _said(default: object) -> str:
    match default:
        case None:
            return "not set"
        case "":
            return "empty"
        case Enum():
            return str(default.value)
        case bool():
            return str(default).lower()
        case _:
            return str(default)


def commands() -> str:
    """Return a table of the commands, with the first sentence of each command's help."""
    said = sorted((name, " ".join((command.help or "").split())) for name, command in all_commands())
    return _table(("command", "what it does"), [(f"`{name}`", f"{text.split('. ')[0].rstrip('.')}.") for name, text in said])


def durability() -> str:
    """Return the table of the README."""
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    return re.findall(r"^## What an acknowledged command survives\n\n((?:\|.*\n)+)", readme, re.MULTILINE)[0]


def decisions() -> str:
    """Return a table of the decisions, with status and date; raise ValueError for pages without them or gaps in the numbers."""
    pages = sorted((DOCS / "decisions").glob("[0-9]*.md"))
    heads = {page.name: DECISION.match(page.read_text(encoding="utf-8")) for page in pages}
    for number, (name, head) in enumerate(heads.items(), start=1):
        if head is None:
            raise ValueError(f"a decision begins with number, title, status and date: {name}")
        if not name.startswith(f"{number:04}-") or head["number"] != str(number):
            raise ValueError(f"the decisions are numbered without gaps, in name and title: {name}")
    rows = [(head["number"], f"[{head['title']}]({name})", head["status"], head["date"]) for name, head in heads.items() if head]
    return _table(("", "decision", "status", "date"), rows)


def observations(game: str) -> str:
    """Return a table of what the observations of a game hold, with its fewest seats."""
    layout = layout_of(GAMES[GameId(game)], GAMES[GameId(game)].min_seats)
    rows = [(f"`{each.field}`", str(each.start), str(each.size), each.meaning) for each in layout.blocks]
    return _table(("field", "from place", "places", "what they hold"), rows)


def program(path: str) -> str:
    """Return a file as a block, without any change."""
    return f"```{LANGUAGES[Path(path).suffix]}\n{(ROOT / path).read_text(encoding='utf-8')}```"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [" | ".join(row) for row in (head, *rows)]
    rule = "|".join("---" for _ in lines[0].split(" | "))
    return "".join(f"{line}\n" for line in (f"| {lines[0]} |", f"|{rule}|", *(f"| {line} |" for line in lines[1:])))


MAKERS: tuple[Callable[[], str], ...] = (
    problems,
    refusals,
    audiences,
    lessons,
    scopes,
    settings,
    quotas,
    commands,
    durability,
    decisions,
)
PARTS: Mapping[str, Callable[..., str]] = {make.__name__: make for make in (*MAKERS, source, observations, program)}
"""The function behind each part, by its name. A part may have an argument: `<!-- made: source domain/duel/fold.py -->`."""


def filled(text: str) -> str:
    """Return a page with all its generated parts up to date."""
    return PART.sub(lambda found: f"{found[1]}\n{PARTS[found[2]](*filter(None, [found[3]])).strip()}\n\n{found[4]}", text)


def pages() -> list[Path]:
    """Return the pages with generated parts."""
    return [path for path in sorted(DOCS.rglob("*.md")) if PART.search(path.read_text(encoding="utf-8"))]


if __name__ == "__main__":
    alone(__doc__)
    for page in pages():
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
