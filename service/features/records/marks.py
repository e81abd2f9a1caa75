"""Whether the mark of a feed is that of a match's record: the record has everything that any viewer was sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....domain.game import AnyGame, GameId
from ....domain.match import MatchId
from ...matches.codec import Codec
from ...matches.repository import Loaded
from ...signing.judge import Judgement, Ruling
from ...signing.statements import Mark
from ...views.feeds import Feed
from .verify import match_of


def judged_by_record(mark: Mark, lines: Sequence[bytes], games: Mapping[GameId, AnyGame]) -> Judgement:
    """Return whether a mark agrees with a record, computing the viewer's feed again; raise RecordWrong."""
    match_id, loaded = match_of(lines, games)
    return judged_by(mark, match_id, loaded, Codec(games))


def judged_by(mark: Mark, match_id: MatchId, loaded: Loaded, codec: Codec) -> Judgement:
    """Return whether a mark agrees with a match that is over.

    Feeds are what the documents say, whichever release wrote the record. Left open is only one with events in an older shape:
    its feed was written in that.
    """
    if match_id != mark.match:
        return Judgement(Ruling.OPEN, f"the mark is of {mark.match}, the record of {match_id}")
    if any(codec.old(codec.envelope(entry).event) for entry in loaded.entries[: loaded.version]):
        return Judgement(Ruling.OPEN, "the record has events in a shape that another release wrote: use that one")
    feed = Feed(mark.seat, loaded.entries)
    feed.extend(loaded, codec)
    if mark.n > len(feed.items):
        why = (
            f"the match is over, and the record has only {len(feed.items)} of the {mark.n} items that were signed for the viewer"
        )
        return Judgement(
            Ruling.CONTRADICTION, f"{why} (one that was saved before a rematch or a correction has to be saved again)"
        )
    if feed.chain(mark.n) == mark.chain:
        return Judgement(Ruling.AGREEMENT, f"the first {mark.n} items of that feed are those of the record")
    return Judgement(Ruling.CONTRADICTION, f"the {mark.n} items that the viewer was sent are not those of the record")
