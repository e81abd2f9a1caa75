"""The drawings of cards and the colours of the table: each card has one, they are small, and all that is written can be read."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
from collections.abc import Iterable
from functools import cache
from typing import Any, Literal, TypeAlias

import pytest

from tafelrunde.api.http import static_files
from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS
from tools.node import environment

DRAWING = ROOT / "tests" / "support" / "drawing.mjs"
WEB = ROOT / "api" / "web"
STYLES = WEB / "styles"
DRAWN = tuple(game for game in GAMES if (WEB / "games" / f"{game}.js").exists())
"""The games with a table of their own; the others are shown at the plain one, without cards."""
MOST_PACKED = 25_000
"""The most bytes that the drawings of one game may be, packed."""
MOST_OF_FACES = 12_000
PAPER = "#fdfaf0"
GROUNDS = {"light": ("#f3efe4", "#fffdf7"), "dark": ("#121917", "#1e2926")}
"""What headings stand on in each scheme."""
ON_FELT = ("#fbf6e6", "#cddcd3", "#ffcf70", "#ffdf9e")
"""What is written on the felt: text, quiet text, marks and accents."""
CLOTHS = ("green", "night", "wood")
TEXT = 4.5
SIGN = 3.0
"""The contrast that text needs (WCAG 2, AA), and signs and large figures."""

Scheme: TypeAlias = Literal["light", "dark"]


@cache
def drawn() -> dict[str, list[dict[str, Any]]]:
    """Draw every card of every game."""
    cards = {
        game: [
            {"card": each.card, "suits": list(each.suits), "rank": each.rank, "kinds": list(each.kinds)}
            for each in GAMES[game].faces()
        ]
        for game in DRAWN
    }
    command = ["node", str(DRAWING)]
    done = subprocess.run(
        command, input=json.dumps(cards), env=environment(), capture_output=True, text=True, check=True, timeout=PATIENCE_SECONDS
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("game", DRAWN)
def test_every_card_has_a_drawing_made_of_shapes_alone(game: GameId) -> None:
    """Nothing else is in it: no script, no address, no style. A card without a drawing fails."""
    found = drawn()[game]
    assert len(found) > len(list(GAMES[game].faces()))
    assert [each["faults"] for each in found if each["faults"]] == []


@pytest.mark.parametrize(("game", "different"), [("coup", 6), ("mondkrone", 44), ("stich-meister", 13), ("matchmaster", 12)])
def test_cards_differ_by_their_drawings(game: GameId, different: int) -> None:
    """Roles and scenes are different each; suits differ, and so do those that are honoured or samurai."""
    assert len({each["drawn"] for each in drawn()[game] if each["drawn"]}) == different


@pytest.mark.parametrize("game", DRAWN)
def test_drawings_of_a_game_are_small(game: GameId) -> None:
    """All that is loaded for them, packed as it is sent."""
    sent = {f"art/{game}.js", "art/pen.js", *({"art/scenes.js"} if game == "mondkrone" else ())}
    assert sum(len(static_files.file(name).packed) for name in sent) < MOST_PACKED


def test_faces_of_people_and_looks_are_small() -> None:
    """Every table loads them."""
    styles = gzip.compress((STYLES / "art.css").read_bytes(), 9)
    assert len(static_files.file("art/avatars.js").packed) + len(styles) < MOST_OF_FACES


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("cloth", CLOTHS)
def test_text_can_be_read_on_every_table(cloth: str, scheme: Scheme) -> None:
    """On the lightest and on the darkest part of it, in both schemes; the colour of each game as well."""
    felts = [variable(name, cloth, scheme) for name in ("felt", "felt-edge")]
    written = [*ON_FELT, *games("game-light")]
    assert {(text, felt): contrast(text, felt) for text in written for felt in felts if contrast(text, felt) < TEXT} == {}


def test_headings_can_be_read_in_the_colour_of_their_game() -> None:
    """On the page and on a panel, in both schemes."""
    pairs = [
        *((text, ground) for text in games("game") for ground in GROUNDS["light"]),
        *((text, ground) for text in games("game-light") for ground in GROUNDS["dark"]),
    ]
    assert [(pair, contrast(*pair)) for pair in pairs if contrast(*pair) < TEXT] == []


def test_suits_can_be_seen_on_paper_and_names_of_roles_read() -> None:
    """Signs and figures on a card; the name of a role is written in paper on its colour."""
    suits = dict(re.findall(r"\.suit-(\w+) \{\s*--suit: (#[0-9a-f]{6});", (STYLES / "cards.css").read_text()))
    assert set(suits) >= {suit for game in DRAWN for face in GAMES[game].faces() for suit in face.suits}
    roles = {suit for game in DRAWN if game == "coup" for face in GAMES[game].faces() for suit in face.suits}
    assert {suit: contrast(colour, PAPER) for suit, colour in suits.items() if contrast(colour, PAPER) < SIGN} == {}
    assert roles
    assert {role: contrast(suits[role], PAPER) for role in roles if contrast(suits[role], PAPER) < TEXT} == {}


def games(name: str) -> list[str]:
    """Return a colour of each game."""
    text = (STYLES / "art.css").read_text()
    found = [re.search(rf"\.at-{game} \{{[^}}]*--{name}: (#[0-9a-f]{{6}});", text) for game in DRAWN]
    assert all(found)
    return [each[1] for each in found if each is not None]


def variable(name: str, cloth: str, scheme: Scheme) -> str:
    """Return a colour of a table; what the page has by itself is green."""
    sheet, rule = ("base", ":host") if cloth == "green" else ("art", f"\n{'  ' if scheme == 'dark' else ''}.cloth-{cloth}")
    parts = (STYLES / f"{sheet}.css").read_text().split("@media (prefers-color-scheme: dark)")
    part = next(each for each in (parts[1:] if scheme == "dark" else parts) if f"{rule} {{" in each and "--felt:" in each)
    found = re.search(rf"{rule} \{{[^}}]*--{name}: (#[0-9a-f]{{6}});", part)
    assert found is not None
    return found[1]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, as WCAG 2 defines it."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour in sRGB."""
    parts = linear(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def linear(parts: Iterable[float]) -> list[float]:
    """Return the parts of a colour in light instead of in steps of sRGB."""
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
