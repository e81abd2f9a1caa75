"""Pages for people, beside the API: they are not part of its contract."""

from __future__ import annotations

from .. import docs, patterns, replies
from ..operation import Access, Answer, Call, operation
from ..problems import PAGES, Refused
from ..replies import Reply
from ..schema import Nothing

TAG = "pages"
PAGE = (Answer(200, str, "A page for people.", (), "text/html"),)


@operation("GET", "/", "welcome", tag=TAG, access=Access.PUBLIC, answers=(Answer(302, None, "The description of the API."),))
async def welcome(call: Call[Nothing, Nothing]) -> Reply:
    """Lead people to the description of the API."""
    return replies.nothing(302, (b"location", f"{call.running.base(call.root)}/api/v1/docs".encode()))


@operation("GET", PAGES, "listProblems", tag=TAG, access=Access.PUBLIC, answers=PAGE)
async def list_problems(_: Call[Nothing, Nothing]) -> Reply:
    """List all types of problems."""
    return replies.content(docs.problems_page(), docs.MEDIA_TYPE, *docs.HEADERS)


@operation("GET", PAGES + "{problem}", "showProblem", tag=TAG, access=Access.PUBLIC, answers=PAGE)
async def show_problem(call: Call[Nothing, Nothing]) -> Reply:
    """Explain one type of problem."""
    page = docs.problem_page(call.path("problem", patterns.PROBLEM))
    if page is None:
        raise Refused("not-found")
    return replies.content(page, docs.MEDIA_TYPE, *docs.HEADERS)


OPERATIONS = (welcome, list_problems, show_problem)
