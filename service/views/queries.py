"""Queries of matches: which viewer a caller may be, and what that viewer sees. Nothing here changes anything.

Every method may raise StoreUnavailable besides what it names.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

import msgspec

from ...domain.game import GameId, Seat
from ...domain.match import MatchId, PlayerId, Spectators, Status, Visibility
from ...domain.match.state import Match
from ...domain.match.view import MatchView, between, view
from ..dealing.commitments import CardProof
from ..errors import Forbidden, NotFound
from ..matches.repository import Loaded, MatchRepository
from ..matches.spectator_delay import Delay
from ..ports.rows import Listing, RowStore, row_for
from .card_proofs import CardProofs, CardViewer, ProofPage
from .feeds import START, Cursor, CursorUnknown, Feed, FeedPage, Feeds, last_of_command, number
from .notifier import Notifier
from .projections import Summary, read_row, summarize
from .viewers import Seating, Viewer, ViewerChanged

DELAYED_LOOK_SECONDS = 0.5
PAGE = 500
PAGES_AT_ONCE = 4


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """A view of a match of a game, and the cursor of the viewer's feed that it stands at."""

    match: MatchId
    game: GameId
    cursor: Cursor
    view: MatchView


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """Views at successive items of a viewer's feed, oldest first; `cursor`: that of the last; `more`: more can be seen now."""

    match: MatchId
    game: GameId
    views: tuple[Seen, ...]
    cursor: Cursor
    more: bool


