from __future__ import annotations

import asyncio

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.features.bots.feature import STORE as THOUGHTS
from tafelrunde.service.ports.agenda import AgendaKind, Claims
from tafelrunde.service.ports.events import shard_of
from tafelrunde.service.ports.stores import Stores
from tests.service.story import MATCH, NOON_MS, Tale

pytestmark = pytest.mark.anyio
DUE, WORK = AgendaKind.DEADLINE, AgendaKind.WORK
LEASE_MS = 1_000


async def write(stores: Stores, tale: Tale, deadline_ms: int | None = None, work_ms: int | None = None) -> None:
    """Append one entry with these agenda entries."""
    batch = tale.batch(f"k{len(tale.entries)}", b"x", deadline_ms=deadline_ms, work_ms=work_ms)
    await stores.events.append(batch)
    tale.note(batch)


async def test_agenda_is_empty_when_nothing_was_set(stores: Stores) -> None:
    """Nothing is due, and nothing comes."""
    await write(stores, Tale())
    assert await stores.agenda.claim(DUE, NOON_MS, LEASE_MS, 10) == Claims((), None)


async def test_nothing_is_claimed_before_its_time(stores: Stores) -> None:
    """A deadline never comes early, and the answer says when it comes."""
    await write(stores, Tale(), deadline_ms=NOON_MS)
    assert await stores.agenda.claim(DUE, NOON_MS - 1, LEASE_MS, 10) == Claims((), NOON_MS)
    assert (await stores.agenda.claim(DUE, NOON_MS, LEASE_MS, 10)).due == ((MATCH, NOON_MS),)


async def test_kinds_are_kept_apart(stores: Stores) -> None:
    """Deadlines and bot work have an agenda each."""
    await write(stores, Tale(), deadline_ms=NOON_MS, work_ms=NOON_MS + 5)
    assert await stores.agenda.claim(WORK, NOON_MS, LEASE_MS, 10) == Claims((), NOON_MS + 5)
    assert (await stores.agenda.claim(DUE, NOON_MS, LEASE_MS, 10)).due == ((MATCH, NOON_MS),)


async def test_next_batch_replaces_and_clears_entries(stores: Stores) -> None:
    """A match has one live deadline: each batch sets or clears it."""
    tale = Tale()
    await write(stores, tale, deadline_ms=NOON_MS, work_ms=NOON_MS)
    await write(stores, tale, deadline_ms=NOON_MS + 50)
    assert await stores.agenda.claim(DUE, NOON_MS, LEASE_MS, 10) == Claims((), NOON_MS + 50)
    assert await stores.agenda.claim(WORK, NOON_MS, LEASE_MS, 10) == Claims((), None)
    await write(stores, tale)
    assert await stores.agenda.claim(DUE, NOON_MS + 99, LEASE_MS, 10) == Claims((), None)


async def test_claimed_entry_is_offered_again_when_lease_is_over(stores: Stores) -> None:
    """A consumer that claims and dies loses nothing: after the lease the entry is due once more."""
    await write(stores, Tale(), deadline_ms=NOON_MS)
    first = await stores.agenda.claim(DUE, NOON_MS + 7, LEASE_MS, 10)
    assert first == Claims(((MATCH, NOON_MS),), NOON_MS + 7 + LEASE_MS)
    assert await stores.agenda.claim(DUE, NOON_MS + 6 + LEASE_MS, LEASE_MS, 10) == Claims((), NOON_MS + 7 + LEASE_MS)
    again = await stores.agenda.claim(DUE, NOON_MS + 7 + LEASE_MS, LEASE_MS, 10)
    assert again.due == ((MATCH, NOON_MS + 7 + LEASE_MS),)


async def test_claimed_entry_is_gone_when_match_moved_on(stores: Stores) -> None:
    """The batch that answers a deadline clears it, also while it is leased."""
    tale = Tale()
    await write(stores, tale, deadline_ms=NOON_MS)
    await stores.agenda.claim(DUE, NOON_MS, LEASE_MS, 10)
    await write(stores, tale)
    assert await stores.agenda.claim(DUE, NOON_MS + 10 * LEASE_MS, LEASE_MS, 10) == Claims((), None)


async def test_limit_is_kept_over_all_shards(stores: Stores) -> None:
    """Claims of a limited size take everything in turn, each match once."""
    wanted = {MatchId(f"m-{number}"): NOON_MS - number for number in range(150)}
    assert len({shard_of(match) for match in wanted}) > 40
    for match, deadline_ms in wanted.items():
        await write(stores, Tale(match), deadline_ms=deadline_ms)
    claimed: list[tuple[MatchId, int]] = []
    for size in (70, 70, 10, 0):
        claims = await stores.agenda.claim(DUE, NOON_MS, LEASE_MS, 70)
        assert len(claims.due) == size
        assert claims.next_ms is not None
        assert (claims.next_ms <= NOON_MS) == (len(claimed) + size < len(wanted))
        claimed += claims.due
    assert dict(claimed) == wanted
    assert len(claimed) == len(wanted)


