"""How verdicts read: as sentences and as JSON, with what was compared with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from ..service.features.records.bot_check import LATE, SAMPLE_SECONDS
from ..service.features.records.verdict import Conclusion, Finding, Verdict
from .kept_evidence import Comparison, conclude
from .unproved import UNPROVED

UNCHECKED: Mapping[str, str] = {
    "nonce": "your random number",
    "no_nonce": "a random number of yours",
    "left_seat": "your random number",
    "given": "your random number",
    "old_draws": "your random number",
    "deals": "the deals of the tournament",
    "unshared": "a random number of yours",
    "events": "all events that you were sent",
    "viewer": "the feed of another viewer",
    "unsigned": "a signature of the server",
    "no_checkpoint": "a log that you knew before",
    "key": "a later key",
    "log": "the log",
    "opening": "the opening in the log",
    "end": "the end in the log",
    "day": "the day in the log",
    "ends": "how many ends the log has of the match",
}
"""What was not checked, in the words of the first line."""
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
        yield from _sentences_of_record(verdict, comparison)
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


def _sentences_of_record(verdict: Verdict, comparison: Comparison | None) -> Iterator[str]:
    """Yield what came of a record by itself, and what the verdict does not cover."""
    if verdict.finding is not None:
        yield describe_finding(verdict.finding)
        return
    yield _describe_conclusion(verdict, comparison)
    again = "no command was decided again, and no deck dealt again"
    if verdict.decided:
        again = "all done again" if verdict.taken_up is None else "done again but for what it begins with"
    yield f"{verdict.entries} entries, {verdict.commands} commands, {verdict.deals} deals: {again}."
    yield from _notes(verdict)


def describe_finding(finding: Finding, wrong: str = "Wrong") -> str:
    """Return a finding as a sentence that begins with *wrong*."""
    return f"{wrong} at {finding.line}: {finding.what}. Expected {finding.expected}, found {finding.found}."


def make_printable(line: str) -> str:
    """Escape a line, so that nothing that a forger wrote can move a terminal's cursor."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in line)


def _describe_conclusion(verdict: Verdict, comparison: Comparison | None) -> str:
    is_right = verdict.conclusion is Conclusion.RIGHT
    why = "right" if is_right else f"undecided: nothing in it is wrong, but {verdict.doubts}"
    left = "; ".join(list_unchecked(verdict, comparison))
    return f"{verdict.match} ({verdict.game}) is {why}{f'; not checked: {left}' if left else ''}."


def list_unchecked(verdict: Verdict, comparison: Comparison | None) -> Iterator[str]:
    """Yield what a verdict does not cover: that is in the same line as the verdict, whatever it is."""
    bots = verdict.bots
    if bots.computed < bots.given:
        yield f"{bots.given - bots.computed} of {bots.given} bot answers"
    if verdict.taken_up is not None:
        yield f"{verdict.taken_up.events} events of another match"
    for each in comparison.open if comparison is not None else ():
        yield UNCHECKED.get(each, each)


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