class MatchQueries:
    """Shows matches: to each viewer what it may know, and nothing else."""

    def __init__(
        self,
        repository: MatchRepository,
        feeds: Feeds,
        delay: Delay,
        card_proofs: CardProofs,
        notifier: Notifier,
        rows: RowStore,
    ) -> None:
        self._repository = repository
        self._feeds = feeds
        self._delay = delay
        self._card_proofs = card_proofs
        self._notifier = notifier
        self._rows = rows

    async def viewer(self, player: PlayerId | None, match_id: MatchId) -> Viewer:
        """Return a player's viewer; raise NotFound if the match does not concern it, Forbidden if spectators are off."""
        loaded = await self.load_visible(player, match_id)
        viewer = Seating(loaded.match).viewer(player)
        self._restrict(viewer, match_id, loaded)  # a host without a seat is a spectator, for whom a match may be hidden yet
        return viewer

    async def _load(self, viewer: Viewer, match_id: MatchId) -> Loaded:
        """Return the match as the viewer may know it now, if it still may look."""
        return self._restrict(viewer, match_id, await self._load_whole(match_id))

    async def _load_whole(self, match_id: MatchId) -> Loaded:
        probe = self._notifier.probe(match_id)
        loaded = await self._repository.load_latest(match_id)
        probe.confirm(loaded.version)
        return loaded

    def _restrict(self, viewer: Viewer, match_id: MatchId, loaded: Loaded) -> Loaded:
        """Return a match as the viewer may know it; raise Forbidden, NotFound."""
        _require_sight(viewer, loaded)
        return self._public(match_id, loaded) if viewer.delayed else loaded

    def _public(self, match_id: MatchId, loaded: Loaded) -> Loaded:
        """Return a match as the public may know it; raise NotFound if it is not public yet."""
        known = self._delay.public_part(match_id, loaded)
        if known is None:
            raise NotFound("match")
        return known

    def as_visible_to(self, player: PlayerId | None, match_id: MatchId, loaded: Loaded) -> Loaded:
        """Return a match as a player may know it: those who sit there, or have a seat reserved, know all of it."""
        expected = player is not None and loaded.match.expects(player)
        return loaded if expected else self._public(match_id, loaded)

    async def load_visible(self, player: PlayerId | None, match_id: MatchId) -> Loaded:
        """Return the match if it concerns the player: its link is enough before the start, listing or spectators after it."""
        held = self._repository.peek(match_id)
        if held is not None and held.match.status is not Status.OPEN and _concerns(held.match, player):
            return held  # another process may know more, but since the start neither seats nor the host change
        loaded = await self._repository.load_latest(match_id)
        if _concerns(loaded.match, player):
            return loaded
        self.as_visible_to(player, match_id, loaded)
        settings = loaded.match.settings
        hidden = settings.visibility is Visibility.UNLISTED and settings.spectators is Spectators.OFF
        if loaded.match.status is not Status.OPEN and hidden:
            raise NotFound("match")
        return loaded

    async def view(self, viewer: Viewer, match_id: MatchId, at: Cursor | None = None) -> Seen:
        """Return the viewer's view, now or at an earlier cursor of its own feed; raise CursorUnknown."""
        return await self._view(viewer, match_id, at, viewer.seat)

    async def view_as(self, viewer: Viewer, match_id: MatchId, at: Cursor | None, seat: Seat | None) -> Seen | None:
        """Return what another seat (None: the public) saw then, once the match is over; None as long as it is not."""
        return await self._view(viewer, match_id, at, seat) if await self._is_open(viewer, match_id, seat) else None

    async def _is_open(self, viewer: Viewer, match_id: MatchId, seat: Seat | None) -> bool:
        """Return whether what a seat saw is open to others, as the match is over; raise NotFound if there is no such seat."""
        loaded = await self.load_finished(viewer, match_id)
        if loaded is not None and seat is not None and seat >= loaded.match.settings.seats:
            raise NotFound("seat")
        return loaded is not None

    async def fold_cost(self, viewer: Viewer, match_id: MatchId, at: Cursor) -> int:
        """Return how many items of the viewer's feed a view at a cursor is made from; 0 for the newest. Raises CursorUnknown."""
        _, count, shown = self._place(viewer, match_id, await self._load(viewer, match_id), at)
        return count if count < shown else 0

    async def fold_cost_of_page(self, viewer: Viewer, match_id: MatchId, after: Cursor | None, limit: int) -> int:
        """Return how many items of the viewer's feed `views` is made from. Raises CursorUnknown."""
        loaded = await self._load(viewer, match_id)
        feed = self._feeds.of(match_id, loaded, viewer.seat)
        return min(feed.count(loaded.version), limit + (feed.position(after) if after is not None else 0))

    def _place(self, viewer: Viewer, match_id: MatchId, loaded: Loaded, at: Cursor | None) -> tuple[Feed, int, int]:
        """Return a viewer's feed, after how many of its items a cursor stands (None: the newest), and how many it may see.

        Only with a cursor it is sure to be the whole feed.
        """
        feed = self._feeds.of(match_id, loaded, viewer.seat, version=loaded.version if at is None else 0)
        shown = feed.count(loaded.version)
        count = shown if at is None else feed.position(at)
        if not 0 < count <= shown:
            raise CursorUnknown(at or START)
        return feed, count, shown

    async def _view(self, viewer: Viewer, match_id: MatchId, at: Cursor | None, seat: Seat | None) -> Seen:
        """Return a seat's view at a cursor of the viewer's feed."""
        loaded = await self._load(viewer, match_id)
        feed, count, shown = self._place(viewer, match_id, loaded, at)
        game = loaded.match.settings.game
        if count == shown:
            return Seen(match=match_id, game=game, cursor=feed.cursor(count), view=view(loaded.match, seat))
        version = last_of_command(loaded, self._repository.codec, feed.versions[count - 1])
        past = await self._repository.fold_apart(loaded.entries[:version])
        return Seen(match=match_id, game=game, cursor=feed.cursor(feed.count(version)), view=view(past, seat))

    async def views(self, viewer: Viewer, match_id: MatchId, after: Cursor | None, limit: int) -> Stretch:
        """Return the viewer's views at the items of its feed after a cursor; raise CursorUnknown.

        Where a command has several events, nothing is asked in the views before the last that the viewer sees. Folds the log
        once from its beginning, whatever the limit.
        """
        return await self._stretch(viewer, match_id, after, limit, viewer.seat)

    async def views_as(
        self, viewer: Viewer, match_id: MatchId, after: Cursor | None, limit: int, seat: Seat | None
    ) -> Stretch | None:
        """Return what another seat (None: the public) saw at these items, once the match is over; None as long as it is not."""
        return await self._stretch(viewer, match_id, after, limit, seat) if await self._is_open(viewer, match_id, seat) else None

    async def _stretch(self, viewer: Viewer, match_id: MatchId, after: Cursor | None, limit: int, seat: Seat | None) -> Stretch:
        loaded = await self._load(viewer, match_id)
        feed = self._feeds.of(match_id, loaded, viewer.seat)
        game = loaded.match.settings.game
        shown = feed.count(loaded.version)
        start = feed.position(after) if after is not None else 0
        if start > shown:
            raise CursorUnknown(after or START)
        end = min(shown, start + limit)
        stops = self._stops(loaded, feed, range(start, end))

        def see(past: Match, version: int) -> MatchView:
            return view(past, seat) if stops[version] else between(past, seat)

        found = await self._repository.fold_along(loaded.entries, tuple(stops), see)
        seen = (
            Seen(match=match_id, game=game, cursor=feed.cursor(place), view=each) for place, each in enumerate(found, start + 1)
        )
        return Stretch(match=match_id, game=game, views=tuple(seen), cursor=feed.cursor(end), more=end < shown)

    def _stops(self, loaded: Loaded, feed: Feed, places: Sequence[int]) -> dict[int, bool]:
        """Return at which versions views of items stand, ascending, and whether the item is the last shown of its command."""
        stops: dict[int, bool] = {}
        shown = feed.count(loaded.version)
        for place in places:
            version = feed.versions[place]
            newest = place + 1 == shown
            last = loaded.version if newest else last_of_command(loaded, self._repository.codec, version)
            whole = newest or feed.versions[place + 1] > last
            stops[last if whole else version] = whole
        return stops

    async def feed(self, viewer: Viewer, match_id: MatchId, after: Cursor | None, limit: int) -> FeedPage:
        """Return the items after a cursor; raise CursorUnknown if that cursor is not of this feed's history."""
        return self._page(viewer, match_id, await self._load_whole(match_id), after, limit)

    def _page(self, viewer: Viewer, match_id: MatchId, whole: Loaded, after: Cursor | None, limit: int) -> FeedPage:
        loaded = self._restrict(viewer, match_id, whole)
        feed = self._feeds.of(match_id, loaded, viewer.seat, n=number(after) if after is not None else 0)
        shown = feed.count(loaded.version)
        start = feed.position(after) if after is not None else 0
        if start > shown:  # the feed may know more than a delayed viewer does: a guessed cursor is not confirmed
            raise CursorUnknown(after or START)
        end = min(shown, start + limit)
        return FeedPage(
            items=feed.between(start, end),
            cursor=feed.cursor(end),
            seat=feed.seat_at(end, loaded.match.facts),
            n=end,
            chain=feed.chain(end),
            more=end < shown,
            ended=loaded.match.status.finished and end == shown,
            seating=Seating(whole.match),
        )

    def at_once(self, viewer: Viewer, match_id: MatchId, after: Cursor | None) -> FeedPage | None:
        """Return what `wait` has found if no store has to be asked for it; None if one has.

        That is so while a caller here waits for the match, and all that was heard of it is what this process has written.
        """
        version = self._notifier.newest(match_id)
        held = self._repository.peek(match_id)
        if version is None or held is None or held.version < version:
            return None
        try:
            return self._page(viewer, match_id, held, after, PAGE)
        except (CursorUnknown, Forbidden, NotFound):  # another process may know more
            return None

    def on_move(self, match_id: MatchId, call: Callable[[], None]) -> Callable[[], None]:
        """Have *call* called whenever a match moves, and return a function that ends it. It must not raise."""
        return self._notifier.on_move(match_id, call)

    def watch(self, match_id: MatchId) -> AbstractContextManager[None]:
        """Keep in mind what is heard of a match, for a caller who waits for it again and again."""
        return self._notifier.watch(match_id)

    async def wait(
        self,
        viewer: Viewer,
        match_id: MatchId,
        after: Cursor | None,
        timeout_ms: int,
        is_other: Callable[[Seating], bool] | None = None,
    ) -> FeedPage:
        """Like `feed`, but wait up to *timeout_ms* for the first item, or until *is_other* is true of who sits there.

        By default it is when the player has become another viewer. Raises ViewerChanged if it has lost what it knew more by.
        """
        is_other = is_other or viewer.is_other
        clock = asyncio.get_running_loop().time
        until = clock() + timeout_ms / 1000
        with self._notifier.move_event(match_id) as moved:
            while True:
                moved.clear()
                page = self.at_once(viewer, match_id, after) or await self.feed(viewer, match_id, after, PAGE)
                left = until - clock()
                if page.items or page.ended or left <= 0 or self._notifier.draining or is_other(page.seating):
                    return page
                await _wait_for(moved, min(left, DELAYED_LOOK_SECONDS) if viewer.delayed else left)

    async def load_finished(self, viewer: Viewer, match_id: MatchId) -> Loaded | None:
        """Return a match that the viewer may know to be over, with all its secrets; None as long as it may not.

        The deal of a day is not over before that day.
        """
        loaded = await self._load(viewer, match_id)
        return loaded if loaded.match.status.finished and not self._delay.is_sealed(loaded.match) else None

    async def proofs(self, viewer: Viewer, match_id: MatchId, after: int, limit: int) -> ProofPage:
        """Return the commitments to cards after deal number *after*, with the cards that the viewer can prove."""
        loaded = await self._load(viewer, match_id)
        return self._card_proofs.of(match_id, loaded).page(self._card_viewer(viewer, loaded), after, limit)

    def _card_viewer(self, viewer: Viewer, loaded: Loaded) -> CardViewer:
        return CardViewer(viewer.seat, loaded.version, sealed=self._delay.is_sealed(loaded.match))

    async def proof(self, viewer: Viewer, match_id: MatchId, deal: int, index: int) -> CardProof:
        """Return the proof of a card; raise NotFound if the viewer may not know it (yet), or there is none."""
        loaded = await self._load(viewer, match_id)
        return self._card_proofs.of(match_id, loaded).proof(self._card_viewer(viewer, loaded), deal, index)

    async def summary(self, player: PlayerId | None, match_id: MatchId) -> Summary:
        """Return a match's facts from its log, as the player may know them; raise NotFound if it does not concern the player."""
        await self.load_visible(player, match_id)
        loaded = self.as_visible_to(player, match_id, await self._repository.load_latest(match_id))
        summary = summarize(match_id, loaded, self._repository.codec)
        if player is None:
            return summary
        ask = loaded.match.pending()
        seat = loaded.match.seat_of(player)
        kept = loaded.match.reserved_for(player)
        turn = ask is not None and seat in ask.open
        return msgspec.structs.replace(summary, your_turn=turn, reserved_seat=kept)

    async def preview(self, match_id: MatchId) -> Summary | None:
        """Return what anyone with the link may know of a match, from the projection; None if that is nothing."""
        row = await self._rows.row(match_id)
        if row is None or not row_for(row, None).body:
            return None
        found = read_row(row, None)
        hidden = found.visibility is Visibility.UNLISTED and found.spectators is Spectators.OFF
        return None if hidden and found.status is not Status.OPEN else found

    async def load_public_facts(self, match_id: MatchId) -> Summary:
        """Return a match's public facts, for callers inside the service; raise NotFound."""
        return summarize(match_id, await self._repository.load_latest(match_id), self._repository.codec)

    async def lobby(self, listing: Listing) -> Sequence[Summary]:
        """Return listed matches from the projection."""
        return [read_row(row, None) for row in await self._rows.rows(listing)]

    async def matches_of(self, player: PlayerId, listing: Listing) -> Sequence[Summary]:
        """Return a player's matches from the projection, `your_turn` filled in for it."""
        own = msgspec.structs.replace(listing, player=player)
        return [read_row(row, player) for row in await self._rows.rows(own)]

    async def turns_of(self, player: PlayerId, limit: int) -> Sequence[Summary]:
        """Return running matches in which a player has to act, from the projection: those with the least time left first.

        They are looked for among the newest `PAGE` of its running matches.
        """
        running = await self.matches_of(player, Listing(status=Status.RUNNING, limit=PAGE))
        mine = [each for each in running if each.your_turn]
        return sorted(mine, key=lambda each: (each.deadline_ms or 0, each.match))[:limit]

    async def public_matches_of(
        self, player: PlayerId, after: tuple[int, MatchId] | None, limit: int
    ) -> tuple[Sequence[Summary], tuple[int, MatchId] | None]:
        """Return listed matches of a player that are over, as the public knows them, newest first; and where to go on, if at all.

        There may be fewer than *limit* although more follow: not all of its matches are looked through at once.
        """
        found: list[Summary] = []
        for _ in range(PAGES_AT_ONCE):
            rows = await self._rows.rows(Listing(player=player, after=after, limit=PAGE))
            for row in rows:
                after = (row.opened_ms, row.match)
                public = row.late or row
                if public.listed and public.status is Status.OVER:
                    found.append(read_row(row, None))
                if len(found) == limit:
                    return found, after
            if len(rows) < PAGE:
                return found, None
        return found, after


def _concerns(match: Match, player: PlayerId | None) -> bool:
    """Return whether a player is the host, sits there, or has a seat reserved."""
    return player is not None and (player == match.host or match.expects(player))


def _require_sight(viewer: Viewer, loaded: Loaded) -> None:
    """Raise Forbidden if the viewer may not look (any more): ViewerChanged if it knew more than its player may know now."""
    match = loaded.match
    if viewer.seat is not None and match.chairs[viewer.seat].player == viewer.player:
        return
    if viewer.seat is None and match.started and match.settings.spectators is Spectators.OFF:
        raise Forbidden("spectators-off")
    now = Seating(match).viewer(viewer.player)
    if viewer.seat is not None or (now.delayed and not viewer.delayed):
        raise ViewerChanged(now)


async def _wait_for(moved: asyncio.Event, seconds: float) -> None:
    """Wait for an event, with a timeout in seconds."""
    try:
        async with asyncio.timeout(seconds):
            await moved.wait()
    except TimeoutError:
        return
