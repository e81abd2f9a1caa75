"""Pictures of the web client: every game against bots in a real browser, kept when a wanted state comes up.

`python -m tools.screenshots [FOLDER [NAME ...]]` writes them as WebP, or as PNG with PNG=1, by name if any are named.
"""

from __future__ import annotations

import base64
import io
import os
import random
import sys
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from PIL import Image
from playwright.sync_api import Browser, Page, TimeoutError, sync_playwright  # noqa: A004 - the browser's own word

from tests.support.paths import ROOT
from tests.support.served import Service, service
from tests.web.conftest import QUIET, chromium
from tests.web.test_play import move
from tools.commands import CommandLine

FOLDER = ROOT / "docs" / "screenshots"
SIZES = {"desktop": (1280, 800), "phone": (360, 640)}
MOVING = "moving"
FILM = (1280, 800)
FILM_WIDTH = 800
FRAMES = 24
FRAME_MS = 900
BOT_PAUSE_MS = 1_500
"""Long enough for a frame of every answer."""
MOST_MOVES = 400
MOST_MATCHES = 8
CLOCK = {"turn_seconds": 600, "reaction_seconds": 30}
BEGIN = """async ([game, body]) => {
  const { Client } = await import(new URL("core/client.js", document.querySelector("script[type=module]").src));
  const client = new Client({ keep: true });
  await client.signUp("Mara");
  return (await client.change("matches", body)).match;
}"""


@dataclass(frozen=True)
class Scene:
    """A state to capture: how the match is opened, and the selector that shows that the state is reached."""

    name: str
    game: str = ""
    until: str = ""
    seats: int = 4
    options: Mapping[str, Any] = field(default_factory=dict)
    then: tuple[str, ...] = ()
    size: Literal["desktop", "phone"] = "desktop"
    scheme: Literal["light", "dark"] = "light"
    language: str = "en-GB"
    address: str = "/"
    whole: bool = False


TURN = ".status.mine"
THIRD = f"{TURN} ~ .play .middle figure:nth-of-type(3):not(.pending)"
WINDOW = ".status.mine .clock"
OVER = ".result"
FIXED = {"rules": [3, 12, 17, 32]}

RESTS = ".board.resting figure.winning"
FORBIDDEN = f"{TURN} ~ .play .hand .card.illegal"
SCORES = f"{TURN} ~ .play .side .scores tbody tr"


def answers(game: str, why: str, act: str, winning: str, then: tuple[str, ...] = ()) -> tuple[Scene, ...]:
    """Return the scenes in which the screen answers the questions of docs/what-the-screen-says.md; *winning* "": without that."""
    return (
        Scene(f"{game}-asked", game, TURN, seats=3),
        Scene(f"{game}-why", game, why, seats=3),
        Scene(f"{game}-act", game, act, seats=3, then=then),
        *([Scene(f"{game}-winning", game, winning, seats=3)] if winning else ()),
    )


SCENES = (
    Scene("lobby"),
    Scene("lobby-phone", size="phone", language="de-DE"),
    Scene("form", then=("[data-game=coup] .choose", "#wish summary")),
    Scene("waiting", then=("[data-game=mondkrone] .choose", "#wish button:not(.main)")),
    Scene("coup", "coup", ".acts"),
    Scene("coup-window", "coup", WINDOW),
    Scene("coup-window-phone", "coup", WINDOW, size="phone", language="de-DE"),
    Scene("coup-dark", "coup", ".lost", scheme="dark"),
    Scene("matchmaster-bid", "matchmaster", ".moves button"),
    Scene("matchmaster", "matchmaster", THIRD),
    Scene("matchmaster-phone", "matchmaster", THIRD, size="phone", language="de-DE"),
    Scene("meister-coup", "meister-coup", THIRD),
    Scene("meister-coup-phone", "meister-coup", THIRD, size="phone", language="de-DE"),
    Scene("meister-coup-teams", "meister-coup", ".side .scores", seats=4, options={"mode": "team"}, scheme="dark"),
    Scene("mondkrone", "mondkrone", ".tray:has(.hand .legal) .seat .cards > :nth-child(2)", then=(".hand .legal",)),
    Scene("mondkrone-phone", "mondkrone", ".hand .legal", size="phone", language="de-DE", then=(".hand .legal",)),
    Scene("stich-meister-rules-phone", "stich-meister", ".rulecard", size="phone", language="de-DE"),
    Scene("stich-meister", "stich-meister", THIRD),
    Scene("stich-meister-phone", "stich-meister", ".hand .legal", seats=3, options=FIXED, size="phone", language="de-DE"),
    Scene("stich-meister-over", "stich-meister", OVER, seats=3, options=FIXED),
    Scene("matchmaster-over-phone", "matchmaster", OVER, seats=3, size="phone", language="de-DE", whole=True),
    Scene("replay", "coup", OVER, seats=3, then=("footer button:nth-of-type(2)", ".scrub input", ".eyes")),
    Scene("over", "mondkrone", OVER, seats=2, then=(".result > button",)),
    Scene("text-mode", "meister-coup", THIRD, seats=3, then=(".menu summary", ".menu input", ".bar h1")),
    Scene("rules", address="/rules/coup"),
    *answers("coup", ".board .lost", ".acts", f"{TURN} ~ .play .ring .lost"),
    *answers("matchmaster", RESTS, FORBIDDEN, SCORES, (".hand .card.illegal",)),
    *answers("meister-coup", RESTS, FORBIDDEN, SCORES, (".hand .card.illegal",)),
    *answers("stich-meister", RESTS, FORBIDDEN, SCORES, (".hand .card.illegal",)),
    *answers(
        "mondkrone", f"{TURN} ~ .play .conditions li:nth-child(2)", ".hand .legal", "", (".hand .legal",)
    ),  # `over` shows who has won
)


