"""What there is to see: every page, and every game's table from the first turn to the replay.

`python -m tools.colour_sight [FOLDER]` pictures each game's table as eyes see it that tell fewer colours apart.
"""

from __future__ import annotations

import base64
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tafelrunde.client.shapes import Plain
from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support.paths import ROOT
from tests.support.served import Service, service
from tests.web.conftest import QUIET, Visitor, chromium, paint, settled
from tests.web.party import Party
from tools.commands import CommandLine

Sight = tuple[str, Page]
FOLDER = ROOT / "docs" / "screenshots" / "colour-sight"
EYES = ("protanopia", "deuteranopia", "tritanopia", "achromatopsia")
LONG = tuple(f"Ein Name ohne Ende, {each}" for each in ("Anton", "Berta", "Cäsar", "Dora"))
NAMES = ("Anna-Katharina Freifrau von und zu Hohen", "Wolfgang_Amadeus_Donaudampfschifffahrt", "Jo", *LONG)
SEATED: Mapping[str, dict[str, Plain]] = {"meister-coup": {"mode": "team"}}
UNFOLD = "all => all.forEach((each) => each.click())"


def pages(visitor: Visitor) -> Iterator[Sight]:
    """Go through the pages around the tables: lobby, each game's form, an open table, rules, board, and one's own player."""
    page = visitor.visit("/")
    page.wait_for_selector(".tile")
    yield "lobby", page
    for game in GAMES:
        page.locator(f"[data-game={game}] .choose").click()
        page.wait_for_selector(f".chosen[data-game={game}]")
        unfold(page, "#wish")
        yield f"form of {game}", page
    page.locator("#wish button:not(.main)").last.click()
    page.wait_for_selector(".seats")
    yield "open table", page
    for game in GAMES:
        visitor.visit(f"/rules/{game}").wait_for_selector(".rules h1")
        yield f"rules of {game}", page
    visitor.visit("/boards/coup").wait_for_selector("main h1")
    yield "board", page
    visitor.visit("/me").wait_for_selector("main form")
    yield "own player", page


def few(served: Service, game: GameId) -> Party:
    """Return a table with the fewest seats possible."""
    return Party(served.url, game, GAMES[game].min_seats)


def full(served: Service, game: GameId) -> Party:
    """Return a table with the most seats possible, whose players have the longest names allowed."""
    return Party(served.url, game, GAMES[game].max_seats, options=SEATED.get(game), names=NAMES)


def tables(visitor: Visitor, party: Party, served: Service) -> Generator[Sight, None, None]:
    """Go through a match: your turn, the others' turn, all unfolded mid-match, as text, over, and the replay in all views."""
    with party:
        party.start().seat(visitor.page, 0)
        party.answer_until_asked(0)
        page = visitor.visit(party.address)
        page.wait_for_selector(".status.mine")
        party.shown(page)
        yield "your turn", page
        party.answer_until_free(0)
        party.shown(page)
        page.wait_for_selector(".status:not(.mine)")
        yield "others' turn", page
        party.answer_times(40)
        party.answer_until_asked(0)
        party.shown(page)
        unfold(page, "game-table")
        settled(page)
        yield "in the middle", page
        page.locator("h1").click()
        page.keyboard.press("t")
        page.wait_for_selector(".textmode")
        yield "as text", page
        page.keyboard.press("t")
        visitor.visit("/").wait_for_selector(".tile")  # no browser is needed while the rest is played
        party.finish(served)
        visitor.visit(party.address).wait_for_selector(".result")
        yield "over", page
        page.locator("footer button", has_text="Replay").or_(page.locator("footer button", has_text="Nachspielen")).click()
        page.locator(".scrub button").last.click()
        page.wait_for_selector(".replay .board .seat")
        page.locator(".eyes select").select_option(index=len(party.clients) + 1)
        settled(page)
        yield "replay", page


def unfold(page: Page, within: str) -> None:
    """Open all that can be unfolded."""
    page.locator(f"{within} details:not([open]) > summary").evaluate_all(UNFOLD)


def picture(page: Page, eyes: str) -> bytes:
    """Return a page as such eyes see it, as WebP."""
    paint(page)
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setEmulatedVisionDeficiency", {"type": eyes})
    answer = session.send("Page.captureScreenshot", {"format": "webp", "quality": 82})
    session.send("Emulation.setEmulatedVisionDeficiency", {"type": "none"})
    session.detach()
    return base64.b64decode(answer["data"])


def take(browser: Browser, served: Service, folder: Path) -> None:
    """Picture the middle of a match of each game, once for each kind of eyes."""
    for game in GAMES:
        visitor = Visitor(browser, served.url, width=1280, height=800)
        page = next(page for name, page in tables(visitor, few(served, game), served) if name == "your turn")
        for eyes in EYES:
            folder.joinpath(f"{game}-{eyes}.webp").write_bytes(picture(page, eyes))
        visitor.close()


def main(folder: Path) -> None:
    """Take all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with service() as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=QUIET)
        take(browser, served, folder)
        browser.close()


if __name__ == "__main__":
    command = CommandLine(__doc__)
    command.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    main(command.parse_args().folder)
