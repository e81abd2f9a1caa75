"""The options of a match, which each game extends."""

from __future__ import annotations

import msgspec


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Options of one match; every field has a default and bounds."""
