"""What players have on their own devices catches a late secret, a split log, a dropped match and a changed feed."""

from __future__ import annotations

import asyncio
import base64
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tafelrunde.audit.kept_evidence import compare_at_service
from tafelrunde.audit.known_log import ServedLog
from tafelrunde.client import ApiError, AsyncClient, Client
from tafelrunde.client.keeping import Kept, KeptFeed, read_kept
from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, MatchId, MatchSettings, PlayerId
from tafelrunde.domain.match.commands import BotPlay, OpenMatch, Play, SeatBot, Seating, StartMatch, TakeSeat
from tafelrunde.domain.match.terms import DRAWS, EDITION, Dealing
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.dealing.dealer import commitment_to
from tafelrunde.service.features.transparency.log import MatchProofs
from tafelrunde.service.features.transparency.port import LeafKind
from tafelrunde.service.matches.repository import Loaded
from tafelrunde.service.ports.events import GENESIS, Version, chain_over
from tafelrunde.service.views.feeds import Feed
from tests.audit.test_watching import changed, judged, leaves_of, opened, shown_instead
from tests.service.features.records.test_mutants import with_sum
from tests.service.features.records.test_record import CODEC, Story
from tests.support.patience import PATIENCE_SECONDS
from tests.support.processes import run, until
from tests.support.served import Service, service
from tests.support.the_log import log_of
from tests.support.verifying import verdicts

pytestmark = pytest.mark.xdist_group("client")
NAME = MatchId("m" + "b" * 24)
PLAYER = PlayerId("p0")
SECRET, LATER = "5" * 64, "6" * 64
NONCE = "drawn-after-the-commitment"


@pytest.fixture(scope="module")
def served() -> Iterator[Service]:
    """A running service."""
    with service() as running:
        yield running


class Played:
    """A match against a bot that was played to its end by a client that keeps a file of it."""

    def __init__(self, served: Service, folder: Path, game: str = "coup") -> None:
        seats = GAMES[GameId(game)].min_seats
        with Client(served.url, keep=folder) as client:
            client.sign_up()
            opened(client)  # so that the log is not empty when the checkpoint is kept
            bots = dict.fromkeys(range(1, seats), "random")
            self.match = client.open_match(game, seats, bots=bots, start=True, spectators="public").match
            play_out(client, self.match)
            self.record = client.record(self.match)
        self.address = f"{served.url}/api/v1/matches/{self.match}"
        self.path = folder / f"{self.match}.kept.json"
        self.file = folder / "record.ndjson"
        self.file.write_bytes(self.record)

    @property
    def kept(self) -> Kept:
        """What was kept."""
        return read_kept(self.path.read_bytes())


def play_out(client: Client, match: str) -> None:
    """Play a match against bots to its end, and hear all of it."""
    for _ in client.follow(match):
        view = client.view(match)
        if view.question is not None and view.status == "running":
            answer(client, match, view.question.decision, view.question.legal[0])


def answer(client: Client, match: str, decision: int, command: Any) -> None:
    """Give an answer, unless the decision was closed meanwhile."""
    try:
        client.play(match, decision, command)
    except ApiError as error:
        if error.problem.type != "urn:tafelrunde:problem:decision-closed":
            raise


