"""Checks a folder of records, or a file with many, on all cores: every record by itself, and all of them beside the log."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec

from ..domain.match import MatchId
from ..domain.match.events import MatchOpened
from ..service.dealing import merkle
from ..service.errors import StartupRefused
from ..service.features.records.bulk import Absent
from ..service.features.records.record import software
from ..service.features.records.report import Checked, KeptReport, LogReport, Report, in_log, one_history, pending
from ..service.features.records.verdict import Doubt
from ..service.features.records.verifier import Verifier
from ..service.features.transparency import tree
from ..service.features.transparency.checks import day_of, hash_leaf, leaves_of
from ..service.features.transparency.port import Leaf
from ..service.games import games_of
from ..service.runtime.capacity import usable_cores
from ..service.runtime.process_pool import end_with_parent
from .check_record import Evidence
from .kept_evidence import NOTHING, KeptFolder
from .log_proofs import check_day_secret, parse_checkpoint
from .progress import Pace, Say
from .records_folder import BROKEN, STATE, SavedCheckpoint, SavedLog, find_files, read_log, read_records, read_state

LARGE = 8 << 20
"""Files of more bytes are read here and shared out record by record; smaller ones are read by the process that checks them."""
BATCH_BYTES = 4 << 20
FILES_AT_ONCE = 16
WAITING = 4
"""Batches that wait for each process: enough that none is idle, and few enough that memory does not grow with the folder."""


class Part(NamedTuple):
    """Some records of one file: all of it, or those that begin with number `first`."""

    path: Path
    name: str
    first: int = 1
    records: Sequence[list[bytes]] | None = None


class BatchOutcome(NamedTuple):
    """What came of some parts: records, files that could not be read, matches that are absent, and how many bytes were done."""

    checked: list[Checked]
    unread: dict[str, str]
    absent: dict[str, str]
    size: int


Batch: TypeAlias = list[Part]
Given: TypeAlias = tuple[Evidence, Path | None]
"""What records are compared with, and the folder with the log that lies beside them (None: there is none)."""


class _Checking:
    """What one process checks records with: a verifier, and the kept files of its user's matches."""

    def __init__(self, evidence: Evidence, folder: Path | None) -> None:
        self.verifier: Verifier = evidence.verifier()
        saved = read_log(folder) if folder is not None else None
        self.days: Mapping[str, str] = saved.days if saved is not None else {}
        self.kept = KeptFolder(evidence.kept, saved, games_of(evidence.games)) if evidence.kept is not None else None


_checking: list[_Checking] = []


def check_records(source: Path, say: Say, processes: int | None = None, evidence: Evidence | None = None) -> Report:
    """Check all records of a folder or a file; raise StartupRefused if there is nothing to check, or nothing to compare with."""
    evidence = evidence or Evidence()
    folder = source if source.is_dir() else None
    own = _Checking(evidence, folder)  # what cannot be used is refused before anything is checked
    files = find_files(source) if folder is not None else [source]
    base = folder or source.parent
    saved = _read_saved(folder, evidence.checkpoint)
    total = sum(path.stat().st_size for path in files)
    progress = _Progress(total, say)
    checked: list[Checked] = []
    unread: dict[str, str] = {}
    absent = dict(read_state(base).absent) if folder is not None and (base / STATE).is_file() else {}
    for outcome in _run_batches(_divide(files, base, unread, absent), processes or usable_cores(), (evidence, folder)):
        checked += outcome.checked
        unread |= outcome.unread
        absent |= outcome.absent
        progress.note(len(outcome.checked), outcome.size)
    checked.sort(key=lambda each: each.source)
    records = one_history(checked)
    log = None
    if saved is not None:
        log, records = _compare_log(saved, records)
    progress.end()
    known = {each.verdict.match for each in records}
    missing = {match: reason for match, reason in sorted(absent.items()) if match not in known}
    return Report(
        software=software(),
        records=tuple(records),
        unread=dict(sorted(unread.items())),
        absent=missing,
        log=log,
        kept=_report_kept(own.kept, records) if own.kept is not None else None,
    )


