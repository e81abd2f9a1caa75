"""A monitor of a service's log: reads all of it, and lists what is not as the service promises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tafelrunde.client import ApiError, Client
from tafelrunde.client.shapes import DailyDay, LogEntry, Match

from ..domain.match import MatchId
from ..service.days import DAY_MS, Day, day_in, starts_ms
from ..service.dealing import merkle
from ..service.dealing.day_deals import day_commitment
from ..service.errors import NotFound
from ..service.features.transparency.checks import reference
from ..service.features.transparency.port import LeafKind
from ..service.signing.notes import BadNote, is_signed, read_note, read_public
from ..service.signing.statements import TreeHead, read_statement
from .log_ends import find_second_ends
from .remote import BUSY, read_entries

DELAY_MS = 60_000
"""By how much what delayed spectators see is late."""
HOUR_MS = 3_600_000
LISTS = ("open", "running")
FINISHED = ("over", "aborted")
MISSING = 404


class Opening(NamedTuple):
    """The opening of a match in the log: its place, its time, and its commitments."""

    place: int
    time_ms: int
    commitments: tuple[str, ...]


class Commitment(NamedTuple):
    """The commitment of a day in the log, and its place there."""

    place: int
    text: str


class Report(NamedTuple):
    """What a monitor has found: counts of what there is, days that were late, and a sentence for each thing that is wrong."""

    size: int
    openings: int
    ended: int
    days: int
    late_days: Sequence[str]
    wrong: Sequence[str]


def inspect_log(client: Client, days: int, now_ms: int, trusted: str | None = None) -> Report:
    """Return what is wrong with the log of a service; raise what the client raises.

    A match that has not ended after that many *days* is listed, and one of the newest that the service shows as ended for more
    than an hour, whose end the log lacks. *trusted* is the public key of the service, if it is known.
    """
    keys = client.signing_keys()
    shown, hidden = _fetch_days(client)
    newest = client.checkpoint()
    entries = [*read_entries(client, 0, newest.size)]
    openings, wrong = _find_openings(entries)
    committed, twice = _find_days(entries)
    ended = {entry.match for entry in entries if entry.outcome is not None}
    wrong = [
        *_check_root(newest.signed, trusted or keys.keys[0], entries),
        *wrong,
        *find_second_ends(entries),
        *_find_late(entries, 1000 * keys.log_seconds + DELAY_MS),
        *_find_unended(openings, ended, now_ms - days * DAY_MS),
        *_check_lists(client, openings, now_ms - 1000 * keys.log_seconds - DELAY_MS, _first_key_ms(entries)),
        *_check_ended(client, ended, now_ms - HOUR_MS, _first_key_ms(entries)),
        *twice,
        *hidden,
        *_check_days(shown, committed),
    ]
    late = [*_find_late_days(entries, committed)]
    return Report(len(entries), len(openings), len(ended), len(committed), late, wrong)


def _check_root(signed: str, key: str, entries: Sequence[LogEntry]) -> Iterator[str]:
    """Say whether the leaves are those of the signed checkpoint, and their texts those of the leaves."""
    try:
        note = read_note(signed)
        head = read_statement(note.text)
        good = is_signed(note, read_public(key)) and isinstance(head, TreeHead)
    except BadNote:
        good = False
        head = None
    if not good or not isinstance(head, TreeHead):
        yield f"The checkpoint is not signed by {key}."
        return
    hashes = [bytes.fromhex(entry.hash) for entry in entries]
    if (len(hashes), merkle.root(hashes)) != (head.size, head.root):
        yield f"The leaves are not those of the signed checkpoint of {head.size} leaves."
    for place, entry in enumerate(entries):
        if entry.text is not None and merkle.leaf_hash(entry.text.encode()) != hashes[place]:
            yield f"The text of leaf {place} is not the one in the log."


def _find_openings(entries: Sequence[LogEntry]) -> tuple[Mapping[str, Opening], list[str]]:
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


def _find_late(entries: Sequence[LogEntry], allowed_ms: int) -> Iterator[str]:
    """Yield the openings that come behind leaves of a much later time."""
    latest = 0
    for place, entry in enumerate(entries):
        if entry.text is not None and entry.match is not None and entry.time_ms + allowed_ms < latest:
            yield f"The opening in leaf {place} was entered {(latest - entry.time_ms) // 1000} seconds late, or more."
        latest = max(latest, entry.time_ms)


def _find_unended(openings: Mapping[str, Opening], ended: set[str | None], before_ms: int) -> Iterator[str]:
    for match, opening in openings.items():
        if match not in ended and opening.time_ms < before_ms:
            days = -(-(before_ms - opening.time_ms) // DAY_MS)
            yield f"Match {match}, opened in leaf {opening.place}, has no end, {days} days after it was expected."


def _find_days(entries: Sequence[LogEntry]) -> tuple[Mapping[str, Commitment], list[str]]:
    """Return the commitment of each day, in the order of the log, and a sentence for each second one."""
    found: dict[str, Commitment] = {}
    wrong: list[str] = []
    for place, entry in enumerate(entries):
        kind, day, text, *_ = (*(entry.text or "").split("\n"), "", "")
        if kind != LeafKind.DAY.value:
            continue
        try:
            day_in(day)
        except NotFound:
            wrong.append(f"Leaf {place} is of no day, but of {day!r}.")
            continue
        before = found.setdefault(day, Commitment(place, text))
        if before.place != place:
            what = "another commitment" if before.text != text else "the same commitment"
            wrong.append(f"Day {day} is in leaves {before.place} and {place}, with {what}.")
    return found, wrong


def _find_late_days(entries: Sequence[LogEntry], committed: Mapping[str, Commitment]) -> Iterator[str]:
    """Yield the days that were entered when they had begun: a service that was not running makes up for it."""
    latest = 0
    days = {found.place: day for day, found in committed.items()}
    for place, entry in enumerate(entries):
        latest = max(latest, entry.time_ms)
        if (day := days.get(place)) is not None and latest >= starts_ms(Day(day)):
            yield day


def _fetch_days(client: Client) -> tuple[list[DailyDay], list[str]]:
    """Return the days that the service shows with the deals of its games, and a sentence for each game of which it fails to.

    It fails if its secret of a day is not the one that the log has a commitment to.
    """
    days: list[DailyDay] = []
    hidden: list[str] = []
    for game in client.games():
        try:
            sheet = client.daily(game.id)
        except ApiError as error:
            if error.problem.status == BUSY:
                raise
            if error.problem.status != MISSING:  # a service may have no deals of the day
                hidden.append(f"The deal of the day of {game.id} is not shown: {error}.")
            continue
        days += [day for day in (sheet.yesterday, sheet.today, sheet.tomorrow) if day is not None]
    return days, hidden


def _check_days(shown: Sequence[DailyDay], committed: Mapping[str, Commitment]) -> Iterator[str]:
    """Yield the days that the service shows otherwise than the log; those before the first in the log may be missing there."""
    first = min(committed, default=None)
    for day in dict.fromkeys(shown):
        if first is None or day.day < first:
            continue
        found = committed.get(day.day)
        if found is None:
            yield f"The log lacks the commitment of {day.day}."
        elif found.text != day.commitment:
            yield f"The commitment of {day.day} was changed: the log has {found.text}."
        if day.secret is not None and day_commitment(day.day, day.secret) != day.commitment:
            yield f"The secret of {day.day} is not the one that was committed to."


def _first_key_ms(entries: Sequence[LogEntry]) -> int:
    """Return the time of the first key in the log: matches that were opened before may have no opening there."""
    keys = (entry.time_ms for entry in entries if (entry.text or "").startswith(f"{LeafKind.KEY.value}\n"))
    return next(keys, 0)


def _check_lists(client: Client, openings: Mapping[str, Opening], before_ms: int, since_ms: int) -> Iterator[str]:
    """Yield the listed matches whose opening the log lacks, or has with other commitments."""
    for match in _fetch_listed(client):
        opening = openings.get(reference(MatchId(match.match)))
        if opening is None and since_ms <= match.opened_ms < before_ms:
            yield f"The log lacks the opening of {match.match}."
        if opening is not None and match.commitment not in opening.commitments:
            yield f"The commitment of {match.match} was changed: the log has {', '.join(opening.commitments)}."


def _check_ended(client: Client, ended: set[str | None], before_ms: int, since_ms: int) -> Iterator[str]:
    """Yield the newest listed matches that are over, and whose end the log should have by now."""
    for status in FINISHED:
        for match in client.matches(status=status).items:
            due = since_ms <= match.opened_ms and match.updated_ms < before_ms
            if due and reference(MatchId(match.match)) not in ended:
                yield f"The log lacks the end of {match.match}, which the service has shown as {status} for an hour or more."


def _fetch_listed(client: Client) -> Iterator[Match]:
    for status in LISTS:
        page = client.matches(status=status)
        yield from page.items
        while page.cursor is not None:
            page = client.matches(status=status, after=page.cursor)
            yield from page.items


def as_text(report: Report) -> str:
    """Return a report as lines."""
    counts = f"{report.size} leaves: {report.openings} openings, {report.ended} matches with an end, {report.days} days."
    late = [f"Entered on the day itself, not on the day before: {', '.join(report.late_days)}."] if report.late_days else []
    return "\n".join((counts, *late, *report.wrong, "" if report.wrong else "Nothing is wrong.")).strip()
