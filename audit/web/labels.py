"""The words that the interface uses for stored codes, marked for translation.

A code that is not listed is shown as it is stored, so that a new game or rule is never hidden.
"""

from audit.web.language import N_

FINDINGS: dict[str, str] = {
    "failed-to-follow-suit": N_("Suit not followed"),
    "failed-to-trump": N_("Not trumped"),
    "misdeal": N_("Misdeal"),
    "card-exposed": N_("Card exposed in the deal"),
    "dealer-card-shown-early": N_("Dealer card shown early"),
    "void-hand-settled": N_("Void hand settled"),
    "played-out-of-turn": N_("Played out of turn"),
    "dealer-ahead-of-play": N_("Dealer ahead of play"),
    "play-wager-not-equal-ante": N_("Play wager differs from Ante"),
    "raise-wager-not-equal-ante": N_("Raise differs from Ante"),
    "rnb-without-main-or-bonus": N_("RnB without Ante or Bonus"),
    "bonus-without-ante": N_("Bonus without Ante"),
    "card-seen-twice": N_("Same card in two places"),
    "wrong-card-count": N_("Wrong number of cards"),
    "overpaid": N_("Overpaid"),
    "underpaid": N_("Underpaid"),
    "not-paid": N_("Not paid"),
    "not-taken": N_("Stake not taken"),
    "paid-when-lost": N_("Paid on a lost wager"),
    "paid-when-pushed": N_("Paid on a push"),
    "late-wager": N_("Late wager"),
    "wager-changed": N_("Wager changed"),
    "wager-below-minimum": N_("Wager below the minimum"),
    "wager-above-maximum": N_("Wager above the maximum"),
    "feed-gap": N_("Gap in the picture"),
    "camera-lost": N_("Camera lost"),
    "house-not-approved": N_("House rules not approved"),
    "recording-lost": N_("Recording lost"),
    "retention-at-risk": N_("Disk too full to keep footage"),
    "unreadable": N_("Card not readable"),
}
"""What a finding is called, by code."""

MEANINGS: dict[str, str] = {
    "failed-to-follow-suit": N_(
        "The hand held a card of the suit that the dealer led, and another card was played. "
        "A player who can follow suit must."
    ),
    "failed-to-trump": N_(
        "The hand held no card of the suit led but did hold a trump, and another card was played. "
        "A player who cannot follow suit must trump if possible."
    ),
    "misdeal": N_(
        "One dealer card or two player cards were exposed during the deal. The hand is void and "
        "all wagers go back."
    ),
    "card-exposed": N_("A card was seen face up during the deal; fewer than make a misdeal."),
    "void-hand-settled": N_("A void hand was played on or settled; its wagers go back."),
    "played-out-of-turn": N_("A card was played before the dealer turned the card it answers."),
    "dealer-ahead-of-play": N_(
        "The dealer turned a card before every playing seat had answered the one before."
    ),
    "play-wager-not-equal-ante": N_("The Play wager must be exactly equal to the Ante."),
    "raise-wager-not-equal-ante": N_("The Raise must be exactly equal to the Ante."),
    "rnb-without-main-or-bonus": N_("RnB needs the main game or the Bonus wager beside it."),
    "bonus-without-ante": N_("This house asks for an Ante beside the Bonus wager."),
    "card-seen-twice": N_(
        "The same card was seen in two places in one round: the pack or the reading is at fault."
    ),
    "wrong-card-count": N_("A hand holds fewer or more cards than the rules deal."),
    "overpaid": N_("More was paid than the pay table gives."),
    "underpaid": N_("Less was paid than the pay table gives."),
    "not-paid": N_("A wager that won was not paid."),
    "not-taken": N_("A wager that lost was not taken."),
    "paid-when-lost": N_("A wager that lost was paid."),
    "paid-when-pushed": N_("A wager that pushes was paid."),
    "late-wager": N_("A wager appeared or grew after the deal had started."),
    "wager-below-minimum": N_("A wager is below the minimum of the table."),
    "wager-above-maximum": N_("A wager is above the maximum of the table."),
    "wager-changed": N_("A wager changed after it was placed."),
    "dealer-card-shown-early": N_(
        "A dealer card was seen after the deal and before its turn to be shown."
    ),
    "camera-lost": N_("Nothing can be seen of the table."),
    "house-not-approved": N_(
        "The table began under other house rules than before, and no two people approved them."
    ),
    "recording-lost": N_("The table is seen, but its video is not recorded."),
    "retention-at-risk": N_(
        "At the present rate the disk is full before footage is as old as it must be kept."
    ),
    "feed-gap": N_("The camera did not see part of the round; what it missed stays open."),
    "unreadable": N_("A card could not be read well enough to rely on."),
}
"""What a finding means, by code."""

