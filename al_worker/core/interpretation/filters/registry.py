"""The filters by name. To add one, write a file beside this one and a line here."""

from al_worker.core.interpretation.filters import filterbert, lead, oracle, oracle_selection
from al_worker.core.interpretation.filters.base import Filter

FILTERS: dict[str, Filter] = {
    "lead": Filter(lead.keep, needs_targets=False),
    "oracle": Filter(oracle.keep, needs_targets=True),
    "oracle-selection": Filter(oracle_selection.keep, needs_targets=True),
    "filterbert": Filter(filterbert.keep, needs_targets=False, needs_scores=True),
}
