"""A record compared with what a player has kept of its match (docs/auditing.md), and the service's log with kept checkpoints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ...domain.game import Seat
from ...domain.match.events import CardsCommitted, SeatTaken
from ...domain.registry import GAMES
from ...service.errors import NotFound, StartupRefused
from ...service.matches.codec import Codec
from ...service.matches.repository import Loaded
from ...service.records.marks import judged_by_record
from ...service.records.verdict import Conclusion, Finding, Verdict
from ...service.records.verify import match_of, verify
from ...service.settings import Settings
from ...service.transparency.checks import check_consistency
from ...service.transparency.judge import Ruling, statement_of
from ...service.transparency.notes import BadNote, read_note, read_public
from ...service.transparency.statements import FeedMark, Statement, TreeHead
from ...service.views.feeds import Feed
from . import records
from .records import content_of, lines_of, printable, stored
from .remote import is_address, place_of

if TYPE_CHECKING:
    from tafelrunde.client.keeping import Kept

WHERE = "kept"


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """What was compared and agrees, what could not be, and the first thing that does not agree."""

    compared: tuple[str, ...]
    open: tuple[str, ...]
    finding: Finding | None


class Differs(Exception):
    """Something is not as it was kept."""

    def __init__(self, what: str, expected: object, found: object) -> None:
        super().__init__(what)
        self.finding = Finding(WHERE, what, str(expected), str(found))


def kept_of(path: Path) -> Kept:
    """Return what a file has; raise StartupRefused."""
    from tafelrunde.client.keeping import read_kept

    try:
        return read_kept(path.read_bytes())
    except OSError as error:
        raise StartupRefused(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise StartupRefused(f"{path} is no kept file: {error}.") from error


def compared(kept: Kept, lines: Sequence[bytes], service: str | None) -> Comparison:
    """Compare a record that is right in itself with what was kept, and the log of a running service (None: none)."""
    done, left = list[str](), list[str]()
    try:
        for what, agrees in _each(kept, lines, service):
            (done if agrees else left).append(what)
    except Differs as found:
        return Comparison(compared=_once(done), open=_once(left), finding=found.finding)
    except BadNote as error:
        finding = Finding(WHERE, "what was signed", "a note that one of the kept keys has signed", str(error))
        return Comparison(compared=_once(done), open=_once(left), finding=finding)
    return Comparison(compared=_once(done), open=_once(left), finding=None)


def _once(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _same(what: str, expected: object, found: object) -> bool:
    if expected != found:
        raise Differs(what, expected, found)
    return True


def _each(kept: Kept, lines: Sequence[bytes], service: str | None) -> Iterator[tuple[str, bool]]:
    """Yield what is compared, and whether it could be; raise Differs."""
    match, loaded = match_of(lines, GAMES)
    codec = Codec(GAMES)
    yield "match", _same("the match", kept.match, match)
    yield "commitment", _same("the commitment", kept.commitment, loaded.match.facts.commitment)
    if kept.nonce:
        yield "nonce", _nonce(kept, loaded, codec)
    if kept.deals:
        yield "roots", _roots(kept, loaded, codec)
    if kept.feed is not None:
        yield "feed", _feed(kept, loaded, codec)
    for text in kept.marks:
        yield "signature", _mark(kept, text, lines)
    for text in kept.checkpoints:
        yield "log", _checkpoint(_signed(kept, text), service)


def _nonce(kept: Kept, loaded: Loaded, codec: Codec) -> bool:
    """Return whether the nonce came after the commitment, in a command of its own."""
    commands, found = 0, ("", 0)
    for entry in loaded.entries[: loaded.version]:
        envelope, event = codec.decode(entry)
        commands += bool(envelope.command)
        if isinstance(event, SeatTaken) and event.seat == kept.seat:
            found = event.nonce, commands
    _same("your nonce", kept.nonce, found[0])
    return found[1] > 1


def _roots(kept: Kept, loaded: Loaded, codec: Codec) -> bool:
    events = (codec.decode(entry)[1] for entry in loaded.entries[: loaded.version])
    found = {each.deal: (each.size, each.root) for each in events if isinstance(each, CardsCommitted)}
    return all(_same(f"the root of deal {each.deal}", (each.size, each.root), found.get(each.deal)) for each in kept.deals)


def _feed(kept: Kept, loaded: Loaded, codec: Codec) -> bool:
    assert kept.feed is not None, "asked for where there is one"
    feed = Feed(Seat(kept.feed.seat) if kept.feed.seat is not None else None, loaded.entries)
    feed.extend(loaded, codec)
    chain = feed.chain(kept.feed.n).hex() if 0 <= kept.feed.n <= len(feed.items) else f"{len(feed.items)} items"
    return _same(f"the first {kept.feed.n} items of your feed", kept.feed.chain, chain)


def _signed(kept: Kept, text: str) -> Statement:
    """Return what a kept note says; raise BadNote unless one of the kept keys signed it."""
    statement = statement_of(read_note(text), [read_public(key) for key in kept.keys])
    _same("who signs", kept.origin, statement.origin)
    return statement


def _mark(kept: Kept, text: str, lines: Sequence[bytes]) -> bool:
    statement = _signed(kept, text)
    if not isinstance(statement, FeedMark):
        raise BadNote("not the mark of a feed")
    judgement = judged_by_record(statement.mark, lines, GAMES)
    if judgement.ruling is Ruling.CONTRADICTION:
        raise Differs("the feed that the service signed", statement.mark.chain.hex(), judgement.why)
    return judgement.ruling is Ruling.AGREEMENT


def _checkpoint(head: Statement, service: str | None) -> bool:
    """Return whether a service's log was asked, and continues that of a checkpoint; raise Differs if it does not."""
    if not isinstance(head, TreeHead):
        raise BadNote("not a checkpoint")
    if service is None or head.size == 0:
        return False
    from tafelrunde.client import ApiError, Client, Unreachable

    try:
        with Client(service) as client:
            found = client.log_consistency(head.size)
    except Unreachable as error:
        raise StartupRefused(f"{service} does not answer.") from error
    except ApiError as error:
        raise Differs("the log of the kept checkpoint", f"{head.size} leaves", str(error)) from error
    _same(f"the root of the log of {head.size} leaves", head.root.hex(), found.earlier_root)
    path = [bytes.fromhex(each) for each in found.path]
    proved = check_consistency(head.size, head.root, found.later, bytes.fromhex(found.later_root), path)
    return _same("a log that continues the kept one", expected=True, found=proved)


