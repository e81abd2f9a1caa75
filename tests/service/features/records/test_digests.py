"""State digests in logs: where the handler makes one, and that an error of folding is found by the next one."""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import Event
from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.domain.match.state import Match
from tafelrunde.service.features.records.verify import Check, verify
from tafelrunde.service.matches.codec import COMPLETE, DIGEST_EVERY, digest_of
from tests.service.features.records.test_record import CODEC, GAMES, REAL, story
from tests.support.table import opened

COUP = next(case for case in REAL if case.name == "coup-2-default")


def digested(entries: list[bytes]) -> list[int]:
    """Return the versions at which a log has a state digest."""
    found = (CODEC.envelope(entry).digest for entry in entries)
    return [version for version, digest in enumerate(found, 1) if digest not in {b"", COMPLETE}]


@pytest.mark.anyio
async def test_state_is_digested_at_start_and_end_and_once_in_sixteen_entries() -> None:
    """Every command up to the start, every one from the end on, and in between one where a multiple of sixteen is passed."""
    async with opened() as table:
        (_, one), (_, other) = await table.player(), await table.player()
        match = MatchId(await table.begin(one, other))
        begun = (await table.application.repository.load_latest(match)).version
        await table.finish(match, one, other)
        await table.agree_rematch(match, one, other)
        loaded = await table.application.repository.load_latest(match)
    versions = digested(loaded.entries)
    past = Match(loaded.match.games)
    follows = [CODEC.envelope(entry).command != b"" for entry in loaded.entries[1:]]
    for version, (entry, complete) in enumerate(zip(loaded.entries, [*follows, True], strict=True), 1):
        envelope, event = CODEC.decode(entry)
        past.fold(event)
        assert envelope.complete == complete
        assert envelope.digest == (digest_of(past) if version in versions else COMPLETE if complete else b"")
        assert version in versions or not complete or (version > begun and not past.status.finished)
    for multiple in range(DIGEST_EVERY, loaded.version, DIGEST_EVERY):
        assert any(multiple <= version < multiple + DIGEST_EVERY for version in versions)
    assert COMPLETE in {CODEC.envelope(entry).digest for entry in loaded.entries}


@pytest.mark.parametrize("decides", [True, False], ids=["today's rules", "other rules"])
def test_fold_error_is_found_at_the_next_digest(monkeypatch: pytest.MonkeyPatch, decides: bool) -> None:
    """Whatever the entry is that was folded wrong, and although no rule asks for what is wrong then."""
    game = COUP.game
    told = story(COUP)
    lines = told.lines()
    versions = digested(told.entries)
    assert versions[-1] == len(told.entries) > 3 * DIGEST_EVERY
    if not decides:
        monkeypatch.setattr(type(game), "rules_version", 9)
    honest = Check._fold
    for place in range(1, len(told.entries) + 1):

        def wrong(check: Check, where: str, event: Event, seats: int, at: int = place) -> None:
            honest(check, where, event, seats)
            if int(where) == at:
                check.match.host = PlayerId("nobody")

        monkeypatch.setattr(Check, "_fold", wrong)
        finding = verify(lines, GAMES).finding
        assert finding is not None
        assert (finding.what, int(finding.line)) == ("state digest", next(each for each in versions if each >= place))
