"""The sentences of the findings, in English and Korean.

Korean game terms follow the Korean rules text; where that text differs from the English one, the
meaning here is the English one. No sentence accuses anybody: it says what was observed.
"""

from collections.abc import Mapping

_ENGLISH: Mapping[str, str] = {
    "failed-to-follow-suit": (
        "Seat {seat}, trick {trick}: the dealer's card was {lead} and {played} was played, while "
        "the hand held a card of the same suit. Held: {held}. Could have been played: {allowed}. "
        "A hand that can follow suit must."
    ),
    "failed-to-trump": (
        "Seat {seat}, trick {trick}: the dealer's card was {lead} and {played} was played, while "
        "the hand held a trump. Held: {held}. Could have been played: {allowed}. A hand that "
        "cannot follow suit must trump."
    ),
    "played-out-of-turn": (
        "Seat {seat}, trick {trick}: a card was played before the dealer's card was turned."
    ),
    "dealer-ahead-of-play": (
        "Seat {seat}, trick {trick}: the next dealer card was turned before this seat answered."
    ),
    "play-wager-not-equal-ante": (
        "Seat {seat}: the Play wager is {found_money}, the Ante {expected_money}; they must be "
        "equal."
    ),
    "raise-wager-not-equal-ante": (
        "Seat {seat}: the Raise wager is {found_money}, the Ante {expected_money}; they must be "
        "equal."
    ),
    "misdeal": "Misdeal: {card} lay face up at {spot} during the deal. The hand is void and all "
    "its wagers go back.",
    "dealer-card-shown-early": (
        "The dealer's card {card} was seen after the deal and before the dealer's turn to reveal "
        "it{duration}."
    ),
    "void-hand-settled": "Seat {seat}: the hand is void, yet it was played on or settled "
    "({paid_money} in all); its wagers should go back.",
    "bonus-without-ante": "Seat {seat}: a Bonus stands without an Ante, which this house does not "
    "allow.",
    "rnb-without-main-or-bonus": (
        "Seat {seat}: an RnB stands without the wager that it has to stand beside."
    ),
    "card-exposed": "{card} was seen face up at {spot} during the deal{duration}.",
    "card-seen-twice": (
        "{card} was seen in two places in one round: {places}. One of them was misread, or the "
        "pack is not in order."
    ),
    "wrong-card-count": "At {spot} {found} cards were observed, {expected} expected.",
    "overpaid": (
        "Seat {seat}, {wager}: {paid_money} observed, {due_money} due. Difference "
        "{difference_money}."
    ),
    "underpaid": (
        "Seat {seat}, {wager}: {paid_money} observed, {due_money} due. Difference "
        "{difference_money}."
    ),
    "not-paid": (
        "Seat {seat}, {wager}: {due_money} was due and was not paid; observed {paid_money}. "
        "Difference {difference_money}."
    ),
    "not-taken": (
        "Seat {seat}, {wager}: the wager lost ({due_money}) and was not taken in full; observed "
        "{paid_money}. Difference {difference_money}."
    ),
    "paid-when-lost": (
        "Seat {seat}, {wager}: the wager lost ({due_money}), yet {paid_money} was paid. "
        "Difference {difference_money}."
    ),
    "paid-when-pushed": (
        "Seat {seat}, {wager}: the wager pushed, yet {paid_money} was paid. Difference "
        "{difference_money}."
    ),
    "late-wager": (
        "Seat {seat}, {wager}: the wager went from {expected_money} to {found_money} after the "
        "deal had begun."
    ),
    "wager-changed": (
        "Seat {seat}, {wager}: the wager went from {expected_money} to {found_money} after the "
        "deal had begun."
    ),
    "wager-below-minimum": (
        "Seat {seat}, {wager}: {found_money} is below the table minimum of {expected_money}."
    ),
    "wager-above-maximum": (
        "Seat {seat}, {wager}: {found_money} is above the table maximum of {expected_money}."
    ),
    "feed-gap": "Nothing could be seen for part of the round{duration}. What happened in that time "
    "is not confirmed.",
    "unreadable": "A card at {spot} lay face up and could not be read. What depends on it is not "
    "confirmed.",
}

