"""List which tables hold data about a person, and how their rows belong to the person. A test finds what is missing."""

from dataclasses import dataclass

# Fields that let somebody in, or tell only the program something.
NEVER = frozenset({"password", "token_hash", "session_key", "session_data", "secret", "body_hash", "client_id"})
# Of jobs and files: their content and results are the project's.
MADE = ("created_at",)


@dataclass(frozen=True)
class Holding:
    """Name a model, and the ways from its rows to the person's account.

    All fields but NEVER are exported, or `only` some. `also` are looked up over foreign keys.
    """

    model: str
    ways: tuple[str, ...]
    only: tuple[str, ...] = ()
    also: tuple[str, ...] = ()


def made(model: str, *ways: str, only: tuple[str, ...] = MADE) -> Holding:
    """Return the holding of a job or file that the person made: its id, its project and `only`."""
    return Holding(model, ways or ("created_by",), ("uuid", *only), ("project__name",))


ANNOTATED = "assignment__annotator__user"
ITEM = ("batch_item__batch__project__name", "batch_item__item__external_id")
ASSIGNED = tuple(f"assignment__{path}" for path in ITEM)
HOLDINGS = (
    Holding("User", ("pk",)),
    Holding("Session", ("user",)),
    Holding("Membership", ("user",), also=("project__name",)),
    Holding("Invite", ("created_by", "used_by"), also=("project__name",)),
    Holding("ApiToken", ("membership__user",), also=("membership__project__name",)),
    Holding("Identity", ("user",)),
    Holding("PasswordLink", ("user", "created_by")),
    Holding("AddressLink", ("user",)),
    Holding("Mail", ("user",)),
    Holding("NoticeRead", ("reader__user",), also=("reader__project__name",)),
    Holding("Event", ("actor",), also=("project__name",)),
    Holding("Assignment", ("annotator__user",), also=ITEM),
    Holding("Annotation", (ANNOTATED,), also=ASSIGNED),
    Holding("Answer", (f"annotation__{ANNOTATED}",)),
    Holding("Span", (f"annotation__{ANNOTATED}",)),
    Holding("PracticeAttempt", ("annotator__user",), also=("practice__title",)),
    Holding("Flag", (ANNOTATED,), also=ASSIGNED),
    Holding("FlagMessage", ("author__user",)),
    Holding("FlagRead", ("reader__user",)),
    Holding("Resolution", ("resolved_by__user",)),
    Holding("CodebookNote", ("published_by__user",)),
    Holding("Adjudication", ("adjudicator__user",), also=ITEM),
    Holding("AdjudicatedLabel", ("adjudication__adjudicator__user",)),
    Holding("Validation", ("validator__user",), also=ITEM),
    Holding("ValidatedSpan", ("validation__validator__user",)),
    Holding("ErrorMark", ("marked_by__user",), also=("cause__name",)),
    Holding("ItemAct", ("created_by",), ("uuid", "kind", "reason", "created_at"), also=("project__name",)),
    Holding("ProjectDeletion", ("asked_by",), also=("project__name",)),
    Holding("SuggestionSetting", ("set_by",)),
    Holding("Webhook", ("created_by",), also=("project__name",)),
    Holding("LanguageModelApproval", ("approved_by",), also=("project__name",)),
    Holding("PromptVersion", ("created_by",), also=("project__name",)),
    Holding("DatasheetAnswer", ("answered_by",), also=("project__name",)),
    Holding("EquivalenceRevision", ("made_by",)),
    Holding("EquivalenceReview", ("made_by",)),
    Holding("FactoidList", ("owner__user", "published_by"), also=("text_set__name",)),
    Holding("FactoidRevision", ("created_by",)),
    Holding("FactoidItem", ("decided_by",)),
    Holding("FactoidRelation", ("decided_by",)),
    Holding("Project", ("created_by", "transferred_to"), ("uuid", "name", "description", "created_at")),
    made("CodebookVersion", only=("version", "created_at")),
    made("CodebookDraft", "changed_by", only=("text",)),
    made("Import", "created_by", "undone_by", only=("filename", "created_at")),
    made("TestSet", "attached_by", only=("file_name",)),
    made("Round", only=("number", "created_at")),
    made("StringVectors"),
    made("Evaluation", only=("name", "created_at")),
    made("EquivalenceEvaluation"),
    made("TextSet", only=("name", "created_at")),
    Holding("FactoidPhase", ("opened_by", "closed_by"), also=("text_set__name",)),
    Holding("FactoidPairing", ("created_by",), also=("text_set__name",)),
    made("Interpretation", only=("name", "created_at")),
    made("Practice", only=("title", "created_at")),
    made("Release", only=("number", "notes", "created_at")),
    made("Simulation", only=("name", "created_at")),
)
# Foreign keys to a person that lead to nothing in the export, and why.
LEFT_OUT = {
    ("Round", "annotators"): "The person's assignments tell the same.",
    ("Assignment", "handed_to"): "The row is about whoever had the item first; the new one has a row of their own.",
}
