"""How verdicts read: as sentences and as JSON, with what was compared with them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ..service.features.records.bot_check import LATE, SAMPLE_SECONDS
from ..service.features.records.verdict import Conclusion, Finding, Verdict
from .kept_evidence import Comparison, conclude
from .unproved import UNPROVED

AT_ITS_ADDRESS = " The log is at the service: check the match at its address."


def as_json(verdict: Verdict | None, comparison: Comparison | None = None) -> str:
    """Return a verdict (None: a service gives no record), and what was compared with what was kept, as one JSON object."""
    whole: dict[str, object] = {
        "right": verdict is not None and verdict.right,
        "conclusion": conclude(verdict, comparison).value,
    }
    whole |= msgspec.to_builtins(verdict) if verdict is not None else {}
    whole |= {"kept": msgspec.to_builtins(comparison)} if comparison is not None else {}
    return msgspec.json.encode(whole).decode()


def as_text(verdict: Verdict | None, comparison: Comparison | None = None) -> str:
    """Return both in sentences: the first line says what came of it."""
    return "\n".join(map(make_printable, _sentences(verdict, comparison)))


def _sentences(verdict: Verdict | None, comparison: Comparison | None) -> Iterator[str]:
    """Yield what came of it, what was compared, and what was not."""
    finding = comparison.finding if comparison is not None else None
    if verdict is not None:
        yield from _sentences_of_record(verdict)
    elif finding is not None:
        yield describe_finding(finding)
    elif comparison is not None:
        yield f"Undecided: {comparison.unsure}."
    if comparison is None:
        return
    agreed = ", ".join(comparison.compared)
    left = ", ".join(each for each in comparison.open if each not in UNPROVED)
    if finding is not None and verdict is not None:
        yield f"By itself the record holds: it contradicts what was kept. Agreed up to there: {agreed or 'nothing'}."
    elif agreed:
        yield f"Compared with what was kept: {agreed}."
    yield from (f"Not proved: {UNPROVED[each]}." for each in comparison.open if each in UNPROVED)
    yield from comparison.lost
    if left:
        yield f"Kept, but not compared: {left}." + (AT_ITS_ADDRESS if "log" in comparison.open else "")


def _sentences_of_record(verdict: Verdict) -> Iterator[str]:
    """Yield what came of a record by itself, and what the verdict does not cover."""
    if verdict.finding is not None:
        yield describe_finding(verdict.finding)
        return
    yield _describe_conclusion(verdict)
    yield from _notes(verdict)


def describe_finding(finding: Finding, wrong: str = "Wrong") -> str:
    """Return a finding as a sentence that begins with *wrong*."""
    return f"{wrong} at {finding.line}: {finding.what}. Expected {finding.expected}, found {finding.found}."


def make_printable(line: str) -> str:
    """Escape a line, so that nothing that a forger wrote can move a terminal's cursor."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in line)


def _describe_conclusion(verdict: Verdict) -> str:
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
        answers = f"Of {verdict.bots.given} answers of bots {verdict.bots.computed} were computed again"
        yield f"{answers}: {why}." if why else f"{answers}."
    if verdict.early:
        yield f"{verdict.early} time-outs came before their deadline."
    yield f"Compare with what you were told: commitment {verdict.commitment}, last chain {verdict.chain}."
