"""Which names look alike, and which look like those of the service or of its staff."""

from __future__ import annotations

import pytest

from tafelrunde.service.players.look_alikes import appearance, is_reserved, skeleton
from tafelrunde.service.players.names import LONGEST_NAME, MOST_MARKS, fit_name
from tools.confusables import read

SOURCE = """\
# Version: 99.0.0
0430 ;	0061 ;	MA	# ( а → a ) CYRILLIC SMALL LETTER A → LATIN SMALL LETTER A	#

006D ;	0072 006E ;	MA	# ( m → rn ) LATIN SMALL LETTER M → LATIN SMALL LETTER R, LATIN SMALL LETTER N	#
0251 ;	0061 ;	MA	# ( ɑ → a ) LATIN SMALL LETTER ALPHA → LATIN SMALL LETTER A	# →α→
"""


def test_skeleton_is_that_of_the_standard() -> None:
    """The examples of UTS 39: characters give way to their prototypes, and the rest stays as it is."""
    assert skeleton("pаypаl") == skeleton("paypal") == "paypal"
    assert skeleton("1ІlI") == "llll"
    assert skeleton("modern") == skeleton("rnodem") == "rnodern"
    assert skeleton("Zoë") == "Zoe\u0308"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Good", "Gооd"),
        ("Anna", "anna"),
        ("Anna", "АNNА"),
        ("Alice", "AIice"),
        ("Bob 1", "Bob l"),
        ("Bob", "B0b"),
        ("Anna", "An na"),
        ("Anna", "Anna."),
        ("Arne", "𝓐𝓻𝓷𝓮"),
        ("Dora", "ᴅᴏʀᴀ"),
        ("Helga", "Ηelga"),
    ],
)
def test_names_are_alike_when_few_would_tell_them_apart(one: str, other: str) -> None:
    """Letters of other scripts, their size, spaces and punctuation make no other name."""
    assert appearance(one) == appearance(other)


def test_names_differ_when_people_tell_them_apart() -> None:
    """Other letters, marks and symbols make another name, also where there are no letters at all."""
    names = ["Anna", "Anni", "Annà", "Jürgen", "Jurgen", "🦊", "🐻", "...", "!!!", "Bob 1", "Bob 2", "Олег", "李", "季"]
    assert len({appearance(each) for each in names}) == len(names)


@pytest.mark.parametrize(
    "name",
    [
        "Tafelrunde",
        "Tаfelrunde",
        "tafel runde",
        "TAFELRUNDE Cup",
        "Official login",
        "Admin",
        "ADMIN",
        "Аdmin",
        "Adm1n",
        "Ádmin",
        "A d m i n",
        "Admin_Anna",
        "ᴀᴅᴍɪɴ",
        "🅐🅓🅜🅘🅝",
        "Ａｄｍｉｎ",
        "Moderator",
        "Mоderator Max",
        "Tafelrunde-Support",
        "Offiziell",
    ],
)
def test_name_is_reserved_when_it_looks_like_the_staff(name: str) -> None:
    """In any script, size, or spacing; as a whole word, and the service's own name anywhere."""
    assert is_reserved(name)


def test_name_is_free_when_a_reserved_word_is_only_a_part_of_one() -> None:
    """Names are not refused for letters that they happen to contain."""
    names = ["Badminton", "Staffan", "Supporter", "Tafel", "Runde", "Systematiker", "Anna", "Modesty", "☎", "Администрация"]
    assert [each for each in names if is_reserved(each)] == []


def test_name_is_refused_when_it_is_wider_than_a_name_may_be() -> None:
    """Wide characters count as the letters whose room they take, and marks do not pile up."""
    fit = ["a" * LONGEST_NAME, "漢" * 20, "한국어 이름", "หนุ่มน้อย", "﷽", "a\u0323\u0302", "Łukasz 🦊"]
    wide = ["﷽" * 40, "漢" * 21, "ﷺ" * 3, "\u2e3b" * 14, "𒐫" * 14, "q" + "\u0323" * (MOST_MARKS + 1)]
    assert [each for each in fit if fit_name(each) is None] == []
    assert [ascii(each) for each in wide if fit_name(each) is not None] == []


def test_list_of_unicode_is_read_by_its_prototypes() -> None:
    """Each prototype with all that look like it, and the version that they are of."""
    assert read(SOURCE) == ("99.0.0", {"0061": ["0430", "0251"], "0072 006E": ["006D"]})
