"""Journeys of a player with several devices, or of a device with several players, and with people one does not want to meet."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import Meet
from tests.journeys.person import TOKEN

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("journeys-devices")]

LINK = "Link for your other device"


def test_player_goes_on_with_a_match_on_a_second_device(meet: Meet) -> None:
    """Ada shows a link, opens it on her phone, and finds her match there; the link does not work twice."""
    laptop, phone, stranger = meet(), meet(phone=True), meet()
    laptop.takes_the_name("Ada")
    laptop.opens("/")
    laptop.taps("Coup: Play")
    laptop.sees_the_table()
    match = laptop.match
    laptop.opens("/me")
    laptop.taps("Show link and QR code")
    address = laptop.page.get_by_label(LINK).input_value()
    place = address.partition("#")[2]
    phone.opens(place)
    phone.sees("Play on this device")
    phone.taps("Take over")
    expect(phone.page.get_by_label("Name")).to_have_value("Ada")
    phone.opens("/")
    phone.page.get_by_role("region", name="Continue").get_by_role("link").first.click()
    phone.sees_the_table()
    assert phone.match == match
    stranger.opens(place)
    stranger.taps("Take over")
    stranger.sees("This link is no longer valid.")
    stranger.visitor.complaints = [each for each in stranger.visitor.complaints if "status of 4" not in each]


def test_player_signs_out_of_a_shared_device(meet: Meet) -> None:
    """Ada plays on a library's computer and signs out there: it knows no player, and her phone still does."""
    phone, library = meet(phone=True), meet()
    phone.takes_the_name("Ada")
    phone.taps("Show link and QR code")
    library.opens(phone.page.get_by_label(LINK).input_value().partition("#")[2])
    library.taps("Take over")
    expect(library.page.get_by_label("Name")).to_have_value("Ada")
    library.opens("/")
    library.taps("Coup: Play")
    library.sees_the_table()
    library.opens("/me")
    here = library.page.get_by_role("listitem").filter(has_text="this device")
    here.get_by_role("button", name="Sign out").click()
    library.agrees("Sign out")
    library.sees("Games")
    assert library.page.evaluate(TOKEN) is None
    library.opens("/me")
    library.sees("You have not played here yet.")
    phone.page.reload()
    expect(phone.page.get_by_label("Name")).to_have_value("Ada")


def test_player_deletes_the_account(meet: Meet) -> None:
    """Ada deletes herself after a question; Ben, who knew her page, finds nothing there, and her browser knows no player."""
    ada, ben = meet(), meet()
    ada.takes_the_name("Ada")
    page = ada.page.get_by_role("link", name="How others see me").get_attribute("href") or ""
    ben.opens(page.removeprefix("#"))
    ben.sees("Ada")
    ada.taps("Delete my player")
    ada.sees("Really delete it? This cannot be undone.")
    ada.agrees("Delete my player")
    ada.sees("Games")
    ada.opens("/me")
    ada.sees("You have not played here yet.")
    ben.opens("/")
    ben.opens(page.removeprefix("#"))
    ben.sees("There is nothing at this address.")
    ben.visitor.complaints = [each for each in ben.visitor.complaints if "status of 4" not in each]


def test_player_blocks_someone(meet: Meet) -> None:
    """Ada no longer hears what Mallory says at a table, until she undoes it; Mallory cannot tell."""
    ada, mallory = meet(), meet()
    mallory.takes_the_name("Mallory")
    page = mallory.page.get_by_role("link", name="How others see me").get_attribute("href") or ""
    ada.takes_the_name("Ada")
    match = ada.opens_a_table_for_friends("Coup", 2)
    mallory.opens(f"/match/{match}")
    mallory.taps("Join")
    ada.sees("Mallory")
    mallory.taps("Chat")
    mallory.says("Hello, everyone!")
    ada.taps("Chat")
    ada.hears("Hello, everyone!")
    ada.opens(page.removeprefix("#"))
    ada.taps("Block")
    ada.sees("Unblock")
    mallory.says("Good cards, everyone!")
    ada.opens(f"/match/{match}")
    ada.taps("Chat")
    ada.says("Hello, everyone!")
    ada.hears("Hello, everyone!")
    ada.opens(page.removeprefix("#"))
    ada.taps("Unblock")
    ada.opens(f"/match/{match}")
    ada.taps("Chat")
    ada.hears("Hello, everyone!", "Good cards, everyone!", "Hello, everyone!")
