"""Journeys with friends: an invitation, a match, another one, and what can happen at the table meanwhile."""

from __future__ import annotations

import re

import pytest

from tests.journeys.conftest import Meet
from tests.journeys.person import Person
from tests.support.served import Service

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("journeys-friends")]

FITS = "Checked on this device: everything fits."
OWN_DEAL = """() => {
  const { items } = document.querySelector("game-table").store;
  const dealt = items.find(({ event }) => event.type === "coup.dealt.1");
  return dealt?.event.hands.filter((hand) => hand !== null).length;
}"""
"""How many hands of the deal someone was sent: one's own, and no other."""


def pair(meet: Meet) -> tuple[Person, Person]:
    """Ada and Ben at a table of Coup that has begun."""
    ada, ben = meet(), meet()
    match = ada.opens_a_table_for_friends("Coup", 2, "Ada")
    ben.opens(f"/match/{match}")
    ben.writes("Your name", "Ben")
    ben.taps("Join")
    ada.sees("All seats are taken: you can start.")
    ada.taps("Start")
    for each in (ada, ben):
        each.sees_the_table()
    return ada, ben


def test_friend_is_invited_to_a_phone(meet: Meet) -> None:
    """Ada copies the invitation; Ben opens it on his phone, sees who invites to what, joins with one tap, and gets his cards."""
    ada, ben = meet(), meet(phone=True, german=True)
    ada.visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ada.opens_a_table_for_friends("Coup", 2, "Ada")
    ada.taps("Copy the invitation")
    ada.sees("Copied.")
    ben.opens(str(ada.page.evaluate("navigator.clipboard.readText()")))
    ben.sees("Ada lädt dich zu Coup ein")
    ben.writes("Dein Name", "Ben")
    ben.taps("Mitspielen")
    ben.sees("Alle Plätze sind besetzt. Ada kann die Partie beginnen.")
    ada.sees("Ben")
    ada.taps("Start")
    ben.sees_the_table()
    assert ben.page.evaluate("scrollY") == 0
    assert ben.page.evaluate(OWN_DEAL) == 1
    ben.visitor.load()  # he came by another address than the page's own


def test_match_after_joining_by_link_is_checked(meet: Meet, served: Service) -> None:
    """Ben looks at the open table before he joins it; his log has his own cards, and his check of the match finds all right."""
    ada, ben = meet(), meet()
    match = ada.opens_a_table_for_friends("Coup", 2, "Ada")
    ben.opens(f"/match/{match}")
    ben.sees("Ada invites you to Coup")
    ben.taps("Join")
    ada.sees("All seats are taken: you can start.")
    ada.taps("Start")
    ben.sees_the_table()
    assert ben.page.evaluate(OWN_DEAL) == 1
    ben.plays_to_the_end(served)
    ben.taps("Check this match")
    ben.sees(FITS)
    ada.sees("The match is over.")
    ada.taps("Check this match")
    ada.sees(FITS)


def test_three_rematches_follow_each_other(meet: Meet, served: Service) -> None:
    """Ada and Ben play again, and again, and again: each time both tap once, and find themselves at a new table."""
    ada, ben = pair(meet)
    seen = {ada.match}
    for _ in range(3):
        ada.plays_to_the_end(served)
        ben.sees("The match is over.")
        ada.taps("Play again")
        ada.sees("Waiting for Ben to agree")
        ben.taps("Play again")
        for each in (ada, ben):
            each.page.wait_for_url(lambda url: url.rpartition("/")[2] not in seen)
            each.sees_the_table()
        assert ada.match == ben.match
        seen.add(ada.match)
    assert len(seen) == 4


def test_someone_watches_and_then_joins_the_next_table(meet: Meet) -> None:
    """Cleo watches Ada and Ben, sees no one's cards, and sits down at Ada's next table with cards of her own."""
    ada, ben = pair(meet)
    cleo = meet()
    cleo.opens(f"/match/{ada.match}")
    cleo.sees("You are watching.")
    cleo.sees_the_table()
    assert cleo.page.evaluate(OWN_DEAL) == 0
    ben.taps("Leave")
    ben.agrees("Leave")
    match = ada.opens_a_table_for_friends("Coup", 2)
    cleo.opens(f"/match/{match}")
    cleo.sees("Ada invites you to Coup")
    cleo.taps("Join")
    ada.taps("Start")
    cleo.sees_the_table()
    assert cleo.page.evaluate(OWN_DEAL) == 1
    cleo.sees_no("You are watching.")


def test_spectator_stays_a_spectator(meet: Meet, served: Service) -> None:
    """Cleo watches to the end: she is asked nothing, can start nothing, and sees who has won."""
    ada, _ = pair(meet)
    cleo = meet(phone=True)
    cleo.opens(f"/match/{ada.match}")
    cleo.sees("You are watching.")
    cleo.sees_the_table()
    assert cleo.page.locator(".tray, .moves button").count() == 0
    assert cleo.page.get_by_role("button", name=re.compile("Join|Start|Leave|Play again")).count() == 0
    ada.plays_to_the_end(served)
    cleo.sees("The match is over.", re.compile(r"^(Ada|Ben) wins"))
    assert cleo.page.get_by_role("button", name=re.compile("Play again|Leave")).count() == 0


def test_host_removes_a_guest(meet: Meet) -> None:
    """Ada clears Ben's seat before the start: Ben sees that it is free again, and a bot takes it."""
    ada, ben = meet(), meet()
    match = ada.opens_a_table_for_friends("Coup", 2, "Ada")
    ben.opens(f"/match/{match}")
    ben.taps("Join")
    ben.sees("All seats are taken. Ada can start the match.")
    ada.taps("Remove")
    ada.sees("Some seats are still free.")
    ben.sees("Some seats are still free.")
    ada.taps("Add a bot")
    ada.taps("Start")
    ada.sees_the_table()
    ben.sees("You are watching.")


def test_player_leaves_and_returns_to_the_seat(meet: Meet) -> None:
    """Ben leaves, a bot plays for him at once, and he takes his seat back with the same cards on the table."""
    ada, ben = pair(meet)
    ben.taps("Leave")
    ben.sees("you can come back until the match is over")
    ben.agrees("Leave")
    ben.sees("You left the table.")
    ada.sees("Not at the table: Ben")
    ben.taps("Take my seat back")
    ben.sees_no("You left the table.")
    ada.sees_no("Not at the table: Ben")
    assert ben.page.evaluate(OWN_DEAL) == 1


def test_language_is_switched_in_the_middle_of_a_match(meet: Meet) -> None:
    """Ada plays on in German: the same cards and the same question, without a reload."""
    ada = meet()
    ada.opens("/")
    ada.taps("Coup: Play")
    ada.sees_the_table()
    ada.is_asked()
    before = ada.page.evaluate("JSON.stringify(document.querySelector('game-table').store.view.table)")
    ada.sees("Leave")
    ada.page.locator(".languages [lang=de]").click()
    ada.sees("Verlassen", re.compile("Verlauf"))
    ada.sees_no(re.compile("^Leave$"))
    assert ada.page.evaluate("JSON.stringify(document.querySelector('game-table').store.view.table)") == before
    ada.answers()
