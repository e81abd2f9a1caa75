"""The address that a provider sends browsers back to: it leads on to the web client's page to sign in.

What the provider says goes on behind the `#`, which browsers send to no server, and no page of this address exists that could
name it to others. Nothing is done with it here: only a browser that has kept the attempt's secret can go on.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from ....service.features.openid.settings import CALLBACK
from ...http import response
from ...http.operation import Access, Answer, Call, operation
from ...http.response import SECRET, Header, Reply
from ...schema.common import Nothing
from .schema import CallbackQuery

PAGE = "/#/sign-in/openid"
HEADERS: tuple[Header, ...] = ((b"referrer-policy", b"no-referrer"), *SECRET)
_WORD = re.compile(r"[a-z_]{1,40}")


@operation(
    "GET",
    CALLBACK,
    "comeBackFromOpenid",
    tag="pages",
    access=Access.PUBLIC,
    query=CallbackQuery,
    answers=(Answer(303, None, "The page to sign in.", ("Location",)),),
)
async def come_back(call: Call[Nothing, CallbackQuery]) -> Reply:
    """Lead a browser that comes from the provider to the page on which it signs in, or reads why it cannot."""
    query = call.query
    if query.error or not query.code:
        word = query.error if _WORD.fullmatch(query.error) else "unknown"
        said = f"?error={word}"
    else:
        said = f"?state={quote(query.state, safe='')}&code={quote(query.code, safe='')}"
    location = f"{call.running.base(call.root)}{PAGE}{said}"
    return response.nothing(303, (b"location", location.encode()), *HEADERS)


PAGES = (come_back,)
