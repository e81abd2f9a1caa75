"""Coup by policy gradient: trains the net that the bot `policy` plays by. `python -m bench.coup_policy`.

All seats of many tables with two to six seats are played by one net, which learns from what came of its moves (PPO, Schulman et
al. 2017; that so simple a method holds against counterfactual regret in games of hidden information: Rudolph et al. 2025, arXiv
2502.08938). A second net judges positions and sees all hands; it is for training alone. Late in the training the policy is the
mean of the nets that it went through. Prints what to write into domain/coup/bots/learned_policy.py.

POLICY_MINUTES: how long (60). POLICY_FILE: where to keep the net (build/coup-policy.npz). POLICY_AGAINST: a file of that kind;
then one seat of each table learns to win against its policy at all others, a best response, which says how far it can be
exploited. POLICY_FROM: a file to begin with. POLICY_SEATS: only tables of that many seats. In the compiled form tables play much
faster.
"""

from __future__ import annotations

import os
import random
import time
from base64 import b85encode
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from bench.networks import Adam, Floats, Net
from bench.scale import SMALL, part, size, sized
from tafelrunde.domain.coup import GAME
from tafelrunde.domain.coup.bots import BOTS
from tafelrunde.domain.coup.bots.encoding import (
    FEATURES,
    KINDS,
    OF_CARD,
    PLACES,
    RIVALS,
    SEATS_AT,
    encode,
    place_of,
    rivals_of,
)
from tafelrunde.domain.coup.bots.policy import MIDDLE
from tafelrunde.domain.coup.conduct import WIDTH
from tafelrunde.domain.coup.messages import CoupCommand, CoupOptions
from tafelrunde.domain.coup.move_codec import move_of
from tafelrunde.domain.coup.moves import Move, legal, waiting
from tafelrunde.domain.coup.rules import apply, set_up
from tafelrunde.domain.coup.table import CoupTable
from tafelrunde.domain.coup.view import CoupView, view
from tafelrunde.domain.game import Bot, Seat
from tafelrunde.domain.search import Steps
from tafelrunde.domain.seats import NOBODY
from tafelrunde.service.simulate import SeededChance

Bytes: TypeAlias = npt.NDArray[np.uint8]
AnyBot: TypeAlias = Bot[CoupView, CoupCommand]

SEED: Final = int(os.environ.get("POLICY_SEED", "1"))
SEATS: Final = int(os.environ.get("POLICY_SEATS", "0"))
TABLES: Final = size(768, 8)
BATCH: Final = size(49_152, 64)
"""From how many decisions each batch learns, ..."""
MINI: Final = size(4_096, 32)
"""... how many of them each step takes, ..."""
EPOCHS: Final = 3
"""... and how often each is taken."""
UNITS: Final = (128, 64)
TABLES_OF: Final = (2, 2, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6)
"""The numbers of seats, as often as they are played."""
DUEL: Final = 2
INQUISITORS: Final = 0.3
DRAFTS: Final = 0.25
STARTERS: Final = 0.3
"""How often options are not the usual ones."""
RATES: Final = (7e-4, 5e-5)
ENTROPIES: Final = (0.02, 0.005)
"""How long steps are, and what the entropy of the policy is worth, at the beginning and at the end."""
CLIP: Final = 0.2
TRACE: Final = 0.95
"""How far what came of a move is believed beyond what the judge says of the next one."""
AVERAGED: Final = 0.5
"""From which part of the training on its nets are averaged."""
MIXED: Final = 0.35
OTHERS: Final = ("honest", "honest", "careful", "bold", "bluffer", "suspicious", "beginner")
"""At which part of the tables with more than two seats some are played by other bots, and by which: players are not all like the
net. With two seats it learns from itself alone, since that is what keeps it from being exploited."""
HIDDEN: Final = RIVALS * KINDS
MOST: Final = MIDDLE - 1


class Asked(NamedTuple):
    """What a seat sees, what is hidden from it, and the places of its moves, as bytes."""

    seen: bytes
    hidden: bytes
    mask: bytes


class Episode:
    """What one seat of a match saw and did, in order."""

    __slots__ = ("chosen", "hidden", "masks", "odds", "seen", "worths")

    def __init__(self) -> None:
        self.seen: list[bytes] = []
        self.hidden: list[bytes] = []
        self.masks: list[bytes] = []
        self.chosen: list[int] = []
        self.odds: list[float] = []
        self.worths: list[float] = []

    def add(self, asked: Asked, chosen: int, odds: float, worth: float) -> None:
        """Add a decision, how likely the choice was, as a logarithm, and what the judge thought of it before."""
        self.seen.append(asked.seen)
        self.hidden.append(asked.hidden)
        self.masks.append(asked.mask)
        self.chosen.append(chosen)
        self.odds.append(odds)
        self.worths.append(worth)


