"""What moderation adds to the API."""

from __future__ import annotations

from ...http.feature import ApiFeature, link
from ...problem_types import Kind
from .routes import OPERATIONS, TAG
from .schema import ACT_ID

API = ApiFeature(
    operations=OPERATIONS,
    tags={TAG: "What operators decide about lines of talk and about players, for how long and why."},
    parameters={"act": (ACT_ID, "The id of an act.")},
    problems={
        "act-refused": Kind(
            422,
            "Das geht so nicht.",
            "This act is not possible like this.",
            "`field` and `detail` say what is missing or wrong: each kind of act needs other fields, and a sanction ends in the "
            "future, within 365 days. Only sanctions can be lifted.",
        ),
    },
    links={
        ("createModerationAct", 200): {"lift": link("liftModerationAct", act="id")},
        ("listModerationActs", 200): {
            "lift": link("liftModerationAct", act="items/0/id"),
            "next": link("listModerationActs", after="cursor"),
        },
    },
)