def verified(source: str, path: Path, settings: Callable[[], Settings], token: str | None) -> tuple[Verdict | None, Comparison]:
    """Check a record, and compare it with a kept file. No verdict if a service does not have the match any more.

    Raises as `records.content_of` does.
    """
    kept, service = kept_of(path), place_of(source).service if is_address(source) else None
    try:
        content = content_of(source, token)
        lines = lines_of(content) if content is not None else stored(source, settings)
    except NotFound as error:
        return None, Comparison(compared=(), open=(), finding=_gone(kept, error))
    verdict = verify(lines, GAMES)
    if verdict.finding is not None:
        return verdict, Comparison(compared=(), open=(), finding=None)
    return verdict, compared(kept, lines, service)


def _gone(kept: Kept, error: NotFound) -> Finding:
    """Return the finding about a match that is not there any more, although the service signed what it sent of it."""
    signed = " that the service has signed" if kept.marks else ""
    return Finding(WHERE, "the match", f"{kept.match}, of which there is a feed{signed}", str(error))


def as_json(verdict: Verdict | None, comparison: Comparison) -> str:
    """Return both as one JSON object."""
    whole = msgspec.json.decode(records.as_json(verdict), type=dict[str, object]) if verdict is not None else {}
    return msgspec.json.encode({**whole, "kept": msgspec.to_builtins(comparison)}).decode()


def as_text(verdict: Verdict | None, comparison: Comparison) -> Iterator[str]:
    """Yield both in sentences."""
    if verdict is not None:
        yield records.as_text(verdict)
    if (finding := comparison.finding) is not None:
        yield printable(f"Not as it was kept: {finding.what}. Expected {finding.expected}, found {finding.found}.")
    elif comparison.compared:
        yield f"Compared with what was kept: {', '.join(comparison.compared)}."
    if comparison.open:
        yield f"Kept, but not compared: {', '.join(comparison.open)}."


def code_of(verdict: Verdict | None, comparison: Comparison) -> int:
    """Return the exit code of `verify`."""
    if verdict is None or comparison.finding is not None:
        return 1
    return {Conclusion.RIGHT: 0, Conclusion.WRONG: 1, Conclusion.UNDECIDED: 3}[verdict.conclusion]
