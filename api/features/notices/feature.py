"""What notices add to the API."""

from __future__ import annotations

from ...http.feature import ApiFeature, link
from ...problem_types import Kind
from .routes import OPERATIONS, TAG
from .schema import BROWSER_ID
from .stop_page import PAGES

API = ApiFeature(
    operations=OPERATIONS,
    pages=PAGES,
    tags={TAG: "What others need to know to send notices: by push, while no page of a player is open."},
    parameters={"browser": (BROWSER_ID, "The id of a browser that shows notices.")},
    problems={
        "mail-off": Kind(
            409,
            "Hier werden keine Mails verschickt.",
            "This deployment sends no mail.",
            "Choose another way: `ways` of your notices lists those that there are.",
        ),
        "code-wrong": Kind(
            409,
            "Der Code stimmt nicht, oder er gilt nicht mehr.",
            "The code is wrong, or no longer valid.",
            "After five wrong codes, or an hour, give the address again: it then gets a new code.",
        ),
        "push-address-refused": Kind(
            422,
            "An diesen Browser wird nichts gesendet.",
            "Messages cannot be sent to this browser.",
            "`detail` says why. Send what `PushSubscription.toJSON()` returns.",
        ),
        "too-many-browsers": Kind(
            409,
            "Mehr Browser können dir nicht Bescheid geben.",
            "You already have the maximum number of browsers.",
            "Remove one that you no longer use.",
        ),
    },
    links={
        ("getNotices", 200): {"remove": link("removeNoticeBrowser", browser="browsers/0/id")},
        ("addNoticeBrowser", 200): {"remove": link("removeNoticeBrowser", browser="id")},
    },
)
