"""Many records at once: each is checked, what is wrong with one is reported for that one, and the report is safe to open."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import cast

import msgspec
import pytest
import zstandard
from msgspec import UNSET, UnsetType

from tafelrunde.audit import check_folder, exports, records_folder
from tafelrunde.audit.check_record import Evidence
from tafelrunde.audit.folder_report import as_html, as_text
from tafelrunde.audit.records_folder import LOG, STATE, ExportState, SavedCheckpoint, SavedLog
from tafelrunde.client import ApiError, Client, shapes
from tafelrunde.client.keeping import Kept, KeptFeed
from tafelrunde.client.problems import Problem
from tafelrunde.domain.game import GameId
from tafelrunde.domain.match import MatchId
from tafelrunde.domain.match.commands import DayDeal, Expire
from tafelrunde.domain.match.events import ExpiryReason, MatchOpened
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.dealing import merkle
from tafelrunde.service.dealing.day_deals import day_commitment, secret_of_deal
from tafelrunde.service.dealing.dealer import commitment_to
from tafelrunde.service.errors import StartupRefused
from tafelrunde.service.features.records.report import KeptReport, Report
from tafelrunde.service.features.records.verdict import Conclusion
from tafelrunde.service.features.transparency.checks import day_leaf, hash_leaf, leaves_of, opening_of
from tafelrunde.service.features.transparency.port import Leaf
from tafelrunde.service.matches.codec import Codec
from tafelrunde.service.matches.repository import Loaded
from tafelrunde.service.ports.events import GENESIS, Version, chain_over
from tafelrunde.service.signing.signer import signer_of
from tafelrunde.service.views.feeds import Feed
from tests.audit import test_check_record
from tests.service.features.records.test_bots import record_of
from tests.service.features.records.test_record import SECRET, Story, opening

CODEC = Codec(GAMES)
SIGNER = signer_of(None, bytes(32))
command = test_check_record.command
"""The fixture."""


def silent(_: str) -> None:
    """Say nothing."""


def aborted(number: int, seats: int = 2, daily: DayDeal | UnsetType = UNSET, secret: str = SECRET) -> Story:
    """Return a short match with an id of its own: it expires as soon as it is opened."""
    name = MatchId("m" + "abcdefgh"[number] * 24)
    told = Story(name)
    opened = opening(GAMES[GameId("coup")], seats, {}, people=1)
    nonce = opened.seating[0].nonce if daily is UNSET else ""
    seating = (msgspec.structs.replace(opened.seating[0], nonce=nonce),)
    opened = msgspec.structs.replace(opened, commitment=commitment_to(name, secret), secret=secret, start=False, seating=seating)
    told.do(msgspec.structs.replace(opened, daily=daily))
    told.do(Expire(ExpiryReason.UNUSED))
    return told


def checked(place: Path, processes: int = 1) -> Report:
    """Check a folder or a file, in this process."""
    return check_folder.check_records(place, silent, processes)


def conclusions(report: Report) -> dict[str, Conclusion]:
    """Return what came of each record, by where it is."""
    return {each.source: each.conclusion for each in report.records}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with records in every form."""
    lines = [aborted(number).lines() for number in range(5)]
    (tmp_path / "below").mkdir()
    (tmp_path / "a.ndjson").write_bytes(b"".join(lines[0]))
    (tmp_path / "b.ndjson.zst").write_bytes(zstandard.ZstdCompressor().compress(b"".join(lines[1])))
    (tmp_path / "below" / "c.ndjson.gz").write_bytes(gzip.compress(b"".join([*lines[2], *lines[3]])))
    (tmp_path / "d.json").write_bytes(b'{"lines":[' + b",".join(line.rstrip() for line in lines[4]) + b"]}")
    (tmp_path / "notes.md").write_text("not a record")
    return tmp_path


def save_log(place: Path, stories: Sequence[Story], *, sizes: Sequence[int] = (), time_ms: int = 1 << 42) -> list[str]:
    """Save a transparency log with the leaves of some matches, and the checkpoints of some sizes."""
    leaves = [hash_leaf(leaf) for story in stories for leaf in leaves_of(story.name, story.entries, CODEC)]
    seen = [SavedCheckpoint(size=size, root=merkle.root(leaves[:size]).hex(), time_ms=time_ms) for size in (*sizes, len(leaves))]
    found = [leaf.hex() for leaf in leaves]
    (place / LOG).write_bytes(msgspec.json.encode(SavedLog(checkpoints=tuple(seen), leaves=tuple(found))))
    return found