def _read_saved(folder: Path | None, checkpoint: str | None) -> SavedLog | None:
    """Return the log that was saved in a folder, with a further checkpoint to compare it with; raise StartupRefused."""
    saved = read_log(folder) if folder is not None else None
    if checkpoint is None:
        return saved
    if saved is None:
        raise StartupRefused("There is no log to compare a checkpoint with: `export-all` saves one in its folder.")
    size, root = parse_checkpoint(checkpoint)
    return msgspec.structs.replace(saved, checkpoints=(SavedCheckpoint(size=size, root=root, time_ms=0), *saved.checkpoints))


def _report_kept(kept: KeptFolder, records: Sequence[Checked]) -> KeptReport:
    missing = dict(kept.check_others({each.verdict.match for each in records}))
    return KeptReport(
        compared=sum(bool(each.compared) for each in records),
        without_record=tuple(missing),
        open=Counter(name for each in records for name in each.open),
        findings={match: finding for match, finding in missing.items() if finding is not None},
    )


def _compare_log(saved: SavedLog, records: Sequence[Checked]) -> tuple[LogReport, Sequence[Checked]]:
    """Return how a log is, and the records, of which those that it should have by now are wrong if it has not."""
    places = {leaf: number for number, leaf in enumerate(saved.leaves)}
    checkpoint_ms = saved.checkpoints[-1].time_ms if saved.checkpoints else 0
    waiting = {each.source for each in records if pending(each, places, checkpoint_ms)}
    compared = [each if each.source in waiting else in_log(each, places) for each in records]
    return _report_log(saved, records, len(waiting)), compared


def _report_log(saved: SavedLog, records: Sequence[Checked], waiting: int) -> LogReport:
    """Recompute the root of every checkpoint from the leaves: so each later log begins with each earlier one."""
    roots = tree.roots([bytes.fromhex(leaf) for leaf in saved.leaves], {each.size for each in saved.checkpoints})
    findings = [
        f"The checkpoint of {each.size} leaves has the root {each.root}, and the leaves lead to {found}."
        for each in saved.checkpoints
        if (found := roots[each.size].hex() if each.size in roots else "no root: some are missing") != each.root
    ]
    own = {leaf for each in records for leaf in each.leaves}
    last = saved.checkpoints[-1] if saved.checkpoints else None
    return LogReport(
        size=last.size if last is not None else 0,
        root=last.root if last is not None else merkle.EMPTY.hex(),
        checkpoints=len(saved.checkpoints),
        without_record=sum(leaf not in own for leaf in saved.leaves),
        pending=waiting,
        findings=tuple(findings),
    )


def _divide(files: Sequence[Path], base: Path, unread: dict[str, str], absent: dict[str, str]) -> Iterator[Batch]:
    """Yield the work in portions; what can be found out here is noted."""
    batch: Batch = []
    for path in files:
        name = path.relative_to(base).as_posix()
        if path.stat().st_size > LARGE:
            yield from _divide_file(path, name, unread, absent)
            continue
        batch.append(Part(path, name))
        if len(batch) == FILES_AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


def _divide_file(path: Path, name: str, unread: dict[str, str], absent: dict[str, str]) -> Iterator[Batch]:
    """Yield the records of a large file in portions."""
    found: list[list[bytes]] = []
    first, size = 1, 0
    try:
        for each in read_records(path):
            if isinstance(each, list):
                found.append(each)
                size += sum(map(len, each))
            elif isinstance(each, Absent):
                absent[each.match] = each.reason
            if size > BATCH_BYTES:
                yield [Part(path, name, first, found)]
                first = first + len(found)
                found = []
                size = 0
    except BROKEN as error:
        unread[name] = _reason(error)
    if found:
        yield [Part(path, name, first, found)]


