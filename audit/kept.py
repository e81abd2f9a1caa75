"""A record compared with what a player has kept of its match (docs/auditing.md), and the service's log with kept checkpoints."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ..domain.game import Seat
from ..domain.match import MatchId
from ..domain.match.events import CardsCommitted, MatchOpened
from ..domain.registry import GAMES
from ..service.errors import NotFound, StartupRefused
from ..service.matches.codec import Codec
from ..service.matches.repository import Loaded
from ..service.ports.transparency import Leaf
from ..service.records.marks import judged_by
from ..service.records.report import PENDING_MS
from ..service.records.verdict import Conclusion, Finding, Verdict
from ..service.records.verify import match_of
from ..service.transparency.checks import day_of, leaves_of, opening_of
from ..service.transparency.hand_over import is_by_other
from ..service.transparency.judge import Ruling, statement_of
from ..service.transparency.notes import BadNote, read_note, read_public
from ..service.transparency.signer import LOG_SECONDS
from ..service.transparency.statements import FeedMark, Statement, TreeHead
from ..service.views.feeds import Feed
from . import records
from .folder import SavedLog
from .known_log import WHERE, Differs, KnownLog, SavedLeaves, ServedLog, Signers, is_by
from .log_proofs import unbound
from .remote import connect
from .unproved import DOUBTS, EVENTS, UNPROVED, share, whole

if TYPE_CHECKING:
    from tafelrunde.client.keeping import Kept

ENDING = ".kept.json"
LATE_MS = 1_000 * LOG_SECONDS + PENDING_MS
"""A leaf is not just late when the log has one that is younger by this."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """What was compared and agrees, what could not be, and the first thing that does not agree.

    `unsure` is why it takes more to decide whether it all agrees, empty if it does not.
    """

    compared: tuple[str, ...]
    open: tuple[str, ...]
    finding: Finding | None
    unsure: str = ""


KEY, STALE, SHAPES = "key", "a log of today", "signature"
UNSURE = {
    KEY: "something kept is signed with a key that was not kept; only the log of the service shows whether the kept one has "
    "handed over to it, so check the match at its address",
    STALE: "the log that the service shows has nothing of the match, or not its end, and has stood still since: by the clock of "
    "this machine it should have it for an hour or more",
    SHAPES: "its events have an older shape, in which their feed was signed: use a release that wrote it",
    **dict.fromkeys(DOUBTS, "not all of it is proved"),
}
"""What makes it undecided if it could not be compared, and why."""
STALE_MS = 3_600_000
"""By how much this machine's clock may be ahead before a log that has stood still since the end of a match is noticed."""

AT_ITS_ADDRESS = " The log is at the service: check the match at its address."

NOTHING = Comparison(compared=(), open=(), finding=None)
"""Nothing was compared, since the record is wrong by itself."""


