"""Findings in another language: the rules say again, from the recorded round, what they found."""

from audit.rounds import RecordedRound
from audit.web.shapes import FindingShape
from rules.check import judge
from rules.errors import RulesError
from rules.explain import Language, explain
from rules.findings import Finding
from rules.games import GAMES
from rules.house import default_house
from rules.record_json import record_from_json

Key = tuple[str, int | None, int | None, str | None, str | None]


def explained(recorded: RecordedRound, language: str) -> dict[Key, str]:
    """Return what the findings of a round say in a language, by `key_of`.

    The record keeps the English text. For another language the round is judged once more, which
    gives the same findings as long as the house rules are the shipped ones; for other house rules
    nothing is returned, and the page shows the English text.
    """
    if language not in tuple(Language) or language == Language.ENGLISH:
        return {}
    if recorded.result.get("rules", {}).get("version") != default_house().version:
        return {}
    try:
        result = judge(record_from_json(recorded.record))
    except RulesError:
        return {}
    own = GAMES[recorded.game].explanations
    return {_key(found): explain(found, Language(language), own) for found in result.findings}


def key_of(finding: FindingShape) -> Key:
    """Return what names a finding within its round."""
    return finding.code, finding.seat, finding.trick, finding.wager, finding.card


def _key(found: Finding) -> Key:
    wager = found.wager.value if found.wager else None
    return found.code.value, found.seat, found.trick, wager, str(found.card) if found.card else None