_KOREAN: Mapping[str, str] = {
    "failed-to-follow-suit": (
        "{seat}번 좌석, 트릭 {trick}: 딜러 카드는 {lead}, 플레이한 카드는 {played}입니다. 핸드에 "
        "딜러 카드와 같은 수트의 카드가 있었습니다. 들고 있던 카드: {held}. 플레이할 수 있었던 "
        "카드: {allowed}. 같은 수트의 카드가 있으면 반드시 수트를 따라야 합니다."
    ),
    "failed-to-trump": (
        "{seat}번 좌석, 트릭 {trick}: 딜러 카드는 {lead}, 플레이한 카드는 {played}입니다. 핸드에 "
        "트럼프 카드가 있었습니다. 들고 있던 카드: {held}. 플레이할 수 있었던 카드: {allowed}. "
        "수트를 따를 수 없으면 반드시 트럼프 카드를 내야 합니다."
    ),
    "played-out-of-turn": (
        "{seat}번 좌석, 트릭 {trick}: 딜러 카드가 공개되기 전에 카드를 플레이했습니다."
    ),
    "dealer-ahead-of-play": (
        "{seat}번 좌석, 트릭 {trick}: 이 좌석가 응하기 전에 다음 딜러 카드가 공개되었습니다."
    ),
    "play-wager-not-equal-ante": (
        "{seat}번 좌석: 플레이 베팅 {found_money}, 앤티 베팅 {expected_money}. 두 금액은 정확히 "
        "같아야 합니다."
    ),
    "raise-wager-not-equal-ante": (
        "{seat}번 좌석: 레이즈 베팅 {found_money}, 앤티 베팅 {expected_money}. 두 금액은 정확히 "
        "같아야 합니다."
    ),
    "misdeal": "미스딜: 딜링 중에 {card} 카드가 앞면이 보이게 노출되었습니다({spot}). 해당 핸드는 "
    "무효이며 모든 베팅은 반환됩니다.",
    "dealer-card-shown-early": (
        "딜링이 끝난 뒤 딜러가 공개할 차례가 되기 전에 딜러 카드 {card}의 앞면이 보였습니다"
        "{duration}."
    ),
    "void-hand-settled": "{seat}번 좌석: 무효인 핸드가 계속 플레이되었거나 정산되었습니다(합계 "
    "{paid_money}). 베팅은 반환되어야 합니다.",
    "bonus-without-ante": "{seat}번 좌석: 앤티 베팅 없이 보너스 베팅이 놓였습니다. 이 하우스는 "
    "이를 허용하지 않습니다.",
    "rnb-without-main-or-bonus": (
        "{seat}번 좌석: 함께 있어야 하는 베팅 없이 RnB 베팅이 놓였습니다."
    ),
    "card-exposed": "딜링 중에 {card} 카드의 앞면이 보였습니다: {spot}{duration}.",
    "card-seen-twice": (
        "한 라운드에서 {card} 카드가 두 곳에서 보였습니다: {places}. 잘못 읽었거나 카드 팩에 "
        "이상이 있습니다."
    ),
    "wrong-card-count": "{spot}: 확인된 카드 {found}장, 규칙상 {expected}장.",
    "overpaid": (
        "{seat}번 좌석, {wager} 베팅: 확인된 금액 {paid_money}, 지불해야 할 금액 {due_money}. "
        "차액 {difference_money}."
    ),
    "underpaid": (
        "{seat}번 좌석, {wager} 베팅: 확인된 금액 {paid_money}, 지불해야 할 금액 {due_money}. "
        "차액 {difference_money}."
    ),
    "not-paid": (
        "{seat}번 좌석, {wager} 베팅: 지불해야 할 {due_money} 금액이 지불되지 않았습니다. 확인된 "
        "금액 {paid_money}. 차액 {difference_money}."
    ),
    "not-taken": (
        "{seat}번 좌석, {wager} 베팅: 잃은 베팅({due_money})이 전부 회수되지 않았습니다. 확인된 "
        "금액 {paid_money}. 차액 {difference_money}."
    ),
    "paid-when-lost": (
        "{seat}번 좌석, {wager} 베팅: 잃은 베팅({due_money})인데 {paid_money} 금액이 "
        "지불되었습니다. 차액 {difference_money}."
    ),
    "paid-when-pushed": (
        "{seat}번 좌석, {wager} 베팅: 푸시인 베팅에 {paid_money} 금액이 지불되었습니다. 차액 "
        "{difference_money}."
    ),
    "late-wager": (
        "{seat}번 좌석, {wager} 베팅: 딜링이 시작된 뒤 베팅 금액이 {expected_money}에서 "
        "{found_money}(으)로 늘었습니다."
    ),
    "wager-changed": (
        "{seat}번 좌석, {wager} 베팅: 딜링이 시작된 뒤 베팅 금액이 {expected_money}에서 "
        "{found_money}(으)로 바뀌었습니다."
    ),
    "wager-below-minimum": (
        "{seat}번 좌석, {wager} 베팅: {found_money} 금액은 테이블 최소 금액 {expected_money}보다 "
        "적습니다."
    ),
    "wager-above-maximum": (
        "{seat}번 좌석, {wager} 베팅: {found_money} 금액은 테이블 최대 금액 {expected_money}보다 "
        "많습니다."
    ),
    "feed-gap": "라운드 일부를 볼 수 없었습니다{duration}. 그동안 일어난 일은 확인되지 않았습니다.",
    "unreadable": "{spot}의 카드가 앞면이었으나 읽을 수 없었습니다. 이 카드에 따른 판단은 확인되지 "
    "않았습니다.",
}