async def test_rivals_never_claim_the_same(stores: Stores) -> None:
    """Several sweepers at once share what is due."""
    matches = [MatchId(f"m-{number}") for number in range(60)]
    for match in matches:
        await write(stores, Tale(match), deadline_ms=NOON_MS)
    claims = await asyncio.gather(*(stores.agenda.claim(DUE, NOON_MS, LEASE_MS, 13) for _ in range(8)))
    claimed = [match for each in claims for match, _ in each.due]
    assert sorted(claimed) == sorted(matches)


async def test_postpone_moves_existing_entries_only_and_only_later(stores: Stores) -> None:
    """Postponing neither makes an entry nor hastens one."""
    await stores.agenda.postpone(DUE, MATCH, NOON_MS)
    assert await stores.agenda.claim(DUE, 2 * NOON_MS, LEASE_MS, 10) == Claims((), None)
    await write(stores, Tale(), deadline_ms=NOON_MS)
    await stores.agenda.postpone(DUE, MATCH, NOON_MS + 20)
    await stores.agenda.postpone(DUE, MATCH, NOON_MS + 10)
    await stores.agenda.postpone(WORK, MATCH, NOON_MS + 30)
    assert await stores.agenda.claim(DUE, NOON_MS + 19, LEASE_MS, 10) == Claims((), NOON_MS + 20)
    assert await stores.agenda.claim(WORK, NOON_MS + 30, LEASE_MS, 10) == Claims((), None)


async def test_move_sets_existing_entries_only_earlier_or_later(stores: Stores) -> None:
    """Moving makes no entry, and is the last word on one."""
    await stores.agenda.move(WORK, MATCH, NOON_MS)
    assert await stores.agenda.claim(WORK, 2 * NOON_MS, LEASE_MS, 10) == Claims((), None)
    await write(stores, Tale(), work_ms=NOON_MS, deadline_ms=NOON_MS)
    for at_ms in (NOON_MS + 20, NOON_MS - 20):
        await stores.agenda.move(WORK, MATCH, at_ms)
        assert await stores.agenda.claim(WORK, at_ms - 1, LEASE_MS, 10) == Claims((), at_ms)
    assert (await stores.agenda.claim(DUE, NOON_MS, LEASE_MS, 10)).due == ((MATCH, NOON_MS),)


async def test_thought_is_kept_until_its_time_is_over_or_another_one_comes(stores: Stores) -> None:
    """A match has one thought at most, and forgets it by itself."""
    other = MatchId("m-other")
    assert await THOUGHTS.of(stores).read(MATCH) is None
    await THOUGHTS.of(stores).keep(MATCH, b"one", 60_000)
    await THOUGHTS.of(stores).keep(other, b"its own", 60_000)
    await THOUGHTS.of(stores).keep(MATCH, b"two\x00\xff", 60_000)
    assert await THOUGHTS.of(stores).read(MATCH) == b"two\x00\xff"
    await THOUGHTS.of(stores).keep(MATCH, b"three", 1)
    await asyncio.sleep(0.05)
    assert await THOUGHTS.of(stores).read(MATCH) is None
    await THOUGHTS.of(stores).keep(MATCH, b"four", 60_000)
    assert await THOUGHTS.of(stores).read(MATCH) == b"four"
    assert await THOUGHTS.of(stores).read(other) == b"its own"


async def test_thoughts_that_were_broken_off_are_counted(stores: Stores) -> None:
    """For the whole deployment, however many processes think."""
    assert await THOUGHTS.of(stores).alarms() == 0
    await THOUGHTS.of(stores).note_alarm()
    await THOUGHTS.of(stores).note_alarm()
    assert await THOUGHTS.of(stores).alarms() == 2


async def test_limit_and_next_time_hold_over_all_shards(stores: Stores) -> None:
    """What is due in many shards is claimed up to the limit, and the next time is that of the first entry left."""
    for number in range(30):
        await write(stores, Tale(MatchId(f"m-{number}")), deadline_ms=NOON_MS + number)
    first = await stores.agenda.claim(DUE, NOON_MS + 19, LEASE_MS, 15)
    assert (len(first.due), first.next_ms) == (15, min(set(range(NOON_MS, NOON_MS + 30)) - {at for _, at in first.due}))
    second = await stores.agenda.claim(DUE, NOON_MS + 19, LEASE_MS, 15)
    assert second.next_ms == NOON_MS + 20
    assert sorted(at for _, at in first.due + second.due) == list(range(NOON_MS, NOON_MS + 20))


