"""A record compared with what a player has kept of its match (docs/auditing.md), and the service's log with kept checkpoints."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ..domain.game import Seat
from ..domain.match import MatchId
from ..domain.match.events import CardsCommitted, MatchOpened
from ..domain.registry import GAMES
from ..service.errors import NotFound, StartupRefused
from ..service.features.records.marks import judged_by
from ..service.features.records.report import PENDING_MS
from ..service.features.records.verdict import Conclusion, Doubt, Finding, Verdict
from ..service.features.records.verify import match_of
from ..service.features.transparency.checks import day_of, leaves_of, opening_of
from ..service.features.transparency.hand_over import is_by_other
from ..service.features.transparency.log import LOG_SECONDS
from ..service.features.transparency.port import Leaf
from ..service.games import Games
from ..service.matches.codec import Codec
from ..service.matches.repository import Loaded
from ..service.signing.judge import Ruling, statement_of
from ..service.signing.notes import BadNote, read_note, read_public
from ..service.signing.statements import FeedMark, Statement, TreeHead
from ..service.views.feeds import Feed
from .known_log import WHERE, Differs, KnownLog, SavedLeaves, ServedLog, Signers, is_by
from .log_proofs import check_day_secret
from .lost_answers import find_lost
from .record_sources import read_file
from .records_folder import SavedLog
from .remote import GONE, connect
from .tournament_share import prove_entry
from .unproved import DOUBTS, EVENTS, VIEWER, heard_by, keeps_whole_feed, prove_share, viewer_of

if TYPE_CHECKING:
    from tafelrunde.client import Client
    from tafelrunde.client.keeping import Kept

ENDING = ".kept.json"
LATE_MS = 1_000 * LOG_SECONDS + PENDING_MS
"""A leaf is not just late when the log has one that is younger by this."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """What was compared and agrees, what could not be, and the first thing that does not agree.

    `unsure` is why it takes more to decide whether it all agrees, empty if it does not. `lost`: a sentence for each answer that
    was kept since the service did not take it, and that the record does not have.
    """

    compared: tuple[str, ...]
    open: tuple[str, ...]
    finding: Finding | None
    unsure: str = ""
    lost: tuple[str, ...] = ()


KEY, STALE, SHAPES, DAY = "key", "a log of today", "signature", "day"
UNSIGNED, NO_CHECKPOINT = "unsigned", "no_checkpoint"
UNSURE = {
    KEY: "something kept is signed with a key that was not kept; only the log of the service shows whether the kept one has "
    "handed over to it, so check the match at its address",
    STALE: "the log that the service shows has nothing of the match, or not its end, and has stood still since: by the clock of "
    "this machine it should have it for an hour or more",
    SHAPES: "its events have an older shape, in which their feed was signed: use a release that wrote it",
    **dict.fromkeys(DOUBTS, "not all of it is proved"),
}
"""What makes it undecided if it could not be compared, and why."""
LOST = "the record has something else in the place of an answer that you sent, and only your own clock says when"
STALE_MS = 3_600_000
"""By how much this machine's clock may be ahead before a log that has stood still since the end of a match is noticed."""

NOTHING = Comparison(compared=(), open=(), finding=None)
"""Nothing was compared, since the record is wrong by itself."""


def read_kept_file(path: Path) -> Kept:
    """Return what a file has; raise StartupRefused."""
    from tafelrunde.client.keeping import read_kept

    content = read_file(path)
    try:
        return read_kept(content)
    except ValueError as error:
        raise StartupRefused(f"{path} is no kept file: {error}.") from error


def find_kept_file(place: Path, match: str) -> Path:
    """Return the kept file of a match: *place* itself, or the one in that folder that clients write."""
    return place / f"{match}{ENDING}" if place.is_dir() else place


