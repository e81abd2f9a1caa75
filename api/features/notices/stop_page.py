"""The page behind the link in every mail: it stops mail without signing in."""

from __future__ import annotations

from ....domain.match import PlayerId
from ....service.features.notices.service import Choices
from ...http import response
from ...http.operation import Access, Answer, Call, operation
from ...http.response import Header, Reply
from ...pages.problems import HEADERS as PAGE_HEADERS
from ...pages.problems import MEDIA_TYPE, html_page
from ...schema.common import Nothing
from .schema import STOP_TOKEN

PATH = "/stop-mail/{token}"
PAGE = (Answer(200, str, "An HTML page.", (), "text/html"),)
HEADERS: tuple[Header, ...] = (*(each for each in PAGE_HEADERS if each[0] != b"cache-control"), (b"cache-control", b"no-store"))
PLAYER_LENGTH = 27
ASK = html_page(
    "Tafelrunde",
    '<h1 lang="de">Keine Mails mehr?</h1><p lang="de">Dann bekommst du keine Mails mehr an diese Adresse.</p>'
    "<h1>No more mail?</h1><p>You will get no more mail at this address.</p>"
    '<form method="post"><button><span lang="de">Keine Mails mehr</span> / No more mail</button></form>',
)
DONE = html_page(
    "Tafelrunde",
    '<p lang="de">Du bekommst keine Mails mehr an diese Adresse.</p><p>You will get no more mail at this address.</p>',
)


@operation("GET", PATH, "showStopMail", tag="pages", access=Access.PUBLIC, answers=PAGE)
async def show_stop_mail(call: Call[Nothing, Nothing]) -> Reply:
    """Ask whether mail is to stop. Nothing has changed so far: programs look at links before people do."""
    call.path("token", STOP_TOKEN)
    return response.content(ASK, MEDIA_TYPE, *HEADERS)


@operation("POST", PATH, "stopMail", tag="pages", access=Access.PUBLIC, answers=PAGE)
async def stop_mail(call: Call[Nothing, Nothing]) -> Reply:
    """Stop mail to the address that the token is for. The answer is the same for every token, and the body is not read."""
    token = call.path("token", STOP_TOKEN)
    await call.application.get(Choices).stop(PlayerId(token[:PLAYER_LENGTH]), token)
    return response.content(DONE, MEDIA_TYPE, *HEADERS)


PAGES = (show_stop_mail, stop_mail)
