"""A model of a store, run side by side with every store through random stories."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Coroutine
from contextlib import suppress
from typing import NamedTuple, TypeVar

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from tafelrunde.domain.match import MatchId, Status
from tafelrunde.service.archiving.archiver import Archiver
from tafelrunde.service.errors import KeyReused, NotFound, StoreError, VersionConflict
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.ports.agenda import AgendaKind, Claims
from tafelrunde.service.ports.events import GENESIS, Batch, Head, Log, Shard, Version, Written, shard_of
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store import RedisStores
from tests.service.conftest import Servers
from tests.service.story import chain_over, matches_of
from tests.support.servers import KINDS
from tests.support.thorough import tries

Answer = TypeVar("Answer")
SHARD = Shard(7)
MATCHES = (*matches_of(SHARD, 2), MatchId("elsewhere"))
KEYS = ("a", "b", "c", "d")
TIMES = (None, 10, 20, 30)
PRINTS = (b"same", b"other")

REPLACED = (AgendaKind.DEADLINE, AgendaKind.WORK, AgendaKind.CARE)
"""What every batch sets or clears."""


class Wish(NamedTuple):
    """What is asked of `append`: `off` by how much the version is wrong, `true_chain` whether the chain is right."""

    match: MatchId
    entries: tuple[bytes, ...]
    key: str
    fingerprint: bytes
    off: int
    true_chain: bool
    status: Status
    deadline_ms: int | None
    work_ms: int | None
    care_ms: int | None


WISHES = st.builds(
    Wish,
    match=st.sampled_from(MATCHES),
    entries=st.lists(st.binary(max_size=4), max_size=3).map(tuple),
    key=st.sampled_from(KEYS) | st.uuids().map(str),
    fingerprint=st.sampled_from(PRINTS),
    off=st.sampled_from((0, 0, 0, 0, -1, 1, 5)),
    true_chain=st.sampled_from((True, True, True, False)),
    status=st.sampled_from(Status),
    deadline_ms=st.sampled_from(TIMES),
    work_ms=st.sampled_from(TIMES),
    care_ms=st.sampled_from(TIMES),
)


class Model:
    """A store as the design says it, in the plainest words."""

    def __init__(self) -> None:
        self.entries: dict[MatchId, list[bytes]] = {match: [] for match in MATCHES}
        self.status: dict[MatchId, Status] = {}
        self.written: dict[tuple[MatchId, str], tuple[bytes, int, int]] = {}
        self.lines: list[tuple[MatchId, int]] = []
        self.agenda: dict[AgendaKind, dict[MatchId, int]] = {kind: {} for kind in AgendaKind}
        self.archived: dict[MatchId, int] = dict.fromkeys(MATCHES, 0)

    def append(self, batch: Batch) -> Written | str:
        """Return what the store has to answer: what was written, or the name of the error."""
        entries = self.entries[batch.match]
        if not batch.entries:
            return "EmptyAppend"
        if (earlier := self.written.get((batch.match, batch.key))) is not None:
            return self.replay(earlier, batch.fingerprint)
        if batch.expected != len(entries):
            return f"VersionConflict {batch.expected} {len(entries)}"
        if batch.chain != chain_over(GENESIS, entries):
            return "HistoryForked"
        first = len(entries) + 1
        last = len(entries) + len(batch.entries)
        entries.extend(batch.entries)
        self.status[batch.match] = batch.status
        self.written[batch.match, batch.key] = (batch.fingerprint, first, last)
        self.lines.append((batch.match, last))
        if first == 1:
            self.agenda[AgendaKind.OPENING][batch.match] = 0
        for kind, at_ms in zip(REPLACED, (batch.deadline_ms, batch.work_ms, batch.care_ms), strict=True):
            self.agenda[kind].pop(batch.match, None)
            if at_ms is not None:
                self.agenda[kind][batch.match] = at_ms
        return Written(Version(first), Version(last), replayed=False)

    def replay(self, earlier: tuple[bytes, int, int], fingerprint: bytes) -> Written | str:
        """Return the answer to a key that was used."""
        found, first, last = earlier
        return Written(Version(first), Version(last), replayed=True) if found == fingerprint else "KeyReused"

    def claim(self, kind: AgendaKind, now_ms: int, lease_ms: int) -> tuple[dict[MatchId, int], int | None]:
        """Return what is due, and when the next is, if there is no limit."""
        agenda = self.agenda[kind]
        due = {match: at_ms for match, at_ms in agenda.items() if at_ms <= now_ms}
        agenda.update(dict.fromkeys(due, now_ms + lease_ms))
        return due, min(agenda.values(), default=None)


class StoreMachine(RuleBasedStateMachine):
    """Random calls to a store and to the model: every answer must be the same."""

    servers: Servers
    kind: str

    @initialize()
    def connect(self) -> None:
        self.runner = asyncio.Runner()
        self.redis: RedisStores | None = None
        if self.kind == "memory":
            self.stores: Stores = memory_stores()
        else:
            server = self.servers[self.kind]
            server.ask("FLUSHALL")
            self.redis = self.run(RedisStores.connect(server.url))
            self.stores = self.redis.stores
        self.model = Model()

    def run(self, call: Coroutine[None, None, Answer]) -> Answer:
        return self.runner.run(call)

    @rule(wish=WISHES)
    def append(self, wish: Wish) -> None:
        known = self.model.entries[wish.match]
        chain = chain_over(GENESIS, known)
        batch = Batch(
            match=wish.match,
            expected=Version(max(0, len(known) + wish.off)),
            chain=chain if wish.true_chain else hashlib.sha256(chain).digest(),
            next_chain=chain_over(chain, wish.entries),
            entries=wish.entries,
            key=wish.key,
            fingerprint=wish.fingerprint,
            status=wish.status,
            time_ms=1,
            deadline_ms=wish.deadline_ms,
            work_ms=wish.work_ms,
            care_ms=wish.care_ms,
        )
        expected = self.model.append(batch)
        try:
            answer: Written | str = msgspec.structs.replace(self.run(self.stores.events.append(batch)), position="")
        except VersionConflict as error:
            answer = f"VersionConflict {error.expected} {error.actual}"
        except (StoreError, KeyReused) as error:
            answer = type(error).__name__
        assert answer == expected

    @rule(match=st.sampled_from(MATCHES), key=st.sampled_from(KEYS), fingerprint=st.sampled_from(PRINTS))
    def written(self, match: MatchId, key: str, fingerprint: bytes) -> None:
        earlier = self.model.written.get((match, key))
        expected = self.model.replay(earlier, fingerprint) if earlier is not None else None
        try:
            answer: Written | str | None = self.run(self.stores.events.find_written(match, key, fingerprint))
        except KeyReused:
            answer = "KeyReused"
        assert answer == expected

    @rule(kind=st.sampled_from(AgendaKind), now_ms=st.integers(5, 60), lease_ms=st.sampled_from((1, 10)))
    def claim(self, kind: AgendaKind, now_ms: int, lease_ms: int) -> None:
        due, next_ms = self.model.claim(kind, now_ms, lease_ms)
        claims = self.run(self.stores.agenda.claim(kind, now_ms, lease_ms, 100))
        assert claims == Claims(claims.due, next_ms)
        assert (dict(claims.due), len(claims.due)) == (due, len(due))

    @rule(kind=st.sampled_from(AgendaKind), match=st.sampled_from(MATCHES), until_ms=st.integers(5, 60))
    def postpone(self, kind: AgendaKind, match: MatchId, until_ms: int) -> None:
        agenda = self.model.agenda[kind]
        if match in agenda:
            agenda[match] = max(agenda[match], until_ms)
        self.run(self.stores.agenda.postpone(kind, match, until_ms))

    @rule(match=st.sampled_from(MATCHES), after=st.integers(0, 6))
    def load(self, match: MatchId, after: int) -> None:
        entries = self.model.entries[match]
        log = self.run(self.stores.events.load(match, Version(after)))
        if not entries:
            assert log is None
        else:
            archived = Version(self.model.archived[match])
            head = Head(Version(len(entries)), chain_over(GENESIS, entries), self.model.status[match], archived)
            assert log == Log(head, tuple(entries[after:]))

    @rule(match=st.sampled_from(MATCHES))
    def archive(self, match: MatchId) -> None:
        if finished := match in self.model.status and self.model.status[match].finished:
            self.model.archived[match] = len(self.model.entries[match])
            self.model.agenda[AgendaKind.CARE].pop(match, None)
        try:
            archived = self.run(Archiver(self.stores.archives, self.stores.blobs).archive(match))
            assert archived.events == len(self.model.entries[match])
        except NotFound:
            assert not finished

    @rule(kind=st.sampled_from(AgendaKind), match=st.sampled_from(MATCHES))
    def remove(self, kind: AgendaKind, match: MatchId) -> None:
        """Remove an agenda entry, if there is one."""
        self.model.agenda[kind].pop(match, None)
        self.run(self.stores.agenda.remove(kind, match))

    @rule(match=st.sampled_from(MATCHES), care_ms=st.integers(5, 60))
    def restore(self, match: MatchId, care_ms: int) -> None:
        if archived := self.model.archived[match] > 0:
            self.model.archived[match] = 0
            self.model.agenda[AgendaKind.CARE][match] = care_ms
        if self.model.entries[match]:
            assert self.run(Archiver(self.stores.archives, self.stores.blobs).restore(match, care_ms)) == archived

    @rule()
    def follow(self) -> None:
        lines = self.run(self.stores.events.follow({shard_of(match): "0-0" for match in MATCHES}, 0))
        for shard in {shard_of(match) for match in MATCHES}:
            found = [(line.match, int(line.version)) for line in lines if line.shard == shard]
            assert found == [line for line in self.model.lines if shard_of(line[0]) == shard]

    @invariant()
    def heads_agree(self) -> None:
        for match, entries in self.model.entries.items():
            head = self.run(self.stores.events.head(match))
            assert (head.version if head is not None else 0) == len(entries)

    def teardown(self) -> None:
        with suppress(AttributeError):  # a machine that could not be made has nothing to close
            if self.redis is not None:
                self.run(self.redis.close())
            self.runner.close()


@pytest.mark.parametrize("kind", ["memory", *KINDS])
def test_store_answers_as_the_model_does(kind: str, servers: Servers) -> None:
    """Whatever is asked in whatever order, a store answers as the design says."""
    machine = type("Machine", (StoreMachine,), {"kind": kind, "servers": servers})
    run_state_machine_as_test(
        machine,
        settings=settings(max_examples=tries(25, 400), stateful_step_count=25, deadline=None),
    )
