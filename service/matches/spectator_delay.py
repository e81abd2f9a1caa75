"""The delay of spectators: who has no seat at such a match knows it as it was before the start, and from then on a minute late.

This is the one place that says what is public. Views, feeds, facts, lists, records and messages ask here.
Of the deal of a day nothing is public before that day is over, since others may still be playing it.
A rematch says that the match before it has ended, so nothing of it is known until a minute after it was opened.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ...domain.match import MatchId, MatchSettings, Spectators
from ...domain.match.events import DealOfDay, MatchStarted
from ...domain.match.state import Match
from ..ports.events import Version, chain_over
from .recent import WEIGHT_EACH, Recent
from .repository import Loaded, MatchRepository

DELAY_MS = 60_000


def delay_of(settings: MatchSettings) -> int:
    """Return how many milliseconds after its write an event since the start becomes public."""
    return DELAY_MS if settings.spectators is Spectators.DELAYED else 0


class Lateness(NamedTuple):
    """When the events of a match since its start become public: each with a delay, and none before a moment."""

    delay_ms: int
    sealed_until_ms: int = 0

    def public_ms(self, time_ms: int) -> int:
        """Return from when on an event is public that was written at a time."""
        return max(time_ms + self.delay_ms, self.sealed_until_ms)


def lateness_of(settings: MatchSettings, daily: DealOfDay | None) -> Lateness:
    """Return when the events of a match become public: those of the deal of a day only when that day is over."""
    return Lateness(delay_of(settings), daily.ends_ms if daily is not None else 0)


class Delay:
    """Matches as the public may know them, the least recently used dropped first."""

    def __init__(self, matches: MatchRepository, now_ms: Callable[[], int], limit: int) -> None:
        self._matches = matches
        self._now_ms = now_ms
        self._known: Recent[MatchId, Loaded] = Recent(limit, WEIGHT_EACH * limit)

    def is_sealed(self, match: Match) -> bool:
        """Return whether all that its end would reveal is still kept: others play the deal of that day."""
        return match.daily is not None and self._now_ms() < match.daily.ends_ms

    def public_part(self, match_id: MatchId, loaded: Loaded) -> Loaded | None:
        """Return what is public by now of a match; None if that is nothing yet. Whole commands, but for the start."""
        delay_ms = delay_of(loaded.match.settings)
        if not delay_ms:
            return loaded
        if self.is_sealed(loaded.match):
            return None
        known = self._advance(self._last_public(match_id, loaded), loaded, self._now_ms() - delay_ms)
        self._known.put(match_id, known, len(loaded.entries))
        return known if known.version else None

    def again_ms(self, known: Loaded | None, loaded: Loaded) -> int | None:
        """Return when more of a match becomes public than what is *known*; None if there is no more."""
        version = known.version if known is not None else 0
        if version == loaded.version:
            return None
        late = lateness_of(loaded.match.settings, loaded.match.daily)
        return late.public_ms(self._matches.codec.decode(loaded.entries[version])[0].time_ms)

    def _last_public(self, match_id: MatchId, loaded: Loaded) -> Loaded:
        """Return what was known at the last request; nothing if that was of another history."""
        held = self._known.get(match_id)
        if held is None or held.entries is not loaded.entries or held.version > loaded.version:
            blank = self._matches.blank()
            return Loaded(blank.match, blank.version, blank.chain, loaded.entries)
        return held

    def _advance(self, held: Loaded, loaded: Loaded, until_ms: int) -> Loaded:
        """Return what was known and what has become known since."""
        late = held.match.started or loaded.match.facts.parent is not None
        end = held.version
        for entry in loaded.entries[held.version : loaded.version]:
            envelope, event = self._matches.codec.decode(entry)
            late = late or isinstance(event, MatchStarted)
            if late and envelope.time_ms > until_ms:
                break
            end += 1
        if end == loaded.version:
            return loaded
        fresh = loaded.entries[held.version : end]
        after = self._matches.fold(held.match, fresh) if fresh else held.match
        return Loaded(after, Version(end), chain_over(held.chain, fresh), loaded.entries)
