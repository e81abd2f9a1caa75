"""A report on many records as JSON, as text, and as a page that needs nothing else: no script, no other file, no network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

import msgspec

from ..service.features.records.report import Checked, Report, games_of
from ..service.features.records.verdict import Conclusion
from .unproved import UNPROVED
from .verdict_text import describe_finding, make_printable

MOST_LISTED = 20
"""How many problems the text lists; the page and the JSON have all."""
MOST_ROWS = 20_000
"""How many records the page lists; the JSON has all."""
WORDS: Mapping[Conclusion, str] = {Conclusion.RIGHT: "right", Conclusion.WRONG: "wrong", Conclusion.UNDECIDED: "undecided"}
STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100%; margin: 1rem 0 }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid #8886; overflow-wrap: anywhere; vertical-align: top }
td.number { text-align: right; font-variant-numeric: tabular-nums }
code { font-size: .85em }
.verdict { font-size: 1.4rem; padding: .6rem 1rem; border-left: .5rem solid }
.right { border-color: #2a8a4a } .wrong { border-color: #c22 } .undecided, .unread { border-color: #b80 }
"""


def summarize(report: Report) -> str:
    """Return the result in one sentence."""
    counts = report.counts
    conclusions = f"{counts[Conclusion.RIGHT]} right, {counts[Conclusion.WRONG]} wrong, {counts[Conclusion.UNDECIDED]} undecided"
    bots = [each.verdict.bots for each in report.records]
    given, computed = sum(each.given for each in bots), sum(each.computed for each in bots)
    left = f" Not checked: {given - computed} of {given} bot answers." if computed < given else ""
    return (
        f"{len(report.records)} records: {conclusions}, {len(report.unread)} files unreadable, "
        f"{len(report.absent)} matches without a record.{left}"
    )


def describe_log(report: Report) -> str:
    """Return what is known of the transparency log in one sentence."""
    log = report.log
    if log is None:
        return "Not compared with a transparency log: this folder has none."
    if log.findings:
        return f"The transparency log contradicts itself: {log.findings[0]}"
    return (
        f"The transparency log of {log.size} leaves leads to all {log.checkpoints} checkpoints seen, the last with the "
        f"root {log.root}. "
        f"It has every leaf that these records must have; {log.without_record} further leaves have no record here, "
        f"{log.pending} records are too young for the log as it was."
    )


def describe_kept(report: Report) -> str:
    """Return how the records compare with kept files in one sentence; nothing if there are none."""
    if (kept := report.kept) is None:
        return ""
    open_ = sorted(kept.open.items())
    left = ", ".join(f"{name} ({count})" for name, count in open_ if name not in UNPROVED)
    unproved = "".join(f" Not proved: {UNPROVED[name]} ({count})." for name, count in open_ if name in UNPROVED)
    return (
        f"{kept.compared} records were compared with what was kept of their matches; "
        f"{len(kept.without_record)} kept matches have no record here.{unproved}"
        + (f" Kept, but not compared: {left}." if left else "")
    )


def describe_bots(report: Report) -> str:
    """Return how many answers of bots were computed again in one sentence; nothing if none was given."""
    bots = [each.verdict.bots for each in report.records]
    given, computed = sum(each.given for each in bots), sum(each.computed for each in bots)
    return f"Of {given} answers of bots {computed} were computed again." if given else ""


def as_json(report: Report) -> bytes:
    """Return a report for programs: the counts first, then every record."""
    conclusion = report.conclusion
    summary = {
        "conclusion": conclusion.value if conclusion is not None else None,
        "counts": {each.value: count for each, count in report.counts.items()},
        **msgspec.structs.asdict(report),
        "records": [{"conclusion": each.conclusion.value, **msgspec.structs.asdict(each)} for each in report.records],
    }
    return msgspec.json.encode(summary) + b"\n"


def as_text(report: Report) -> str:
    """Return a report in sentences."""
    return "\n".join(map(make_printable, _text(report)))


