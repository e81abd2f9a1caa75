"""Other packages' games, played at random from Python through their own APIs; imported only when they are measured."""

from __future__ import annotations

import importlib
import random
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any


def open_spiel_oh_hell() -> Iterator[int]:
    """Play oh_hell, four seats; yield the moves of each game. Its deal is a chance node for each card, as its API wants it."""
    game: Any = importlib.import_module("pyspiel").load_game("oh_hell(players=4)")
    luck = random.Random(1).random
    while True:
        state = game.new_initial_state()
        moves = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(luck() * len(outcomes))][0])  # all are equally likely in this game
                continue
            legal = state.legal_actions()
            state.apply_action(legal[int(luck() * len(legal))])
            moves += 1
        yield moves


def rlcard_uno() -> Iterator[int]:
    """Play uno through its environment, whose steps return what the next seat sees; yield the moves of each game."""
    env: Any = importlib.import_module("rlcard").make("uno", {"seed": 1})
    luck = random.Random(1).random
    while True:
        state, _ = env.reset()
        moves = 0
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(luck() * len(legal))])
            moves += 1
        yield moves


def pettingzoo_texas_holdem() -> Iterator[int]:
    """Play texas_holdem through its environment; yield the moves of each game."""
    env: Any = importlib.import_module("pettingzoo.classic.texas_holdem_v4").env()
    luck = random.Random(1).random
    while True:
        env.reset(seed=int(luck() * 1_000_000))
        moves = 0
        for _ in env.agent_iter():
            seen, _, over, cut, _ = env.last()
            legal = [action for action, allowed in enumerate(seen["action_mask"]) if allowed]
            env.step(None if over or cut else legal[int(luck() * len(legal))])
            moves += not (over or cut)
        yield moves


PEERS: Mapping[str, Callable[[], Iterator[int]]] = {
    "OpenSpiel oh_hell, 4 seats": open_spiel_oh_hell,
    "RLCard uno, 2 seats": rlcard_uno,
    "PettingZoo texas_holdem, 2 seats": pettingzoo_texas_holdem,
}


def peer_rate(name: str, seconds: float) -> float | str:
    """Return the moves per second of processor time, or why there are none."""
    matches = PEERS[name]()
    try:
        next(matches)
    except ImportError as missing:
        return f"not measured, {missing}"
    moves = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        moves += next(matches)
    return moves / (time.process_time() - began)
