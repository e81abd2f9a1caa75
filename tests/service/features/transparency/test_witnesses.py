"""Cosignatures are accepted if they are of this log, and never too many."""

from __future__ import annotations

import hashlib

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.errors import StartupRefused
from tafelrunde.service.features.transparency.feature import STORE as TREE
from tafelrunde.service.features.transparency.log import TransparencyLog
from tafelrunde.service.features.transparency.port import Leaf, Outcome
from tafelrunde.service.features.transparency.witnesses import (
    PLACES,
    REST_SECONDS,
    NotCosigned,
    Witnesses,
    WitnessesFull,
    read_keys,
)
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.signing.notes import Kind, Note, PrivateKey, cosigned_at, is_signed, read_public
from tafelrunde.service.signing.signer import signer_of
from tests.service.story import NOON_MS

pytestmark = pytest.mark.anyio
NOON = NOON_MS // 1000


def witness(number: int) -> PrivateKey:
    """Return the key of a witness."""
    return PrivateKey(f"witness-{number}.example.org", bytes([number]) * 32, Kind.COSIGNATURE)


class Scene:
    """A log, its witnesses, and a clock."""

    def __init__(self, stores: Stores, *own: PrivateKey) -> None:
        self.now_ms = NOON_MS
        self.log = TransparencyLog(TREE.of(stores), lambda: self.now_ms, signer_of(None, bytes(32)))
        self.witnesses = Witnesses(TREE.of(stores), self.log, [key.public.text for key in own], lambda: self.now_ms)

    async def grow(self, count: int) -> None:
        """Add matches."""
        size = (await self.log.checkpoint()).size
        numbers = range(size, size + count)
        chains = [hashlib.sha256(b"%d" % number).digest() for number in numbers]
        pairs = zip(numbers, chains, strict=True)
        await self.log.add([Leaf(MatchId(f"m{number}"), 9, chain, Outcome.OVER, 1) for number, chain in pairs])

    async def hand_in(self, key: PrivateKey, time: int, note: Note | None = None) -> None:
        """Hand in a cosignature of a note, by default of the newest checkpoint."""
        text = note or (await self.log.sign_checkpoint())[1]
        await self.witnesses.accept(key.public.text, f"{text}{key.cosign(text.text, time).line}\n")


async def test_newest_cosignature_of_each_witness_is_shown(stores: Stores) -> None:
    """A witness has one place; who reads it checks both signatures without the service."""
    scene = Scene(stores)
    await scene.grow(3)
    await scene.hand_in(witness(1), NOON)
    await scene.grow(4)
    await scene.hand_in(witness(2), NOON)
    await scene.hand_in(witness(1), NOON + 5)
    await scene.grow(1)
    found = await scene.witnesses.cosigned_checkpoints()
    assert {key for key, _ in found} == {witness(1).public.text, witness(2).public.text}
    for key, note in found:
        assert is_signed(note, scene.log.signer.public)
        assert note.text.split("\n")[1] == "7"
        assert cosigned_at(note, read_public(key)) in {NOON, NOON + 5}


async def test_cosignature_of_another_log_is_refused(stores: Stores) -> None:
    """Neither a root that the log never had, nor another origin, size, kind, time or signature."""
    scene = Scene(stores)
    await scene.grow(3)
    size, root = await scene.log.at(3)
    signer = scene.log.signer
    wrong = (
        signer.checkpoint(size, bytes(32)),
        signer.checkpoint(4, root),
        signer_of(None, bytes([1]) * 32).checkpoint(size, root),
    )
    for note in wrong:
        with pytest.raises(NotCosigned):
            await scene.hand_in(witness(1), NOON, note)
    with pytest.raises(NotCosigned):
        await scene.hand_in(witness(1), NOON + 400)
    note = signer.checkpoint(size, root)
    line = witness(2).cosign(note.text, NOON).line
    one, two = witness(1).public.text, witness(2).public.text
    for key, text in ((one, f"{note}{line}\n"), (two, str(note)), ("x", str(note)), ("", "")):
        with pytest.raises(NotCosigned):
            await scene.witnesses.accept(key, text)
    assert await scene.witnesses.cosigned_checkpoints() == []


async def test_older_cosignature_does_not_replace_a_newer_one(stores: Stores) -> None:
    """What was handed in once more, late, changes nothing."""
    scene = Scene(stores)
    await scene.grow(3)
    earlier = (await scene.log.sign_checkpoint())[1]
    await scene.grow(1)
    await scene.hand_in(witness(1), NOON)
    with pytest.raises(NotCosigned):
        await scene.hand_in(witness(1), NOON, earlier)


async def test_witnesses_are_bounded_and_listed_ones_always_have_a_place(stores: Stores) -> None:
    """Others share the places that are left; one that has rested for a day makes room."""
    scene = Scene(stores, witness(99))
    await scene.grow(1)
    for number in range(PLACES):
        await scene.hand_in(witness(number), NOON + number)
    with pytest.raises(WitnessesFull):
        await scene.hand_in(witness(98), NOON)
    await scene.hand_in(witness(99), NOON)
    scene.now_ms += 1000 * (REST_SECONDS + 1)
    await scene.hand_in(witness(98), NOON + REST_SECONDS)
    kept = {key for key, _ in await scene.witnesses.cosigned_checkpoints()}
    assert len(kept) == PLACES + 1
    assert witness(0).public.text not in kept
    assert {witness(98).public.text, witness(99).public.text} <= kept


@pytest.mark.parametrize("setting", ["x", "a+b+c", signer_of(None, bytes(32)).public.text])
def test_setting_that_names_no_witnesses_is_refused(setting: str) -> None:
    """A mistyped key stops the start instead of being left out."""
    with pytest.raises(StartupRefused):
        read_keys(setting)
