"""Those who follow openings and ends: they have each match before it is archived, and again until they do not want it again."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence

import pytest
from structlog.testing import capture_logs

from tafelrunde.domain.match import MatchId
from tafelrunde.service.archiving.finalizer import Finalizer, StoredMatch
from tafelrunde.service.errors import CorruptHistory, StoreUnavailable, VersionConflict
from tafelrunde.service.ports.agenda import AgendaKind, Claims
from tafelrunde.service.ports.events import Version
from tafelrunde.service.settings import Settings
from tests.support.table import Table, opened

pytestmark = pytest.mark.anyio
AT_ONCE = Settings(archive_after_seconds=0)


class Follower:
    """Follows matches, and wants them again until a time."""

    def __init__(self, table: Table, until_ms: int = 0) -> None:
        self._table = table
        self.until_ms = until_ms
        self.down = False
        self.had: list[MatchId] = []

    async def follow(self, matches: Sequence[StoredMatch]) -> Mapping[MatchId, int]:
        """Note that these came."""
        if self.down:
            raise StoreUnavailable("down")
        self.had += [each.match for each in matches]
        return {each.match: self.until_ms for each in matches if self._table.now_ms < self.until_ms}


@pytest.fixture
async def table() -> AsyncGenerator[Table]:
    """A service in memory."""
    async with opened() as table:
        yield table


@pytest.fixture
def finalizer(table: Table) -> Finalizer:
    """What archives the matches of the table at once, and that no one follows yet."""
    application = table.application
    return Finalizer(application.stores, application.repository.codec, AT_ONCE, application.now_ms)


async def over(table: Table) -> MatchId:
    """Play a match."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other)
    await table.finish(match, one, other)
    return MatchId(match)


async def archived(table: Table, match: MatchId) -> bool:
    """Return whether a match is archived."""
    head = await table.application.stores.events.head(match)
    assert head is not None
    return head.archived == head.version


async def test_nothing_stays_on_the_agenda_when_no_one_follows(table: Table, finalizer: Finalizer) -> None:
    """A core without features archives what is over, and keeps no list of what was opened."""
    match = await over(table)
    await finalizer.step()
    assert await archived(table, match)
    for kind in (AgendaKind.OPENING, AgendaKind.CARE):
        assert (await table.application.stores.agenda.claim(kind, table.now_ms, 1, 1)) == Claims((), None)


async def test_match_is_not_archived_as_long_as_one_wants_it_again(table: Table, finalizer: Finalizer) -> None:
    """All have had it each time; the one who wants it earliest says when it comes back."""
    patient, hasty = Follower(table, table.now_ms + 200_000), Follower(table, table.now_ms + 90_000)
    finalizer.on_over(patient.follow)
    finalizer.on_over(hasty.follow)
    match = await over(table)
    for time_ms, count in ((table.now_ms, 1), (hasty.until_ms - 1, 1), (hasty.until_ms, 2), (patient.until_ms - 1, 2)):
        table.now_ms = time_ms
        await finalizer.portion()
        assert patient.had == hasty.had == [match] * count
        assert not await archived(table, match)
    table.now_ms = patient.until_ms
    await finalizer.portion()
    assert patient.had == hasty.had == [match] * 3
    assert await archived(table, match)


async def test_match_comes_again_when_a_follower_was_cut_off(table: Table, finalizer: Finalizer) -> None:
    """Nothing is forgotten: an opening and an end that were not had are offered again when their lease expires."""
    follower = Follower(table)
    finalizer.on_opened(follower.follow)
    finalizer.on_over(follower.follow)
    match = await over(table)
    follower.down = True
    for step in (finalizer.openings, finalizer.portion):
        with pytest.raises(StoreUnavailable):
            await step()
    assert not await archived(table, match)
    follower.down = False
    table.now_ms += 60_000
    await finalizer.openings()
    await finalizer.portion()
    assert (follower.had, await archived(table, match)) == ([match, match], True)
    await finalizer.openings()
    assert follower.had == [match, match]


async def test_nothing_is_handed_on_before_a_follower_could_begin(table: Table, finalizer: Finalizer) -> None:
    """What has to be done first in a process is done once, and as long as it fails nothing else is."""
    follower = Follower(table)
    begun = list[bool]()

    async def begin() -> None:
        begun.append(not follower.down)
        if follower.down:
            raise StoreUnavailable("down")

    finalizer.begin_with(begin)
    finalizer.on_over(follower.follow)
    match = await over(table)
    follower.down = True
    with pytest.raises(StoreUnavailable):
        await finalizer.step()
    assert not await archived(table, match)
    follower.down = False
    await finalizer.step()
    await finalizer.step()
    assert (begun, follower.had, await archived(table, match)) == ([False, True], [match], True)


async def test_match_that_goes_on_meanwhile_is_archived_later(table: Table, finalizer: Finalizer) -> None:
    """A correction after those who follow have had the match is had by them, too, before it is archived."""
    versions: list[Version] = []
    operator = await table.operator()

    async def correct(matches: Sequence[StoredMatch]) -> Mapping[MatchId, int]:
        (found,) = matches
        if not versions:
            assert (await table.post(f"/matches/{found.match}/void", operator, {"reason": "other"})).status == 200
        versions.append(found.log.head.version)
        return {}

    finalizer.on_over(correct)
    match = await over(table)
    with capture_logs() as lines:
        await finalizer.portion()
    assert [line["event"] for line in lines] == ["archiving skipped: match changed meanwhile"]
    assert not await archived(table, match)
    await finalizer.portion()
    assert (len(versions), versions[0] < versions[1], await archived(table, match)) == (2, True, True)
    with pytest.raises(VersionConflict):
        await finalizer.archiver.archive(match, versions[0])


async def test_operator_is_notified_when_a_due_match_is_wanted_again(table: Table, finalizer: Finalizer) -> None:
    """The command that archives all that is due archives nothing that someone has still to do something with."""
    follower = Follower(table, table.now_ms + 1)
    finalizer.on_over(follower.follow)
    match = await over(table)
    with pytest.raises(CorruptHistory):
        await finalizer.archive(match)
    assert not await archived(table, match)
    table.now_ms += 1
    await finalizer.archive(match)
    assert await archived(table, match)
