"""The page on privacy against the code: what an attempt to sign in has, and how long what passes by itself is kept."""

from __future__ import annotations

import re

import msgspec
import pytest

from tafelrunde.service.features.oauth.port import CLIENT_MS, ENDED_MS, GRANT_MS, NEW_CLIENT_MS
from tafelrunde.service.features.openid.port import ATTEMPT_MS, Attempt
from tafelrunde.service.features.passkeys.port import CHALLENGE_MS
from tafelrunde.service.features.people.port import CODE_MS
from tafelrunde.service.players.kept_answers import KEEP_MS
from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "privacy.md"
MINUTE_MS, HOUR_MS, DAY_MS = 60_000, 3_600_000, 86_400_000
UNITS = {"minute": MINUTE_MS, "hour": HOUR_MS, "day": DAY_MS}
NUMBERS = {"a": 1, "an": 1, "five": 5, "ten": 10}
ATTEMPTS = "attempts to sign in there"
KEPT = {
    ATTEMPTS: {ATTEMPT_MS},
    "codes for another device": {CODE_MS},
    "challenges for passkeys": {CHALLENGE_MS},
    "what the player has allowed": {GRANT_MS},
    "applications that have registered": {NEW_CLIENT_MS, CLIENT_MS, ENDED_MS},
    "what was answered to a request": {KEEP_MS},
}
TOLD = {
    "until_ms": "ten minutes after they began",
    "browser": "digests",
    "nonce": "random numbers",
    "verifier": "random numbers",
    "player": "of one that links, whose player it is",
    "identity": "of one that the provider has answered, the same digest of whom one is there",
}
"""What the page says of each field of an attempt."""


def row(what: str) -> tuple[str, str, str]:
    """Return the row of the table that begins like this: what is kept, who sees it, and for how long."""
    [found] = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.removeprefix("| ").startswith(what)]
    kept, seen, lasts = found.strip("| ").split(" | ")
    return kept, seen, lasts


def spans(text: str) -> set[int]:
    """Return the spans of time that a text names, in milliseconds."""
    found = re.findall(rf"\b(\d+|{'|'.join(NUMBERS)}) (minute|hour|day)s?\b", text)
    return {(NUMBERS.get(count) or int(count)) * UNITS[unit] for count, unit in found}


@pytest.mark.parametrize("what", KEPT)
def test_page_says_how_long_what_passes_by_itself_is_kept(what: str) -> None:
    """As the code has it."""
    assert spans(row(what)[2]) == KEPT[what]


def test_page_names_all_that_an_attempt_to_sign_in_has() -> None:
    """Each of its fields, also the digest of whom one is at the provider; and no one sees it."""
    kept, seen, lasts = row(ATTEMPTS)
    assert TOLD.keys() == {each.name for each in msgspec.structs.fields(Attempt)}
    assert [name for name, words in TOLD.items() if words not in f"{kept}; {lasts}"] == []
    assert seen == "no one"