def test_records_are_found_in_every_form(place: Path) -> None:
    """Plain, packed, several in a file, as one document, in folders below; what is none of them is left alone."""
    found = checked(place)
    names = ["a.ndjson", "b.ndjson.zst", "below/c.ndjson.gz", "below/c.ndjson.gz#2", "d.json"]
    assert conclusions(found) == dict.fromkeys(names, Conclusion.RIGHT)
    assert (found.conclusion, found.unread, found.log) == (Conclusion.RIGHT, {}, None)
    assert conclusions(checked(place / "below" / "c.ndjson.gz")) == {
        "c.ndjson.gz": Conclusion.RIGHT,
        "c.ndjson.gz#2": Conclusion.RIGHT,
    }


def test_wrong_record_is_named_and_spoils_no_other(place: Path) -> None:
    """Forged, cut off, in the middle of a file, or no record at all."""
    good = aborted(5).lines()
    bad = [line.replace(b'"coup"', b'"Coup"', 1) for line in aborted(6).lines()]
    (place / "e.ndjson").write_bytes(b"".join([*bad, *good, *aborted(7).lines()[:-1]]))
    (place / "f.ndjson.zst").write_bytes(b"no zst")
    (place / "g.ndjson").write_bytes(b"")
    found = checked(place)
    told = conclusions(found)
    assert [told[f"e.ndjson{number}"] for number in ("", "#2", "#3")] == [Conclusion.WRONG, Conclusion.RIGHT, Conclusion.WRONG]
    assert found.unread.keys() == {"f.ndjson.zst", "g.ndjson"}
    assert found.conclusion is Conclusion.WRONG
    assert "e.ndjson: wrong at head: a game that is known here." in as_text(found)


def test_two_histories_of_one_match_are_wrong(place: Path) -> None:
    """A copy is fine; a match that went differently in another file is not, although each of the two is right by itself."""
    (place / "copy.ndjson").write_bytes((place / "a.ndjson").read_bytes())
    assert checked(place).conclusion is Conclusion.RIGHT
    twin = aborted(0, seats=3)
    (place / "z.ndjson").write_bytes(b"".join(twin.lines()))
    found = checked(place)
    assert conclusions(found)["z.ndjson"] is Conclusion.WRONG
    assert "another history than that in a.ndjson" in as_text(found)


def test_record_must_be_in_the_log_that_was_saved(place: Path) -> None:
    """A record without its leaf is wrong, unless it is so young that the log could not have it; other leaves are counted."""
    stories = [aborted(number) for number in range(5)]
    save_log(place, [*stories, aborted(6)], sizes=(2,))
    found = checked(place)
    assert found.conclusion is Conclusion.RIGHT
    assert found.log is not None
    assert (found.log.size, found.log.checkpoints, found.log.without_record, found.log.findings) == (6, 2, 1, ())
    save_log(place, stories[1:])
    lacking = checked(place)
    assert [name for name, each in conclusions(lacking).items() if each is Conclusion.WRONG] == ["a.ndjson"]
    save_log(place, stories[1:], time_ms=1_700_000_000_000)
    young = checked(place)
    assert young.log is not None
    assert (young.conclusion, young.log.pending) == (Conclusion.RIGHT, 1)


def test_deal_without_the_leaf_of_its_day_is_wrong(tmp_path: Path) -> None:
    """Of two records of one day with two commitments, one at most is in the log; the first deals had none in their records."""
    days = [DayDeal(day="2023-11-14", ends_ms=1_700_006_400_000, commitment=each * 64) for each in "ab"]
    stories = [aborted(0, daily=days[0]), aborted(1, daily=days[1]), aborted(2, daily=DayDeal(day="2023-11-14", ends_ms=1))]
    for number, story in enumerate(stories):
        (tmp_path / f"{number}.ndjson").write_bytes(b"".join(story.lines()))
    leaves = save_log(tmp_path, stories)
    day = hash_leaf(day_leaf("2023-11-14", "a" * 64)).hex()
    root = merkle.root([bytes.fromhex(each) for each in (day, *leaves)]).hex()
    whole = SavedLog(leaves=(day, *leaves), checkpoints=(SavedCheckpoint(size=1 + len(leaves), root=root, time_ms=0),))
    (tmp_path / LOG).write_bytes(msgspec.json.encode(whole))
    found = checked(tmp_path)
    assert [name for name, each in conclusions(found).items() if each is Conclusion.WRONG] == ["1.ndjson"]
    assert found.log is not None
    assert (found.log.findings, found.log.without_record) == ((), 0)