class KeptFolder:
    """The kept files of many matches, all read; raises StartupRefused if it is no folder, has none, or one cannot be read.

    *saved* is the log that lies beside the records.
    """

    def __init__(self, folder: Path, saved: SavedLog | None, games: Games) -> None:
        self._games = games
        if not folder.is_dir():
            raise StartupRefused(f"{folder} is no folder: for many records, --kept names one with the kept file of each match.")
        found = [read_kept_file(path) for path in sorted(folder.glob(f"*{ENDING}"))]
        if not found:
            raise StartupRefused(f"{folder} has no kept files: none whose name ends with {ENDING}.")
        self._files = {each.match: each for each in found}
        self._log = SavedLeaves(saved, _sizes(found)) if saved is not None else None

    def compare(self, verdict: Verdict, record: Sequence[bytes]) -> tuple[Verdict, Comparison]:
        """Return the verdict, which is wrong for a record that is not as its player has kept it, and what was compared."""
        if verdict.finding is not None or (kept := self._files.get(verdict.match)) is None:
            return verdict, NOTHING
        found = compare(kept, record, self._log, self._games)
        return apply_comparison(verdict, found), found

    def check_others(self, matches: Collection[str]) -> Iterator[tuple[str, Finding | None]]:
        """Yield the other matches of which something was kept, and how the log differs from the checkpoints among it."""
        for match, kept in sorted(self._files.items()):
            if match not in matches:
                yield match, _collect(_Signed(kept, self._log).checkpoints()).finding


def _sizes(files: Iterable[Kept]) -> set[int]:
    """Return the sizes of all checkpoints; a text that is none is found when it is compared."""
    lines = (text.split("\n") for kept in files for text in kept.checkpoints)
    return {int(each[1]) for each in lines if len(each) > 1 and each[1].isdecimal()}


def compare(kept: Kept, lines: Sequence[bytes], log: KnownLog | None, games: Games = GAMES) -> Comparison:
    """Compare a record that is right in itself with what was kept, and the log (None: there is none)."""
    found = _collect(_compare_all(kept, lines, log, games))
    return _with_lost(found, kept, lines, games) if kept.unacknowledged and found.finding is None else found


def _with_lost(found: Comparison, kept: Kept, lines: Sequence[bytes], games: Games) -> Comparison:
    """Return a comparison with the answers that the service did not take."""
    lost = [*find_lost(kept, match_of(lines, games)[1], Codec(games), viewer_of(kept))]
    reasons = [found.unsure, LOST] if any(each.is_doubt for each in lost) else [found.unsure]
    return msgspec.structs.replace(found, unsure="; ".join(filter(None, reasons)), lost=tuple(each.sentence for each in lost))


def compare_at_service(
    kept: Kept, lines: Sequence[bytes], service: str | None, token: str | None, games: Games = GAMES
) -> Comparison:
    """Compare as `compare` does, with the log of a running service (None: with none), asked as the holder of a token."""
    if service is None:
        return compare(kept, lines, None, games)
    with connect(service, token, f"log of {service}") as client:
        return compare(_with_deal_secret(kept, client), lines, ServedLog(service, client), games)


def _with_deal_secret(kept: Kept, client: Client) -> Kept:
    """Return the evidence, with the secret of its tournament's deals added if the service has published it."""
    from tafelrunde.client import ApiError

    terms = kept.tournament
    if terms is None or terms.deal_secret is not None:
        return kept
    try:
        secret = client.tournament(terms.tournament).facts.deal_secret
    except ApiError as error:
        if error.problem.status not in GONE:
            raise
        return kept
    return msgspec.structs.replace(kept, tournament=msgspec.structs.replace(terms, deal_secret=secret))


def _collect(steps: Iterable[tuple[str, bool]]) -> Comparison:
    """Return what came of comparing, up to the first thing that differs."""
    done = list[str]()
    left = list[str]()
    finding = None
    try:
        for what, agrees in steps:
            (done if agrees else left).append(what)
    except Differs as found:
        finding = found.finding
    except BadNote as error:
        finding = Finding(WHERE, "what was signed", "a note that one of the kept keys has signed", str(error))
    unsure = "; ".join(_without_repeats([why for what, why in UNSURE.items() if what in left]))
    return Comparison(compared=_without_repeats(done), open=_without_repeats(left), finding=finding, unsure=unsure)