def kept_of(path: Path) -> Kept:
    """Return what a file has; raise StartupRefused."""
    from tafelrunde.client.keeping import read_kept

    try:
        return read_kept(path.read_bytes())
    except OSError as error:
        raise StartupRefused(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise StartupRefused(f"{path} is no kept file: {error}.") from error


def path_of(place: Path, match: str) -> Path:
    """Return the kept file of a match: *place* itself, or the one in that folder that clients write."""
    return place / f"{match}{ENDING}" if place.is_dir() else place


class KeptFolder:
    """The kept files of many matches, all read; raises StartupRefused if it is no folder, has none, or one cannot be read.

    *saved* is the log that lies beside the records.
    """

    def __init__(self, folder: Path, saved: SavedLog | None) -> None:
        if not folder.is_dir():
            raise StartupRefused(f"{folder} is no folder: for many records, --kept names one with the kept file of each match.")
        found = [kept_of(path) for path in sorted(folder.glob(f"*{ENDING}"))]
        if not found:
            raise StartupRefused(f"{folder} has no kept files: none whose name ends with {ENDING}.")
        self._files = {each.match: each for each in found}
        self._log = SavedLeaves(saved, _sizes(found)) if saved is not None else None

    def compared(self, verdict: Verdict, record: Sequence[bytes]) -> tuple[Verdict, Comparison]:
        """Return the verdict, which is wrong for a record that is not as its player has kept it, and what was compared."""
        if verdict.finding is not None or (kept := self._files.get(verdict.match)) is None:
            return verdict, NOTHING
        found = compared(kept, record, self._log)
        return judged(verdict, found), found

    def without(self, matches: Collection[str]) -> Iterator[tuple[str, Finding | None]]:
        """Yield the other matches of which something was kept, and how the log differs from the checkpoints among it."""
        for match, kept in sorted(self._files.items()):
            if match not in matches:
                yield match, _outcome(_Signed(kept, self._log).checkpoints()).finding


def _sizes(files: Iterable[Kept]) -> set[int]:
    """Return the sizes of all checkpoints; a text that is none is found when it is compared."""
    lines = (text.split("\n") for kept in files for text in kept.checkpoints)
    return {int(each[1]) for each in lines if len(each) > 1 and each[1].isdecimal()}


def compared(kept: Kept, lines: Sequence[bytes], log: KnownLog | None) -> Comparison:
    """Compare a record that is right in itself with what was kept, and the log (None: there is none)."""
    return _outcome(_each(kept, lines, log))


def compared_at(kept: Kept, lines: Sequence[bytes], service: str | None, token: str | None) -> Comparison:
    """Compare as `compared` does, with the log of a running service (None: with none), asked as the holder of a token."""
    if service is None:
        return compared(kept, lines, None)
    with connect(service, token, f"log of {service}") as client:
        return compared(kept, lines, ServedLog(service, client))


def _outcome(steps: Iterable[tuple[str, bool]]) -> Comparison:
    """Return what came of comparing, up to the first thing that differs."""
    done, left, finding = list[str](), list[str](), None
    try:
        for what, agrees in steps:
            (done if agrees else left).append(what)
    except Differs as found:
        finding = found.finding
    except BadNote as error:
        finding = Finding(WHERE, "what was signed", "a note that one of the kept keys has signed", str(error))
    unsure = "; ".join(_once([why for what, why in UNSURE.items() if what in left]))
    return Comparison(compared=_once(done), open=_once(left), finding=finding, unsure=unsure)


def _once(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _same(what: str, expected: object, found: object) -> bool:
    if expected != found:
        raise Differs(what, expected, found)
    return True


def _each(kept: Kept, lines: Sequence[bytes], log: KnownLog | None) -> Iterator[tuple[str, bool]]:
    """Yield what is compared, and whether it could be; raise Differs."""
    match, loaded = match_of(lines, GAMES)
    codec = Codec(GAMES)
    yield "match", _same("the match", kept.match, match)
    _same("the commitment", kept.commitment, loaded.match.facts.commitment)
    yield from share(kept, loaded, codec)
    if kept.deals:
        yield "roots", _roots(kept, loaded, codec)
    if kept.feed is not None and kept.feed.n:
        yield "feed", _feed(kept, loaded, codec)
    signed = _Signed(kept, log)
    yield from signed.marks(match, loaded, codec)
    if not whole(kept, loaded, codec):
        yield EVENTS, False
    yield from signed.checkpoints()
    if log is not None:
        opened = codec.decode(loaded.entries[0])[1]
        assert isinstance(opened, MatchOpened), "the record was checked before"
        ends = [*leaves_of(match, loaded.entries[: loaded.version], codec)]
        found = {
            "opening": _in_log(log, "the opening of the match", [opening_of(match, opened)]),
            "end": _in_log(log, "the end of the match, or a correction", ends),
        }
        yield from found.items()
        if not all(found.values()) and log.now_ms > ends[-1].time_ms + STALE_MS:
            yield STALE, False
        if (day := day_of(loaded.entries[: loaded.version], codec)) is not None:
            yield "day", _in_log(log, "the day of the deal", [day]) and _bound(log, opened, day)


class _Signed:
    """The notes that were kept, and who may have signed them: the kept keys, and those that they have handed over to in a log."""

    def __init__(self, kept: Kept, log: KnownLog | None) -> None:
        self._kept = kept
        self._log = log

    def marks(self, match: MatchId, loaded: Loaded, codec: Codec) -> Iterator[tuple[str, bool]]:
        """Yield what a record has to do with each mark."""
        for text in self._kept.marks:
            if (statement := self._statement(text)) is None:
                yield KEY, False
                continue
            if not isinstance(statement, FeedMark):
                raise BadNote("not the mark of a feed")
            _same("the match of a signed mark", match, statement.mark.match)
            yield "signature", _agrees(statement, match, loaded, codec)

    def checkpoints(self) -> Iterator[tuple[str, bool]]:
        """Yield what the log has to do with each checkpoint, and whether the kept key has handed over."""
        for text in self._kept.checkpoints:
            if (head := self._statement(text)) is None:
                yield KEY, False
                continue
            if not isinstance(head, TreeHead):
                raise BadNote("not a checkpoint")
            if self._log is None:
                yield "log", False
            elif head.size:  # every log continues one without leaves
                yield "log", self._log.continues(head)
        if len(self._signers.keys) > len(self._kept.keys):
            yield KEY, True

    @cached_property
    def _signers(self) -> Signers:
        keys = [read_public(key) for key in self._kept.keys]
        if self._log is None:
            return Signers(keys, whole=False)
        return self._log.signers(keys, [read_note(text) for text in (*self._kept.marks, *self._kept.checkpoints)])

    def _statement(self, text: str) -> Statement | None:
        """Return what a kept note says, None if no one here can tell whose key it is; raise BadNote for another's signature."""
        keys, whole = self._signers
        note = read_note(text)
        if not whole and not is_by(note, keys) and is_by_other(note, keys):
            return None
        statement = statement_of(note, keys)
        _same("who signs", self._kept.origin, statement.origin)
        return statement


def _in_log(log: KnownLog, what: str, leaves: Sequence[Leaf]) -> bool:
    """Return whether a log has some leaves of a match; raise Differs if it should have them by now."""
    if (missing := log.lacks(leaves)) is None:
        return True
    if log.time_ms >= missing.time_ms + LATE_MS:
        raise Differs(what, "a leaf in the log", "none, and it is long due")
    return False


def _bound(log: KnownLog, opened: MatchOpened, day: Leaf) -> bool:
    """Return whether the leaf of a day binds the secret of a match; raise Differs if it binds another one."""
    if (secret := log.day_secret(day)) is None:
        return False
    if (finding := unbound(opened, day, secret)) is not None:
        raise Differs(finding.what, finding.expected, finding.found)
    return True


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


def _agrees(statement: FeedMark, match: MatchId, loaded: Loaded, codec: Codec) -> bool:
    """Return whether a mark could be compared with a record; raise Differs if the record gives another feed."""
    judgement = judged_by(statement.mark, match, loaded, codec)
    if judgement.ruling is Ruling.CONTRADICTION:
        raise Differs("the feed that the service signed", statement.mark.chain.hex(), judgement.why)
    return judgement.ruling is Ruling.AGREEMENT


def gone(kept: Kept, error: NotFound) -> Finding:
    """Return the finding about a match that is not there any more, although the service signed what it sent of it."""
    signed = " that the service has signed" if kept.marks else ""
    return Finding(WHERE, "the match", f"{kept.match}, of which there is a feed{signed}", str(error))


def in_own_words(verdict: Verdict, kept: Kept) -> Verdict:
    """Return a verdict that calls the cards of the keeper's seat "your cards"."""
    finding = verdict.finding
    if finding is None or kept.seat is None or not finding.expected.startswith(f"seat {kept.seat}: "):
        return verdict
    what = finding.what.replace("the cards", "your cards", 1)
    return msgspec.structs.replace(verdict, finding=msgspec.structs.replace(finding, what=what))


def judged(verdict: Verdict, comparison: Comparison) -> Verdict:
    """Return the one verdict: a record that is not as it was kept is wrong, however right it is by itself."""
    return msgspec.structs.replace(verdict, finding=comparison.finding, unsure=comparison.unsure)


def as_json(verdict: Verdict | None, comparison: Comparison | None) -> str:
    """Return both as one JSON object."""
    without = {"right": False, "conclusion": _conclusion(None, comparison).value}
    whole = msgspec.json.decode(records.as_json(verdict), type=dict[str, object]) if verdict is not None else without
    kept = {"kept": msgspec.to_builtins(comparison)} if comparison is not None else {}
    return msgspec.json.encode({**whole, **kept}).decode()


def as_text(verdict: Verdict | None, comparison: Comparison | None) -> str:
    """Return both in sentences: the first line says what came of it."""
    return "\n".join(_sentences(verdict, comparison))


def _sentences(verdict: Verdict | None, comparison: Comparison | None) -> Iterator[str]:
    finding = comparison.finding if comparison is not None else None
    if verdict is not None:
        yield records.as_text(verdict)
    elif finding is not None:
        yield records.wrong(finding)
    elif comparison is not None:
        yield f"Undecided: {comparison.unsure}."
    if comparison is None:
        return
    agreed, left = ", ".join(comparison.compared), ", ".join(each for each in comparison.open if each not in UNPROVED)
    if finding is not None and verdict is not None:
        yield f"By itself the record holds: it contradicts what was kept. Agreed up to there: {agreed or 'nothing'}."
    elif agreed:
        yield f"Compared with what was kept: {agreed}."
    yield from (f"Not proved: {UNPROVED[each]}." for each in comparison.open if each in UNPROVED)
    if left:
        yield f"Kept, but not compared: {left}." + (AT_ITS_ADDRESS if "log" in comparison.open else "")


def _conclusion(verdict: Verdict | None, comparison: Comparison | None) -> Conclusion:
    """Return what came of it; without a record it is that of what was kept."""
    if verdict is not None:
        return verdict.conclusion
    return Conclusion.WRONG if comparison is None or comparison.finding is not None else Conclusion.UNDECIDED


def code_of(verdict: Verdict | None, comparison: Comparison | None) -> int:
    """Return the exit code of `verify`."""
    return {Conclusion.RIGHT: 0, Conclusion.WRONG: 1, Conclusion.UNDECIDED: 3}[_conclusion(verdict, comparison)]
