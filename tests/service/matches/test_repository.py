"""Matches in memory: a long fold leaves room for other requests."""

from __future__ import annotations

import asyncio

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.matches import repository
from tafelrunde.service.ports.events import Version
from tests.support.table import opened

pytestmark = pytest.mark.anyio


async def test_other_requests_go_on_while_the_past_is_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    """One fold at a time, in slices: eight at once hold up another request by a slice each time that it waits."""
    monkeypatch.setattr(repository, "SLICE", 2)
    async with opened() as table:
        (_, one), (_, other) = await table.player(), await table.player()
        match = await table.begin(one, other)
        await table.finish(match, one, other)
        matches = table.application.repository
        loaded = await matches.load_latest(MatchId(match))
        folded = 0
        decode = matches.codec.decode

        def counted(entry: bytes) -> object:
            nonlocal folded
            folded += 1
            return decode(entry)

        monkeypatch.setattr(matches.codec, "decode", counted)
        folds = [asyncio.create_task(matches.fold_apart(loaded.entries[: loaded.version])) for _ in range(8)]
        most = before = 0
        while not all(each.done() for each in folds):
            await asyncio.sleep(0)
            most = max(most, folded - before)
            before = folded
        assert folded == 8 * loaded.version
        assert most <= 4
        assert all(each.result().status is loaded.match.status for each in folds)


async def test_log_stays_one_list_when_a_command_and_a_reader_add_the_same() -> None:
    """A stream that a command wakes may read its entries before the command has kept them; other entries get another list."""
    async with opened() as table:
        (_, one), (_, other) = await table.player(), await table.player()
        match = MatchId(await table.begin(one, other))
        matches = table.application.repository
        read = await matches.load_latest(match)
        added = read.entries[-2:]
        known = list(read.entries)
        before = repository.Loaded(read.match, Version(read.version - 2), b"", read.entries)
        for entries, same in ((added, True), ((b"another", b"one"), False)):
            made = repository.Advance(read.match, read.chain, entries, (), 0)
            assert (matches.advance(match, before, made).entries is read.entries) is same
        assert read.entries == known