def _without_repeats(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _require_same(what: str, expected: object, found: object) -> bool:
    if expected != found:
        raise Differs(what, expected, found)
    return True


def _compare_all(kept: Kept, lines: Sequence[bytes], log: KnownLog | None, games: Games) -> Iterator[tuple[str, bool]]:
    """Yield what is compared, and whether it could be; raise Differs."""
    match_id, loaded = match_of(lines, games)
    codec = Codec(games)
    yield "match", _require_same("the match", kept.match, match_id)
    _require_same("the commitment", kept.commitment, loaded.match.facts.commitment)
    yield from prove_entry(kept, match_id, loaded, prove_share(kept, loaded, codec))
    if kept.deals:
        yield "roots", _compare_roots(kept, loaded, codec)
    if kept.feed is not None and kept.feed.n:
        yield from _of_viewer(kept, heard_by(kept.feed, loaded, codec), "feed", lambda: _compare_feed(kept, loaded, codec))
    signed = _Signed(kept, log)
    yield from signed.marks(match_id, loaded, codec)
    if not keeps_whole_feed(kept, loaded, codec):
        yield EVENTS, False
    missing = {UNSIGNED: not kept.marks, NO_CHECKPOINT: not kept.checkpoints}
    yield from ((what, False) for what, is_so in missing.items() if is_so)
    yield from signed.checkpoints()
    if log is not None:
        opened = codec.decode(loaded.entries[0])[1]
        assert isinstance(opened, MatchOpened), "the record was checked before"
        ends = [*leaves_of(match_id, loaded.entries[: loaded.version], codec)]
        found = {
            "opening": _find_in_log(log, "the opening of the match", [opening_of(match_id, opened)]),
            "end": _find_in_log(log, "the end of the match, or a correction", ends),
        }
        yield from found.items()
        if found["end"]:
            yield "ends", log.has_only(ends)
        if not all(found.values()) and log.now_ms > ends[-1].time_ms + STALE_MS:
            yield STALE, False
        if (day := day_of(loaded.entries[: loaded.version], codec)) is not None:
            yield DAY, _find_in_log(log, "the day of the deal", [day]) and _compare_secret(log, opened, day)


class _Signed:
    """The notes that were kept, and who may have signed them: the kept keys, and those that they have handed over to in a log."""

    def __init__(self, kept: Kept, log: KnownLog | None) -> None:
        self._kept = kept
        self._log = log

    def marks(self, match_id: MatchId, loaded: Loaded, codec: Codec) -> Iterator[tuple[str, bool]]:
        """Yield what a record has to do with each mark."""
        for text in self._kept.marks:
            if (statement := self._read_kept(text)) is None:
                yield KEY, False
                continue
            if not isinstance(statement, FeedMark):
                raise BadNote("not the mark of a feed")
            _require_same("the match of a signed mark", match_id, statement.mark.match)
            compare = partial(_compare_mark, statement, match_id, loaded, codec)
            yield from _of_viewer(self._kept, statement.mark.seat, "signature", compare)

    def checkpoints(self) -> Iterator[tuple[str, bool]]:
        """Yield what the log has to do with each checkpoint, and whether the kept key has handed over."""
        for text in self._kept.checkpoints:
            if (head := self._read_kept(text)) is None:
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

    def _read_kept(self, text: str) -> Statement | None:
        """Return what a kept note says, None if no one here can tell whose key it is; raise BadNote for another's signature."""
        keys, whole = self._signers
        note = read_note(text)
        if not whole and not is_by(note, keys) and is_by_other(note, keys):
            return None
        statement = statement_of(note, keys)
        _require_same("who signs", self._kept.origin, statement.origin)
        return statement


def _find_in_log(log: KnownLog, what: str, leaves: Sequence[Leaf]) -> bool:
    """Return whether a log has some leaves of a match; raise Differs if it should have them by now."""
    if (missing := log.first_missing(leaves)) is None:
        return True
    if log.time_ms >= missing.time_ms + LATE_MS:
        raise Differs(what, "a leaf in the log", "none, and it is long due")
    return False


def _compare_secret(log: KnownLog, opened: MatchOpened, day: Leaf) -> bool:
    """Return whether the leaf of a day binds the secret of a match; raise Differs if it binds another one."""
    if (secret := log.day_secret(day)) is None:
        return False
    if (finding := check_day_secret(opened, day, secret)) is not None:
        raise Differs(finding.what, finding.expected, finding.found)
    return True


def _of_viewer(kept: Kept, seat: int | None, what: str, compare: Callable[[], bool]) -> Iterator[tuple[str, bool]]:
    """Yield how a feed compares; one of another viewer than the keeper never makes a record wrong, nor proves what was sent."""
    if seat == viewer_of(kept):
        yield what, compare()
        return
    try:
        compare()
    except Differs:
        yield VIEWER, False


def _compare_roots(kept: Kept, loaded: Loaded, codec: Codec) -> bool:
    events = (codec.decode(entry)[1] for entry in loaded.entries[: loaded.version])
    found = {each.deal: (each.size, each.root) for each in events if isinstance(each, CardsCommitted)}
    return all(
        _require_same(f"the root of deal {each.deal}", (each.size, each.root), found.get(each.deal)) for each in kept.deals
    )


def _compare_feed(kept: Kept, loaded: Loaded, codec: Codec) -> bool:
    assert kept.feed is not None, "asked for where there is one"
    feed = Feed(Seat(kept.feed.seat) if kept.feed.seat is not None else None, loaded.entries)
    feed.extend(loaded, codec)
    chain = feed.chain(kept.feed.n).hex() if 0 <= kept.feed.n <= len(feed.items) else f"{len(feed.items)} items"
    return _require_same(f"the first {kept.feed.n} items of your feed", kept.feed.chain, chain)


def _compare_mark(statement: FeedMark, match_id: MatchId, loaded: Loaded, codec: Codec) -> bool:
    """Return whether a mark could be compared with a record; raise Differs if the record gives another feed."""
    judgement = judged_by(statement.mark, match_id, loaded, codec)
    if judgement.ruling is Ruling.CONTRADICTION:
        raise Differs("the feed that the service signed", statement.mark.chain.hex(), judgement.why)
    return judgement.ruling is Ruling.AGREEMENT


def describe_missing(kept: Kept, error: NotFound) -> Finding:
    """Return the finding about a match that is not there any more, although the service signed what it sent of it."""
    signed = " that the service has signed" if kept.marks else ""
    return Finding(WHERE, "the match", f"{kept.match}, of which there is a feed{signed}", str(error))


def name_own_cards(verdict: Verdict, kept: Kept) -> Verdict:
    """Return a verdict that calls the cards of the keeper's seat "your cards"."""
    finding = verdict.finding
    if finding is None or kept.seat is None or not finding.expected.startswith(f"seat {kept.seat}: "):
        return verdict
    what = finding.what.replace("the cards", "your cards", 1)
    return msgspec.structs.replace(verdict, finding=msgspec.structs.replace(finding, what=what))


def apply_comparison(verdict: Verdict, comparison: Comparison) -> Verdict:
    """Return the one verdict: a record that is not as it was kept is wrong, however right it is by itself."""
    settled = verdict.settle(Doubt.DAY_LEAF) if DAY in comparison.compared else verdict
    return msgspec.structs.replace(settled, finding=comparison.finding, unsure=comparison.unsure)


def conclude(verdict: Verdict | None, comparison: Comparison | None) -> Conclusion:
    """Return what came of a check; without a record it is that of what was kept."""
    if verdict is not None:
        return verdict.conclusion
    return Conclusion.WRONG if comparison is None or comparison.finding is not None else Conclusion.UNDECIDED
