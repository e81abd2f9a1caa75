"""Every page and every state of every game's table, in both languages: accessible, within a small screen, and all in words."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator
from typing import Any, Literal, NamedTuple

import pytest
from axe_playwright_python.base import AXE_SCRIPT  # pyright: ignore[reportMissingTypeStubs] - it has none
from hypothesis import settings
from playwright.sync_api import Page

from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support.served import Service
from tests.web.conftest import Visitor, for_each, paint
from tools.colour_sight import Sight, full, pages, tables

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-states")]


class Look(NamedTuple):
    """How a page is looked at."""

    scheme: Literal["light", "dark"]
    language: str
    width: int
    height: int


# Each sight is looked at in both sizes, schemes and languages; which go together changes from sight to sight. axe goes over the
# first of the two: whatever is drawn stands in several sights, and is met in both schemes and sizes.
LOOKS = (
    (Look("light", "en", 900, 900), Look("dark", "de", 360, 640)),
    (Look("dark", "de", 900, 900), Look("light", "en", 360, 640)),
    (Look("light", "de", 360, 640), Look("dark", "en", 900, 900)),
    (Look("dark", "en", 360, 640), Look("light", "de", 900, 900)),
)
THOROUGH = settings.get_current_profile_name() == "thorough"
"""Let axe go over both looks of every sight, with all that it knows."""
BOARDS = {"in the middle", "replay"}
"""Where contrast is measured in every game, once light and once dark: all of a game's cards and panels stand in one of them."""
FRAMES = ("your turn", "others' turn", "as text", "over")
"""Around the board these look the same in all games: contrast, most of the work of axe, is measured in one game each."""
PAGES = {
    "lobby",
    "form of coup",
    "form of stich-meister",
    "open table",
    "rules of coup",
    "rules of stich-meister",
    "board",
    "own player",
}
"""Pages of which the others differ in their words only."""
GRAVE = {"serious", "critical"}
# Nothing is loaded again for axe: only a rule that is off asks for it. A rule that finds nothing grave is not run.
AXE = """async (contrast) => {
  const mild = axe._audit.rules.filter(({ impact }) => ["minor", "moderate"].includes(impact)).map(({ id }) => id);
  const off = Object.fromEntries([...mild, ...(contrast ? [] : ["color-contrast"])].map((id) => [id, { enabled: false }]));
  return (await axe.run({ resultTypes: ["violations"], preload: false, rules: off })).violations;
}"""
SPEAK = """async (language) => {
  document.querySelector(`.languages [lang=${language}]`).click();
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
}"""
NOTE_MISSING = r"""async () => {
  window.missing = new Set();
  const { WORDS } = await import(new URL("core/words.js", document.querySelector("script[type=module]").src));
  const { Sheet } = await import(new URL("core/sheet.js", document.querySelector("script[type=module]").src));
  Object.setPrototypeOf(WORDS, new Proxy({}, { get: (_, key) => void missing.add(String(key)) }));
  const { term, sentence } = Sheet.prototype;
  let wanted = null;
  Sheet.prototype.term = function (name, value) {
    const key = `${this.id}.${name}.${value}`;
    const isShown = wanted === null || wanted.some((each) => each === name || each === `${name}s` || each.endsWith(`_${name}`));
    if (isShown && value !== "…" && typeof value !== "number" && this.text(key) === null) missing.add(key);
    return term.call(this, name, value);
  };
  Sheet.prototype.sentence = function (key, ...rest) {
    const text = this.text(key);
    if (text === null) missing.add(key);
    wanted = [...(text ?? "").matchAll(/\{(\w+)\}/g)].map((found) => found[1]);
    const told = sentence.call(this, key, ...rest);
    wanted = null;
    return told;
  };
}"""
TEXT = "document.body.innerText + (document.querySelector('game-table')?.shadowRoot.firstElementChild.innerText ?? '')"
NO_WORDS = re.compile(r"\{\w+\}|undefined|\bNaN\b|\[object|\b(?:match|" + "|".join(GAMES) + r")\.[a-z]+[a-z.-]*")
WIDER = """() => {
  const shadow = document.querySelector("game-table")?.shadowRoot;
  const all = [...document.querySelectorAll("main *"), ...(shadow?.querySelectorAll("*") ?? [])];
  const out = all.filter((each) => each.getBoundingClientRect().right > innerWidth + 0.5);
  return out.slice(0, 5).map((each) => each.outerHTML.slice(0, 100));
}"""


