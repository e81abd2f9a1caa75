"""Train a policy for a game by reinforcement learning, with numpy alone, and measure it against a bot: `python train.py`.

A policy with one hidden layer plays many tables at once, against the bot on the other seats. What a match has brought is
credited to all its actions, less what a second output expected there (an advantage actor-critic with clipped ratios, PPO).
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path
from typing import Any

import numpy as np

from tafelrunde.domain.search import Steps
from tafelrunde.research.course import SeededChance
from tafelrunde.research.environment import course_of

HIDDEN = 128
TABLES = 128
MATCHES = 512  # matches for each update
EPOCHS, PORTION = 3, 2_048
CLIP, ENTROPY, VALUE = 0.2, 0.01, 0.5
RATE = 1e-3


class Policy:
    """Chooses among the actions of a mask, and says what it expects a match to bring."""

    def __init__(self, inputs: int, actions: int, rng: np.random.Generator) -> None:
        def layer(rows: int, columns: int, scale: float) -> Any:
            return (rng.standard_normal((rows, columns)) * scale / np.sqrt(rows)).astype(np.float32)

        self.weights = [
            *(layer(inputs, HIDDEN, 1.4), np.zeros(HIDDEN, np.float32)),
            *(layer(HIDDEN, HIDDEN, 1.4), np.zeros(HIDDEN, np.float32)),
            *(layer(HIDDEN, actions + 1, 0.1), np.zeros(actions + 1, np.float32)),
        ]
        self._means = [np.zeros_like(each) for each in self.weights]
        self._squares = [np.zeros_like(each) for each in self.weights]
        self._updates = 0

    def __call__(self, seen: Any, mask: Any) -> tuple[Any, Any, Any]:
        """Return the probabilities of the actions, the expected reward, and the hidden layers, for each row."""
        w1, b1, w2, b2, w3, b3 = self.weights
        first = np.maximum(seen @ w1 + b1, 0)
        second = np.maximum(first @ w2 + b2, 0)
        out = second @ w3 + b3
        logits = np.where(mask, out[:, :-1], -1e9)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return odds / odds.sum(axis=1, keepdims=True), out[:, -1], (first, second)

    def learn(self, seen: Any, mask: Any, action: Any, before: Any, reward: Any, expected: Any) -> None:
        """Take one step towards the actions that have brought more than was expected."""
        count = len(action)
        rows = np.arange(len(action))
        odds, value, (first, second) = self(seen, mask)
        chosen = odds[rows, action]
        gain = reward - expected
        gain = (gain - gain.mean()) / (gain.std() + 1e-6)
        ratio = chosen / before
        held = ((gain > 0) & (ratio > 1 + CLIP)) | ((gain < 0) & (ratio < 1 - CLIP))
        pull = np.where(held, 0, -gain * ratio)[:, None]
        out = odds * -pull
        out[rows, action] += pull[:, 0]
        log = np.log(odds + 1e-9)
        out += ENTROPY * odds * (log - (odds * log).sum(axis=1, keepdims=True))
        out = np.concatenate([out, VALUE * (value - reward)[:, None]], axis=1).astype(np.float32) / count
        w2, w3 = self.weights[2], self.weights[4]
        back = (out @ w3.T) * (second > 0)
        front = (back @ w2.T) * (first > 0)
        self._adam([seen.T @ front, front.sum(0), first.T @ back, back.sum(0), second.T @ out, out.sum(0)])

    def _adam(self, slopes: list[Any]) -> None:
        self._updates += 1
        rate = RATE * np.sqrt(1 - 0.999**self._updates) / (1 - 0.9**self._updates)
        for layer, slope in enumerate(slopes):
            self._means[layer] += 0.1 * (slope - self._means[layer])
            self._squares[layer] += 0.001 * (slope * slope - self._squares[layer])
            self.weights[layer] -= rate * self._means[layer] / (np.sqrt(self._squares[layer]) + 1e-8)


class Arena:
    """Tables at which the policy has one seat each, and a bot the others."""

    def __init__(self, game: str, seats: int, bot: str, number: int, seed: int) -> None:
        self.courses = [course_of(game, seats, None) for _ in range(number)]
        self.seats = seats
        self.seed = seed
        self._bot: Any = self.courses[0].game.bots()[bot]
        self._rng = random.Random(seed)

    def deal(self, place: int, deal: int, seat: int) -> None:
        """Deal at a table; the same seed, deal and seat give the same cards."""
        self.courses[place].deal(SeededChance(random.Random(f"{self.seed}/{deal}")))
        self.own[place] = seat
        self._bots_play(place)

    def _bots_play(self, place: int) -> None:
        course, own = self.courses[place], self.own[place]
        game = course.game
        rules = course.game.rulebook
        while course.asked not in (own, -1):
            seat: Any = course.asked
            command = self._bot.choose(course.view(seat), game.legal(course.table, seat), self._rng, Steps(9))
            course.carry_out(seat, rules.move_of(command))

    def play(self, policy: Policy, matches: int, rng: np.random.Generator, *, best: bool = False) -> tuple[list[Any], Any]:
        """Play matches, on each seat in turn; return a column of each thing that learning needs, and each match's reward."""
        self.own = [0] * len(self.courses)
        number = min(len(self.courses), matches)
        running = list(range(number))
        begun = number
        match_at = list(range(number))
        for place in running:
            self.deal(place, place // self.seats, place % self.seats)
        steps: list[tuple[Any, Any, Any, Any, Any, Any]] = []
        rewards = np.zeros(matches, np.float32)
        while running:
            for place in running[:]:
                while self.courses[place].asked == -1:  # also where bots alone have played a match to its end
                    rewards[match_at[place]] = self.courses[place].rewards()[self.own[place]]
                    if begun == matches:
                        running.remove(place)
                        break
                    match_at[place] = begun
                    self.deal(place, begun // self.seats, begun % self.seats)
                    begun += 1
            if not running:
                break
            seen = np.stack([np.frombuffer(self.courses[place].row(self.own[place]), np.float32) for place in running])
            mask = np.stack([np.frombuffer(self.courses[place].mask(self.own[place]), np.bool_) for place in running])
            odds, value, _ = policy(seen, mask)
            if best:
                action = odds.argmax(axis=1)
            else:
                luck = rng.random((len(running), 1)) * odds.sum(axis=1, keepdims=True) * 0.999999
                action = (odds.cumsum(axis=1) > luck).argmax(axis=1)
            likely = odds[np.arange(len(action)), action]
            steps.append((seen, mask, action, likely, value, np.array([match_at[place] for place in running])))
            for place, each in zip(running, action, strict=True):
                self.courses[place].say(int(each))
                self._bots_play(place)
        self.seed += 1
        return [np.concatenate(column) for column in zip(*steps, strict=True)], rewards


def interval(shares: Any, seed: int = 1) -> tuple[float, float, float]:
    """Return the mean and its 95 % bootstrap interval."""
    rng = np.random.default_rng(seed)
    means = np.sort(rng.choice(shares, (2_000, len(shares))).mean(axis=1))
    return float(shares.mean()), float(means[50]), float(means[-51])


def measured(policy: Policy, game: str, seats: int, bot: str, deals: int, seed: int) -> tuple[float, float, float]:
    """Return the policy's share of wins over deals that it has not seen, each played on every seat, and the interval."""
    arena = Arena(game, seats, bot, TABLES, 1_000_000 + seed)
    _, rewards = arena.play(policy, deals * seats, np.random.default_rng(seed), best=True)
    return interval((rewards == 1).reshape(deals, seats).mean(axis=1))


def train(game: str, seats: int, bot: str, seconds: float, seed: int, updates: int = 1_000_000) -> Policy:
    """Train for that much processor time, or that many updates."""
    rng = np.random.default_rng(seed)
    arena = Arena(game, seats, bot, TABLES, seed)
    policy = Policy(arena.courses[0].width, len(arena.courses[0].vocabulary), rng)
    began = time.process_time()
    matches = 0
    for update in range(1, updates + 1):
        (seen, mask, action, before, expected, match), rewards = arena.play(policy, MATCHES, rng)
        matches += MATCHES
        reward = rewards[match]
        for _ in range(EPOCHS):
            order = rng.permutation(len(action))
            for start in range(0, len(order), PORTION):
                part = order[start : start + PORTION]
                policy.learn(seen[part], mask[part], action[part], before[part], reward[part], expected[part])
        spent = time.process_time() - began
        if update % 10 == 0 or update == updates:
            print(f"{spent:6.0f} s, {matches:,} matches, {(rewards == 1).mean():.1%} won", flush=True)
        if spent > seconds:
            break
    return policy


def main() -> None:
    """Train, measure, and keep the policy if wanted."""
    parser = argparse.ArgumentParser(description="Train a policy against a bot.")
    parser.add_argument("--game", default="coup")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--bot", default="honest")
    parser.add_argument("--minutes", type=float, default=2.0, help="of processor time")
    parser.add_argument("--deals", type=int, default=1_000, help="of the measurement")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="where to keep the weights (npz)")
    given = parser.parse_args()
    policy = train(given.game, given.seats, given.bot, 60 * given.minutes, given.seed)
    share, low, high = measured(policy, given.game, given.seats, given.bot, given.deals, given.seed)
    print(f"{share:.1%} of {given.deals * given.seats:,} matches won against {given.bot} (95 %: {low:.1%} to {high:.1%})")
    if given.out is not None:
        np.savez(given.out, *policy.weights)


if __name__ == "__main__":
    main()
