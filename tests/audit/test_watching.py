"""A reader who watches a service catches a split log, a rewritten one, a match that was dropped, and a feed that was changed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from tafelrunde.audit.monitor import inspect_log
from tafelrunde.client import ApiError, Client
from tafelrunde.client.keeping import chain_over
from tafelrunde.domain.game import Seat
from tafelrunde.domain.match import MatchId
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.features.daily.deals import DailyDeals
from tafelrunde.service.features.daily.memory import MemoryDaily
from tafelrunde.service.features.transparency.checks import reference
from tafelrunde.service.features.transparency.log import TransparencyLog
from tafelrunde.service.features.transparency.memory import MemoryTransparency
from tafelrunde.service.features.transparency.port import Leaf, LeafKind, Outcome
from tafelrunde.service.runtime.signing_file import SIGNING_KEY, key_file
from tafelrunde.service.signing.signer import Signer, signer_of
from tafelrunde.service.signing.statements import Mark
from tests.support.processes import run, until
from tests.support.served import Service, service
from tests.support.the_log import log_of

pytestmark = pytest.mark.xdist_group("client")
DAY_MS = 86_400_000


@pytest.fixture
def served() -> Iterator[Service]:
    """A service of a test's own."""
    with service() as running:
        yield running


@pytest.fixture
def client(served: Service) -> Iterator[Client]:
    """A player there."""
    with Client(served.url) as client:
        client.sign_up("Ada")
        yield client


async def shown_instead(served: Service, leaves: Sequence[Leaf], signer: Signer | None = None, at_ms: int = 0) -> None:
    """Let the service show a log of other leaves from now on, added at a time."""
    log = log_of(served)
    other = TransparencyLog(MemoryTransparency(), lambda: at_ms, signer or log.signer)
    await other.add(leaves)
    log._store = other._store
    log.signer = other.signer


async def leaves_of(served: Service) -> Sequence[Leaf]:
    """Return all leaves of the log."""
    return await log_of(served).leaves(0, 1_000)


def opened(client: Client, number: int = 1) -> list[str]:
    """Open matches, and wait until the log has them."""
    matches = [client.open_match("coup", 2).match for _ in range(number)]
    for match in matches:
        until("the opening is in the log", lambda match=match: has_opening(client, match))
    return matches


def has_opening(client: Client, match: str) -> bool:
    """Return whether the opening of a match is in the log."""
    try:
        client.opening_proof(match)
    except ApiError:
        return False
    return True


def changed(leaf: Leaf) -> Leaf:
    """Return a leaf with another commitment."""
    return msgspec.structs.replace(leaf, lines=("0" * 64,)) if leaf.kind is LeafKind.OPENING else leaf


def key_of(client: Client) -> str:
    """Return the public key of the service."""
    return client.signing_keys().keys[0]


def witnessed(served: Service, folder: Path, *more: str) -> tuple[int, str]:
    """Run a witness; return its exit code and all that it said."""
    done = run("witness", served.url, "--folder", str(folder), *more)
    return done.returncode, done.stdout + done.stderr


def judged(*arguments: Path | str) -> tuple[int, str]:
    """Run the judge; return its exit code and what it said."""
    done = run("judge", *map(str, arguments))
    return done.returncode, done.stdout + done.stderr


def test_witness_signs_a_log_that_goes_on(served: Service, client: Client, tmp_path: Path) -> None:
    """Run after run it keeps the newest checkpoint and hands its signature in, which everyone may read."""
    folder = tmp_path / "witness"
    assert witnessed(served, folder, "--name", "witness.example.org")[0] == 0
    opened(client, 3)
    code, said = witnessed(served, folder)
    assert (code, "it continues the log of" in said) == (0, True)
    (shown,) = client.cosignatures().items
    assert shown.witness.startswith("witness.example.org+")
    assert (folder / "witness.key").stat().st_mode & 0o077 == 0
    (kept,) = folder.glob("*.note")
    assert kept.read_text() == shown.note
    assert witnessed(served, folder, "--name", "other.example.org")[0] == 2