def grave(page: Page, contrast: bool) -> list[str]:
    """Return what is seriously or critically wrong with a page: rule, place, and what to mend; *contrast*: also its colours."""
    paint(page)  # what is not, axe takes for hidden
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[dict[str, Any]] = page.evaluate(AXE, contrast)
    return [
        f"{each['id']} {node['target']} {node['html'][:120]} {node['failureSummary'].splitlines()[1:2]}"
        for each in found
        if each["impact"] in GRAVE
        for node in each["nodes"]
    ]


def too_wide(page: Page) -> list[str]:
    """Return what sticks out of a page that scrolls sideways."""
    width, screen = page.evaluate("[document.scrollingElement.scrollWidth, innerWidth]")
    return [f"{width} px wide", *page.evaluate(WIDER)] if width > screen else []


def wordless(page: Page) -> list[str]:
    """Return keys that have no text, and what stands on the page in place of words."""
    return [*page.evaluate("[...(window.missing ?? [])]"), *NO_WORDS.findall(page.evaluate(TEXT))]


def look(page: Page, at: Look) -> None:
    """Look at a page so."""
    page.emulate_media(color_scheme=at.scheme)
    page.set_viewport_size({"width": at.width, "height": at.height})
    page.evaluate(SPEAK, at.language)


def wrong(sights: Iterator[Sight], colours: Container[str], first: int = 0) -> dict[str, list[str]]:
    """Return what is wrong with each sight in its looks, beginning with the looks of that number; *colours* of these sights."""
    found: dict[str, list[str]] = {}
    for number, (name, page) in enumerate(sights, first):
        if not page.evaluate("'missing' in window"):
            page.evaluate(NOTE_MISSING)
        looks = LOOKS[number % len(LOOKS)]
        closer = looks if THOROUGH else looks[:1]
        contrast = THOROUGH or name in colours
        for each in looks:
            look(page, each)
            found[f"{name}, {each}"] = [*too_wide(page), *(grave(page, contrast) if each in closer else ()), *wordless(page)]
        page.set_viewport_size({"width": 900, "height": 900})
    return {state: all_of_it for state, all_of_it in found.items() if all_of_it}


def test_text_that_cannot_be_read_is_found(visitor: Visitor) -> None:
    """Also on a page that is not painted, where axe would take all for hidden: the page is painted first."""
    page = visitor.page
    page.goto("about:blank")
    page.evaluate("""() => {
      const line = document.body.appendChild(document.createElement("p"));
      line.textContent = "Here", line.style.color = "#777", line.style.background = "#888";
    }""")
    assert any(each.startswith("color-contrast ") for each in grave(page, contrast=True))


def test_pages_can_be_used_and_read(visitor: Visitor) -> None:
    """Lobby, forms, rules, board and an open table."""
    found = wrong(pages(visitor), PAGES)
    assert not found, json.dumps(found, indent=1)


@for_each(GAMES)
def test_table_can_be_used_and_read_in_every_state(game: GameId, visitor: Visitor, served: Service) -> None:
    """From the first turn to the replay, with all seats taken and the longest names: then there is least room."""
    number = list(GAMES).index(game)
    found = wrong(tables(visitor, full(served, game), served), {*BOARDS, FRAMES[number % len(FRAMES)]}, number)
    assert not found, json.dumps(found, indent=1)
