"""List what goes and what stays when a person is made anonymous. A test finds what is in neither list."""

# Stands where an empty text would mean something else, such as an item that was not skipped.
REMOVED = "(removed)"
# Rows that are about nothing but the person.
DELETED = ("Session", "ApiToken", "Identity", "PasswordLink", "AddressLink", "Mail", "NoticeRead")
# What the person wrote as themselves.
TEXTS = {
    "Annotation": ("comment", "skip_reason"),
    "Flag": ("note",),
    "FlagMessage": ("words",),
    "Adjudication": ("reason",),
    "Validation": ("reason",),
    "EquivalenceReview": ("note",),
    "FactoidItem": ("note",),
    "FactoidRevision": ("item",),
    "Invite": ("note", "address"),
}
# Comments of spans, which go only where whoever runs the server asks for it.
SPAN_TEXTS = {"Span": ("comment",), "ValidatedSpan": ("comment",)}
LABEL = "It is a label, or says where one is."
PROJECT = "It is the project's: it tells others how data came about."
# What stays of tables with rows of a person, and why.
STAYS = {
    ("Answer", "stage"): LABEL,
    ("Answer", "label"): LABEL,
    ("Span", "quote"): LABEL,
    ("Span", "category"): LABEL,
    ("AdjudicatedLabel", "stage"): LABEL,
    ("AdjudicatedLabel", "label"): LABEL,
    ("ValidatedSpan", "quote"): LABEL,
    ("ValidatedSpan", "category"): LABEL,
    ("FactoidRevision", "kind"): LABEL,
    ("FactoidRevision", "changes"): LABEL,
    ("EquivalenceRevision", "content"): LABEL,
    ("EquivalenceRevision", "action"): LABEL,
    ("CodebookNote", "stage"): PROJECT,
    ("CodebookNote", "words"): "It is part of what everybody labelled by.",
    ("ItemAct", "items"): PROJECT,
    ("ItemAct", "reason"): PROJECT,
    ("SuggestionSetting", "system"): PROJECT,
    ("Webhook", "url"): PROJECT,
    ("Webhook", "kinds"): PROJECT,
    ("LanguageModelApproval", "model"): PROJECT,
    ("LanguageModelApproval", "destination"): PROJECT,
    ("PromptVersion", "stage"): PROJECT,
    ("PromptVersion", "template"): PROJECT,
    ("DatasheetAnswer", "question"): PROJECT,
    ("DatasheetAnswer", "text"): PROJECT,
    ("Project", "name"): PROJECT,
    ("Project", "description"): PROJECT,
    ("Project", "time_zone"): PROJECT,
    ("Project", "shown_columns"): PROJECT,
    ("Event", "verb"): "The log tells what was done, and names it by ids.",
    ("Event", "subject"): "The log tells what was done, and names it by ids.",
    ("Event", "data"): "Names of people in it are replaced.",
}