SEVERITIES: dict[str, str] = {
    "critical": N_("Critical"),
    "high": N_("High"),
    "medium": N_("Medium"),
    "low": N_("Low"),
    "info": N_("Information"),
}
SEVERITY_ORDER: tuple[str, ...] = tuple(SEVERITIES)
"""Gravest first."""

ALERT_STATES: dict[str, str] = {
    "new": N_("New"),
    "acknowledged": N_("Acknowledged"),
    "under-review": N_("Under review"),
    "confirmed": N_("Confirmed"),
    "not-confirmed": N_("Not confirmed"),
    "unreadable": N_("Unreadable"),
    "closed": N_("Closed"),
}
ALERT_ACTS: dict[str, str] = {
    "moved": N_("moved it to"),
    "assigned": N_("assigned it to"),
    "commented": N_("commented"),
    "answered": N_("replied for the pit"),
    "escalated": N_("escalated it to"),
    "muted": N_("muted it until"),
    "voided": N_("made it void"),
}
CASE_KINDS: dict[str, str] = {
    "incident": N_("Incident"),
    "dispute": N_("Dispute"),
}
CASE_TOPICS: dict[str, str] = {
    "play": N_("Play"),
    "payout": N_("Payout"),
    "wager": N_("Wager"),
    "cards": N_("Cards"),
    "procedure": N_("Procedure"),
    "other": N_("Something else"),
}
CASE_STATES: dict[str, str] = {
    "open": N_("Open"),
    "closed": N_("Closed"),
}
CASE_OUTCOMES: dict[str, str] = {
    "for-patron": N_("For the patron"),
    "for-house": N_("For the house"),
    "settled": N_("Settled"),
    "withdrawn": N_("Withdrawn"),
    "confirmed": N_("Confirmed"),
    "not-confirmed": N_("Not confirmed"),
    "unreadable": N_("Unreadable"),
}
CASE_ACTS: dict[str, str] = {
    "opened": N_("opened the case"),
    "noted": N_("noted"),
    "linked": N_("linked"),
    "assigned": N_("assigned it to"),
    "closed": N_("closed it:"),
    "reopened": N_("opened it again"),
}
LINKS: dict[str, str] = {
    "round": N_("Round"),
    "alert": N_("Alert"),
    "bundle": N_("Evidence bundle"),
    "log": N_("Log line"),
    "case": N_("Case"),
    "entry": N_("Entry"),
}
APPROVAL_ACTS: dict[str, str] = {
    "hold.release": N_("Release a hold"),
    "finding.void": N_("Make a finding void"),
    "house.change": N_("Change the house rules"),
}
APPROVAL_STATES: dict[str, str] = {
    "waiting": N_("Waiting"),
    "approved": N_("Approved"),
    "refused": N_("Refused"),
    "withdrawn": N_("Withdrawn"),
}
WAGERS: dict[str, str] = {
    "ante": N_("Ante"),
    "play": N_("Play"),
    "raise": N_("Raise"),
    "bonus": N_("Bonus"),
    "rnb": N_("RnB"),
    "pair-plus": N_("Pair Plus"),
    "ante-bonus": N_("Ante Bonus"),
}
AMOUNTS: dict[str, str] = {
    "paid": N_("Paid to the player"),
    "taken": N_("Taken by the house"),
    "staked": N_("Stake"),
    "difference": N_("Difference"),
}
"""Which amount of a wager is searched."""

