"""A monitor of a service's log: reads all of it, and lists what is not as the service promises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tafelrunde.client import Client
from tafelrunde.client.evidence import LogEntry
from tafelrunde.client.shapes import Match

from ...domain.match import MatchId
from ...service.dealing import merkle
from ...service.ports.transparency import LeafKind
from ...service.transparency.checks import reference
from ...service.transparency.notes import BadNote, is_signed, read_note, read_public
from ...service.transparency.statements import TreeHead, read_statement

PAGE = 1_000
DAY_MS = 86_400_000
DELAY_MS = 60_000
"""By how much what delayed spectators see is late."""
LISTS = ("open", "running")


class Opening(NamedTuple):
    """The opening of a match in the log: its place, its time, and its commitments."""

    place: int
    time_ms: int
    commitments: tuple[str, ...]


class Report(NamedTuple):
    """What a monitor has found: counts of what there is, and a sentence for each thing that is wrong."""

    size: int
    openings: int
    ended: int
    wrong: Sequence[str]


def report_of(client: Client, days: int, now_ms: int, trusted: str | None = None) -> Report:
    """Return what is wrong with the log of a service; raise what the client raises.

    A match that has not ended after that many *days* is listed. *trusted* is the public key of the service, if it is known.
    """
    keys = client.signing_keys()
    newest = client.checkpoint()
    entries = [*_entries(client, newest.size)]
    openings, wrong = _openings(entries)
    ended = {entry.match for entry in entries if entry.outcome is not None}
    wrong = [
        *_of_the_root(newest.signed or "", trusted or keys.keys[0], entries),
        *wrong,
        *_late(entries, 1000 * keys.log_seconds + DELAY_MS),
        *_unended(openings, ended, now_ms - days * DAY_MS),
        *_of_the_lists(client, openings, now_ms - 1000 * keys.log_seconds - DELAY_MS, _since(entries)),
    ]
    return Report(len(entries), len(openings), len(ended), wrong)


def _entries(client: Client, size: int) -> Iterator[LogEntry]:
    for start in range(0, size, PAGE):
        yield from client.log_entries(start, limit=min(PAGE, size - start)).entries


def _of_the_root(signed: str, key: str, entries: Sequence[LogEntry]) -> Iterator[str]:
    """Say whether the leaves are those of the signed checkpoint, and their texts those of the leaves."""
    try:
        note = read_note(signed)
        head = read_statement(note.text)
        good = is_signed(note, read_public(key)) and isinstance(head, TreeHead)
    except BadNote:
        good, head = False, None
    if not good or not isinstance(head, TreeHead):
        yield f"The checkpoint is not signed by {key}."
        return
    hashes = [bytes.fromhex(entry.hash) for entry in entries]
    if (len(hashes), merkle.root(hashes)) != (head.size, head.root):
        yield f"The leaves are not those of the signed checkpoint of {head.size} leaves."
    for place, entry in enumerate(entries):
        if entry.text is not None and merkle.leaf_hash(entry.text.encode()) != hashes[place]:
            yield f"The text of leaf {place} is not the one in the log."


def _openings(entries: Sequence[LogEntry]) -> tuple[Mapping[str, Opening], list[str]]:
    """Return the openings by the reference of their match, and a sentence for each second one of a match."""
    found: dict[str, Opening] = {}
    wrong: list[str] = []
    for place, entry in enumerate(entries):
        kind, *lines = (entry.text or "").split("\n")
        if kind != LeafKind.OPENING.value:
            continue
        match, time_ms, *commitments = lines[:-1]
        opening = Opening(place, int(time_ms), tuple(commitments))
        before = found.setdefault(match, opening)
        if before is not opening:
            what = "other commitments" if before.commitments != opening.commitments else "the same commitments"
            wrong.append(f"Match {match} was opened twice, in leaves {before.place} and {place}, with {what}.")
    return found, wrong


def _late(entries: Sequence[LogEntry], allowed_ms: int) -> Iterator[str]:
    """Yield the openings that come behind leaves of a much later time."""
    latest = 0
    for place, entry in enumerate(entries):
        if entry.text is not None and entry.match is not None and entry.time_ms + allowed_ms < latest:
            yield f"The opening in leaf {place} was entered {(latest - entry.time_ms) // 1000} seconds late, or more."
        latest = max(latest, entry.time_ms)


def _unended(openings: Mapping[str, Opening], ended: set[str | None], before_ms: int) -> Iterator[str]:
    for match, opening in openings.items():
        if match not in ended and opening.time_ms < before_ms:
            days = -(-(before_ms - opening.time_ms) // DAY_MS)
            yield f"Match {match}, opened in leaf {opening.place}, has no end, {days} days after it was expected."


def _since(entries: Sequence[LogEntry]) -> int:
    """Return the time of the first key in the log: matches that were opened before may have no opening there."""
    keys = (entry.time_ms for entry in entries if (entry.text or "").startswith(f"{LeafKind.KEY.value}\n"))
    return next(keys, 0)


def _of_the_lists(client: Client, openings: Mapping[str, Opening], before_ms: int, since_ms: int) -> Iterator[str]:
    """Yield the listed matches whose opening the log lacks, or has with other commitments."""
    for match in _listed(client):
        opening = openings.get(reference(MatchId(match.match)))
        if opening is None and since_ms <= match.opened_ms < before_ms:
            yield f"The log lacks the opening of {match.match}."
        if opening is not None and match.commitment not in opening.commitments:
            yield f"The commitment of {match.match} was changed: the log has {', '.join(opening.commitments)}."


def _listed(client: Client) -> Iterator[Match]:
    for status in LISTS:
        page = client.matches(status=status)
        yield from page.items
        while page.next is not None:
            page = client.matches(status=status, cursor=page.next)
            yield from page.items


def as_text(report: Report) -> str:
    """Return a report as lines."""
    counts = f"{report.size} leaves: {report.openings} openings, {report.ended} matches with an end."
    return "\n".join((counts, *report.wrong, "" if report.wrong else "Nothing is wrong.")).strip()