def test_deal_of_a_day_is_right_with_the_leaf_and_the_secret_of_its_day(tmp_path: Path) -> None:
    """Both of which an export saves; with another secret it is wrong, and without one undecided."""
    secret, name = "ab" * 32, "2023-11-14"
    deal = DayDeal(day=name, ends_ms=1_700_006_400_000, commitment=day_commitment(name, secret))
    story = aborted(0, daily=deal, secret=secret_of_deal(name, secret, GameId("coup")))
    (tmp_path / "one.ndjson").write_bytes(b"".join(story.lines()))
    leaves = (hash_leaf(day_leaf(name, day_commitment(name, secret))).hex(), *save_log(tmp_path, [story]))
    root = merkle.root([bytes.fromhex(each) for each in leaves]).hex()
    whole = SavedLog(leaves=leaves, checkpoints=(SavedCheckpoint(size=len(leaves), root=root, time_ms=0),))
    found = list[Conclusion | None]()
    for days in ({name: secret}, {name: "cd" * 32}, {}):
        (tmp_path / LOG).write_bytes(msgspec.json.encode(msgspec.structs.replace(whole, days=days)))
        found.append(checked(tmp_path).conclusion)
    assert found == [Conclusion.RIGHT, Conclusion.WRONG, Conclusion.UNDECIDED]


def test_export_saves_the_secrets_of_the_days_of_its_records(tmp_path: Path) -> None:
    """Those that the log of the service has; of one that it does not know, nothing is saved."""
    secret, name = "ab" * 32, "2023-11-14"
    lines = aborted(0, daily=DayDeal(day=name, ends_ms=1, commitment="0" * 64)).lines()
    client = _ClientOfDays(name, secret)
    exports.save_log(cast(Client, client), tmp_path, exports.find_days(lines) | {"2023-11-15"})
    saved = records_folder.read_log(tmp_path)
    assert saved is not None
    assert saved.days == {name: secret}
    assert exports.find_days(aborted(1).lines()) == set()


class _ClientOfDays:
    """A client of a service with an empty log, which knows the secret of one day."""

    def __init__(self, day: str, secret: str) -> None:
        self._day, self._secret = day, secret

    def checkpoint(self) -> shapes.Checkpoint:
        """Return that of an empty log."""
        return msgspec.convert({"size": 0, "root": merkle.EMPTY.hex(), "time_ms": 0, "signed": ""}, shapes.Checkpoint)

    def day_proof(self, day: str) -> shapes.DayProof:
        """Return the proof of the day."""
        if day != self._day:
            raise ApiError(Problem(type="/problems/not-in-log", title="Not in the log", status=404))
        told = {"day": day, "size": 1, "root": "", "index": 0, "text": "", "secret": self._secret}
        return msgspec.convert(told, shapes.DayProof)


def test_log_that_was_rewritten_is_wrong(place: Path) -> None:
    """Leaves that do not lead to a checkpoint that was saved earlier: something was changed or removed since."""
    leaves = save_log(place, [aborted(number) for number in range(5)], sizes=(3,))
    saved = records_folder.read_log(place)
    assert saved is not None
    for changed in ((leaves[1], leaves[0], *leaves[2:]), tuple(leaves[:2])):
        (place / LOG).write_bytes(msgspec.json.encode(msgspec.structs.replace(saved, leaves=changed)))
        found = checked(place)
        assert found.log is not None
        assert found.log.findings
        assert found.conclusion is Conclusion.WRONG