def _text(report: Report) -> Iterator[str]:
    yield summarize(report)
    yield describe_log(report)
    yield from filter(None, (describe_kept(report), describe_bots(report)))
    problems = [*_find_problems(report)]
    for source, problem in problems[:MOST_LISTED]:
        yield f"{source}: {problem}"
    if len(problems) > MOST_LISTED:
        yield f"... and {len(problems) - MOST_LISTED} more: --report has all."


def _find_problems(report: Report) -> Iterator[tuple[str, str]]:
    yield from ((each.source, describe_problem(each)) for each in report.records if each.conclusion is Conclusion.WRONG)
    if report.kept is not None:
        yield from ((match, describe_finding(finding, "wrong")) for match, finding in report.kept.findings.items())
    yield from report.unread.items()
    yield from ((each.source, describe_problem(each)) for each in report.records if each.conclusion is Conclusion.UNDECIDED)
    if report.kept is not None:
        missing = [match for match in report.kept.without_record if match not in report.kept.findings]
        yield from ((match, "undecided: something was kept of it, and its record is not here.") for match in missing)


def describe_problem(each: Checked) -> str:
    """Return what keeps a record from being right; nothing if it is."""
    if each.verdict.finding is not None:
        return describe_finding(each.verdict.finding, "wrong")
    return f"undecided: {each.verdict.doubts}." if each.conclusion is Conclusion.UNDECIDED else ""


def as_html(report: Report) -> str:
    """Return a report as a page. Whatever a record says is text there, and nothing else."""
    return "\n".join(_html(report)) + "\n"


def _html(report: Report) -> Iterator[str]:
    conclusion = report.conclusion
    word = WORDS[conclusion] if conclusion is not None else "unread"
    text = WORDS[conclusion] if conclusion is not None else "not all could be read"
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Records checked</title>'
    yield "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    yield f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body><main>'
    yield f'<h1>Records checked</h1><p class="verdict {word}">{text}</p>'
    yield f"<p>{_escape(summarize(report))}</p><p>{_escape(describe_log(report))}</p>"
    yield from (f"<p>{_escape(each)}</p>" for each in (describe_kept(report), describe_bots(report)) if each)
    yield f"<p>Checked by {_escape(report.software)}.</p>"
    yield from _table("Games", ("game", *WORDS.values()), _count_games(report))
    yield from _table("Problems", ("where", "what"), [*_find_problems(report)])
    yield from _table("Matches without a record", ("match", "why"), [*report.absent.items()])
    kept = report.kept.without_record if report.kept is not None else ()
    yield from _table("Kept matches without a record", ("match",), [(match,) for match in kept])
    rows = [
        (each.source, each.verdict.match, each.verdict.game, each.verdict.entries, WORDS[each.conclusion], each.verdict.chain)
        for each in report.records[:MOST_ROWS]
    ]
    left = len(report.records) - len(rows)
    yield f"<details><summary>All records{f' but {left}, which only the JSON lists' if left else ''}</summary>"
    yield from _table("Records", ("where", "match", "game", "events", "conclusion", "last chain"), rows)
    yield "</details></main></body></html>"


def _count_games(report: Report) -> list[tuple[object, ...]]:
    return [(game, *(counts[each] for each in WORDS)) for game, counts in games_of(report.records).items()]


def _table(caption: str, heads: tuple[str, ...], rows: Sequence[tuple[object, ...]]) -> Iterator[str]:
    if not rows:
        return
    yield f"<h2>{caption}</h2><table><thead><tr>{''.join(f'<th>{each}</th>' for each in heads)}</tr></thead><tbody>"
    for row in rows:
        yield f"<tr>{''.join(map(_cell, row))}</tr>"
    yield "</tbody></table>"


def _cell(value: object) -> str:
    return f'<td class="number">{value}</td>' if isinstance(value, int) else f"<td>{_escape(str(value))}</td>"


def _escape(text: str) -> str:
    """Return text that is nothing but text in a page, even if a forger wrote it."""
    return escape(make_printable(text))
