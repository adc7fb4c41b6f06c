"""What roles, scopes and acts are called on the pages."""

from collections.abc import Mapping

from audit.auth.permissions import Role, Scope
from audit.web.language import N_

ROLES: Mapping[str, str] = {
    Role.DEALER_SCREEN: N_("Dealer's screen"),
    Role.PIT: N_("Pit"),
    Role.SURVEILLANCE: N_("Surveillance"),
    Role.COMPLIANCE: N_("Compliance"),
    Role.REGULATOR: N_("Regulator"),
    Role.ADMINISTRATOR: N_("Administrator"),
}

VISITORS: Mapping[str, str] = {
    "house": N_("Everything: pit, surveillance and compliance"),
    "pit": N_("Pit"),
    "surveillance": N_("Surveillance"),
    "compliance": N_("Compliance"),
    "regulator": N_("Regulator"),
    "administrator": N_("Administrator"),
}

REMARKS: Mapping[str, str] = {
    "unused": N_("not used for 30 days"),
    "never-used": N_("never used"),
    "no-password": N_("no password yet"),
    "disabled": N_("disabled"),
}

SCOPES: Mapping[str, str] = {
    Scope.WAGERS_WRITE: N_("Report wagers"),
    Scope.PAYOUTS_WRITE: N_("Report payouts"),
    Scope.READ: N_("Read"),
}
