"""Which characters names may have, compared with what Unicode says of them."""

from __future__ import annotations

import subprocess

from tafelrunde.service.players.names import SELECTORS, fit_name
from tests.support.patience import PATIENCE_SECONDS
from tools.node import environment

IGNORABLE = """
const ignorable = /\\p{Default_Ignorable_Code_Point}/u;
for (let point = 0; point <= 0x10ffff; point++) if (ignorable.test(String.fromCodePoint(point))) console.log(point);
"""


def test_name_is_refused_when_unicode_ignores_one_of_its_characters() -> None:
    """Python does not know which these are; Node.js does. What chooses between two drawings of a symbol may follow one."""
    command = ["node", "--eval", IGNORABLE]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True, timeout=10 * PATIENCE_SECONDS)
    points = [chr(int(line)) for line in done.stdout.split()]
    assert len(points) > 4_000
    assert [ascii(each) for each in points if fit_name(f"An{each}na") is not None] == []
    assert [each for each in points if fit_name(f"Anna ☎{each}☎") is not None] == list(SELECTORS)