class Match:
    """A table, and what its learning seats saw and did; the others play by a policy that stays as it is."""

    def __init__(self, rng: random.Random, *, alone: bool) -> None:
        seats = SEATS or rng.choice(TABLES_OF)
        options = CoupOptions(
            fifth_role="inquisitor" if rng.random() < INQUISITORS else "ambassador",
            duel_draft=seats == DUEL and rng.random() < DRAFTS,
            duel_coins="starter_only" if rng.random() < STARTERS else "both",
        )
        self.chance = SeededChance(rng)
        self.table = CoupTable(options, seats)
        set_up(self.table, self.chance)
        self._rng = rng
        self._bots: dict[int, AnyBot] = {}
        if not alone and seats > DUEL and rng.random() < MIXED:
            self._bots = {seat: BOTS[rng.choice(OTHERS)] for seat in rng.sample(range(seats), rng.randrange(1, seats))}
        self.learns = [rng.randrange(seats)] if alone else [seat for seat in range(seats) if seat not in self._bots]
        self.episodes = [Episode() for _ in range(seats)]
        self.moves: list[Move] = []
        self.places: list[int] = []
        self.seat = NOBODY

    def ask(self) -> Asked | None:
        """Play on to the next choice, and return it; None at the end."""
        table = self.table
        while (seat := waiting(table)) != NOBODY:
            moves = [*legal(table, seat)]
            if len(moves) > 1 and seat not in self._bots:
                return self._asked(seat, moves)
            apply(table, seat, moves[0] if len(moves) == 1 else self._choice(seat), self.chance)
        return None

    def _choice(self, seat: int) -> Move:
        """Return the move of a bot that does not learn."""
        commands = GAME.legal(self.table, Seat(seat))
        return move_of(self._bots[seat].choose(view(self.table, Seat(seat)), commands, self._rng, Steps(0)))

    def _asked(self, seat: int, moves: list[Move]) -> Asked:
        seen = view(self.table, Seat(seat))
        rivals = rivals_of(seen)
        self.seat, self.moves, self.places = seat, moves, [place_of(move, rivals) for move in moves]
        mask = bytearray(PLACES)
        for place in self.places:
            mask[place] = 1
        hidden = bytearray(HIDDEN)
        for number, rival in enumerate(rivals):
            for card in self.table.hands[rival]:
                hidden[number * KINDS + OF_CARD[card]] += 1
        return Asked(bytes(encode(seen, rivals)), bytes(hidden), bytes(mask))

    def answer(self, place: int) -> None:
        """Make the move of a place."""
        apply(self.table, self.seat, self.moves[self.places.index(place)], self.chance)

    def share(self, seat: int) -> float:
        """Return what a seat has won, from 0 to 1."""
        return (seat in self.table.winners) / len(self.table.winners)


def rows(parts: list[bytes], width: int) -> Bytes:
    """Return strings of bytes as rows."""
    return np.frombuffer(b"".join(parts), np.uint8).reshape(len(parts), width)


def scales() -> Floats:
    """Return the range of each feature: coins and counts are larger than flags."""
    found = np.ones(FEATURES, np.float32)
    for start in SEATS_AT:
        found[start + 1] = 1 / 6
        found[start + 5 : start + 5 + WIDTH] = 1 / 2
    return found


SCALES: Final = scales()


def scaled(seen: Bytes) -> Floats:
    """Return features in a range in which a net learns well."""
    return seen.astype(np.float32) * SCALES


def log_odds(outputs: Floats, masks: Bytes) -> Floats:
    """Return the logarithm of how likely each place is, very low where it is not legal."""
    scores = np.where(masks > 0, outputs, np.float32(-1e9))
    scores = scores - scores.max(axis=1, keepdims=True)
    return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))