@pytest.fixture(scope="module")
def played(served: Service, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A match that is over."""
    return Played(served, tmp_path_factory.mktemp("kept"))


def on_device(record: bytes, kept: Kept) -> Any:
    """Return what the web client's check finds."""
    [verdict] = verdicts([record], msgspec.to_builtins(kept))
    return verdict


def verified(source: Path | str, kept: Path, *more: str) -> tuple[int, str]:
    """Verify with a kept file; return the exit code and all that was said."""
    done = run("verify", str(source), "--kept", str(kept), *more)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("game", ["coup", "stich-meister"])
def test_client_keeps_what_proves_the_deal(served: Service, tmp_path: Path, game: str) -> None:
    """Commitment before the nonce, roots, the whole feed, signatures: all compared by both checks."""
    played = Played(served, tmp_path, game)
    kept = played.kept
    assert (len(kept.nonce), kept.seat) == (32, 0)
    assert kept.feed is not None
    assert kept.feed.n > 10
    found = on_device(played.record, kept)
    assert (found["conclusion"], found["open"]) == ("right", []), found
    assert set(found["compared"]) == {"commitment", "nonce", "roots", "feed", "signature"}
    code, said = verified(played.file, played.path)
    assert (code, "Compared with what was kept: match, commitment, nonce, roots, feed, signature." in said) == (0, True), said
    assert "Kept, but not compared: log." in said
    code, said = verified(played.address, played.path)
    assert (code, "roots, feed, signature, log" in said) == (0, True), said
    code, said = verified(played.file, played.path, "--json")
    assert (code, json.loads(said)["kept"]["finding"]) == (0, None)


def test_kept_file_checkpoint_and_bots_are_checked_together(served: Service, played: Played) -> None:
    """All of it in one call; a checkpoint of another log is wrong, whatever was kept."""
    with Client(served.url) as client:
        until("the match is in the log", lambda: has_proofs(client, played.match))
        checkpoint = client.checkpoint()
    saved = f"{checkpoint.size}:{checkpoint.root}"
    code, said = verified(played.address, played.path.parent, "--checkpoint", saved, "--bots", "1")
    assert (code, "roots, feed, signature, log, opening, end, ends." in said, "were computed again." in said) == (
        0,
        True,
        True,
    ), said
    code, said = verified(played.address, played.path, "--checkpoint", f"{checkpoint.size}:{'0' * 64}")
    assert (code, "Wrong at log: the checkpoint that was kept" in said) == (1, True), said


def has_proofs(client: Client, match: str) -> bool:
    """Return whether a match is in the log."""
    try:
        return bool(client.log_proofs(match).leaves)
    except ApiError:
        return False


def test_client_sits_down_after_it_has_the_commitment(served: Service, tmp_path: Path) -> None:
    """Whether it opens the match or joins one; in the opening there is no seat and no nonce."""
    asyncio.run(sat_down(served, tmp_path))


async def sat_down(served: Service, tmp_path: Path) -> None:
    """Let one player open a match, and another join it."""
    async with AsyncClient(served.url, keep=tmp_path / "one") as one, AsyncClient(served.url, keep=tmp_path / "other") as other:
        await one.sign_up()
        await other.sign_up()
        receipt = await one.open_match("coup", 2)
        kinds = [item.event["type"] for item in receipt.items]
        assert (kinds[0], kinds[-1]) == ("match.opened.1", "match.seat-taken.1")
        await other.take_seat(receipt.match)
        commitment = receipt.items[0].event["commitment"]
        kept = [read_kept((tmp_path / name / f"{receipt.match}.kept.json").read_bytes()) for name in ("one", "other")]
        assert [each.commitment for each in kept] == [commitment, commitment]
        assert [each.seat for each in kept] == [0, 1]
        assert len({each.nonce for each in kept} - {""}) == 2
        unseated = await one.open_match("coup", 2, nonce="", seat=None)
        assert "match.seat-taken.1" not in [item.event["type"] for item in unseated.items]


def test_opening_that_is_refused_leaves_no_match(served: Service) -> None:
    """A seat that a bot has already: the match that was opened for it is aborted again."""
    with Client(served.url) as client:
        client.sign_up()
        with pytest.raises(ApiError):
            client.open_match("coup", 2, bots={0: "random"})
        until("no open match is left", lambda: client.matches(own=True, status="open").items == ())


# A secret that was chosen when the nonce was known


def dealt(secret: str, plays: int = 0, opened_with: str = SECRET) -> Story:
    """Return a match that a player opened, and sat down in with a nonce, played at random by the number of *plays*."""
    told = Story(NAME)
    settings = MatchSettings(game=GameId("coup"), seats=2, options={"first_seat": 0})
    commitment = commitment_to(NAME, secret)
    opening = OpenMatch(settings=settings, host=PLAYER, secret=secret, commitment=commitment, seating=(), start=False)
    told.do(msgspec.structs.replace(opening, dealing=Dealing.CARDS, draws=DRAWS))
    told.do(TakeSeat(player=PLAYER, seat=Seat(0), nonce=NONCE))
    told.do(SeatBot(PLAYER, Seat(1), BotName("random")))
    told.do(StartMatch(PLAYER))
    return played_on(told, plays)


def dealt_again(secret: str) -> Story:
    """Return a rematch that deals when its player has sat down with a nonce."""
    told = Story(NAME)
    seats = (Seating(seat=Seat(0), player=PLAYER, reserved=True), Seating(seat=Seat(1), bot=BotName("random")))
    opening = OpenMatch(
        settings=MatchSettings(game=GameId("coup"), seats=2, options={"first_seat": 0}),
        host=PLAYER,
        secret=secret,
        commitment=commitment_to(NAME, secret),
        seating=seats,
        parent=MatchId("m" + "a" * 24),
        dealing=Dealing.CARDS,
        edition=EDITION,
        draws=DRAWS,
    )
    told.do(opening)
    told.do(TakeSeat(player=PLAYER, nonce=NONCE))
    return played_on(told, 0)


def played_on(told: Story, plays: int) -> Story:
    """Play a match that has begun to its end."""
    rng = random.Random(plays)
    while (ask := told.match.pending()) is not None and (decision := told.match.open_decision()) is not None:
        seat = rng.choice(ask.open)
        move = rng.choice(told.match.game.legal(told.match.table, seat))
        told.do(Play(PLAYER, decision, move) if seat == 0 else BotPlay(seat, decision, move))
    return told


def feed_of(told: Story, seat: int | None) -> Feed:
    """Return all that a viewer is sent of a match."""
    loaded = Loaded(told.match, Version(len(told.entries)), chain_over(GENESIS, told.entries), told.entries)
    feed = Feed(Seat(seat) if seat is not None else None, told.entries)
    feed.extend(loaded, CODEC)
    return feed


def chain_of(told: Story, n: int) -> str:
    """Return the chain over the first items that seat 0 is sent."""
    return feed_of(told, 0).chain(n).hex()


def kept_of(told: Story, seat: int | None = 0) -> Kept:
    """Return what the player of a seat keeps of a match (None: a spectator): the commitment, the nonce, and its feed."""
    feed = feed_of(told, seat)
    n = len(feed.items)
    return Kept(
        service="https://cards.example.org",
        origin="tafelrunde/0",
        keys=(),
        match=NAME,
        commitment=told.match.facts.commitment,
        seat=seat,
        nonce=NONCE if seat == 0 else "",
        feed=KeptFeed(seat=seat, n=n, chain=feed.chain(n).hex()),
    )


def differs(tmp_path: Path, kept: Kept, told: Story, what: str) -> None:
    """Make sure that a record that is right in itself is not the kept match, for both checks."""
    record = b"".join(told.lines())
    path = tmp_path / "kept.json"
    file = tmp_path / "record.ndjson"
    [alone] = verdicts([record])
    assert alone["conclusion"] == "right"
    assert on_device(record, kept) == {"conclusion": "wrong", "wrong": f"kept: {what}"}, what
    path.write_bytes(msgspec.json.encode(kept))
    file.write_bytes(record)
    code, said = verified(file, path)
    first, *more = said.splitlines()
    assert (code, first.startswith("Wrong at kept: "), what in first) == (1, True, True), said
    assert not any("is right" in line for line in more), said


def test_secret_that_was_chosen_for_a_nonce_is_caught(tmp_path: Path) -> None:
    """The operator tries secrets until a bot has a good hand, and writes a record that is right: the commitment gives it away."""
    kept = kept_of(dealt(SECRET))
    for tried in range(3):
        differs(tmp_path, kept, dealt(f"{tried}" * 64), "the commitment")


def test_secret_of_a_rematch_that_was_chosen_for_a_nonce_is_caught(tmp_path: Path) -> None:
    """It deals only once its player has sat down with a nonce drawn after the commitment: there is no older one to choose by."""
    honest = dealt_again(SECRET)
    kept = kept_of(honest)
    found = on_device(b"".join(honest.lines()), kept)
    assert (found["conclusion"], {"commitment", "nonce"} <= set(found["compared"])) == ("right", True), found
    for tried in range(3):
        differs(tmp_path, kept, dealt_again(f"{tried}" * 64), "the commitment")


def test_client_keeps_what_proves_the_deal_of_a_rematch(served: Service, tmp_path: Path) -> None:
    """It sits down with a nonce of its own once the commitment is kept; both checks compare the two."""
    with Client(served.url, keep=tmp_path) as client:
        client.sign_up()
        first = client.open_match("coup", 2, bots={1: "random"}, start=True).match
        play_out(client, first)
        client.rematch(first)
        taken = client.join_rematch(first)
        assert taken is not None
        play_out(client, taken.match)
        record = client.record(taken.match)
        path = tmp_path / f"{taken.match}.kept.json"
    kept = read_kept(path.read_bytes())
    before = read_kept((tmp_path / f"{first}.kept.json").read_bytes())
    assert (kept.seat, len(kept.nonce), kept.nonce != before.nonce) == (0, 32, True)
    found = on_device(record, kept)
    assert (found["conclusion"], {"commitment", "nonce"} <= set(found["compared"])) == ("right", True), found
    file = tmp_path / "record.ndjson"
    file.write_bytes(record)
    code, said = verified(file, path)
    assert (code, "match, commitment, nonce" in said) == (0, True), said


def test_rematch_waits_for_those_who_have_not_agreed(served: Service, tmp_path: Path) -> None:
    """None as long as one is missing; then both clients take their seats, each with a nonce and a file of its own."""
    asyncio.run(played_again(served, tmp_path))


async def played_again(served: Service, tmp_path: Path) -> None:
    """Let two players finish a match and play again."""
    async with AsyncClient(served.url, keep=tmp_path / "one") as one, AsyncClient(served.url, keep=tmp_path / "other") as other:
        for each in (one, other):
            await each.sign_up()
        match = (await one.open_match("coup", 2)).match
        await other.take_seat(match)
        await one.start(match)
        await asyncio.to_thread(served.finish, match, random.Random(1))
        await one.rematch(match)
        assert await one.join_rematch(match, wait_seconds=0) is None
        waiting = asyncio.create_task(one.join_rematch(match, wait_seconds=PATIENCE_SECONDS))
        await other.rematch(match)
        taken = [await other.join_rematch(match), await waiting]
        [successor] = {each.match for each in taken if each is not None}
        assert (await one.match(successor)).status == "running"
        kept = [read_kept((tmp_path / name / f"{successor}.kept.json").read_bytes()) for name in ("one", "other")]
        assert len({each.nonce for each in kept} - {""}) == 2


def test_feed_that_was_changed_is_caught(tmp_path: Path) -> None:
    """Other moves that are as legal, from the same cards: only the chain of the player's feed differs."""
    kept = kept_of(dealt(SECRET, 1))
    differs(tmp_path, kept, dealt(SECRET, 2), "your feed")
    code, said = verified(tmp_path / "record.ndjson", tmp_path / "kept.json", "--json")
    found = json.loads(said)
    assert (code, found["right"], found["conclusion"]) == (1, False, "wrong")
    assert found["finding"] == found["kept"]["finding"]


def test_cards_that_were_exchanged_are_called_yours(tmp_path: Path) -> None:
    """In words for players: whose cards, of which deal, and what they should be."""
    told = dealt(SECRET)

    def exchange(entries: list[Any]) -> None:
        event = next(each[4] for each in entries if each[4]["type"] == "coup.dealt.1")
        event["hands"][0] = ["assassin", "assassin"]

    (path := tmp_path / "kept.json").write_bytes(msgspec.json.encode(kept_of(told)))
    (file := tmp_path / "record.ndjson").write_bytes(b"".join(rechained_with(told.lines(), exchange)))
    code, said = verified(file, path)
    assert code == 1
    assert re.match(
        r"Wrong at \d+: your cards of deal 1 are not those of the secret\. Expected seat 0: [a-z, ]+, found seat 0: ", said
    )
    assert "assassin, assassin" in said


def rechained_with(lines: list[bytes], change: Callable[[list[Any]], None]) -> list[bytes]:
    """Return a record with changed entries, chained and summed again."""
    rows = [json.loads(line) for line in lines]
    entries = [row for row in rows if row["line"] == "entry"]
    envelopes = [msgspec.msgpack.decode(base64.b64decode(row["bytes"])) for row in entries]
    change(envelopes)
    chain = GENESIS
    for row, envelope in zip(entries, envelopes, strict=True):
        content = msgspec.msgpack.encode(envelope)
        chain = chain_over(chain, (content,))
        row |= {"bytes": base64.b64encode(content).decode(), "chain": chain.hex(), "event": envelope[4]}
    return with_sum([msgspec.json.encode(row) + b"\n" for row in rows[:-1]])


def test_anything_else_that_was_kept_is_compared(played: Played, tmp_path: Path) -> None:
    """A nonce, a root, a chain, a signed note: each changed alone."""
    kept = played.kept
    path = tmp_path / "kept.json"
    assert kept.feed is not None
    mark, key = kept.marks[-1], kept.keys[0]
    other_key = key[:-1] + ("A" if key[-1] != "A" else "B")
    changed = {
        "nonce": msgspec.structs.replace(kept, nonce="0" * 32),
        "root": msgspec.structs.replace(kept, deals=(msgspec.structs.replace(kept.deals[0], root="0" * 64), *kept.deals[1:])),
        "feed": msgspec.structs.replace(kept, feed=msgspec.structs.replace(kept.feed, chain="0" * 64)),
        "items": msgspec.structs.replace(kept, feed=msgspec.structs.replace(kept.feed, n=kept.feed.n - 1)),
        "match": msgspec.structs.replace(kept, match=NAME),
        "no signature": msgspec.structs.replace(kept, marks=(f"{mark[:-1]}x\n",)),
        "no key": msgspec.structs.replace(kept, keys=(other_key,)),
        "short key": msgspec.structs.replace(kept, keys=(key[:-8],)),
        "signature": msgspec.structs.replace(kept, marks=(mark[:-8] + ("A" if mark[-8] != "A" else "B") + mark[-7:],)),
    }
    for name, other in changed.items():
        path.write_bytes(msgspec.json.encode(other))
        assert on_device(played.record, other)["conclusion"] == "wrong", name
        code, said = verified(played.file, path)
        assert (code, said.startswith("Wrong at kept: ")) == (1, True), (name, said)


def test_file_that_is_no_kept_file_is_refused(played: Played, tmp_path: Path) -> None:
    """Exit code 2, before anything is checked."""
    path = tmp_path / "kept.json"
    nameless = {name: value for name, value in msgspec.to_builtins(played.kept).items() if name != "format"}
    for content in (
        b"",
        b"{}",
        b'{"format":"other"}',
        json.dumps(nameless).encode(),
        msgspec.json.encode(msgspec.structs.replace(played.kept, format="x")),
    ):
        path.write_bytes(content)
        assert verified(played.file, path)[0] == 2
    assert verified(played.file, tmp_path / "nope")[0] == 2


# What was kept, and does not prove enough


def both(tmp_path: Path, told: Story, kept: Kept) -> tuple[int, str]:
    """Return what verifying a record that is right says; the web client's check must conclude the same, with the same open."""
    file, path = tmp_path / "record.ndjson", tmp_path / "kept.json"
    file.write_bytes(b"".join(told.lines()))
    path.write_bytes(msgspec.json.encode(kept))
    code, said = verified(file, path, "--bots", "0", "--json")
    found = json.loads(said)
    theirs = on_device(file.read_bytes(), kept)
    assert found["conclusion"] == theirs["conclusion"]
    assert {*found["kept"]["open"], *found["undecided"]} == {*theirs["open"]}
    assert [each for each in found["kept"]["compared"] if each != "match"] == theirs["compared"]
    assert verified(file, path, "--bots", "0")[0] == code
    return verified(file, path, "--bots", "0")


def begun_at_once() -> Story:
    """Return a match that was opened, seated and begun by one command: its nonce was known to who made the secret."""
    told = Story(NAME)
    settings = MatchSettings(game=GameId("coup"), seats=2, options={"first_seat": 0})
    seating = (Seating(seat=Seat(0), player=PLAYER, nonce=NONCE), Seating(seat=Seat(1), bot=BotName("random")))
    opening = OpenMatch(
        settings=settings, host=PLAYER, secret=SECRET, commitment=commitment_to(NAME, SECRET), seating=seating, start=True
    )
    told.do(msgspec.structs.replace(opening, dealing=Dealing.CARDS, draws=DRAWS))
    return played_on(told, 0)


def test_nonce_that_the_server_knew_before_it_chose_proves_nothing(tmp_path: Path) -> None:
    """As in a rematch that is dealt at once: neither check lists the commitment, and the record is undecided for its player."""
    told = begun_at_once()
    kept = kept_of(told)
    code, said = both(tmp_path, told, kept)
    assert (code, "Not proved: the server knew your random number before it chose." in said) == (3, True), said
    assert "is undecided: nothing in it is wrong, but " in said
    assert "Compared with what was kept: match, feed." in said
    code, said = both(tmp_path, told, msgspec.structs.replace(kept, seat=None, nonce=""))
    assert (code, "Not proved: no random number of yours came after the commitment." in said) == (3, True), said
    assert "Compared with what was kept: match, feed." in said


def test_record_is_right_for_a_spectator_who_is_shown_what_is_not_proved(tmp_path: Path) -> None:
    """Who only watches has no share in the cards, and cannot have one."""
    told = dealt(SECRET)
    code, said = both(tmp_path, told, kept_of(told, None))
    assert (code, "Not proved: no random number of yours counts in the cards of this match." in said) == (0, True), said
    assert "Compared with what was kept: match, feed." in said


@pytest.mark.parametrize("n", [0, 3])
def test_feed_that_was_not_kept_to_the_end_leaves_the_rest_undecided(tmp_path: Path, n: int) -> None:
    """What was kept agrees; of what came later only the record speaks."""
    told = dealt(SECRET)
    whole = kept_of(told)
    assert both(tmp_path, told, whole)[0] == 0
    assert whole.feed is not None
    feed = KeptFeed(seat=0, n=n, chain=chain_of(told, n))
    code, said = both(tmp_path, told, msgspec.structs.replace(whole, feed=feed if n else None))
    assert (code, "Not proved: of the events that you were sent, not all were kept" in said) == (3, True), said


# What a service shows later


def test_split_log_is_caught(tmp_path: Path) -> None:
    """The service shows another log than when the checkpoint was kept; what two readers have kept proves it to anyone."""
    with service() as served:
        played = Played(served, tmp_path)
        [mine] = played.kept.checkpoints
        size = int(mine.split("\n")[1])
        served.do(shown_instead(served, [changed(leaf) for leaf in served.do(leaves_of(served))]))
        code, said = verified(played.address, played.path)
        assert (code, said.startswith(f"Wrong at kept: the root of the log of {size} leaves")) == (1, True), said
        theirs = str(log_of(served).signer.checkpoint(size, bytes(32)))  # as another reader was shown it
    notes = tmp_path / "mine.note", tmp_path / "theirs.note"
    for note, text in zip(notes, (mine, theirs), strict=True):
        note.write_text(text)
    code, said = judged(*notes, "--key", played.kept.keys[0])
    assert (code, "different readers were shown different logs" in said) == (1, True)


def test_opening_or_end_that_the_log_should_have_is_caught(served: Service, played: Played, tmp_path: Path) -> None:
    """A log that has much younger leaves lacks one of the match, or has another commitment in its place."""
    path = tmp_path / "kept.json"
    log = log_of(served)
    path.write_bytes(msgspec.json.encode(msgspec.structs.replace(played.kept, checkpoints=())))
    until("the match is in the log", lambda: "log, opening, end, ends." in verified(played.address, played.path)[1])
    leaves = served.do(leaves_of(served))
    whole = log._store
    later = leaves[-1].time_ms + 3_600_000
    own = [leaf for leaf in leaves if leaf.match == played.match]
    try:
        for leaf, what in zip(own, ("the opening of the match", "the end of the match"), strict=True):
            served.do(shown_instead(served, [each for each in leaves if each != leaf], at_ms=later))
            code, said = verified(played.address, path)
            assert (code, said.startswith(f"Wrong at kept: {what}")) == (1, True), said
        served.do(shown_instead(served, [*map(changed, leaves)], at_ms=later))
        code, said = verified(played.address, path)
        assert (code, said.startswith("Wrong at kept: leaf")) == (1, True), said
    finally:
        log._store = whole


def test_second_end_of_the_match_in_the_log_is_caught(
    served: Service, played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the service proves to this player the one that agrees with the record it gives, and hides the other."""
    path = tmp_path / "kept.json"
    path.write_bytes(msgspec.json.encode(msgspec.structs.replace(played.kept, checkpoints=())))
    until("the match is in the log", lambda: "log, opening, end, ends." in verified(played.address, played.path)[1])
    leaves = served.do(leaves_of(served))
    log = log_of(served)
    whole, prove = log._store, log.prove
    end = next(leaf for leaf in leaves if (leaf.match, leaf.kind) == (played.match, LeafKind.END))
    second = msgspec.structs.replace(end, version=end.version + 3, chain=bytes(32))

    async def prove_one(match_id: MatchId, size: int | None = None) -> MatchProofs:
        found = await prove(match_id, size)
        return msgspec.structs.replace(found, leaves=found.leaves[:1])

    try:
        served.do(shown_instead(served, [*leaves, second]))
        for what, hide in (("the leaves of the match in the log", False), ("the ends and corrections of the match", True)):
            with monkeypatch.context() as patch:
                if hide:
                    patch.setattr(log, "prove", prove_one)
                code, said = verified(played.address, path)
            assert (code, said.startswith(f"Wrong at kept: {what}")) == (1, True), said
    finally:
        log._store = whole


def test_log_that_is_served_old_is_not_called_right(served: Service, played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    """It continues what was kept, since it has stood still there: an hour later that is no accident any more."""
    log = log_of(served)
    size = int(played.kept.checkpoints[0].split("\n")[1])
    leaves = served.do(leaves_of(served))
    whole = log._store
    lines = played.record.splitlines(keepends=True)
    ended_ms = leaves[-1].time_ms
    try:
        served.do(shown_instead(served, leaves[:size]))
        for minutes, unsure in ((10, False), (120, True)):
            monkeypatch.setattr(ServedLog, "now_ms", ended_ms + 60_000 * minutes)
            found = compare_at_service(played.kept, lines, served.url, None)
            assert (found.finding, {"opening", "end"} <= {*found.open}) == (None, True)
            assert ("has stood still since" in found.unsure) == unsure
    finally:
        log._store = whole


def test_dropped_match_is_caught(played: Played) -> None:
    """A service that has no such match any more has signed what it sent of it."""
    with service() as other:
        code, said = verified(f"{other.url}/api/v1/matches/{played.match}", played.path)
        assert (code, said.startswith("Wrong at kept: the match"), "has signed" in said) == (1, True, True), said


def test_match_that_is_shown_to_its_seats_alone_is_undecided_without_a_token(served: Service, tmp_path: Path) -> None:
    """Who may not look has found nothing wrong; the hint says what it takes."""
    with Client(served.url, keep=tmp_path) as client:
        client.sign_up()
        token = client.token
        match = client.open_match("coup", 2, bots={1: "random"}, start=True).match
        for _ in client.follow(match):
            view = client.view(match)
            if view.question is not None and view.status == "running":
                answer(client, match, view.question.decision, view.question.legal[0])
    address = f"{served.url}/api/v1/matches/{match}"
    path = tmp_path / f"{match}.kept.json"
    code, said = verified(address, path)
    assert (code, said.startswith("Undecided: "), "the token of your seat in TAFELRUNDE_TOKEN" in said) == (3, True, True), said
    code, said = verified(address, path, "--json")
    assert (code, json.loads(said)["conclusion"], json.loads(said)["kept"]["finding"]) == (3, "undecided", None)
    done = run("verify", address, "--kept", str(path), token=str(token))
    assert (done.returncode, "Compared with what was kept: match, commitment, nonce" in done.stdout) == (0, True), done.stdout
