"""Settings of applications of others."""

from __future__ import annotations

from typing import Annotated

import msgspec


class OauthSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of applications of others.

    - oauth: whether players may let applications of others act for them, by OAuth 2. It needs public_url.
    - oauth_applications_hourly: how many applications may register an hour from one address.
    """

    oauth: bool = False
    oauth_applications_hourly: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 500
