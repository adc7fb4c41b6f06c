"""The law: a house rules file is taken whole or refused with the line; its version is its sense."""

import pytest

from rules.errors import HouseRulesError
from rules.games import GAMES
from rules.games.whist_options import CountOver, VoidScope, WhistOptions, Window
from rules.house import (
    default_house,
    default_house_text,
    describe_house,
    house_warnings,
    parse_house,
)
from rules.pay import Odds

WHIST = "three-card-whist"


def options(text: str) -> WhistOptions:
    found = parse_house(text).options[WHIST]
    assert isinstance(found, WhistOptions)
    return found


def test_the_defaults_are_those_of_the_rules_page() -> None:
    default = options("")
    assert (default.dealer_cards, default.player_cards) == (1, 2)
    assert (default.count_over, default.void) == (CountOver.TABLE, VoidScope.ROUND)
    assert default.window is Window.DEAL
    assert default.rnb.confirmed is False
    assert default.limits == {}


def test_every_option_can_be_set() -> None:
    text = f"""
        name = "Harbour"
        [{WHIST}.misdeal]
        dealer_cards = 2
        player_count_over = "seat"
        void = "seat"
        window = "until-decisions"
        [{WHIST}.rnb]
        requires = "nothing"
        table = "own"
        [{WHIST}.rnb.pays]
        player = "2:1"
        player-and-dealer = "3:1"
        player-dealer-and-trump = "9:2"
        [{WHIST}.limits]
        ante = {{ minimum = 500 }}
        play = {{ maximum = 100000 }}
    """
    found = options(text)
    assert found.count_over is CountOver.SEAT
    assert found.rnb.lines["player-dealer-and-trump"] == Odds(9, 2)
    assert found.rnb.confirmed is True
    words = describe_house(parse_house(text))
    assert "House rules: Harbour" in words
    assert any("2 exposed dealer cards void the round" in sentence for sentence in words)
    assert any("at least 500 cents" in sentence for sentence in words)
    assert any("at most 100000 cents" in sentence for sentence in words)


def test_the_version_is_a_hash_of_what_the_options_come_to() -> None:
    default = default_house()
    assert default.version.startswith("sha256:")
    assert len(default.version) == len("sha256:") + 64
    assert parse_house("# another comment\n" + default_house_text()).version == default.version
    changed = parse_house(f'name = "default"\n[{WHIST}.misdeal]\nplayer_cards = 3')
    assert changed.version != default.version
    assert parse_house('name = "other"').version != default.version


BAD = [
    ("name = ", "x.toml: not a TOML file"),
    ("nom = 1", "x.toml, line 1: nom: not a house option (expected one of name"),
    ("name = 3", "x.toml, line 1: name: found 3, expected a text of 1 to 80 characters"),
    (f"\n[{WHIST}]\nmisdeel = 1", f"x.toml, line 3: {WHIST}.misdeel: not a house option"),
    (
        f"[{WHIST}.misdeal]\n\ndealer_cards = 0",
        "line 3: three-card-whist.misdeal.dealer_cards: fou",
    ),
    (f"[{WHIST}.misdeal]\ndealer_cards = true", "found True, expected a whole number from 1 to 3"),
    (f"[{WHIST}.misdeal]\nvoid = 'hand'", "found 'hand', expected one of round, seat"),
    (f"[{WHIST}.bonus]\nwithout_ante = 'yes'", "found 'yes', expected true or false"),
    (f"[{WHIST}.bonus]\ntable = 'mine'", "found 'mine', expected one of standard, own"),
    (f"[{WHIST}.bonus]\ntable = 'own'", "pays: expected a table with the odds of straight-flush"),
    (
        f"[{WHIST}.rnb]\ntable = 'own'\n[{WHIST}.rnb.pays]\nplayer = '1:1'",
        "found nothing, expected",
    ),
    (
        f"[{WHIST}.rnb]\ntable = 'own'\n[{WHIST}.rnb.pays]\nplayer = 3",
        "line 4: three-card-whist.rnb",
    ),
    (
        f"[{WHIST}.rnb]\ntable = 'own'\n[{WHIST}.rnb.pays]\nplayer = '0:1'",
        "line 4: three-card-whist.rnb.pays.player: not odds: '0:1'",
    ),
    (
        f"[{WHIST}.rnb]\ntable = 'own'\n[{WHIST}.rnb.pays]\ndealer = '1:1'",
        "not a line of this table",
    ),
    (f"[{WHIST}.rnb.pays]\nplayer = '1:1'", "rnb.pays: only a table"),
    (
        f"[{WHIST}.limits]\nante = {{minimum = 9, maximum = 5}}",
        "found 9, expected no more than max",
    ),
    (f"[{WHIST}.limits]\nante = {{minimum = -1}}", "line 2: three-card-whist.limits.ante.minimum"),
    (f"[{WHIST}.limits]\nante = 5", "line 2: three-card-whist.limits.ante: expected a table"),
    (f"{WHIST} = 5", f"line 1: {WHIST}: expected a table, found 5"),
    ('["three-card-whist"]\nx = 1', "line 2: three-card-whist.x: not a house option"),
    ("[blackjack]\nx = 1", "line 1: blackjack: not a house option"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_a_mistake_is_told_in_one_line_with_the_place(text: str, message: str) -> None:
    with pytest.raises(HouseRulesError) as told:
        parse_house(text, "x.toml")
    assert message in str(told.value)
    assert "\n" not in str(told.value)


def test_unverified_tables_are_warned_of_until_the_house_confirms_them() -> None:
    warning = "Three Card Whist: unverified pay table: RnB"
    assert any(text.startswith(warning) for text in house_warnings(default_house()))
    confirmed = parse_house(f"[{WHIST}.rnb]\nconfirmed = true")
    assert not any(text.startswith(warning) for text in house_warnings(confirmed))


def test_every_game_describes_its_options_in_sentences() -> None:
    words = describe_house(default_house())
    assert [game.titles["en"] + ":" for game in GAMES.values()] == [
        line for line in words if line.endswith(":")
    ]
    strict = parse_house(
        f"""
        [{WHIST}.misdeal]
        void = "seat"
        window = "until-decisions"
        player_count_over = "seat"
        [{WHIST}.reconstruction]
        triggers = "follow-suit"
        [{WHIST}.bonus]
        without_ante = false
        """
    )
    text = "\n".join(describe_house(strict))
    assert "counted over one seat, void the hands they belong to." in text
    assert "A Bonus may not stand without an Ante." in text