SETTLEMENTS: dict[str, str] = {
    "as-due": N_("As due"),
    "overpaid": N_("Overpaid"),
    "underpaid": N_("Underpaid"),
    "open": N_("Open"),
}
"""How what was paid compares with what was due."""

GAMES: dict[str, str] = {
    "three-card-whist": N_("Three Card Whist"),
    "vegas-three-card-rummy": N_("Vegas Three Card Rummy"),
    "tri-card-poker": N_("Tri Card Poker"),
}
STATUSES: dict[str, str] = {
    "complete": N_("Complete"),
    "settled": N_("Settled"),
    "folded": N_("Folded"),
    "void": N_("Void"),
    "reconstruct": N_("Reconstruct"),
    "incomplete": N_("Incomplete"),
    "unsure": N_("Unsure"),
    "playing": N_("Playing"),
    "waiting": N_("To play"),
    "decide": N_("To decide"),
}
VERDICTS: dict[str, str] = {
    "legal": N_("legal"),
    "breach": N_("breach"),
    "open": N_("open"),
}
SUITS: dict[str, str] = {
    "S": N_("Spades"),
    "H": N_("Hearts"),
    "D": N_("Diamonds"),
    "C": N_("Clubs"),
}
SUIT_SYMBOLS: dict[str, str] = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
EVENTS: dict[str, str] = {
    "card-placed": N_("placed"),
    "card-turned": N_("turned up"),
    "card-hidden": N_("turned down"),
    "card-moved": N_("moved"),
    "card-laid": N_("laid down"),
    "card-discarded": N_("to the discard"),
    "card-removed": N_("removed"),
    "spot-cleared": N_("cleared"),
    "wager": N_("wager"),
    "payout": N_("payout"),
    "decision": N_("decision"),
    "feed-lost": N_("camera lost"),
    "feed-back": N_("camera back"),
    "table-started": N_("watching begins"),
    "table-stopped": N_("watching ends"),
    "table-behind": N_("watching falls behind"),
    "table-caught-up": N_("watching keeps up again"),
    "alert-moved": N_("alert moved on"),
    "alert-assigned": N_("alert assigned"),
    "alert-commented": N_("alert commented"),
}
DECISIONS: dict[str, str] = {
    "play": N_("plays"),
    "raise": N_("raises"),
    "fold": N_("folds"),
}
SPOTS: dict[str, str] = {
    "dealer": N_("Dealer"),
    "trump": N_("Trump card"),
    "discard": N_("Discard"),
}
PHASES: dict[str, str] = {
    "idle": N_("Waiting for wagers"),
    "betting": N_("Wagers open"),
    "dealing": N_("Deal in progress"),
    "deciding": N_("Players decide"),
    "playing": N_("Tricks"),
    "settling": N_("Settlement"),
    "void": N_("Hand void"),
    "over": N_("Round over"),
}
CATEGORIES: dict[str, str] = {
    "straight-flush-of-trumps": N_("Straight flush of trumps"),
    "straight-flush": N_("Straight flush"),
    "three-of-a-kind": N_("Three of a kind"),
    "flush-of-trumps": N_("Flush of trumps"),
    "straight": N_("Straight"),
    "flush": N_("Flush"),
    "pair": N_("Pair"),
    "high-card": N_("High card"),
    "none": N_("Nothing"),
}
"""What a hand makes, as the result of a round says."""

REFUSALS: dict[str, str] = {
    "400": N_("This could not be understood."),
    "403": N_("Your role does not permit this."),
    "404": N_("This is not in the record."),
    "409": N_("This does not fit what the record holds."),
    "410": N_("This link was used or has ended. Ask for a new one."),
    "413": N_("This is too much at once."),
    "422": N_("This could not be understood."),
    "500": N_("Something went wrong here. Nothing was recorded."),
    "503": N_("The record cannot be reached now."),
}
"""Why a page shows nothing else, by the status of the answer."""
