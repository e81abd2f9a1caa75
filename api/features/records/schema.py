"""Shapes of records and of verdicts on them."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from ....service.features.records.verdict import Conclusion, Doubt
from ...schema.fields import Digest, MatchRef


class RecordDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A record: its lines in order. The head comes first, then the entries, the deals, and the end with the secret."""

    lines: tuple[dict[str, Any], ...]


class FindingBody(msgspec.Struct, frozen=True, kw_only=True):
    """The first error found in a match: the line of its record, what is wrong, and the expected and actual values."""

    line: str
    what: str
    expected: str
    found: str


class TakenUpBody(msgspec.Struct, frozen=True, kw_only=True):
    """What a practice match starts from: the first `events` events of another match, which then had this `chain`."""

    match: MatchRef
    version: Annotated[int, Meta(ge=0)]
    chain: Digest
    events: Annotated[int, Meta(ge=0)]


class BotAnswersBody(msgspec.Struct, frozen=True, kw_only=True):
    """How many answers bots gave, how many of these were computed again, and why not all that were asked for, if so."""

    given: Annotated[int, Meta(ge=0)]
    computed: Annotated[int, Meta(ge=0)]
    unable: str


class VerdictBody(msgspec.Struct, frozen=True, kw_only=True):
    """The result of running a match again: how much was checked, and the first error, if any.

    With the conclusion `undecided`, nothing is wrong, but not all that it takes to call it `right` was checked; `undecided` says
    why: `rules` or `draws` of a version that is not installed here, `bots` whose answers were asked for and cannot be computed
    again, `old_draws` of version 1 that are not in a listed old record, `uncommitted` cards, a `lesson` of an edition that is not
    listed, the deal of a day without a `day_commitment`, or whose `day_leaf` in the log is still to be compared, and first events
    that were `taken_up` from another match, whose record shows whether it had them.
    """

    match: MatchRef
    right: bool
    conclusion: Conclusion
    undecided: tuple[Doubt, ...]
    taken_up: TakenUpBody | None
    entries: Annotated[int, Meta(ge=0)]
    commands: Annotated[int, Meta(ge=0)]
    deals: Annotated[int, Meta(ge=0)]
    finding: FindingBody | None
    bots: BotAnswersBody