def _run_batches(batches: Iterable[Batch], processes: int, given: Given) -> Iterator[BatchOutcome]:
    """Check batches on several processes, and yield what came of each as soon as it is done."""
    if processes == 1:
        _start(*given)
        try:
            yield from map(_check_batch, batches)
        finally:
            _checking.pop()
        return
    try:
        with ProcessPoolExecutor(processes, initializer=_start_process, initargs=given) as pool:
            running: set[Future[BatchOutcome]] = set()
            for batch in batches:
                running.add(pool.submit(_check_batch, batch))
                while len(running) >= WAITING * processes:
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    yield from (each.result() for each in done)
            for each in running:
                yield each.result()
    except BrokenProcessPool as error:
        raise StartupRefused(
            "A process that checked records was killed: is there enough memory? Nothing was reported."
        ) from error


def _start_process(evidence: Evidence, folder: Path | None) -> None:
    """Prepare a process of its own."""
    end_with_parent()
    _start(evidence, folder)


def _start(evidence: Evidence, folder: Path | None) -> None:
    _checking.append(_Checking(evidence, folder))


def _check_batch(batch: Batch) -> BatchOutcome:
    """Check some records. Runs in a process of its own, which builds its verifier once."""
    checking = _checking[-1]
    outcome = BatchOutcome([], {}, {}, sum(part.path.stat().st_size for part in batch if part.records is None))
    for part in batch:
        count = part.first - 1
        try:
            for each in part.records if part.records is not None else read_records(part.path):
                if isinstance(each, list):
                    count += 1
                    outcome.checked.append(_check_one(f"{part.name}#{count}", each, checking))
                elif isinstance(each, Absent):
                    outcome.absent[each.match] = each.reason
            if not count:
                outcome.unread[part.name] = "no record in it"
        except BROKEN as error:
            outcome.unread[part.name] = _reason(error)
    return outcome


def _check_one(source: str, record: Sequence[bytes], checking: _Checking) -> Checked:
    verdict, entries = checking.verifier.examine(record)
    comparison = NOTHING
    if checking.kept is not None:
        verdict, comparison = checking.kept.compare(verdict, record)
    leaves: list[Leaf] = []
    if verdict.finding is None:
        codec = checking.verifier.codec
        day = day_of(entries, codec)
        leaves = [*([day] if day is not None else []), *leaves_of(MatchId(verdict.match), entries, codec)]
        if day is not None and (secret := checking.days.get(day.lines[0])) is not None:
            opened = codec.decode(entries[0])[1]
            assert isinstance(opened, MatchOpened), "the record was checked before"
            verdict = msgspec.structs.replace(verdict.settle(Doubt.DAY_LEAF), finding=check_day_secret(opened, day, secret))
    return Checked(
        source=source.removesuffix("#1"),
        verdict=verdict,
        leaves=tuple(hash_leaf(leaf).hex() for leaf in leaves),
        last_ms=leaves[-1].time_ms if leaves else 0,
        compared=comparison.compared,
        open=comparison.open,
    )


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


class _Progress:
    """Says now and then how far it is."""

    def __init__(self, total: int, say: Say) -> None:
        self._total = max(total, 1)
        self._say = say
        self._pace = Pace(say)
        self._size = self._count = 0

    def note(self, count: int, size: int) -> None:
        """Note records that are done, of files of this size."""
        self._count += count
        self._size += size
        share = f", {100 * self._size // self._total} %" if self._size else ""
        self._pace.say(lambda: f"{self._count} records{share}, {self._rate()} records/s")

    def end(self) -> None:
        """Say how long it took."""
        self._say(f"{self._count} records in {self._seconds():.1f} s, {self._rate()} records/s")

    def _rate(self) -> int:
        return round(self._count / max(self._seconds(), 0.001))

    def _seconds(self) -> float:
        return time.monotonic() - self._pace.began
