"""Draw what other sites show of a link: a picture of each game, and one of the service, as files of the web client.

`python -m tools.previews` draws them again. They are made of the client's own drawings, in a browser.
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tafelrunde.api.pages.preview import HEIGHT, NAME, PICTURE, WIDTH
from tests.support.served import service
from tests.web.conftest import QUIET, chromium
from tools.commands import alone

WEB = Path(__file__).parents[1] / "api" / "web"
COLOURS = 96
STYLE = """
body { margin: 0; width: 1200px; height: 630px; overflow: hidden; color: #fdfaf0; background: #235848; }
.preview::before { content: ""; position: absolute; left: 150px; right: 150px; top: -360px; height: 780px; border-radius: 50%;
  background: #2f7361; }
.preview > * { position: relative; }
.preview { height: 630px; display: grid; grid-template-rows: 1fr auto; justify-items: center; align-items: center; gap: 16px; }
.preview .picture { width: auto; height: 380px; max-width: none; margin-top: 50px; }
.preview .all { display: flex; align-items: center; gap: 36px; margin-top: 50px; }
.preview .all .picture { height: 120px; margin: 0; }
.preview footer { text-align: center; padding-bottom: 52px; }
.preview strong { display: block; font-size: 84px; line-height: 1.1; letter-spacing: 1px; }
.preview span { font-size: 34px; opacity: 0.85; letter-spacing: 6px; text-transform: uppercase; }
"""
DRAW = """([game, title, below]) => {
  const drawn = (tile) => tile.querySelector(".emblems").innerHTML;
  const tiles = game ? [document.querySelector(`[data-game="${game}"]`)] : [...document.querySelectorAll("[data-game]")];
  window.kept ??= document.body.cloneNode(true);
  const pictures = tiles.map(drawn).join("");
  document.body.innerHTML = `<div class="preview"><div class="${game ? "one" : "all"}">${pictures}</div><footer></footer></div>`;
  const footer = document.querySelector("footer");
  for (const [tag, text] of [["strong", title], ["span", below]]) {
    footer.append(Object.assign(document.createElement(tag), { textContent: text }));
  }
}"""
NAMES = """() => Object.fromEntries(
  [...document.querySelectorAll("[data-game]")].map((each) => [each.dataset.game, each.querySelector("strong").textContent]))"""


def draw(page: Page, url: str, game: str, title: str, below: str) -> None:
    """Write the picture of a game, or without one that of the service."""
    page.goto(f"{url}/")
    page.wait_for_selector(".tile")
    page.add_style_tag(content=STYLE)
    page.evaluate(DRAW, [game, title, below])
    drawn = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    path = WEB / PICTURE.format(name=game or "service")
    path.parent.mkdir(exist_ok=True)
    drawn.save(path, optimize=True)


def main() -> None:
    """Draw all of them."""
    with service() as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=QUIET)
        page = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT}, locale="en-GB", reduced_motion="reduce", bypass_csp=True
        )
        page.goto(f"{served.url}/")
        page.wait_for_selector(".tile")
        names: dict[str, str] = page.evaluate(NAMES)
        for game, name in names.items():
            draw(page, served.url, game, name, NAME)
        draw(page, served.url, "", NAME, "card games with hidden cards")
        browser.close()


if __name__ == "__main__":
    alone(__doc__)
    main()