class Learner:
    """The policy, and a judge of positions that sees all hands, for training alone."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.policy = Net((FEATURES, *UNITS, PLACES), rng)
        self.judge = Net((FEATURES + HIDDEN, *UNITS, 1), rng)
        self._steps = Adam(self.policy.vector), Adam(self.judge.vector)

    def weigh(self, seen: Bytes, hidden: Bytes, masks: Bytes) -> tuple[Floats, Floats]:
        """Return log odds of all places, and how likely each seat wins."""
        inputs = scaled(seen)
        both = np.concatenate([inputs, hidden.astype(np.float32)], axis=1)
        return log_odds(self.policy.outputs(inputs)[-1], masks), self.judge.outputs(both)[-1][:, 0]

    def learn(self, batch: Batch, rate: float, entropy: float, rng: np.random.Generator) -> tuple[float, float]:
        """Take the steps of one batch (PPO, Schulman et al. 2017); return the mean entropy and the error of the judge."""
        found: list[tuple[float, float]] = []
        for _ in range(EPOCHS):
            order = rng.permutation(len(batch.chosen))
            for start in range(0, len(order) - MINI + 1, MINI):
                some = order[start : start + MINI]
                found.append(self._step(batch, some, rate, entropy))
        spread, error = np.mean(found, axis=0)
        return float(spread), float(error)

    def _step(self, batch: Batch, some: npt.NDArray[np.int64], rate: float, entropy: float) -> tuple[float, float]:
        inputs = scaled(batch.seen[some])
        masks, chosen = batch.masks[some], batch.chosen[some]
        count = len(some)
        outputs = self.policy.outputs(inputs)
        logs = log_odds(outputs[-1], masks)
        likely = np.exp(logs)
        own = logs[np.arange(count), chosen]
        gain = batch.gains[some]
        gain = (gain - gain.mean()) / (gain.std() + 1e-6)
        ratio = np.exp(own - batch.odds[some])
        held = ((gain > 0) & (ratio > 1 + CLIP)) | ((gain < 0) & (ratio < 1 - CLIP))
        weight = np.where(held, 0, gain * ratio).astype(np.float32)
        slope = likely * weight[:, None]
        slope[np.arange(count), chosen] -= weight
        plogs = np.where(masks > 0, likely * logs, 0)
        spread = -plogs.sum(axis=1)
        slope += entropy * (plogs + likely * spread[:, None]) * (masks > 0)
        slope /= count
        self._steps[0].step(self.policy.gradient(outputs, slope.astype(np.float32)), rate)
        both = np.concatenate([inputs, batch.hidden[some].astype(np.float32)], axis=1)
        judged = self.judge.outputs(both)
        error = judged[-1][:, 0] - batch.returns[some]
        self._steps[1].step(self.judge.gradient(judged, (error / count)[:, None].astype(np.float32)), rate)
        return float(spread.mean()), float((error * error).mean())


class Batch:
    """Decisions of many matches, with what came of each."""

    def __init__(self, ended: list[tuple[Episode, float]]) -> None:
        seen: list[bytes] = []
        hidden: list[bytes] = []
        masks: list[bytes] = []
        chosen: list[int] = []
        odds: list[float] = []
        gains: list[float] = []
        returns: list[float] = []
        for episode, won in ended:
            seen += episode.seen
            hidden += episode.hidden
            masks += episode.masks
            chosen += episode.chosen
            odds += episode.odds
            gain, after = 0.0, won
            backward: list[float] = []
            for place in range(len(episode.chosen) - 1, -1, -1):
                worth = episode.worths[place]
                gain = after - worth + TRACE * gain
                backward.append(gain)
                after = worth
            backward.reverse()
            gains += backward
            returns += [each + worth for each, worth in zip(backward, episode.worths, strict=True)]
        self.seen = rows(seen, FEATURES)
        self.hidden = rows(hidden, HIDDEN)
        self.masks = rows(masks, PLACES)
        self.chosen = np.array(chosen)
        self.odds = np.array(odds, np.float32)
        self.gains = np.array(gains, np.float32)
        self.returns = np.array(returns, np.float32)


class Mean:
    """The mean of the vectors of a training's later part: harder to exploit than the last one."""

    def __init__(self, vector: Floats) -> None:
        self.vector: Floats = np.zeros_like(vector)
        self._count = 0

    def add(self, vector: Floats) -> None:
        """Add one."""
        self._count += 1
        self.vector += (vector - self.vector) / self._count

    def best(self, last: Floats) -> Floats:
        """Return the mean, or the *last* vector as long as there is none."""
        return self.vector if self._count else last


