"""The games as environments for learning agents (extra `research`).

from tafelrunde.research import env

table = env("coup", seats=3)
table.reset(seed=1)
for agent in table.agent_iter():
    observation, reward, terminated, truncated, _ = table.last()
    table.step(None if terminated or truncated else table.action_space(agent).sample(observation["action_mask"]))
"""

from .environment import Observation, Tafelrunde, env
from .parallel import ParallelTafelrunde, parallel_env
from .solo import SoloTafelrunde, solo_env
from .vectors import Batch, Tables, tables

__all__ = [
    "Batch",
    "Observation",
    "ParallelTafelrunde",
    "SoloTafelrunde",
    "Tables",
    "Tafelrunde",
    "env",
    "parallel_env",
    "solo_env",
    "tables",
]
