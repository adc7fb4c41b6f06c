"""The pages that find a round or a payout again, and the page of one round."""

from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse

from audit.auth.permissions import Action, permits
from audit.cases import LinkKind
from audit.errors import NotInRecord
from audit.payouts import Balance, PayoutLine
from audit.store import AlertQuery, Amount, LineKey, PayoutSearch, RoundSearch
from audit.web import labels
from audit.web.asked import Form
from audit.web.context import DeskDep, SettingsDep, language_of, page, rendered
from audit.web.tiles import recorded_view
from audit.web.wording import explained, key_of

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

SEATS = range(1, 7)
OUTCOMES = ("complete", "void", "reconstruct", "unsure", "incomplete")


@dataclass(frozen=True, slots=True)
class Pages:
    """Where the neighbours of a page of results are; None where there is none."""

    newest: str | None
    older: str | None


@router.get("/rounds")
@permits(Action.ROUND_VIEW)
def rounds(request: Request, desk: DeskDep, settings: SettingsDep) -> HTMLResponse:
    """Show the rounds that a search finds, the newest first."""
    form = Form(request.query_params, settings.zone)
    tables = [state.table for state in desk.store.tables()]
    asked = RoundSearch(
        table=form.choice("table", tables),
        seat=form.number("seat", SEATS),
        cards=form.cards("card"),
        finding=form.choice("finding", labels.FINDINGS),
        flagged=form.ticked("flagged"),
        outcome=form.choice("outcome", OUTCOMES),
        dealer=form.text("dealer"),
        amount=form.amount("amount"),
        since=form.moment("since"),
        until=form.moment("until"),
        before=form.entry("before"),
    )
    last = None if form.problems else desk.store.last_looked_at(asked)
    more = replace(asked, down_to=last, limit=asked.limit + 1)
    found = [] if form.problems else desk.store.search_rounds(more)
    shown = found[: asked.limit]
    newest = form.address("/rounds", before=None) if asked.before else None
    older = shown[-1].entry if len(found) > asked.limit else last
    values = {
        "reached": desk.store.entry(last).at if last and older == last else None,
        "rounds": [(recorded, recorded_view(recorded)) for recorded in shown],
        "tables": tables,
        "asked": asked,
        "form": form,
        "outcomes": OUTCOMES,
        "dealers": desk.store.dealer_names(),
        "narrowed": replace(asked, before=None) != RoundSearch(),
        "pages": Pages(newest, form.address("/rounds", before=older) if older else None),
    }
    return page(request, "rounds.html", "rounds", values, head=desk.store.last_id())


@router.get("/rounds/{round_id:path}")
@permits(Action.ROUND_VIEW)
def one_round(
    request: Request, round_id: Annotated[str, Path(max_length=200)], desk: DeskDep
) -> HTMLResponse:
    """Show one round: every card, play, wager and payout, and what was found."""
    try:
        recorded = desk.store.round(round_id)
    except NotInRecord:
        # An alert may point at a round that is still being played.
        if not desk.store.alerts(AlertQuery(round=round_id, limit=1)):
            raise
        head = desk.store.last_id()
        return page(request, "round_open.html", "rounds", {"round": round_id}, head=head)
    values = {
        "recorded": recorded,
        "view": recorded_view(recorded),
        "texts": explained(recorded, language_of(request)),
        "key_of": key_of,
        "entry": desk.store.entry(recorded.entry),
        "alerts": desk.store.alerts(AlertQuery(round=round_id)),
        "cases": desk.store.cases_of(LinkKind.ROUND, round_id),
    }
    return page(request, "round.html", "rounds", values, head=desk.store.last_id())


@router.get("/payouts")
@permits(Action.ROUND_VIEW)
def payouts(request: Request, desk: DeskDep, settings: SettingsDep) -> HTMLResponse:
    """Show the wagers that a search finds, with what was due and what was paid."""
    form = Form(request.query_params, settings.zone)
    tables = [state.table for state in desk.store.tables()]
    asked = _payout_search(form, tables)
    last = None if form.problems else desk.store.last_line_looked_at(asked)
    more = replace(asked, down_to=last, limit=asked.limit + 1)
    found = [] if form.problems else desk.store.search_payouts(more)
    shown = found[: asked.limit]
    first = form.address("/payouts", after=None)
    whole = len(found) <= asked.limit
    older = _below(last) if whole else _key_text(shown[-1])
    values = {
        "reached": desk.store.entry(last).at if last and whole else None,
        "lines": shown,
        "tables": tables,
        "asked": asked,
        "form": form,
        "narrowed": replace(asked, after=None) != PayoutSearch(),
        "pages": Pages(
            first if asked.after else None,
            form.address("/payouts", after=older) if older else None,
        ),
        "balance": form.address("/fragments/balance", after=None),
    }
    return page(request, "payouts.html", "payouts", values, head=desk.store.last_id())


@router.get("/fragments/balance")
@permits(Action.ROUND_VIEW, quiet=True)
def balance(request: Request, desk: DeskDep, settings: SettingsDep) -> HTMLResponse:
    """Show the sums over all that a search for payouts finds: asked for once the page is there."""
    form = Form(request.query_params, settings.zone)
    asked = _payout_search(form, [state.table for state in desk.store.tables()])
    sums = Balance(0, 0, 0, 0, 0, 0) if form.problems else desk.store.balance_of(asked)
    last = None if form.problems else desk.store.last_summed(asked)
    since = None if last is None else desk.store.entry(last).at
    return rendered(request, "balance.html", {"sums": sums, "since": since})


def _payout_search(form: Form, tables: list[str]) -> PayoutSearch:
    return PayoutSearch(
        table=form.choice("table", tables),
        seat=form.number("seat", SEATS),
        wager=form.choice("wager", labels.WAGERS),
        amount=form.amount("amount"),
        of=Amount(form.choice("of", list(Amount)) or Amount.PAID),
        at_least=form.ticked("least"),
        unsettled=form.ticked("unsettled"),
        since=form.moment("since"),
        until=form.moment("until"),
        after=_key_of(form.text("after")),
    )


def _key_text(line: PayoutLine) -> str:
    return f"{line.entry}.{line.seat}.{line.wager}"


def _below(entry: int | None) -> str | None:
    """Return where the page below all lines of a round begins: after a seat that no table has."""
    return None if entry is None else f"{entry}.{SEATS.stop}."


def _key_of(text: str | None) -> LineKey | None:
    """Return where a page of payouts begins; anything else begins with the newest."""
    entry, _, rest = (text or "").partition(".")
    seat, _, wager = rest.partition(".")
    numbers = (entry, seat)
    if not all(number.isdecimal() and number.isascii() and len(number) < 19 for number in numbers):
        return None
    return LineKey(int(entry), int(seat), wager)