def test_large_file_is_shared_out_among_processes(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The result is the same however the work is divided."""
    whole = checked(place)
    monkeypatch.setattr(check_folder, "LARGE", 0)
    monkeypatch.setattr(check_folder, "BATCH_BYTES", 0)
    assert checked(place) == whole
    assert checked(place, 2) == whole


def test_file_cannot_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What unpacks to more than a record or a line can have is not read further."""
    monkeypatch.setattr(records_folder, "LARGEST_RECORD", 5_000)
    monkeypatch.setattr(records_folder, "LONGEST_LINE", 10_000)
    pack = zstandard.ZstdCompressor().compress
    (tmp_path / "long.ndjson.zst").write_bytes(pack(b'{"line":"head"' + bytes(50_000)))
    (tmp_path / "many.ndjson.zst").write_bytes(pack(b'{"line":"entry"}\n' * 50_000))
    assert set(checked(tmp_path).unread) == {"long.ndjson.zst", "many.ndjson.zst"}


class Parsed(HTMLParser):
    """The tags and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note it."""
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        """Note it."""
        self.text += data


def test_page_shows_what_a_forger_wrote_as_text(place: Path) -> None:
    """No tag, attribute or control character of a record or a file name gets into the page, and it loads nothing."""
    evil = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>\u202e\x1b[2J"
    lines = [line.replace(b'"coup"', json.dumps(evil).encode(), 1) for line in aborted(5).lines()]
    (place / "<b onclick=x>.ndjson").write_bytes(b"".join(lines))
    (place / STATE).write_bytes(msgspec.json.encode(ExportState(absent={evil: evil})))
    page = as_html(checked(place))
    plain = {"html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "p", "code", "details", "summary"}
    parsed = Parsed(page)
    assert parsed.tags <= plain | {"table", "thead", "tbody", "tr", "th", "td"}
    assert parsed.attributes <= {"lang", "charset", "http-equiv", "content", "name", "class"}
    assert "<script>alert(1)</script>" in parsed.text
    assert "<b onclick=x>.ndjson" in parsed.text
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u202e]", page)
    assert "default-src 'none'" in page


def test_exit_code_and_reports_say_what_came_of_it(place: Path, command: test_check_record.Command) -> None:
    """0 right, 1 wrong, 2 nothing or not everything read; each report in the form of its name."""
    reports = [place / name for name in ("r.html", "r.txt")]
    (place / "sub").mkdir()
    out = place / "sub" / "r.json"
    code, printed, said = command("verify", str(place / "below"), "--report", str(reports[0]), "--report", str(out))
    assert (code, printed.splitlines()[0]) == (
        0,
        "2 records: 2 right, 0 wrong, 0 undecided, 0 files unreadable, 0 matches without a record.",
    )
    assert "2 records in " in said
    told = json.loads(out.read_bytes())
    assert (told["conclusion"], told["counts"]) == ("right", {"right": 2, "wrong": 0, "undecided": 0})
    assert reports[0].read_text().startswith("<!doctype html>")
    (place / "below" / "bad.ndjson.zst").write_bytes(b"x")
    assert command("verify", str(place / "below"), "--processes", "1")[0] == 2
    (place / "below" / "wrong.ndjson").write_bytes(b"{}\n")
    code, printed, _ = command("verify", str(place / "below"), "--json", "--processes", "1")
    assert (code, json.loads(printed)["counts"]["wrong"]) == (1, 1)
    (place / "nothing").mkdir()
    assert command("verify", str(place / "nothing"))[0] == 2
    with pytest.raises(StartupRefused, match="no records"):
        checked(place / "nothing")
    assert command("verify", str(place), "--report", "r.pdf")[0] == 2


def kept_file(folder: Path, story: Story, **changed: object) -> None:
    """Write what a spectator's client kept of a match."""
    facts = story.match.facts
    loaded = Loaded(story.match, Version(len(story.entries)), chain_over(GENESIS, story.entries), story.entries)
    feed = Feed(None, story.entries)
    feed.extend(loaded, CODEC)
    n = len(feed.items)
    kept = Kept(
        service="https://cards.example.org",
        origin="tafelrunde/0",
        keys=(),
        match=story.name,
        commitment=facts.commitment,
        seat=None,
        feed=KeptFeed(seat=None, n=n, chain=feed.chain(n).hex()),
    )
    folder.mkdir(exist_ok=True)
    path = folder / f"{story.name}.kept.json"
    path.write_bytes(msgspec.json.encode(msgspec.structs.replace(kept, **changed)))


def test_records_of_a_folder_are_compared_with_the_kept_files_of_another(place: Path, command: test_check_record.Command) -> None:
    """Each with its own; one that was kept otherwise is wrong, and while a match has no record, not all is decided."""
    kept = place.parent / "kept"
    for number in (0, 3, 7):
        kept_file(kept, aborted(number))
    code, printed, _ = command("verify", str(place), "--kept", str(kept), "--processes", "1")
    assert code == 3
    assert "2 records were compared with what was kept of their matches; 1 kept matches have no record here." in printed
    assert f"{aborted(7).name}: undecided: something was kept of it, and its record is not here." in printed
    assert "Not proved: no random number of yours counts in the cards of this match (2)." in printed
    (kept / f"{aborted(7).name}.kept.json").rename(place.parent / "elsewhere")
    assert command("verify", str(place), "--kept", str(kept), "--processes", "1")[0] == 0
    (place.parent / "elsewhere").rename(kept / f"{aborted(7).name}.kept.json")
    kept_file(kept, aborted(3), commitment="0" * 64)
    code, printed, _ = command("verify", str(place), "--kept", str(kept))
    assert (code, "below/c.ndjson.gz#2: wrong at kept: the commitment." in printed) == (1, True)
    report = place.parent / "r.html"
    assert command("verify", str(place), "--kept", str(kept), "--report", str(report))[0] == 1
    assert aborted(7).name in Parsed(report.read_text()).text


def opening_in(story: Story) -> Leaf:
    """Return the leaf of a match's opening."""
    opened = CODEC.decode(story.entries[0])[1]
    assert isinstance(opened, MatchOpened)
    return opening_of(story.name, opened)


def signed(size: int, leaves: Sequence[bytes]) -> dict[str, object]:
    """Return a signed checkpoint over the first *size* leaves, as it is kept."""
    note = SIGNER.checkpoint(size, merkle.root(leaves[:size]))
    return {"origin": SIGNER.origin, "keys": (SIGNER.public.text,), "checkpoints": (str(note),)}


class KeptLog:
    """A folder with the records of some matches and the log of all of them, and one with what was kept of two of them."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.kept = place.parent / "kept-log"
        self.stories = [aborted(number) for number in range(5)]
        ends = [leaf for story in self.stories for leaf in leaves_of(story.name, story.entries, CODEC)]
        self.hashes = [hash_leaf(leaf) for leaf in [opening_in(self.stories[0]), opening_in(self.stories[3]), *ends]]
        self.save(self.hashes)
        for number in (0, 3):
            kept_file(self.kept, self.stories[number], **signed(2 + number, self.hashes))

    def save(self, leaves: Sequence[bytes], time_ms: int = 1 << 42) -> None:
        """Save other leaves, with a checkpoint that they lead to."""
        checkpoint = SavedCheckpoint(size=len(leaves), root=merkle.root(leaves).hex(), time_ms=time_ms)
        saved = SavedLog(checkpoints=(checkpoint,), leaves=tuple(each.hex() for each in leaves))
        (self.place / LOG).write_bytes(msgspec.json.encode(saved))

    def checked(self) -> Report:
        """Check the folder with what was kept."""
        return check_folder.check_records(self.place, silent, 1, Evidence(kept=self.kept))


@pytest.fixture
def kept_log(place: Path) -> KeptLog:
    """Records, a log, and what was kept."""
    return KeptLog(place)


def test_log_of_a_folder_continues_the_checkpoints_that_were_kept(kept_log: KeptLog) -> None:
    """And it has the openings and the ends; what is younger than the log is named as not compared."""
    found = kept_log.checked()
    compared = {each.source: each.compared for each in found.records if each.compared}
    assert {*compared.values()} == {("match", "feed", "log", "opening", "end")}
    assert (found.conclusion, len(compared)) == (Conclusion.RIGHT, 2)
    young = [*kept_log.hashes[:1], *kept_log.hashes[2:4]]
    kept_file(kept_log.kept, kept_log.stories[0], **signed(1, young))
    kept_log.save(young, time_ms=0)
    assert kept_log.checked().kept == KeptReport(
        compared=2,
        without_record=(),
        open={"unshared": 2, "unsigned": 2, "log": 1, "opening": 1, "end": 1, "ends": 1},
        findings={},
    )
    assert "Kept, but not compared: end (1), ends (1), log (1), opening (1), unsigned (2)." in as_text(kept_log.checked())


def test_log_of_a_folder_that_was_changed_contradicts_what_was_kept(kept_log: KeptLog) -> None:
    """Although it agrees with itself and with the records: other leaves before the checkpoint, or no opening."""
    first, second, *ends = kept_log.hashes
    for leaves, wrong, what in (
        ([second, first, *ends], {"below/c.ndjson.gz#2"} | {"a.ndjson"}, "the root of the log of 2 leaves"),
        ([first, *ends], {"a.ndjson", "below/c.ndjson.gz#2"}, "the root of the log of"),
    ):
        kept_log.save(leaves)
        found = kept_log.checked()
        assert {name for name, each in conclusions(found).items() if each is Conclusion.WRONG} == wrong, what
        assert f"wrong at kept: {what}" in as_text(found)
    kept_file(kept_log.kept, kept_log.stories[3], **signed(1, kept_log.hashes))
    found = kept_log.checked()
    assert "below/c.ndjson.gz#2: wrong at kept: the opening of the match." in as_text(found)


def test_checkpoint_of_a_match_without_a_record_is_compared(kept_log: KeptLog) -> None:
    """A service that leaves a match out of the export, and out of its log."""
    dropped = aborted(7)
    kept_file(kept_log.kept, dropped, **signed(3, [hash_leaf(opening_in(dropped)), *kept_log.hashes]))
    found = kept_log.checked()
    assert {*conclusions(found).values()} == {Conclusion.RIGHT}
    assert found.conclusion is Conclusion.WRONG
    assert f"{dropped.name}: wrong at kept: the root of the log of 3 leaves." in as_text(found)


def test_checkpoint_that_was_saved_elsewhere_is_compared_with_the_log_of_a_folder(
    place: Path, command: test_check_record.Command
) -> None:
    """One of an earlier size of the same log is right; of another log it is wrong."""
    stories = [aborted(number) for number in range(5)]
    leaves = save_log(place, stories)
    root = merkle.root([bytes.fromhex(leaf) for leaf in leaves[:3]]).hex()
    assert command("verify", str(place), "--checkpoint", f"3:{root}", "--processes", "1")[0] == 0
    code, printed, _ = command("verify", str(place), "--checkpoint", f"2:{root}", "--processes", "1")
    assert (code, "The transparency log contradicts itself: The checkpoint of 2 leaves" in printed) == (1, True)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--log", "proofs.json"], "--log is for one record"),
        (["--checkpoint", "3:" + "0" * 64], "There is no log to compare a checkpoint with"),
        (["--kept", "a.ndjson"], "for many records, --kept names one with the kept file of each match"),
        (["--kept", "below"], "has no kept files"),
    ],
)
def test_what_a_folder_cannot_be_compared_with_is_refused(
    options: list[str], said: str, place: Path, command: test_check_record.Command
) -> None:
    """In one sentence, with exit code 2, before anything is checked."""
    option, value = options
    told = command("verify", str(place), option, str(place / value) if option != "--checkpoint" else value)
    assert (told[0], told[1], said in told[2], told[2].count("\n")) == (2, "", True, 1)


def test_report_on_an_address_is_refused(command: test_check_record.Command) -> None:
    """It is of many records, and an address has one."""
    address = "http://127.0.0.1:9/api/v1/matches/m" + "a" * 24
    said = "--report and --processes are for files and folders, not for the match at an address.\n"
    assert command("verify", address, "--report", "r.html") == (2, "", said)
    assert command("verify", address, "--processes", "2") == (2, "", said)


def test_bots_of_many_records_are_computed_again_on_request(tmp_path: Path, command: test_check_record.Command) -> None:
    """None unless it is asked for, since it takes as long as the bots thought; the report counts them."""
    path = tmp_path / "bots.ndjson"
    path.write_bytes(b"".join(record_of(GameId("coup"))))
    code, printed, _ = command("verify", str(tmp_path), "--processes", "1")
    assert code == 0
    assert re.search(r"Of (\d+) answers of bots 0 were computed again\.", printed)
    code, printed, _ = command("verify", str(tmp_path), "--bots", "1")
    given = re.search(r"Of (\d+) answers of bots (\d+) were computed again\.", printed)
    assert given is not None
    assert (code, given[1]) == (0, given[2])
