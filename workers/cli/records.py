"""Records on the command line: written from the store, and checked from a file, a service, or the store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from ...domain.match import MatchId
from ...domain.registry import GAMES
from ...service.errors import StartupRefused
from ...service.records.apart import decided_by
from ...service.records.bulk import HEAD
from ...service.records.verdict import Conclusion, Verdict
from ...service.records.verify import MATCH_ID, verify
from ...service.settings import Settings
from .environment import completed
from .log_proofs import Checkpoint, Proofs, checkpoint_of, finding_in, proofs_of
from .remote import is_address, proofs_at, record_at


class Document(msgspec.Struct):
    """A record as one JSON document."""

    lines: list[msgspec.Raw]


async def record_of(settings: Settings, match: MatchId) -> list[bytes]:
    """Return the lines of a stored match; raise NotFound if it is not there or not over."""
    from ...service.deployment import open_application

    async with open_application(settings) as application:
        return await application.records.export(match)


class Evidence(msgspec.Struct, frozen=True):
    """What a record is compared with: proofs from the transparency log (a file), and a saved checkpoint.

    `bots`: of how many answers of bots one is computed again (0: none); `rules`: a folder with wheels of rules.
    """

    log: Path | None = None
    checkpoint: str | None = None
    bots: int = 0
    rules: Path | None = None

    @property
    def asks_log(self) -> bool:
        """Whether anything of the log is compared."""
        return self.log is not None or self.checkpoint is not None


def verdict_of(
    source: str, settings: Callable[[], Settings], token: str | None = None, evidence: Evidence | None = None
) -> Verdict:
    """Return what checking a file, an address (as the holder of a token) or a stored match finds.

    Raises NotFound, and StartupRefused for an address without an answer, and for what is no file, address or id.
    """
    content = content_of(source, token)
    lines = lines_of(content) if content is not None else stored(source, settings)
    verdict = verify(lines, GAMES, every_bot=evidence.bots if evidence is not None else 0)
    if verdict.conclusion is Conclusion.UNDECIDED and evidence is not None and evidence.rules is not None:
        verdict = decided_by(lines, verdict, evidence.rules)
    if verdict.conclusion is Conclusion.WRONG or evidence is None or not evidence.asks_log:
        return verdict
    kept = checkpoint_of(evidence.checkpoint) if evidence.checkpoint is not None else None
    return msgspec.structs.replace(verdict, finding=finding_in(lines, _proofs(source, token, evidence.log, kept), kept))


def _proofs(source: str, token: str | None, log: Path | None, kept: Checkpoint | None) -> Proofs:
    """Return the proofs of a file, or those of the service that has the match."""
    if log is not None:
        return proofs_of(bytes_of(log))
    if not is_address(source):
        raise StartupRefused("Name the file with the answer of /log/proofs/{match} (--log), or check the match at its address.")
    return proofs_of(proofs_at(source, token, kept.size if kept is not None else None))


def export_of(source: str, settings: Callable[[], Settings], token: str | None) -> list[bytes]:
    """Return the lines of the match at an address, or of a stored one. Raises as `verdict_of` does."""
    if is_address(source):
        return lines_of(record_at(source, token))
    return stored(identified(source), settings)


def stored(match: str, settings: Callable[[], Settings]) -> list[bytes]:
    """Return the lines of a stored match; raise NotFound."""
    from ..bootstrap import server_of

    with server_of(settings()) as connected:
        return completed(record_of(connected, MatchId(match)))


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
    if (finding := verdict.finding) is not None:
        return printable(f"Wrong at {finding.line}: {finding.what}. Expected {finding.expected}, found {finding.found}.")
    return "\n".join(map(printable, (_conclusion(verdict), *_notes(verdict))))


def printable(line: str) -> str:
    """Escape a line, so that nothing that a forger wrote can move a terminal's cursor."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in line)


def _conclusion(verdict: Verdict) -> str:
    checked = f"{verdict.entries} entries, {verdict.commands} commands, {verdict.deals} deals"
    if verdict.conclusion is Conclusion.RIGHT:
        again = "all done again" if verdict.taken_up is None else "done again but for what it begins with"
        return f"{verdict.match} ({verdict.game}) is right: {checked}, {again}."
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
    if verdict.by:
        yield f"Its commands were decided again by version {verdict.rules_version} of the rules, from {verdict.by}."
    if verdict.bots.given:
        why = f": {verdict.bots.unable}" if verdict.bots.unable else ""
        yield f"Of {verdict.bots.given} answers of bots {verdict.bots.computed} were computed again{why}."
    if verdict.early:
        yield f"{verdict.early} time-outs came before their deadline."
    yield f"Compare with what you were told: commitment {verdict.commitment}, last chain {verdict.chain}."
