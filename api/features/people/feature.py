"""What people add to the API."""

from __future__ import annotations

from ....service.features.people.messages import PlayerInvited
from ...http.feature import ApiFeature

API = ApiFeature(operations=(), notices=(PlayerInvited,))
