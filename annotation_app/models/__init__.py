"""Define the models, one file for each concept."""

from annotation_app.models.adjudication import AdjudicatedLabel, Adjudication
from annotation_app.models.agreement import (
    AgreementCache,
    AgreementState,
    AnswerPattern,
    CountedItem,
    LabelCombination,
    RecountQueue,
)
from annotation_app.models.annotations import Annotation, Answer, Assignment
from annotation_app.models.base import StartedModel
from annotation_app.models.codebook import CodebookDraft, CodebookVersion
from annotation_app.models.corpus import Document, Item, Utterance
from annotation_app.models.equivalence import (
    EquivalenceEvaluation,
    EquivalenceReview,
    EquivalenceRevision,
    StringVectors,
)
from annotation_app.models.evaluations import (
    ErrorCause,
    ErrorMark,
    Evaluation,
    EvaluationFile,
    GoldLabel,
    LanguageModelApproval,
    Prediction,
    PromptVersion,
)
from annotation_app.models.events import Event, event_write
from annotation_app.models.factoids import (
    Factoid,
    FactoidAbsence,
    FactoidItem,
    FactoidList,
    FactoidPairing,
    FactoidPhase,
    FactoidRelation,
    FactoidRevision,
    FactoidSentence,
    SetSentence,
    SetText,
    TextSet,
)
from annotation_app.models.imports import Import
from annotation_app.models.interpretations import Interpretation, InterpretationFile
from annotation_app.models.item_acts import ItemAct
from annotation_app.models.leases import LASTING, Lease, LeasedModel, LeaseLost, lease_end
from annotation_app.models.mails import AddressLink, Mail
from annotation_app.models.notices import NoticeRead
from annotation_app.models.people import (
    ApiToken,
    FirstLink,
    Identity,
    Invite,
    Membership,
    PasswordLink,
    Session,
    User,
)
from annotation_app.models.practice import KnownAnswer, Practice, PracticeAddition, PracticeAttempt
from annotation_app.models.project import Project, ProjectDeletion
from annotation_app.models.releases import DatasheetAnswer, Release
from annotation_app.models.remarks import CodebookNote, Flag, FlagMessage, FlagRead, Resolution
from annotation_app.models.roles import CAPABILITIES, SCOPES, Capability, Role, Scope, roles_with, usual_raters
from annotation_app.models.rounds import Batch, BatchItem, Round, RoundFile
from annotation_app.models.simulations import Simulation, SimulationFile
from annotation_app.models.sources import ImportedSpans, ItemSource, SourceDocument
from annotation_app.models.spans import MarkedSpan, Span, ValidatedSpan, Validation
from annotation_app.models.suggestions import SuggestionSetting
from annotation_app.models.test_sets import StoppingSet, TestItem, TestSet
from annotation_app.models.webhooks import Delivery, Webhook
from annotation_app.models.workers import WorkerBeat

__all__ = [
    "CAPABILITIES",
    "LASTING",
    "SCOPES",
    "AddressLink",
    "AdjudicatedLabel",
    "Adjudication",
    "AgreementCache",
    "AgreementState",
    "Annotation",
    "Answer",
    "AnswerPattern",
    "ApiToken",
    "Assignment",
    "Batch",
    "BatchItem",
    "Capability",
    "CodebookDraft",
    "CodebookNote",
    "CodebookVersion",
    "CountedItem",
    "DatasheetAnswer",
    "Delivery",
    "Document",
    "EquivalenceEvaluation",
    "EquivalenceReview",
    "EquivalenceRevision",
    "ErrorCause",
    "ErrorMark",
    "Evaluation",
    "EvaluationFile",
    "Event",
    "Factoid",
    "FactoidAbsence",
    "FactoidItem",
    "FactoidList",
    "FactoidPairing",
    "FactoidPhase",
    "FactoidRelation",
    "FactoidRevision",
    "FactoidSentence",
    "FirstLink",
    "Flag",
    "FlagMessage",
    "FlagRead",
    "GoldLabel",
    "Identity",
    "Import",
    "ImportedSpans",
    "Interpretation",
    "InterpretationFile",
    "Invite",
    "Item",
    "ItemAct",
    "ItemSource",
    "KnownAnswer",
    "LabelCombination",
    "LanguageModelApproval",
    "Lease",
    "LeaseLost",
    "LeasedModel",
    "Mail",
    "MarkedSpan",
    "Membership",
    "NoticeRead",
    "PasswordLink",
    "Practice",
    "PracticeAddition",
    "PracticeAttempt",
    "Prediction",
    "Project",
    "ProjectDeletion",
    "PromptVersion",
    "RecountQueue",
    "Release",
    "Resolution",
    "Role",
    "Round",
    "RoundFile",
    "Scope",
    "Session",
    "SetSentence",
    "SetText",
    "Simulation",
    "SimulationFile",
    "SourceDocument",
    "Span",
    "StartedModel",
    "StoppingSet",
    "StringVectors",
    "SuggestionSetting",
    "TestItem",
    "TestSet",
    "TextSet",
    "User",
    "Utterance",
    "ValidatedSpan",
    "Validation",
    "Webhook",
    "WorkerBeat",
    "event_write",
    "lease_end",
    "roles_with",
    "usual_raters",
]
