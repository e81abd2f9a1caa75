"""What checking many records has found, for people and for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from .verdict import Conclusion, Finding, Verdict

FOLDER = "folder"
PENDING_MS = 120_000
"""How long after its end a match may enter the log: a minute with delayed spectators, and as much again."""


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """One record: where it is, and its verdict.

    `leaves`: the hashes that the transparency log must have for it, in hex; `last_ms`: the time of the last of them.
    `compared`: what was compared with the file that its player has kept; `open`: what could not be.
    """

    source: str
    verdict: Verdict
    leaves: tuple[str, ...] = ()
    last_ms: int = 0
    compared: tuple[str, ...] = ()
    open: tuple[str, ...] = ()

    @property
    def conclusion(self) -> Conclusion:
        """What came of it."""
        return self.verdict.conclusion


class LogReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a folder has of the transparency log: checkpoints that its leaves lead to, and how many leaves have no record there.

    `pending`: records whose last leaf is so young that the log may not have had it yet.
    """

    size: int
    root: str
    checkpoints: int
    without_record: int
    pending: int
    findings: tuple[str, ...]


class KeptReport(msgspec.Struct, frozen=True, kw_only=True):
    """How many records were compared with kept files, and the matches of which something was kept but no record is there.

    `open`: how often something that was kept could not be compared; `findings`: checkpoints that were kept of matches without a
    record, and that the log does not continue.
    """

    compared: int
    without_record: tuple[str, ...]
    open: Mapping[str, int]
    findings: Mapping[str, Finding]


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All of it. `unread` are files without any record; `absent` are matches whose record could not be exported, and why."""

    software: str
    records: tuple[Checked, ...]
    unread: Mapping[str, str]
    absent: Mapping[str, str]
    log: LogReport | None
    kept: KeptReport | None = None

    @property
    def counts(self) -> Mapping[Conclusion, int]:
        """How many records came to each conclusion."""
        found = Counter(each.conclusion for each in self.records)
        return {conclusion: found[conclusion] for conclusion in Conclusion}

    @property
    def conclusion(self) -> Conclusion | None:
        """The worst of all: wrong, then undecided; None if there is no record, or a file cannot be read.

        It is undecided, too, while something was kept of a match and its record is not here.
        """
        if self.counts[Conclusion.WRONG] or (self.log and self.log.findings) or (self.kept and self.kept.findings):
            return Conclusion.WRONG
        if not self.records or self.unread:
            return None
        missing = self.kept is not None and self.kept.without_record
        return Conclusion.UNDECIDED if self.counts[Conclusion.UNDECIDED] or missing else Conclusion.RIGHT


def one_history(records: Iterable[Checked]) -> list[Checked]:
    """Return records of which no two say that the same match, of the same length, went differently: such ones are wrong."""
    first: dict[tuple[str, int], Checked] = {}
    found: list[Checked] = []
    for each in records:
        verdict = each.verdict
        known = first.setdefault((verdict.match, verdict.entries), each)
        if verdict.finding is None and verdict.match and known.verdict.finding is None and known.verdict.chain != verdict.chain:
            other = Finding(FOLDER, f"another history than that in {known.source}", known.verdict.chain, verdict.chain)
            found.append(msgspec.structs.replace(each, verdict=msgspec.structs.replace(verdict, finding=other)))
        else:
            found.append(each)
    return found


def pending(each: Checked, leaves: Mapping[str, int], checkpoint_ms: int) -> bool:
    """Return whether only the last leaf of a record is missing in the log, and may have come after the checkpoint."""
    young = each.last_ms > checkpoint_ms - PENDING_MS
    return young and bool(each.leaves) and each.leaves[-1] not in leaves and all(leaf in leaves for leaf in each.leaves[:-1])


def in_log(each: Checked, leaves: Mapping[str, int]) -> Checked:
    """Return a record that is wrong if the transparency log lacks a leaf that it must have; *leaves* are those that it has."""
    missing = [leaf for leaf in each.leaves if leaf not in leaves]
    if each.verdict.finding is not None or not missing:
        return each
    lacking = Finding("log", "a leaf for the end, each correction, and a deal's day", missing[0], "no such leaf in the log")
    return msgspec.structs.replace(each, verdict=msgspec.structs.replace(each.verdict, finding=lacking))


def games_of(records: Sequence[Checked]) -> Mapping[str, Counter[Conclusion]]:
    """Return how the records of each game came out, by name."""
    found: dict[str, Counter[Conclusion]] = {}
    for each in records:
        found.setdefault(each.verdict.game or "unknown", Counter())[each.conclusion] += 1
    return dict(sorted(found.items()))