def test_rewritten_log_is_caught_and_judged(served: Service, client: Client, tmp_path: Path) -> None:
    """A witness who kept a checkpoint has two signed texts that prove the rewriting to everyone."""
    folder = tmp_path / "witness"
    opened(client, 2)
    assert witnessed(served, folder)[0] == 0
    (key,) = client.signing_keys().keys
    opened(client, 1)
    leaves = served.do(leaves_of(served))
    served.do(shown_instead(served, [changed(leaf) for leaf in leaves]))
    code, said = witnessed(served, folder)
    assert (code, "it was rewritten" in said) == (1, True)
    (one,), (other,), (hashes,) = (list(folder.glob(f"*.{what}")) for what in ("kept", "found", "leaves"))
    code, said = judged(one, other, "--key", key, "--leaves", hashes)
    assert (code, "it was rewritten" in said) == (1, True)
    assert judged(one, other, "--key", key)[0] == 3
    saved = tmp_path / "saved.json"
    texts = [each.read_text() for each in (one, other)]  # as the web client does of a long log
    saved.write_bytes(msgspec.json.encode({"format": "tafelrunde.contradiction.1", "texts": texts, "keys": [key], "leaves": []}))
    assert judged(saved)[0] == 3
    assert judged(saved, "--leaves", hashes)[0] == 1
    hashes.write_text(hashes.read_text()[65:])
    assert judged(one, other, "--key", key, "--leaves", hashes)[0] == 3


def test_log_that_has_shrunk_is_caught(served: Service, client: Client, tmp_path: Path) -> None:
    """A log of which the newest leaves were removed is not signed."""
    folder = tmp_path / "witness"
    opened(client, 2)
    assert witnessed(served, folder)[0] == 0
    served.do(shown_instead(served, served.do(leaves_of(served))[:-1]))
    code, said = witnessed(served, folder)
    assert (code, "has shrunk" in said) == (1, True)


def test_split_log_is_judged(served: Service, client: Client, tmp_path: Path) -> None:
    """Two readers who were shown different logs of one size prove it by what each has kept."""
    opened(client, 2)
    assert witnessed(served, tmp_path / "one")[0] == 0
    served.do(shown_instead(served, [changed(leaf) for leaf in served.do(leaves_of(served))]))
    assert witnessed(served, tmp_path / "other")[0] == 0
    (one,), (other,) = ((tmp_path / reader).glob("*.note") for reader in ("one", "other"))
    code, said = judged(one, other, "--key", key_of(client))
    assert (code, "different readers were shown different logs" in said) == (1, True)
    assert judged(one, one, "--key", key_of(client))[0] == 0
    assert judged(one, other)[0] == 2
    assert judged(one, other, "--key", signer_of(None, b"x").public.text)[0] == 2


def test_witness_follows_a_key_that_was_handed_over_and_no_other(served: Service, client: Client, tmp_path: Path) -> None:
    """After a rotation that the old key has signed it goes on; a key from nowhere is a reason for an alarm."""
    assert served.application is not None
    folder = tmp_path / "witness"
    id_key = served.application.stores.id_key
    first, second = (signer_of(keys, id_key) for keys in ("11" * 32, f"{'22' * 32} {'11' * 32}"))
    served.do(shown_instead(served, [], first))
    served.do(log_of(served).note_key())
    assert witnessed(served, folder)[0] == 0
    log_of(served).signer = second
    assert witnessed(served, folder)[0] == 1
    served.do(log_of(served).note_key())
    code, said = witnessed(served, folder)
    assert (code, "it continues the log of 1 leaves" in said) == (0, True)
    log_of(served).signer = signer_of("33" * 32, id_key)
    served.do(log_of(served).note_key())
    assert witnessed(served, folder)[0] == 1


