"""Define why an evaluation is refused."""

from annotation_app.refusals import Invalid, Refused


class EvaluationInvalid(Invalid):
    """Refuse a request, a prompt or a file of predictions that cannot be used."""


class EvaluationRefused(Refused):
    """Refuse what is not possible now.

    `code` is worker_down, too_many, not_approved, no_model, destination_changed, spans, no_codebook, wrong_state,
    stale, exists or not_wrong.
    """
