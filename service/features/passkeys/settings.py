"""Settings of passkeys."""

from __future__ import annotations

import msgspec


class PasskeySettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of passkeys.

    - passkeys: whether players may sign in by passkey. Passkeys are bound to the host of `public_url`, or of the address that
      clients see: under another one they are lost.
    """

    passkeys: bool = False
