"""The audit explorer: entries, proofs and verification."""

from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request
from fastapi.responses import HTMLResponse

from audit.auth.permissions import Action, permits
from audit.chain import Entry, EntryKind, holds
from audit.checkpoint import Checkpoint
from audit.merkle import inclusion_holds, inclusion_path
from audit.store import EntrySearch
from audit.web import asked
from audit.web.context import ActorDep, DeskDep, SettingsDep, page, rendered
from audit.web.desk import Desk, last_checkpoint
from audit.web.search_pages import Pages
from audit.web.security import require_act_header

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

EntryId = Annotated[int, Path(ge=1, le=2**62)]

ROWS = 100


@dataclass(frozen=True, slots=True)
class Proof:
    """That an entry stands in the record that a checkpoint covers (RFC 6962)."""

    checkpoint: Checkpoint
    place: int
    """The entry's place among all leaves, from 0."""
    path: tuple[str, ...]
    """The hashes beside the way up to the root."""
    holds: bool
    signed: bool


@router.get("/audit")
@permits(Action.RECORD_VIEW)
def explorer(request: Request, desk: DeskDep, settings: SettingsDep) -> HTMLResponse:
    """Show entries, the newest first, the ends of the chains and the last checkpoint."""
    form = asked.Form(request.query_params, settings.zone)
    heads = desk.store.chain_heads()
    kind = form.choice("kind", list(EntryKind))
    search = EntrySearch(
        chain=form.choice("chain", [head.chain for head in heads]),
        kind=EntryKind(kind) if kind else None,
        until=form.moment("until"),
        before=form.entry("before"),
        limit=ROWS + 1,
    )
    found = [] if form.problems else desk.store.search_entries(search)
    older = form.address("/audit", before=found[ROWS - 1].id) if len(found) > ROWS else None
    newest = form.address("/audit", before=None) if search.before else None
    values = {
        "entries": found[:ROWS],
        "heads": heads,
        "checkpoint": last_checkpoint(desk.store.data_dir),
        "kinds": sorted(EntryKind),
        "form": form,
        "narrowed": replace(search, before=None) != EntrySearch(limit=ROWS + 1),
        "pages": Pages(newest, older),
    }
    return page(request, "audit.html", "audit", values, head=desk.store.last_id())


@router.get("/audit/entries/{entry}")
@permits(Action.RECORD_VIEW)
def one_entry(request: Request, entry: EntryId, desk: DeskDep) -> HTMLResponse:
    """Show one entry, and whether it is what was hashed and follows the one before."""
    found = desk.store.entry(entry)
    before = desk.store.entry_in(found.chain, found.number - 1)
    values = {
        "entry": found,
        "before": before,
        "after": desk.store.entry_in(found.chain, found.number + 1),
        "holds": holds(found),
        "follows": found.previous == (before.hash if before else "0" * 64),
        "checkpoint": last_checkpoint(desk.store.data_dir),
    }
    return page(request, "entry.html", "audit", values, head=desk.store.last_id())


@router.post("/fragments/proof/{entry}", dependencies=[Depends(require_act_header)])
@permits(Action.RECORD_VIEW)
def proof(request: Request, entry: EntryId, desk: DeskDep) -> HTMLResponse:
    """Prove that an entry stands in what the last checkpoint covers."""
    found = desk.store.entry(entry)
    return rendered(request, "proof.html", {"entry": found, "proof": proof_of(desk, found)})


def proof_of(desk: Desk, entry: Entry) -> Proof | None:
    """Return the proof that an entry is covered by the last checkpoint; None when it is not yet."""
    checkpoint = last_checkpoint(desk.store.data_dir)
    if checkpoint is None:
        return None
    leaves = desk.store.leaves(checkpoint.size)
    place = next((at for at, (number, _) in enumerate(leaves) if number == entry.id), None)
    if place is None:
        return None
    path = inclusion_path([bytes.fromhex(value) for _, value in leaves], place)
    leaf = bytes.fromhex(entry.hash)
    fits = inclusion_holds(leaf, place, checkpoint.size, path, checkpoint.root)
    signed = checkpoint.is_signed_by(desk.store.signing_key())
    return Proof(checkpoint, place, tuple(path), holds=fits and holds(entry), signed=signed)


@router.post("/fragments/verification", dependencies=[Depends(require_act_header)])
@permits(Action.RECORD_VERIFY)
def verification(request: Request, desk: DeskDep, user: ActorDep) -> HTMLResponse:
    """Verify the whole record and show what was checked."""
    return rendered(request, "verification.html", {"found": desk.verify(user)})
