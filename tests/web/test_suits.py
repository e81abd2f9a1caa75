"""Suits for colour-blind eyes: a shape and letters in addition to the colour, on every card."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support.facts import facts_of
from tests.support.served import Service
from tests.web.conftest import Visitor, settled, table
from tools.colour_sight import EYES, few, picture, unfold

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-suits")]

SUITS = {game: suits for game in GAMES if (suits := facts_of(game).suits)}
ROLES = ("duke", "assassin", "captain", "ambassador", "inquisitor", "contessa")
SHOWN = """async (suits) => {
  const load = (name) => import(new URL(`${name}.js`, document.querySelector("script[type=module]").src));
  const modules = ["vendor/lit", "core/symbols", "table/cards", "core/words"];
  const [{ render }, { symbol }, { letter }, { speak }] = await Promise.all(modules.map(load));
  const box = document.createElement("div");
  document.body.append(box);
  const told = suits.map((suit) => {
    render(symbol(suit), box);
    box.className = `face suit-${suit}`;
    const letters = ["de", "en"].map((language) => (speak(language), letter(suit)));
    return { shape: box.querySelector("path").getAttribute("d"), letters, colour: getComputedStyle(box).color };
  });
  box.remove();
  return told;
}"""
FACES = """() => [...document.querySelector("game-table").shadowRoot.querySelectorAll(".hand .face, .trick .face")]
  .filter((each) => !each.matches(".back, .gap"))
  .map((each) => ({
    shapes: each.querySelectorAll("path").length, letters: each.querySelector(".corner i")?.innerText ?? "",
  }))"""


def shown(page: Page, suits: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return how each suit is shown."""
    return page.evaluate(SHOWN, list(suits))


def test_suits_of_a_game_differ_in_shape_letters_and_colour(visitor: Visitor) -> None:
    """Each of the three alone distinguishes them; the letters in both languages."""
    page = visitor.visit("/")
    page.wait_for_selector(".tile")
    for suits in SUITS.values():
        told = shown(page, suits)
        assert len({each["shape"] for each in told}) == len(suits)
        assert len({each["colour"] for each in told}) == len(suits)
        for language in (0, 1):
            letters = {each["letters"][language] for each in told}
            assert len(letters - {""}) == len(suits)
    assert len({each["shape"] for each in shown(page, ROLES)}) == len(ROLES)


@pytest.mark.parametrize("game", SUITS)
def test_every_card_shows_shape_and_letters(game: GameId, visitor: Visitor, served: Service) -> None:
    """At a real table in the middle of a match, also in what can be unfolded."""
    with few(served, game) as party:
        party.start().answer_times(40)
        party.answer_until_asked(0)
        page = table(visitor, party)
        party.shown(page)
        unfold(page, "game-table")
        settled(page)
        faces = page.evaluate(FACES)
    assert faces
    assert all(each["shapes"] and each["letters"] for each in faces)


def test_pictures_for_other_eyes_differ_from_the_plain_one(visitor: Visitor) -> None:
    """Each kind of sight is a picture of its own, or it would show nothing of what such eyes see."""
    visitor.page.set_viewport_size({"width": 360, "height": 640})
    page = visitor.begin("meister-coup")
    page.wait_for_selector(".status.mine")
    settled(page)
    seen = {picture(page, eyes) for eyes in ("none", *EYES)}
    assert len(seen) == 1 + len(EYES)
