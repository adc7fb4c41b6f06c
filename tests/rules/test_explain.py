"""The law: every finding explains itself in English and Korean, and accuses nobody."""

import re

import pytest

from rules.cards import Card
from rules.events import Cents, Seat, Spot, Wager
from rules.explain import Language, explain, money
from rules.findings import Finding, FindingCode, Severity
from rules.words import NOTES, SENTENCES, WAGERS
from tests.rules.records import find, result_of, seat, whist


def full(code: FindingCode) -> Finding:
    """Return a finding with every fact that any sentence may name."""
    return Finding(
        code,
        "TCW-1",
        Severity.HIGH,
        seat=Seat(2),
        trick=1,
        wager=Wager.ANTE,
        spot=Spot.parse("seat-2"),
        proved_by="9S at trick 3",
        lead=Card.parse("6H"),
        played=Card.parse("9C"),
        held=(Card.parse("9C"), Card.parse("9S")),
        allowed=(Card.parse("9S"),),
        card=Card.parse("6D"),
        places=("seat-1", "dealer"),
        due=Cents(1000),
        paid=Cents(1250),
        expected=3,
        found=2,
        seconds=1.25,
    )


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("code", FindingCode)
def test_every_code_has_a_whole_sentence_in_every_language(
    code: FindingCode, language: Language
) -> None:
    text = explain(full(code), language)
    assert "{" not in text
    assert text.endswith(".")
    assert explain(Finding(code, "TCW-1", Severity.INFO), language)
    if language is Language.KOREAN:
        assert re.search("[가-힣]", text)
        without = re.sub(r"RnB|TCW-1", "", text)
        assert not re.search("[A-Za-z]{3,}", without)


def test_every_language_knows_the_same_codes_notes_and_wagers() -> None:
    assert set(SENTENCES["en"]) == set(SENTENCES["ko"]) == {code.value for code in FindingCode}
    assert set(NOTES["en"]) == set(NOTES["ko"])
    assert set(WAGERS["en"]) == set(WAGERS["ko"]) == {wager.value for wager in Wager}


@pytest.mark.parametrize("language", Language)
def test_no_sentence_accuses_anybody(language: Language) -> None:
    text = " ".join([*SENTENCES[language].values(), *NOTES[language].values()]).lower()
    assert not re.search("cheat|fraud|steal|guilt|속임|사기|부정", text)


def breach() -> Finding:
    return find(
        result_of(whist("4S", "6H 7C 8D", {"1": seat("9C 2H 9D")})).findings,
        "failed-to-follow-suit",
    )


def test_a_breach_tells_the_lead_the_hand_what_was_possible_the_rule_and_the_proof() -> None:
    assert explain(breach()) == (
        "Seat 1, trick 1: the dealer's card was 6H and 9C was played, while the hand held a card "
        "of the same suit. Held: 2H, 9C, 9D. Could have been played: 2H. A hand that can "
        "follow suit must. (TCW-12a) Proved by 2H at trick 2. Later dealer cards have been "
        "seen, so the hand cannot be rebuilt as it was; the floor decides. The player is to be "
        "instructed of the rules, and the seat is on watch."
    )


def test_a_breach_says_the_same_in_korean() -> None:
    text = explain(breach(), Language.KOREAN)
    for words in ("1번 좌석, 트릭 1", "6H", "9C", "플레이할 수 있었던 카드: 2H", "TCW-12a", "수트"):
        assert words in text
    assert "근거: 트릭 2의 2H." in text


@pytest.mark.parametrize(
    ("proof", "korean"),
    [
        ("9S at trick 3", "트릭 3의 9S"),
        ("9S put right at trick 1", "트릭 1에서 바로잡은 9S"),
        ("9S in the hand", "핸드에 있던 9S"),
        ("9S seen in the deal", "딜링 중에 보인 9S"),
        ("something else", "something else"),
    ],
)
def test_the_moment_of_proof_reads_in_korean(proof: str, korean: str) -> None:
    finding = Finding(FindingCode.FAILED_TO_TRUMP, "TCW-12b", Severity.HIGH, proved_by=proof)
    assert f"근거: {korean}." in explain(finding, Language.KOREAN)


def test_a_games_own_sentence_comes_first() -> None:
    own = {"en": {"misdeal": "Dealt again."}}
    assert explain(Finding(FindingCode.MISDEAL, "X-1", Severity.HIGH), own=own) == "Dealt again."


@pytest.mark.parametrize(
    ("amount", "signed", "text"),
    [(0, True, "0.00"), (5, False, "0.05"), (-1999, True, "-19.99"), (100000, True, "+1000.00")],
)
def test_money_has_two_decimals_and_no_float(amount: int, signed: bool, text: str) -> None:
    assert money(Cents(amount), signed=signed) == text