def test_monitor_finds_a_match_without_an_end(served: Service, client: Client) -> None:
    """A match that was dropped is in the log as an opening only."""
    match = client.open_match("coup", 2, bots={1: "random"}, start=True).match
    (dropped,) = opened(client)
    for _ in client.follow(match):
        if (question := client.view(match).question) is not None:
            client.play(match, question.decision, question.legal[0])
    until("the end is in the log", lambda: any(entry.outcome for entry in client.log_entries().entries))
    done = run("monitor", served.url)
    assert (done.returncode, "Nothing is wrong." in done.stdout) == (0, True)
    report = inspect_log(client, 30, time.time_ns() // 1_000_000 + 31 * DAY_MS)
    assert (report.openings, report.ended) == (2, 1)
    (wrong,) = report.wrong
    assert "has no end" in wrong
    assert f"leaf {client.opening_proof(dropped).index}" in wrong


def test_monitor_finds_an_end_that_the_log_lacks_for_an_hour(served: Service, client: Client) -> None:
    """Of a match that the service itself shows as over: it is not a match of many days."""
    [match] = opened(client)
    client.abort(match)
    until("the end is in the log", lambda: logged(client, match))
    until("the end is listed", lambda: match in {each.match for each in client.matches(status="aborted").items})
    now_ms = time.time_ns() // 1_000_000
    assert list(inspect_log(client, 30, now_ms + 2 * 3_600_000).wrong) == []
    served.do(shown_instead(served, [each for each in served.do(leaves_of(served)) if each.kind is not LeafKind.END]))
    assert list(inspect_log(client, 30, now_ms).wrong) == []
    [wrong] = inspect_log(client, 30, now_ms + 2 * 3_600_000).wrong
    assert wrong == f"The log lacks the end of {match}, which the service has shown as aborted for an hour or more."


@pytest.mark.parametrize("outcome", [Outcome.OVER, Outcome.ABORTED])
def test_monitor_finds_a_second_end_of_a_match(served: Service, client: Client, outcome: Outcome) -> None:
    """Two ends are two histories, each of which may have been shown to some; a correction after the end is no second one."""
    one, other = opened(client, 2)
    for match in (one, other):
        client.abort(match)
        until("the end is in the log", lambda match=match: logged(client, match))
    leaves = served.do(leaves_of(served))
    end = next(leaf for leaf in leaves if leaf.match == one and leaf.kind is LeafKind.END)
    now_ms = time.time_ns() // 1_000_000
    correction = msgspec.structs.replace(end, version=end.version + 1, outcome=Outcome.VOIDED)
    served.do(shown_instead(served, [*leaves, correction]))
    assert inspect_log(client, 30, now_ms).wrong == []
    second = msgspec.structs.replace(end, version=end.version + 7, chain=bytes(32), outcome=outcome)
    served.do(shown_instead(served, [*leaves, second]))
    report = inspect_log(client, 30, now_ms)
    places = f"{leaves.index(end)}, {len(leaves)}"
    assert report.wrong == [f"Match {reference(MatchId(one))} has 2 ends, in leaves {places}: it has one history at most."]
    assert report.ended == 2
    assert run("monitor", served.url).returncode == 1


def logged(client: Client, match: str) -> bool:
    """Return whether the end of a match is in the log."""
    try:
        return bool(client.log_proofs(match).leaves)
    except ApiError:
        return False


def test_monitor_finds_changed_commitments_and_missing_openings(served: Service, client: Client) -> None:
    """What a listed match says of itself is compared with the log, and a match cannot be opened twice."""
    one, other = opened(client, 2)
    until("both are listed", lambda: {one, other} <= {each.match for each in client.matches(status="open").items})
    leaves = served.do(leaves_of(served))
    served.do(shown_instead(served, [changed(leaf) if leaf.match == one else leaf for leaf in leaves if leaf.match != other]))
    later = time.time_ns() // 1_000_000 + 300_000
    wrong = inspect_log(client, 30, later).wrong
    assert any(f"The commitment of {one} was changed" in each for each in wrong)
    assert any(f"The log lacks the opening of {other}" in each for each in wrong)
    again = msgspec.structs.replace(next(leaf for leaf in leaves if leaf.match == one), version=2, lines=("0" * 64,))
    served.do(shown_instead(served, [*leaves, again]))
    assert any("was opened twice" in each for each in inspect_log(client, 30, later).wrong)
    assert run("monitor", served.url).returncode == 1


def test_monitor_finds_a_second_commitment_for_a_day(served: Service, client: Client) -> None:
    """In the log, or on the page of the deal; a day that the log lacks is missed as well, and the first may have been late."""
    opened(client)
    shown = client.daily("coup")
    leaves = served.do(leaves_of(served))
    now_ms = time.time_ns() // 1_000_000
    report = inspect_log(client, 30, now_ms)
    assert (report.wrong, report.days, report.late_days) == ([], 2, [shown.today.day])
    tomorrow = next(leaf for leaf in leaves if leaf.lines[:1] == (shown.tomorrow.day,))
    other = msgspec.structs.replace(tomorrow, version=1, lines=(shown.tomorrow.day, "0" * 64))
    rest = [leaf for leaf in leaves if leaf is not tomorrow]
    for planted, said in (
        ([*leaves, other], f"Day {shown.tomorrow.day} is in leaves "),
        ([*rest, other], f"The commitment of {shown.tomorrow.day} was changed"),
        (rest, f"The log lacks the commitment of {shown.tomorrow.day}"),
    ):
        served.do(shown_instead(served, planted))
        (wrong,) = inspect_log(client, 30, now_ms).wrong
        assert wrong.startswith(said)


def test_monitor_says_that_a_day_is_not_shown(served: Service, client: Client) -> None:
    """A service that has lost the secret of a day has no deals on it: nothing else shows that its log has another commitment."""
    opened(client)
    client.daily("coup")
    assert served.application is not None
    served.application.get(DailyDeals)._store = MemoryDaily()
    served.application.get(DailyDeals)._committed = {}
    wrong = inspect_log(client, 30, time.time_ns() // 1_000_000).wrong
    assert [each.partition(" is not shown")[0] for each in wrong] == [f"The deal of the day of {game}" for game in GAMES]


def test_monitor_does_not_believe_an_unsigned_log(served: Service, client: Client) -> None:
    """A checkpoint that another key has signed is no checkpoint."""
    opened(client)
    assert run("monitor", served.url, "--key", signer_of(None, b"x").public.text).returncode == 1


def test_feed_that_was_changed_is_judged(served: Service, client: Client, tmp_path: Path) -> None:
    """A receipt contradicts another one, and the record; what was sent honestly agrees with both."""
    match = client.open_match("coup", 2, bots={1: "random"}, start=True).match
    with Client(served.url, client.token, keep=tmp_path / "kept") as player:
        receipts = [
            player.play(match, question.decision, question.legal[0])
            for _ in player.follow(match)
            if (question := player.view(match).question) is not None
        ]
    pages = [msgspec.json.encode(receipt) for receipt in receipts]
    record = tmp_path / "record"
    key = key_of(client)
    record.write_bytes(client.record(match))
    items = [*(page := client.feed(match)).items]
    while page.more:
        items += (page := client.feed(match, page.cursor)).items
    files = [tmp_path / f"receipt-{number}" for number, _ in enumerate(pages)]
    for file, page in zip(files, pages, strict=True):
        file.write_bytes(page)
        assert judged(file, record, "--key", key)[0] == judged(record, file, "--key", key)[0] == 0
    told = msgspec.json.decode(pages[-1])
    n = int(told["cursor"].partition("-")[0])
    lie = msgspec.structs.replace(items[n - 1], at_ms=items[n - 1].at_ms + 1)
    mark = Mark(match=MatchId(match), seat=Seat(0), n=n, chain=chain_over([*items[: n - 1], lie]))
    forged = tmp_path / "forged"
    forged.write_text(log_of(served).signer.mark(mark))
    for other, words in ((files[-1], "two different beginnings of one feed"), (record, "are not those of the record")):
        code, said = judged(forged, other, "--key", key)
        assert (code, words in said) == (1, True)
    if len(files) > 1:
        assert judged(files[0], files[-1], "--key", key)[0] == 3


def test_text_that_the_service_has_not_signed_proves_nothing(served: Service, client: Client, tmp_path: Path) -> None:
    """Neither a forged signature nor a file of another kind is judged."""
    note = tmp_path / "note"
    note.write_bytes(client.signed_checkpoint())
    forged = tmp_path / "forged"
    origin, size, rest = note.read_text().split("\n", 2)
    forged.write_text(f"{origin}\n{int(size) + 7}\n{rest}")
    other = tmp_path / "other"
    other.write_text('{"signed": 1}')
    for file in (forged, other, tmp_path / "nothing"):
        assert judged(note, file, "--key", key_of(client))[0] == 2
    assert judged(note, note, "--key", "x")[0] == 2


def test_new_signing_key_comes_before_the_old_one(tmp_path: Path) -> None:
    """The old one stays, so that it can hand over; other users read neither."""
    before = key_file(tmp_path).read_text().split()
    assert key_file(tmp_path).read_text().split() == before
    assert run("new-signing-key", str(tmp_path)).returncode == 0
    after = (tmp_path / SIGNING_KEY).read_text().split()
    assert (len(after), after[1:]) == (2, before)
    assert (tmp_path / SIGNING_KEY).stat().st_mode & 0o077 == 0
    assert [each.name for each in tmp_path.iterdir()] == [SIGNING_KEY]
    assert run("new-signing-key", str(tmp_path / "nowhere")).returncode == 2
