"""Records: where they come from - a file, a service, a store - and how a verdict reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import msgspec

from ..service.errors import StartupRefused
from ..service.records.bot_check import LATE, SAMPLE_SECONDS
from ..service.records.bulk import HEAD
from ..service.records.verdict import Conclusion, Finding, Verdict
from ..service.records.verify import MATCH_ID
from .remote import is_address, record_at


class Document(msgspec.Struct):
    """A record as one JSON document."""

    lines: list[msgspec.Raw]


Stored: TypeAlias = Callable[[str], list[bytes]]
"""What gives the lines of a stored match, by its id; raises NotFound."""


def export_of(source: str, stored: Stored, token: str | None) -> list[bytes]:
    """Return the lines of the match at an address, or of a stored one. Raises as `lines_at` does."""
    if is_address(source):
        return lines_of(record_at(source, token))
    return stored(identified(source))


def lines_at(source: str, stored: Stored, token: str | None) -> list[bytes]:
    """Return the lines of a record: of a file, of an address (as the holder of a token), or of a stored match.

    Raises NotFound, and StartupRefused for an address without an answer, and for what is no file, address or id.
    """
    content = content_of(source, token)
    return lines_of(content) if content is not None else stored(source)


def content_of(source: str, token: str | None) -> bytes | None:
    """Return the record that a file or an address has, None for the id of a stored match.

    Raises NotFound and StartupRefused as `record_at` does, and StartupRefused for what is none of the three: nothing is started
    for a name that was mistyped.
    """
    if is_address(source):
        return record_at(source, token)
    if Path(source).is_file():
        return bytes_of(Path(source))
    identified(source)
    return None


def identified(source: str) -> str:
    """Return a match's id; raise StartupRefused for anything of another shape."""
    if MATCH_ID.fullmatch(source) is None:
        raise StartupRefused(f"{source}: no such file, and not the id of a match.")
    return source


def bytes_of(path: Path) -> bytes:
    """Return the content of a file; raise StartupRefused."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise StartupRefused(f"{path} cannot be read: {error.strerror}.") from error


def has_many(source: str) -> bool:
    """Return whether this is a folder, or a file with more than one record, or a packed one."""
    path = Path(source)
    if is_address(source) or not path.exists():
        return False
    if path.is_dir() or path.suffix in {".zst", ".gz"}:
        return True
    with path.open("rb") as lines:
        return sum(line.startswith(HEAD) for line in lines) > 1


def lines_of(content: bytes) -> list[bytes]:
    """Return the lines of a record, as lines or as one document."""
    if not content.startswith(b'{"lines":['):
        return content.splitlines(keepends=True)
    try:
        return [bytes(line) + b"\n" for line in msgspec.json.decode(content, type=Document).lines]
    except (msgspec.DecodeError, RecursionError):
        return [content]


def as_json(verdict: Verdict) -> str:
    """Return a verdict as one JSON object."""
    conclusion = {"right": verdict.right, "conclusion": verdict.conclusion.value}
    return msgspec.json.encode({**conclusion, **msgspec.to_builtins(verdict)}).decode()


def as_text(verdict: Verdict) -> str:
    """Return a verdict in sentences: the first line says it, and what follows is what it does not cover."""
    if verdict.finding is not None:
        return wrong(verdict.finding)
    return "\n".join(map(printable, (_conclusion(verdict), *_notes(verdict))))


def wrong(finding: Finding) -> str:
    """Return a finding in one line."""
    return printable(f"Wrong at {finding.line}: {finding.what}. Expected {finding.expected}, found {finding.found}.")


def printable(line: str) -> str:
    """Escape a line, so that nothing that a forger wrote can move a terminal's cursor."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in line)


def _conclusion(verdict: Verdict) -> str:
    checked = f"{verdict.entries} entries, {verdict.commands} commands, {verdict.deals} deals"
    if verdict.conclusion is Conclusion.RIGHT:
        again = "all done again" if verdict.taken_up is None else "done again but for what it begins with"
        return f"{verdict.match} ({verdict.game}) is right: {checked}, {again}."
    if verdict.decided:
        return f"{verdict.match} ({verdict.game}) is undecided: by itself it is right, but {verdict.doubts}."
    return (
        f"{verdict.match} ({verdict.game}) is undecided: it says that it was played by version {verdict.rules_version} of the "
        f"rules, which is not here. {checked} fit together, but no command was decided again, and no deck dealt again."
    )


def _notes(verdict: Verdict) -> Iterator[str]:
    if (origin := verdict.taken_up) is not None:
        yield (
            f"It begins with {origin.events} events of match {origin.match}, not dealt here: that match's own record shows "
            f"whether it had them, up to version {origin.version} with the chain {origin.chain}."
        )
    if verdict.bots.given:
        why = verdict.bots.unable or (LATE.format(SAMPLE_SECONDS) if verdict.bots.late else "")
        told = f"Of {verdict.bots.given} answers of bots {verdict.bots.computed} were computed again"
        yield f"{told}: {why}." if why else f"{told}."
    if verdict.early:
        yield f"{verdict.early} time-outs came before their deadline."
    yield f"Compare with what you were told: commitment {verdict.commitment}, last chain {verdict.chain}."
