"""Whether the mark of a feed is that of a match's record: the record has everything that any viewer was sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...domain.game import AnyGame, GameId
from ..matches.codec import Codec
from ..transparency.judge import Judgement, Ruling
from ..transparency.statements import Mark
from ..views.feeds import Feed
from .record import RecordHead, software
from .verify import match_of, of_other_rules, read


def judged_by_record(mark: Mark, lines: Sequence[bytes], games: Mapping[GameId, AnyGame]) -> Judgement:
    """Return whether a mark agrees with a record, computing the viewer's feed again; raise RecordWrong.

    Left open for a record of another release, whose feeds may have been written otherwise.
    """
    match, loaded = match_of(lines, games)
    if match != mark.match:
        return Judgement(Ruling.OPEN, f"the mark is of {mark.match}, the record of {match}")
    head = next(iter(read(lines)))
    if of_other_rules(loaded.match) or not isinstance(head, RecordHead) or head.software != software():
        return Judgement(Ruling.OPEN, "the record is of another release, which may have written feeds otherwise: use that one")
    feed = Feed(mark.seat, loaded.entries)
    feed.extend(loaded, Codec(games))
    if mark.n > len(feed.items):
        return Judgement(Ruling.OPEN, f"the record is older than the mark: its feed has {len(feed.items)} items, not {mark.n}")
    if feed.chain(mark.n) == mark.chain:
        return Judgement(Ruling.AGREEMENT, f"the first {mark.n} items of that feed are those of the record")
    return Judgement(Ruling.CONTRADICTION, f"the {mark.n} items that the viewer was sent are not those of the record")
