"""Notices: what a player is notified about, by mail and in which browsers."""

from __future__ import annotations

from ....domain.wording import Language
from ....service.features.notices.port import Chosen, PushId
from ....service.features.notices.service import AddressRefused, Choices, NewPush, TooManyCodes
from ....service.features.notices.web_push import PushKey
from ...http import response
from ...http.operation import Access, Answer, AnyCall, Call, operation
from ...http.rate_limits import address_of
from ...http.response import PRIVATE, SECRET, Reply
from ...problems import Refused
from ...routes.players import ME
from ...schema.common import Nothing, Scope
from .schema import (
    BROWSER_ID,
    BrowserFacts,
    BrowserRequest,
    NoticeCodeRequest,
    NoticeFacts,
    NoticeMailRequest,
    NoticeRequest,
    PushKeyFacts,
    browser_facts,
    notice_facts,
    raw_of,
)

TAG = "notices"


def _choices(call: AnyCall) -> Choices:
    return call.application.get(Choices)


def _reply(call: AnyCall, chosen: Chosen) -> Reply:
    return response.json(notice_facts(chosen, mails=_choices(call).mails), *SECRET)


@operation(
    "GET",
    "/me/notices",
    "getNotices",
    tag=ME,
    scope=Scope.CREATE,
    answers=(Answer(200, NoticeFacts, "What you have chosen."),),
)
async def get_notices(call: Call[Nothing, Nothing]) -> Reply:
    """Get what you are notified about while no page of yours is open, by which ways, and which ways there are."""
    return _reply(call, await _choices(call).of(call.player))


@operation(
    "PUT",
    "/me/notices",
    "chooseNotices",
    tag=ME,
    scope=Scope.CREATE,
    body=NoticeRequest,
    answers=(Answer(200, NoticeFacts, "What you have chosen now."),),
)
async def choose_notices(call: Call[NoticeRequest, Nothing]) -> Reply:
    """Choose what you are notified about. At first it is everything, as soon as there is a way.

    There is one notice for each decision and way, some seconds after it was opened, and none if you had a stream, a long poll or
    a socket open since, or if there is no time left to answer.
    """
    return _reply(call, await _choices(call).choose(call.player, call.body.occasions))


@operation(
    "PUT",
    "/me/notices/mail",
    "setNoticeMail",
    tag=ME,
    scope=Scope.CREATE,
    body=NoticeMailRequest,
    problems=("mail-off",),
    answers=(Answer(200, NoticeFacts, "A code is on its way to the address."),),
)
async def set_notice_mail(call: Call[NoticeMailRequest, Nothing]) -> Reply:
    """Give an address for mail, in place of the one before. It gets a code, and nothing else until you send that code back.

    An address gets at most three codes a day, and a player five an hour.
    """
    wish = call.body
    try:
        chosen = await _choices(call).ask_mail(call.player, wish.address, Language(wish.language), address_of(call.peer))
    except TooManyCodes as error:
        raise Refused("too-many-requests", detail="codes for mail addresses", retry_seconds=error.wait_s) from None
    return _reply(call, chosen)


@operation(
    "POST",
    "/me/notices/mail/confirmation",
    "confirmNoticeMail",
    tag=ME,
    scope=Scope.CREATE,
    body=NoticeCodeRequest,
    problems=("code-wrong",),
    answers=(Answer(200, NoticeFacts, "You get notices by mail from now on."),),
)
async def confirm_notice_mail(call: Call[NoticeCodeRequest, Nothing]) -> Reply:
    """Confirm your address with the code that was sent there. It is valid for an hour, and for five attempts."""
    return _reply(call, await _choices(call).confirm(call.player, call.body.code))


@operation(
    "DELETE",
    "/me/notices/mail",
    "deleteNoticeMail",
    tag=ME,
    scope=Scope.CREATE,
    answers=(Answer(204, None, "The address was deleted."),),
)
async def delete_notice_mail(call: Call[Nothing, Nothing]) -> Reply:
    """Delete your address: no more mail. Every mail also has a link that does this without signing in."""
    await _choices(call).stop_mail(call.player)
    return response.nothing(204)


@operation(
    "POST",
    "/me/notices/push",
    "addNoticeBrowser",
    tag=ME,
    scope=Scope.CREATE,
    body=BrowserRequest,
    problems=("push-address-refused", "too-many-browsers"),
    answers=(Answer(200, BrowserFacts, "This browser shows notices from now on."),),
)
async def add_notice_browser(call: Call[BrowserRequest, Nothing]) -> Reply:
    """Get notices in a browser that has subscribed to push messages with this deployment's key.

    A subscription that is known already, by its address, keeps its id. One that ends is removed by itself.
    """
    assert call.principal is not None, "the operation needs a token"
    wish = call.body
    token = call.principal.token
    new = NewPush(wish.endpoint, raw_of(wish.keys.p256dh), raw_of(wish.keys.auth), Language(wish.language), token)
    try:
        push = await _choices(call).add_push(call.player, new)
    except AddressRefused as error:
        raise Refused("push-address-refused", field="/endpoint", detail=error.reason) from None
    return response.json(browser_facts(push), *SECRET)


@operation(
    "DELETE",
    "/me/notices/push/{browser}",
    "removeNoticeBrowser",
    tag=ME,
    scope=Scope.CREATE,
    answers=(Answer(204, None, "The browser shows no further notices."),),
)
async def remove_notice_browser(call: Call[Nothing, Nothing]) -> Reply:
    """Get no further notices in a browser."""
    await _choices(call).remove_push(call.player, PushId(call.path("browser", BROWSER_ID)))
    return response.nothing(204)


@operation(
    "GET",
    "/notices/push-key",
    "getPushKey",
    tag=TAG,
    access=Access.PUBLIC,
    answers=(Answer(200, PushKeyFacts, "The public key."),),
)
async def get_push_key(call: Call[Nothing, Nothing]) -> Reply:
    """Get the public key with which browsers subscribe to push messages of this deployment (VAPID, RFC 8292)."""
    return response.json(PushKeyFacts(key=call.application.get(PushKey).public), *PRIVATE)


OPERATIONS = (
    get_notices,
    choose_notices,
    set_notice_mail,
    confirm_notice_mail,
    delete_notice_mail,
    add_notice_browser,
    remove_notice_browser,
    get_push_key,
)