SENTENCES: Mapping[str, Mapping[str, str]] = {"en": _ENGLISH, "ko": _KOREAN}
"""Language → finding code → sentence."""

NOTES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "rebuildable": "The hand can be reconstructed: no later dealer card has been turned.",
        "not-rebuildable": (
            "Later dealer cards have been seen, so the hand cannot be rebuilt as it was; the floor "
            "decides."
        ),
        "put-right": "The play was put right; both plays are on record.",
        "put-right-late": (
            "The play was put right after a later dealer card had been seen; both plays are on "
            "record."
        ),
        "put-wrong": "The correction is not in order either.",
        "played-on": "The hand was played on.",
        "unverified-pay-table": "This wager was judged by an unverified pay table.",
    },
    "ko": {
        "rebuildable": "이후의 딜러 카드가 공개되지 않았으므로 핸드를 재구성할 수 있습니다.",
        "not-rebuildable": (
            "이후의 딜러 카드가 이미 공개되어 핸드를 원래대로 재구성할 수 없습니다. 책임자가 "
            "결정합니다."
        ),
        "put-right": "플레이를 바로잡았으며 두 플레이 모두 기록되었습니다.",
        "put-right-late": (
            "이후의 딜러 카드가 공개된 뒤에 플레이를 바로잡았으며 두 플레이 모두 기록되었습니다."
        ),
        "put-wrong": "바로잡은 플레이도 규칙에 맞지 않습니다.",
        "played-on": "핸드가 계속 플레이되었습니다.",
        "unverified-pay-table": "이 베팅은 확인되지 않은 페이 테이블로 판정되었습니다.",
    },
}
"""Language → note → sentence."""

WATCH: Mapping[str, str] = {
    "en": "The seat was already on watch after an earlier hand.",
    "ko": "이 좌석는 이전 핸드 이후 이미 관찰 대상입니다.",
}
INSTRUCT: Mapping[str, str] = {
    "en": "The player is to be instructed of the rules, and the seat is on watch.",
    "ko": "플레이어에게 규칙을 안내하고 이 좌석를 관찰합니다.",
}
PROOF: Mapping[str, str] = {"en": "Proved by {proof}.", "ko": "근거: {proof}."}
UNKNOWN: Mapping[str, str] = {"en": "a card not seen", "ko": "보이지 않은 카드"}
NONE_SEEN: Mapping[str, str] = {"en": "nothing", "ko": "없음"}
DURATION: Mapping[str, str] = {"en": " for {seconds} s", "ko": " ({seconds}초)"}

SPOTS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "dealer": "the dealer's place",
        "trump": "the trump card's place",
        "discard": "the discard",
        "seat": "seat {seat}",
    },
    "ko": {
        "dealer": "딜러 자리",
        "trump": "트럼프 카드 자리",
        "discard": "버린 카드 자리",
        "seat": "{seat}번 좌석",
    },
}
"""Language → place of the table → what people call it."""

WAGERS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "ante": "Ante",
        "play": "Play",
        "raise": "Raise",
        "bonus": "Bonus",
        "rnb": "RnB",
        "pair-plus": "Pair Plus",
        "ante-bonus": "Ante Bonus",
    },
    "ko": {
        "ante": "앤티",
        "play": "플레이",
        "raise": "레이즈",
        "bonus": "보너스",
        "rnb": "RnB",
        "pair-plus": "페어 플러스",
        "ante-bonus": "앤티 보너스",
    },
}
"""Language → wager → what people call it."""

KOREAN_PROOFS: tuple[tuple[str, str], ...] = (
    (r"(\S+) at trick (\d)", r"트릭 \2의 \1"),
    (r"(\S+) put right at trick (\d)", r"트릭 \2에서 바로잡은 \1"),
    (r"(\S+) in the hand", r"핸드에 있던 \1"),
    (r"(\S+) seen in the deal", r"딜링 중에 보인 \1"),
    (r"a card face up at (\S+)", r"\1에서 앞면이 보인 카드"),
    (r"(\S+) face up at (\S+)", r"\2에서 앞면이 보인 \1"),
)
"""How the moments of proof, as findings state them, read in Korean."""