def begin(page: Page, scene: Scene) -> None:
    """Open a match against bots and show it."""
    bots = [{"seat": seat, "bot": "honest"} for seat in range(1, scene.seats)]
    body = {"game": scene.game, "seats": scene.seats, "options": scene.options, "bots": bots, "start": True, "clock": CLOCK}
    match = page.evaluate(BEGIN, [scene.game, body])
    page.evaluate("address => history.replaceState(null, '', address)", f"#/match/{match}")
    page.reload()
    page.wait_for_selector(".status")


def reach(page: Page, scene: Scene) -> None:
    """Play until the state is reached."""
    rng = random.Random(scene.name)
    for _ in range(MOST_MATCHES):
        begin(page, scene)
        for _ in range(MOST_MOVES):
            page.wait_for_timeout(80)
            if page.locator(scene.until).count():
                return
            if page.locator(OVER).count():
                break
            move(page, rng)
    raise AssertionError(f"{scene.name} never came up")


def picture(page: Page, whole: bool, kind: Literal["png", "webp"]) -> bytes:
    """Return a picture of the page."""
    asked: dict[str, Any] = {"format": kind, "captureBeyondViewport": whole} | ({"quality": 78} if kind == "webp" else {})
    if whole:
        width, height = page.evaluate("[innerWidth, document.documentElement.scrollHeight]")
        asked["clip"] = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    answer = page.context.new_cdp_session(page).send("Page.captureScreenshot", asked)
    return base64.b64decode(answer["data"])


def take(browser: Browser, served: Service, scene: Scene, folder: Path, kind: Literal["png", "webp"]) -> None:
    """Capture a scene."""
    width, height = SIZES[scene.size]
    made = browser.new_context(
        viewport={"width": width, "height": height}, locale=scene.language, color_scheme=scene.scheme, reduced_motion="reduce"
    )
    with closing(made):
        page = made.new_page()
        page.set_default_timeout(10_000)
        page.goto(f"{served.url}/#{scene.address}")
        page.wait_for_selector(".tile, .rules h1, .tabs")
        if scene.game:
            reach(page, scene)
        for each in scene.then:
            with suppress(TimeoutError):
                page.locator(each).first.click(timeout=3_000)
            page.wait_for_timeout(400)
        page.mouse.move(0, 0)
        page.wait_for_timeout(150)
        folder.joinpath(f"{scene.name}.{kind}").write_bytes(picture(page, scene.whole, kind))


def film(browser: Browser, served: Service, folder: Path) -> None:
    """Capture the first turns of a match of Coup as one picture that moves: a frame for whatever changes on the screen."""
    width, height = FILM
    made = browser.new_context(viewport={"width": width, "height": height}, locale="en-GB", reduced_motion="reduce")
    with closing(made):
        page = made.new_page()
        page.goto(f"{served.url}/#/")
        page.wait_for_selector(".tile")
        begin(page, Scene(MOVING, "coup"))
        rng = random.Random(MOVING)
        frames = list[bytes]()
        while len(frames) < FRAMES and not page.locator(OVER).count():
            page.evaluate("scrollTo(0, 0)")
            page.mouse.move(0, 0)
            page.wait_for_timeout(250)
            seen = picture(page, whole=False, kind="png")
            if not frames or seen != frames[-1]:
                frames.append(seen)
            if page.locator(TURN).count():
                move(page, rng)
    size = (FILM_WIDTH, FILM_WIDTH * height // width)
    first, *rest = [Image.open(io.BytesIO(frame)).convert("RGB").resize(size, Image.Resampling.LANCZOS) for frame in frames]
    first.save(folder / f"{MOVING}.webp", save_all=True, append_images=rest, duration=FRAME_MS, loop=0, quality=60, method=6)


def main(folder: Path, names: list[str]) -> None:
    """Capture the scenes of these names, all if there are none."""
    kind: Literal["png", "webp"] = "png" if os.environ.get("PNG") else "webp"
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=QUIET)
        for scene in SCENES:
            if not names or any(scene.name.startswith(name) for name in names):
                with service() as served:  # of its own, so that no bots play on elsewhere
                    take(browser, served, scene, folder, kind)
                sys.stdout.write(f"{scene.name}\n")
        if not names or MOVING in names:
            with service(bot_pause_ms=BOT_PAUSE_MS) as served:
                film(browser, served, folder)
            sys.stdout.write(f"{MOVING}\n")
        browser.close()


if __name__ == "__main__":
    command = CommandLine(__doc__)
    command.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    command.add_argument("names", nargs="*")
    given = command.parse_args()
    main(given.folder, given.names)
