"""The thresholds of the runtime, each with its unit and its reason.

Times are seconds of the source's own line of time, so they hold at 10 and at 30 frames a second;
lengths are parts of the card's height, so they hold for every camera.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """How much evidence is asked for before something is believed."""

    rest_s: float = 0.2
    """A card lies still when it has not moved for so long: the shortest stop of a dealing hand is
    shorter, and the finding is due 0.7 s after the card lies still."""
    rest_shift: float = 0.12
    """Less than this, in card heights, is the jitter of the detector or a nudge, not a move."""
    reads: int = 3
    """A face is told after so many reads at least: one frame is never believed."""
    looks: int = 4
    """A card is told after the detector found it in so many frames: one that is only imagined is
    seldom found again."""
    flash_reads: int = 2
    """The same for a card that was turned back before it could be read calmly."""
    sure: float = 0.99
    """The share of the vote that the leading card needs before it is told."""
    at_once: float = 0.998
    """The share from which it is told at once."""
    settle_s: float = 0.3
    """With a smaller share it is read for so long: two cards that are hardly told apart at first,
    such as the black court cards, part by then, and the finding is still in time."""
    unreadable_s: float = 2.0
    """A card that lies face up, uncovered and still for so long unread is told as unreadable."""
    memory: float = 0.75
    """What is left of the vote after each further read: neighbouring frames show the same light and
    the same glare, so sixty of them are worth no more than four that are independent."""
    read_floor: float = 1e-3
    """The least probability that one frame can give a card: a misread cannot outweigh the rest."""
    gone_s: float = 0.25
    """A place must be visibly empty for so long before its card is gone: a passing gap between
    two fingers is shorter."""
    link_s: float = 1.5
    """A card that left one spot and lies on another within this time was moved; a longer absence is
    a card taken into the hand."""
    together_s: float = 0.5
    """Cards that leave a spot within this time of each other, one of them to the discard, were
    pushed there together."""
    left_s: float = 0.3
    """A card whose place is bare is told as gone after this further time, unless something still
    moves about where it may have gone to; then it is waited for, at most `link_s`."""
    patience_s: float = 0.35
    """A card that came to rest waits so long for a hand to uncover the place it may have left."""
    forget_s: float = 10.0
    """A card neither seen nor visibly gone for so long, with nothing moving there, is given up."""
    drop_s: float = 0.4
    """A card in motion that is lost from sight for so long is given up; it may be in a hand."""
    reach: float = 1.3
    """How far, in card heights, a moving card may be from where it is expected a frame later."""
    birth: float = 0.45
    """The detector's confidence from which a new card is believed to be there at all."""
    frozen_s: float = 10.0
    """Identical frames for so long are a frozen picture: sensor noise never stands still."""
    silent_s: float = 10.0
    """No frame for so long means that the camera is lost."""
    unwell_s: float = 1.0
    """A covered, dark, blurred or moved camera is told after so long: a sleeve passes sooner."""
    reconnect_first_s: float = 0.5
    """The pause before the first try to reconnect; it doubles with each further try."""
    reconnect_longest_s: float = 30.0
    """The longest pause between two tries: an operator should not wait longer for a picture."""
