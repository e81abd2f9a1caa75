"""The log has one commitment for each day's deals, before anyone plays them: a second one is found."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Any, NamedTuple, cast

import msgspec
import pytest

from tafelrunde.audit.kept_evidence import Comparison, compare
from tafelrunde.audit.known_log import ServedLog
from tafelrunde.audit.log_proofs import LogRoot, check_proofs, parse_proofs
from tafelrunde.audit.record_sources import split_record
from tafelrunde.client import Client, shapes
from tafelrunde.client.keeping import Kept
from tafelrunde.domain.match import MatchId
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.days import DAY_MS, Day
from tafelrunde.service.dealing import merkle
from tafelrunde.service.errors import CorruptHistory
from tafelrunde.service.features.daily.deals import DailyDeals
from tafelrunde.service.features.daily.feature import STORE
from tafelrunde.service.features.daily.memory import MemoryDaily
from tafelrunde.service.features.daily.port import DailyStore
from tafelrunde.service.features.records.verdict import Doubt, Finding
from tafelrunde.service.features.records.verify import match_of, verify
from tafelrunde.service.features.transparency.log import TransparencyLog
from tafelrunde.service.features.transparency.port import LeafKind
from tests.support.table import NOW_MS, Table

pytestmark = pytest.mark.anyio

TODAY, TOMORROW, YESTERDAY = Day("2023-11-14"), Day("2023-11-15"), Day("2023-11-13")
ENDS_MS = NOW_MS - NOW_MS % DAY_MS + DAY_MS
OTHER = "ab" * 32


def deals(table: Table, store: DailyStore | None = None) -> DailyDeals:
    """Return what a further process has of the deals."""
    application = table.application
    return DailyDeals(
        store=store or STORE.of(application.stores),
        repository=application.repository,
        matches=application.matches,
        accounts=application.accounts,
        log=application.get(TransparencyLog),
        games=application.games,
        ids=application.ids,
        now_ms=application.now_ms,
    )


async def days(table: Table) -> list[str]:
    """Return the contents of all leaves of days."""
    texts = [each["text"] or "" for each in (await table.get("/log/entries")).json["entries"]]
    return [text for text in texts if text.startswith(f"{LeafKind.DAY.value}\n")]


async def over(table: Table) -> tuple[list[bytes], shapes.LeafProofs]:
    """Open the deal of the day, and let the day end; return the record, and the proofs that the log has of it."""
    token = (await table.player())[1]
    match = (await table.post("/daily/coup", token)).json["match"]
    table.now_ms = ENDS_MS
    await table.application.process_manager.time_out(MatchId(match))
    table.now_ms += 60_000
    await table.application.finalizer.openings()
    await table.application.finalizer.portion()
    record = (await table.get(f"/matches/{match}/record", token)).body
    return split_record(record), parse_proofs((await table.get(f"/log/proofs/{match}", token)).body)


class Answers(NamedTuple):
    """A client that has asked for all proofs of a match beforehand."""

    newest: shapes.Checkpoint
    opening: shapes.OpeningProof
    proofs: shapes.LeafProofs
    day: shapes.DayProof
    entries: shapes.LogEntries

    def checkpoint(self) -> shapes.Checkpoint:
        """Return the newest checkpoint."""
        return self.newest

    def opening_proof(self, match: str, size: int) -> shapes.OpeningProof:
        """Return the proof of the opening."""
        assert (match, size) == (self.opening.match, self.opening.size)
        return self.opening

    def log_proofs(self, match: str, size: int) -> shapes.LeafProofs:
        """Return the proofs of the end."""
        assert (match, size) == (self.proofs.match, self.proofs.size)
        return self.proofs

    def log_entries(self, first: int, *, limit: int) -> shapes.LogEntries:
        """Return the leaves from a number on."""
        return msgspec.structs.replace(self.entries, entries=self.entries.entries[first : first + limit])

    def day_proof(self, day: str, size: int | None = None) -> shapes.DayProof:
        """Return the proof of the day."""
        assert (day, size or self.day.size) == (self.day.day, self.day.size)
        return self.day


async def comparison(table: Table, record: list[bytes], **lies: Any) -> Comparison:
    """Compare a record with what its player has kept, and with the log as the service shows it, but for the *lies* of its day."""
    match, loaded = match_of(record, GAMES)
    host = loaded.match.host
    token = (await table.application.accounts.issue(host, "reader", ["read"], None))[1]
    signed, keys = (await table.get("/log/checkpoint")).json, (await table.get("/log/keys")).json
    answers = Answers(
        msgspec.convert(signed, shapes.Checkpoint),
        msgspec.convert((await table.get(f"/log/openings/{match}", token)).json, shapes.OpeningProof),
        msgspec.convert((await table.get(f"/log/proofs/{match}", token)).json, shapes.LeafProofs),
        msgspec.convert({**(await table.get(f"/log/days/{TODAY}")).json, **lies}, shapes.DayProof),
        msgspec.convert((await table.get("/log/entries")).json, shapes.LogEntries),
    )
    kept = Kept(
        service="",
        origin=keys["origin"],
        keys=tuple(keys["keys"]),
        match=match,
        commitment=str(loaded.match.facts.commitment),
        checkpoints=(signed["signed"],),
    )
    return compare(kept, record, ServedLog("http://unasked.example", cast(Client, answers)))


async def test_days_are_leaves_before_they_begin(table: Table) -> None:
    """The duty enters today and tomorrow; a reader proves the commitment of tomorrow, and the secret when it is over."""
    assert (await table.get(f"/log/days/{TOMORROW}")).json["type"] == "urn:tafelrunde:problem:not-in-log"
    await table.application.get(DailyDeals).step()
    sheet = (await table.get("/daily/coup")).json
    assert await days(table) == [
        f"tafelrunde.day.1\n{each['day']}\n{each['commitment']}\n" for each in (sheet["today"], sheet["tomorrow"])
    ]
    told = (await table.get(f"/log/days/{TOMORROW}")).json
    hashed = merkle.leaf_hash(told["text"].encode())
    path = [bytes.fromhex(each) for each in told["path"]]
    root = merkle.root_from(hashed, told["index"], told["size"], path)
    assert root is not None
    assert (told["secret"], root.hex()) == (None, (await table.get("/log/checkpoint")).json["root"])
    table.now_ms = ENDS_MS + DAY_MS
    secret = (await table.get(f"/log/days/{TOMORROW}")).json["secret"]
    text = f"tafelrunde/day-commitment/1|{TOMORROW}|{secret}"
    assert hashlib.sha256(text.encode()).hexdigest() == sheet["tomorrow"]["commitment"]
    assert (await table.get(f"/log/days/{TODAY}?size=1")).json["index"] == 0
    assert (await table.get(f"/log/days/{TOMORROW}?size=1")).status == 404
    assert {(await table.get(f"/log/days/{day}")).status for day in (YESTERDAY, "2023-02-30", "days")} == {404}


async def test_many_processes_enter_a_day_once(table: Table) -> None:
    """However many sweepers step at once, and while others ask."""
    asking = [table.get("/daily/duel") for _ in range(4)]
    await asyncio.gather(*(deals(table).step() for _ in range(8)), *asking)
    assert [text.split("\n")[1] for text in await days(table)] == [TODAY, TOMORROW]


async def test_day_that_an_older_release_has_begun_is_entered_late(table: Table) -> None:
    """Its secret stays; the days before have no leaf, and none is made up."""
    daily = table.application.get(DailyDeals)
    stored = STORE.of(table.application.stores)
    for day in (YESTERDAY, TODAY):
        await stored.secret(day, OTHER)
    await daily.step()
    assert [text.split("\n")[1] for text in await days(table)] == [TODAY, TOMORROW]
    assert (await table.get(f"/log/days/{YESTERDAY}")).status == 404
    assert (await table.get("/daily/coup")).json["yesterday"]["secret"] == OTHER


async def test_record_of_a_deal_is_proved_with_its_day(table: Table) -> None:
    """The commitment in the record, the leaf and the secret of the day fit; a service that leaves one of them out is wrong."""
    record, proofs = await over(table)
    assert verify(record, GAMES).undecided == (Doubt.DAY_LEAF,)
    assert check_proofs(record, proofs, LogRoot(proofs.size, proofs.root)) is None
    day = proofs.day
    assert day is not None

    def found(**lies: Any) -> Finding | None:
        return check_proofs(record, msgspec.structs.replace(proofs, day=msgspec.structs.replace(day, **lies)), None)

    lies = [{"secret": None}, {"secret": OTHER}, {"text": f"tafelrunde.day.1\n{TODAY}\n{OTHER}\n"}, {"path": ()}, {"index": 1}]
    assert all(found(**lie) is not None for lie in lies)
    assert check_proofs(record, msgspec.structs.replace(proofs, day=None), None) is not None


async def test_kept_file_is_compared_with_the_day_in_the_log(table: Table) -> None:
    """With the leaf, and with the secret that the service says it binds."""
    record, _ = await over(table)
    found = await comparison(table, record)
    assert (found.finding, found.compared) == (None, ("match", "log", "opening", "end", "ends", "day"))
    assert found.open == ("unshared", "events", "unsigned")  # no nonce counts, and nothing that was sent was kept
    for lie in ({"secret": None}, {"secret": OTHER}, {"index": 2}):
        assert (await comparison(table, record, **lie)).finding is not None


async def test_second_commitment_for_a_day_is_found(table: Table) -> None:
    """A service that deals to one player by another secret than the log has shows it in that player's record."""
    await table.application.get(DailyDeals).step()
    table.application.get(DailyDeals)._committed[TODAY] = OTHER
    record, proofs = await over(table)
    assert (await comparison(table, record)).finding is not None
    finding = check_proofs(record, proofs, None)
    assert finding is not None
    assert (finding.what, proofs.day is not None) == (f"the leaf of {TODAY}", True)


async def test_secret_that_a_store_has_lost_is_not_made_again(table: Table) -> None:
    """No one is dealt to by a second secret, and no one learns its commitment."""
    await table.application.get(DailyDeals).step()
    with pytest.raises(CorruptHistory):
        await deals(table, MemoryDaily()).step()


async def test_day_is_proved_although_its_secret_was_lost(table: Table) -> None:
    """What the log has, it proves to everyone; the proof lacks the secret of a day that is over, which no one can make up."""
    daily = table.application.get(DailyDeals)
    await daily.step()
    daily._store = MemoryDaily()
    table.now_ms = ENDS_MS
    proof = await table.get(f"/log/days/{TODAY}")
    assert (proof.status, proof.json["day"], proof.json["secret"]) == (200, TODAY, None)
