"""docs/examples/train.py in a tiny form; its figures in docs/research.md come from a whole run."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

import numpy as np
import pytest

from tests.support.paths import ROOT


@pytest.fixture(name="program")
def _program(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The program, with few tables and matches."""
    spec = spec_from_file_location("train", ROOT / "docs" / "examples" / "train.py")
    assert spec is not None
    assert spec.loader is not None
    program: Any = module_from_spec(spec)
    spec.loader.exec_module(program)
    for name, value in (("TABLES", 4), ("MATCHES", 8), ("HIDDEN", 16), ("RATE", 0.01)):
        monkeypatch.setattr(program, name, value)
    return program


def test_action_that_brought_more_becomes_likelier(program: Any) -> None:
    """After some steps of learning the rewarded action is nearly sure, and masked ones stay impossible."""
    rng = np.random.default_rng(1)
    policy = program.Policy(3, 4, rng)
    seen = np.ones((64, 3), np.float32)
    mask = np.tile(np.array([1, 1, 1, 0], np.bool_), (64, 1))
    for _ in range(60):
        odds, value, _ = policy(seen, mask)
        action = np.array([rng.choice(4, p=row / row.sum()) for row in odds.astype(float)])
        reward = np.where(action == 2, 1, -1).astype(np.float32)
        policy.learn(seen, mask, action, odds[np.arange(64), action], reward, value)
    odds, value, _ = policy(seen, mask)
    assert odds[0, 2] > 0.8
    assert odds[0, 3] == 0
    assert value[0] > 0


def test_training_gives_the_same_policy_for_a_seed(program: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """A short run plays, learns and says how it goes; what it has learned is measured on deals of its own."""
    first, second = (program.train("coup", 2, "honest", 1e9, seed=3, updates=2) for _ in range(2))
    assert all(np.array_equal(*pair) for pair in zip(first.weights, second.weights, strict=True))
    assert "16 matches" in capsys.readouterr().out
    share, low, high = program.measured(first, "coup", 2, "honest", 6, seed=1)
    assert 0 <= low <= share <= high <= 1
    assert program.measured(second, "coup", 2, "honest", 6, seed=1) == (share, low, high)


def test_rewards_belong_to_the_matches_that_were_played(program: Any) -> None:
    """Each match has one reward, 1 or -1 with two seats, and every step names a match; each deal is played on both seats."""
    arena = program.Arena("coup", 2, "random", 3, 1)
    rng = np.random.default_rng(1)
    policy = program.Policy(arena.courses[0].width, len(arena.courses[0].vocabulary), rng)
    (seen, mask, action, likely, _, match), rewards = arena.play(policy, 10, rng)
    assert set(rewards) <= {1.0, -1.0}
    assert set(match) <= set(range(10))
    assert len(seen) == len(mask) == len(action) == len(likely) == len(match)
    assert mask[np.arange(len(action)), action].all()
