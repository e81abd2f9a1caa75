"""What inboxes add to the API."""

from __future__ import annotations

from ....service.features.inbox.messages import MESSAGES
from ...http.feature import ApiFeature, link
from . import routes
from .frames import ASKING

API = ApiFeature(
    operations=routes.OPERATIONS,
    asking=ASKING,
    notices=MESSAGES,
    links={("getInbox", 200): {"next": link("getInbox", after="cursor")}},
)