@pytest.mark.parametrize("limit", [1, 7, 40])
async def test_longest_waiting_come_first_when_more_is_due_than_the_limit(stores: Stores, limit: int) -> None:
    """Also when they all lie in one shard, and others are due as well: nothing waits behind what came due later."""
    names = [MatchId(f"m-{number}") for number in range(400)]
    full = [name for name in names if shard_of(name) == shard_of(MATCH)]
    others = [name for name in names if shard_of(name) != shard_of(MATCH)][:50]
    due = {name: NOON_MS + number for number, name in enumerate((*full, *others))}
    for match, at_ms in reversed(due.items()):
        await write(stores, Tale(match), deadline_ms=at_ms)
    claimed: list[tuple[MatchId, int]] = []
    while found := (await stores.agenda.claim(DUE, NOON_MS + 100, LEASE_MS, limit)).due:
        claimed += found
    assert claimed == sorted(due.items(), key=lambda entry: entry[1])


async def test_claims_are_those_of_the_shards_that_were_named(stores: Stores) -> None:
    """What is due elsewhere is left alone, and so is its time."""
    matches = [MatchId(f"m-{number}") for number in range(40)]
    for number, match in enumerate(matches):
        await write(stores, Tale(match), deadline_ms=NOON_MS + number)
    mine = {shard_of(match) for match in matches[20:]}
    theirs = [match for match in matches if shard_of(match) not in mine]
    claims = await stores.agenda.claim(DUE, NOON_MS + 100, LEASE_MS, 100, mine)
    assert [match for match, _ in claims.due] == [match for match in matches if shard_of(match) in mine]
    assert claims.next_ms == NOON_MS + 100 + LEASE_MS
    assert await stores.agenda.claim(DUE, NOON_MS + 100, LEASE_MS, 100, ()) == Claims((), None)
    rest = await stores.agenda.claim(DUE, NOON_MS + 100, LEASE_MS, 100)
    assert [match for match, _ in rest.due] == theirs


async def test_several_leases_are_taken_in_their_order_up_to_a_number(stores: Stores) -> None:
    """Those of others are passed over, and one's own count: so a process renews what it has before it takes more."""
    leases = stores.leases
    names = [f"work:{number}" for number in range(6)]
    assert await leases.take("work:1", "b", 60_000)
    assert list(await leases.take_each(names, "a", 60_000, 3)) == ["work:0", "work:2", "work:3"]
    assert list(await leases.take_each([*names[3:], *names[:3]], "a", 60_000, 2)) == ["work:3", "work:4"]
    assert list(await leases.take_each(names, "b", 60_000, 9)) == ["work:1", "work:5"]
    assert list(await leases.take_each(names, "c", 60_000, 9)) == []


async def test_group_has_those_who_joined_until_they_leave_or_their_time_is_over(stores: Stores) -> None:
    """Each counts once, however often it joins; groups are apart."""
    leases = stores.leases
    assert [await leases.join("workers", owner, 60_000) for owner in ("a", "b", "a")] == [1, 2, 2]
    assert await leases.join("others", "c", 60_000) == 1
    await leases.leave("workers", "b")
    await leases.leave("workers", "never")
    assert await leases.join("workers", "a", 60_000) == 1
    assert await leases.join("workers", "b", 30) == 2
    await asyncio.sleep(0.06)
    assert await leases.join("workers", "a", 60_000) == 1


async def test_lease_has_one_owner_at_a_time(stores: Stores) -> None:
    """Who holds a lease can renew it; others wait until it is given back."""
    leases = stores.leases
    assert await leases.take("sweep", "a", 60_000)
    assert not await leases.take("sweep", "b", 60_000)
    assert await leases.take("sweep", "a", 60_000)
    assert await leases.take("other", "b", 60_000)
    await leases.give_back("sweep", "b")
    assert not await leases.take("sweep", "b", 60_000)
    await leases.give_back("sweep", "a")
    assert await leases.take("sweep", "b", 60_000)
    await leases.give_back("never", "b")


async def test_lease_ends_when_its_time_is_over(stores: Stores) -> None:
    """When an owner dies another takes over; renewing restarts the lease."""
    leases = stores.leases
    assert await leases.take("sweep", "a", 60_000)
    assert await leases.take("sweep", "a", 30)
    await asyncio.sleep(0.06)
    assert await leases.take("sweep", "b", 60_000)
    assert not await leases.take("sweep", "a", 60_000)


async def test_opening_is_due_from_the_first_batch_until_it_is_removed(stores: Stores) -> None:
    """Later batches leave it alone, so whatever happens to the match, its opening will be entered into the log."""
    tale = Tale()
    opening = AgendaKind.OPENING
    await write(stores, tale)
    await write(stores, tale, deadline_ms=NOON_MS)
    assert (await stores.agenda.claim(opening, NOON_MS, LEASE_MS, 10)).due == ((MATCH, 0),)
    await write(stores, tale)
    assert await stores.agenda.claim(opening, NOON_MS, LEASE_MS, 10) == Claims((), NOON_MS + LEASE_MS)
    await stores.agenda.remove(opening, MATCH)
    await stores.agenda.remove(opening, MATCH)
    await write(stores, tale)
    assert await stores.agenda.claim(opening, NOON_MS + LEASE_MS, LEASE_MS, 10) == Claims((), None)
