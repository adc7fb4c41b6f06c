"""Law: a round that was under way when watching began is left open, never judged by its order."""

from audit.watch.feeds import FileFeed
from audit.watch.follow import Table, follow
from rules.cards import Card
from rules.games import GAMES
from rules.house import default_house
from rules.reader import Naming
from rules.round_state import Setting
from tests.vision.stage import Actor, At, ColourSight, Play, layout


def test_cards_that_lie_open_at_the_first_frame_are_no_misdeal() -> None:
    lying = [
        Actor(Card.parse("KH"), (At(0.0, 260, 65, up=True),), until=4.0),
        Actor(Card.parse("6D"), (At(0.0, 330, 65),), until=4.0),
        Actor(Card.parse("2S"), (At(0.0, 480, 65, up=True),), until=4.0),
        Actor(Card.parse("9S"), (At(0.0, 100, 390, up=True),), until=4.0),
    ]
    setting = Setting(GAMES["three-card-whist"], default_house(), "T1")
    table = Table(Play(lying, seconds=7.0), layout(), ColourSight(), setting, Naming(), FileFeed())
    steps = [moment.step for moment in follow(table)]
    findings = [proved.finding["code"] for step in steps for proved in step.findings]
    rounds = [judged.result["outcome"] for step in steps for judged in step.rounds]
    assert findings == ["feed-gap"]
    assert rounds == ["incomplete"]
