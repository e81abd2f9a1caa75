"""Another device: a code that counts once, as text, link and QR code, and the token that it gives."""

from __future__ import annotations

from ....service.features.people.devices import CodeUnknown, Devices
from ...http import response
from ...http.kept import name_of
from ...http.operation import Access, Answer, Call, Key, operation
from ...http.rate_limits import Cost
from ...http.response import SECRET, Reply
from ...problems import Refused
from ...routes.players import ME, signed_in
from ...schema.common import Nothing, Scope
from ...schema.players import PlayerIssued
from .qr_code import qr_code
from .routes import TAG
from .schema import DeviceCodeIssued, DeviceRequest


@operation(
    "POST",
    "/me/device-codes",
    "createDeviceCode",
    tag=ME,
    key=Key.KEPT,
    scope=Scope.CREATE,
    answers=(Answer(200, DeviceCodeIssued, "The code. It is shown only once."),),
)
async def create_device_code(call: Call[Nothing, Nothing]) -> Reply:
    """Create a code with which another device of yours gets a token of its own, once, within ten minutes.

    The token has the scopes of yours among `read`, `play` and `create`, and its end. The code ends with your token.
    """
    assert call.principal is not None, "the operation needs a token"
    code, until_ms = await call.application.get(Devices).make(call.principal)
    link = f"{call.address}/#/carry/{code}"
    return response.json(DeviceCodeIssued(code=code, link=link, qr=qr_code(link), until_ms=until_ms), *SECRET)


@operation(
    "DELETE",
    "/me/device-codes",
    "dropDeviceCodes",
    tag=ME,
    scope=Scope.CREATE,
    answers=(Answer(204, None, "No code counts any more."),),
)
async def drop_device_codes(call: Call[Nothing, Nothing]) -> Reply:
    """Revoke all codes for other devices that were not used yet."""
    await call.application.get(Devices).drop(call.player)
    return response.nothing(204)


@operation(
    "POST",
    "/device-codes",
    "redeemDeviceCode",
    tag=TAG,
    key=Key.KEPT,
    access=Access.PUBLIC,
    cost=Cost.PROOF,
    body=DeviceRequest,
    problems=("device-code-unknown", "too-many-tokens"),
    answers=(Answer(200, PlayerIssued, "The player and a new token. The token's text is shown only once."),),
)
async def redeem_device_code(call: Call[DeviceRequest, Nothing]) -> Reply:
    """Exchange a code from another device for a token of this one. Of several who send the same code, one gets a token."""
    application = call.application
    try:
        player, token, text = await application.get(Devices).redeem(call.body.code, call.body.label, name_of(call))
    except CodeUnknown:
        raise Refused("device-code-unknown") from None
    return await signed_in(application.accounts, player, token, text)


OPERATIONS = (create_device_code, drop_device_codes, redeem_device_code)