class School:
    """Many tables that are played in step, a learner, and perhaps a policy to beat."""

    def __init__(self, seed: int, rival: Floats | None, first: Mapping[str, Floats]) -> None:
        self._rng = random.Random(seed)
        self._draws = np.random.default_rng(seed)
        self.learner = Learner(self._draws)
        if first:
            self.learner.policy.vector[:] = first["policy"]
            self.learner.judge.vector[:] = first["judge"]
        self._rival: Net | None = None
        if rival is not None:
            self._rival = Net(self.learner.policy.sizes, self._draws)
            self._rival.vector[:] = rival
        self._matches = [self._match() for _ in range(TABLES)]
        self._ended: list[tuple[Episode, float]] = []
        self.noted = self.decisions = 0
        self.shares: list[float] = []
        """What learning seats have won, match after match."""

    def _match(self) -> Match:
        return Match(self._rng, alone=self._rival is not None)

    def play(self) -> None:
        """Take one decision at each table."""
        asked = [self._next(number) for number in range(len(self._matches))]
        masks = rows([each.mask for each in asked], PLACES)
        seen = rows([each.seen for each in asked], FEATURES)
        logs, worths = self.learner.weigh(seen, rows([each.hidden for each in asked], HIDDEN), masks)
        chosen = self._drawn(logs, masks)
        if self._rival is not None:
            rival = self._drawn(log_odds(self._rival.outputs(scaled(seen))[-1], masks), masks)
            learns = np.array([match.seat in match.learns for match in self._matches])
            chosen = np.where(learns, chosen, rival)
        odds = logs[np.arange(len(chosen)), chosen]
        for number, (match, each) in enumerate(zip(self._matches, asked, strict=True)):
            if match.seat in match.learns:
                match.episodes[match.seat].add(each, int(chosen[number]), float(odds[number]), float(worths[number]))
            match.answer(int(chosen[number]))
        self.decisions += len(asked)

    def _next(self, number: int) -> Asked:
        """Return the next choice at a table, where a new match begins if one is over."""
        while (asked := self._matches[number].ask()) is None:
            self._end(self._matches[number])
            self._matches[number] = self._match()
        return asked

    def _end(self, match: Match) -> None:
        for seat in match.learns:
            self._ended.append((match.episodes[seat], match.share(seat)))
            self.noted += len(match.episodes[seat].chosen)
        self.shares.append(match.share(match.learns[0]))

    def _drawn(self, logs: Floats, masks: Bytes) -> npt.NDArray[np.int64]:
        """Return a place for each row, as often as it is likely (by Gumbel's maxima)."""
        return np.where(masks > 0, logs + self._draws.gumbel(size=logs.shape), -1e9).argmax(axis=1)

    def learn(self, rate: float, entropy: float) -> tuple[float, float]:
        """Learn from all matches that have ended; return the mean entropy of the policy and the error of the judge."""
        found = self.learner.learn(Batch(self._ended), rate, entropy, self._draws)
        self._ended, self.noted = [], 0
        return found


def main() -> None:
    """Train, and print the weights."""
    minutes = float(os.environ.get("POLICY_MINUTES", size(60, 0.02)))
    target = Path(os.environ.get("POLICY_FILE", f"build/coup-policy{'-small' * SMALL}.npz"))
    target.parent.mkdir(parents=True, exist_ok=True)
    school = School(SEED, kept("POLICY_AGAINST").get("policy"), kept("POLICY_FROM"))
    vector = school.learner.policy.vector
    mean = Mean(vector)
    began = time.monotonic()
    batches = 0
    while (done := (time.monotonic() - began) / 60 / minutes) < 1 or not batches:
        school.play()
        if school.noted < BATCH:
            continue
        spread, error = school.learn(between(RATES, done), between(ENTROPIES, done))
        batches += 1
        if done >= AVERAGED:
            mean.add(vector)
        if batches % 10 == 1:
            won = float(np.mean(school.shares[-5_000:]))
            np.savez(target, policy=mean.best(vector), judge=school.learner.judge.vector)
            part(f"{school.decisions} decisions, entropy {spread:.3f}, error {error:.4f}, won {won:.3f} of {len(school.shares)}")
    np.savez(target, policy=mean.best(vector), judge=school.learner.judge.vector)
    print(module_text(mean.best(vector)))


def kept(variable: str) -> Mapping[str, Floats]:
    """Return the nets in the file that an environment variable names, none for none; end if it is no file of this command."""
    if (path := os.environ.get(variable)) is None:
        return {}
    nets = dict(np.load(path))
    if "policy" not in nets:
        raise SystemExit(f"{variable}: {path} has no policy")
    return nets


def between(ends: tuple[float, float], done: float) -> float:
    """Return a value on the way from the first to the last."""
    return ends[1] + (ends[0] - ends[1]) * (1 - min(done, 1))


def module_text(vector: Floats) -> str:
    """Return the weights as the bot reads them."""
    net = Net((FEATURES, *UNITS, PLACES), np.random.default_rng())
    texts: list[int] = []
    rises: list[int] = []
    unit = 1.0
    for number, (weight, bias) in enumerate(net.layers(vector)):
        seen = weight * SCALES[:, None] if number == 0 else weight
        step = float(np.abs(seen).max()) / MOST
        unit *= step
        rise = max(1, int(np.ceil(np.abs(bias).max() / unit / MOST)))
        texts += [*np.rint(seen / step).astype(int).ravel(), *np.rint(bias / unit / rise).astype(int)]
        rises.append(rise)
    text = b85encode(bytes([value + MIDDLE for value in texts])).decode()
    lines = "\n".join(text[start : start + 120] for start in range(0, len(text), 120))
    return f'UNITS: Final = {UNITS}\nRISES: Final = {tuple(rises)}\nUNIT: Final = {unit!r}\nWEIGHTS: Final = r"""\n{lines}\n"""'


if __name__ == "__main__":
    sized(__doc__)
    main()
