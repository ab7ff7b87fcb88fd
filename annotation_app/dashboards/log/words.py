"""Say what a line of the audit log means, with a sentence for each verb that a service writes.

The actor stands beside the sentence, so that each begins with what was done. None tells what was answered or decided:
an admin may annotate too, and would read it before their own answer.
"""

from collections.abc import Callable
from typing import Any

from al_worker.formats.plurals import several
from annotation_app.export.kinds import FORMAT_TITLES, TABLES

# Data of the line, and the name of what it is about (log.sql), to a sentence.
Words = Callable[[dict[str, Any], str], str]
UNKNOWN = "(not recorded)"


class Recorded(dict[str, Any]):
    """Hold the data of a line; what an older version did not write is said to be missing."""

    def __missing__(self, key: str) -> str:
        return UNKNOWN


def plain(template: str) -> Words:
    """Return a sentence with `{about}` and the names of data in it."""
    return lambda data, about: template.format_map(Recorded(data, about=about or UNKNOWN))


def counted(value: object, one: str) -> str:
    """Return 1 "item" as "1 item", and 1200 as "1,200 items"."""
    return several(value, one) if isinstance(value, int) else f"{UNKNOWN} {one}s"


def counting(template: str, **ones: str) -> Words:
    """Return a sentence as `plain` does, with `items="item"` for data whose number takes that word."""

    def words(data: dict[str, Any], about: str) -> str:
        numbers = {name: counted(data.get(name), one) for name, one in ones.items()}
        return plain(template)({**data, **numbers}, about)

    return words


def batch_words(kind: object, number: object) -> str:
    """Name a batch from its stored {kind, number}, such as "the batch of round 3"."""
    known = {"round": "the batch of round", "second_look": "the second look at round"}
    return f"{known.get(str(kind), f'the {kind} batch')} {number}"


def project_changed(data: dict[str, Any], about: str) -> str:
    fields = data.get("fields")
    what = " and ".join(map(str, fields)).replace("_", " ") if isinstance(fields, list) else "name or description"
    renamed = " It is “{name}” (before: “{old}”)." if isinstance(fields, list) and "name" in fields else ""
    return f"Changed the project's {what}." + renamed.format_map(Recorded(data))


def named_batch(about: str) -> str:
    """Name a batch as log.sql does, such as "round 3"."""
    return batch_words(*about.split(" ", 1)) if " " in about else f"the batch {UNKNOWN}"


def batch_opened(data: dict[str, Any], about: str) -> str:
    kept = Recorded(data)
    batch, size = batch_words(kept["kind"], kept["number"]), counted(data.get("items"), "item")
    people = f"{counted(data.get('annotators'), 'annotator')}, {kept['annotators_per_item']} an item"
    dealt = ", dealt out by shares" if data.get("shares") else ""
    checks = f", with {counted(data['check_items'], 'check item')}" if data.get("check_items") else ""
    return f"Opened {batch}: {size}{checks} for {people}{dealt}."


def claims_expired(data: dict[str, Any], about: str) -> str:
    idle = data.get("assignments")
    number = len(idle) if isinstance(idle, list) else None
    return f"Took back {counted(number, 'item')} that had been left idle, of {named_batch(about)}."


def annotation_submitted(data: dict[str, Any], about: str) -> str:
    item, revision = about or UNKNOWN, data.get("revision")
    if data.get("skipped"):
        return f"Skipped item {item}."
    return (
        f"Annotated item {item}." if revision == 1 else f"Revised the annotation of item {item}: revision {revision}."
    )


def equivalence_reviewed(data: dict[str, Any], about: str) -> str:
    done = {"validated": "Validated a class of", "returned": "Returned a class of"}
    return f"{done.get(str(data.get('decision')), 'Took back a review of a class of')} “{Recorded(data)['name']}”."


def adjudicated(data: dict[str, Any], about: str) -> str:
    what = "Recorded a consensus on" if data.get("source") == "consensus" else "Decided a disagreement on"
    return f"{what} item {about or UNKNOWN}{later(data)}."


def validated(data: dict[str, Any], about: str) -> str:
    done = {
        "accepted": "Accepted an annotation of",
        "edited": "Edited and accepted an annotation of",
        "rejected": "Rejected all annotations of",
        "reopened": "Reopened the validation of",
    }
    return f"{done.get(str(data.get('decision')), 'Validated')} item {about or UNKNOWN}{later(data)}."


def later(data: dict[str, Any]) -> str:
    """Name a decision's revision; the first needs no number."""
    revision = Recorded(data)["revision"]
    return "" if revision == 1 else f": decision {revision}"


def answers_shown(data: dict[str, Any], about: str) -> str:
    """Say that answers were revealed, of one item or of all that a list had hidden."""
    own = data.get("assignments")
    which = f"item {about}" if about else counted(len(own) if isinstance(own, list) else None, "item")
    locked = "" if own == [] else ", which locked their own answers"
    return f"Was shown others' answers to {which}{locked}."


def predictions_shown(data: dict[str, Any], about: str) -> str:
    systems = data.get("systems")
    who = ", ".join(systems) if isinstance(systems, list) else UNKNOWN
    return f"Was shown what models predict of item {about or UNKNOWN}: {who}."


def suggestions_set(data: dict[str, Any], about: str) -> str:
    kept = Recorded(data)
    batch = batch_words(kept["kind"], kept["number"])
    when = {"before": "before they answer", "after": "after their own first answer"}.get(str(kept["mode"]))
    if when is None:
        return f"Stopped showing a model's predictions to the annotators of {batch}."
    who = f"{kept['system']} of evaluation {kept['evaluation']}"
    return f"Shows the annotators of {batch} what {who} predicts, {when}."


def budget_set(data: dict[str, Any], about: str) -> str:
    new, old = (("none" if data.get(name) is None else counted(data[name], "item")) for name in ("new", "old"))
    return f"Set the annotation budget: {new} (before: {old})."


def codebook_published(data: dict[str, Any], about: str) -> str:
    # The first version changes nothing, whatever older lines hold.
    breaking = data.get("compatible") is False and data.get("version") != 1
    return f"Published the codebook, version {Recorded(data)['version']}{', a breaking change' if breaking else ''}."


def simulation_restarted(data: dict[str, Any], about: str) -> str:
    return f"Started the simulation “{about or UNKNOWN}” again{', from the beginning' if data.get('anew') else ''}."


def evaluation_shown(data: dict[str, Any], about: str) -> str:
    systems = data.get("systems")
    named = ", ".join(systems) if isinstance(systems, list) else UNKNOWN
    return f"Chose what adjudicators see of the evaluation “{about or UNKNOWN}”: {named or 'nothing'}."


def error_marked(data: dict[str, Any], about: str) -> str:
    """Say that a cause was named or taken away, but not which, since a cause tells what the item's label is."""
    done = "Named the cause" if data.get("cause") else "Took away the cause"
    return f"{done} of an error of {Recorded(data)['system']} on item {about or UNKNOWN}."


def texts_added(data: dict[str, Any], about: str) -> str:
    whose = " of a system" if data.get("is_system") else ""
    return f"Added {counted(data.get('texts'), 'text')}{whose} to “{about or UNKNOWN}”."


def phase_opened(data: dict[str, Any], about: str) -> str:
    kept = Recorded(data)
    steps = {"independent": "independent", "second_look": "a second look", "consensus": "a consensus"}
    what = f"{kept['kind']}, {steps.get(str(kept['step']), kept['step'])}"
    lists = counted(data.get("people"), "list")
    return f"Opened phase {kept['phase']} of “{about or UNKNOWN}”: {what}, {lists}."


def export_made(data: dict[str, Any], about: str) -> str:
    kind, file = (Recorded(data)[name] for name in ("kind", "file"))
    what = {"aggregated": "aggregated labels", "log": "this log"}.get(kind, kind)
    names = ", with names" if data.get("names") else ""
    written_as = FORMAT_TITLES.get(data.get("format", ""))
    parts = "row" if data.get("format") in TABLES else "line"
    form = f" in {written_as}" if written_as else ""
    return f"Exported {what}{form}{names}: {counted(data.get('lines'), parts)} as {file}."


# Kind: (its title, words by verb). A test walks the source for verbs without words.
KINDS: dict[str, tuple[str, dict[str, Words]]] = {
    "setup": (
        "Project, codebook and import",
        {
            "project_created": plain("Created the project “{name}”."),
            "project_copied": counting(
                "Copied the project as “{name}”: {members} added, {items}.", members="other member", items="item"
            ),
            "project_begun_as_copy": counting(
                "Began the project as a copy of “{name}”: {members}, {items}.", members="other member", items="item"
            ),
            "budget_set": budget_set,
            "project_changed": project_changed,
            "project_transferred": plain("Transferred the project to {to} (before: {old})."),
            "columns_shown": plain("Chose the columns beside the text: {columns}."),
            "project_archived": plain("Archived the project."),
            "project_deletion_asked": counting("Requested the deletion of the project in {days}.", days="day"),
            "project_restored": plain("Restored the project."),
            "project_purged": plain("Deleted the project “{name}” for good."),
            "codebook_draft_begun": plain("Began to write a draft of the codebook."),
            "codebook_draft_discarded": plain("Discarded the draft of the codebook that was being written."),
            "codebook_created": plain("Drafted the codebook, version {version}."),
            "codebook_published": codebook_published,
            "webhook_created": plain("Made a webhook to {url}."),
            "webhook_removed": plain("Removed the webhook to {url}."),
            "import_created": plain("Began to import {filename}."),
            "import_done": counting("The import of {about} was finished: {items}.", items="item"),
            "import_failed": counting("The import of {about} failed: {n_errors}.", n_errors="fault"),
            "import_undone": counting("Undid the import of {about}: {items} removed.", items="item"),
        },
    ),
    "members": (
        "Members and invitations",
        {
            "invite_created": plain("Made a link that invites one {role}."),
            "invite_revoked": plain("Revoked a link that invites one {about}."),
            "invite_accepted": plain("Joined by a link, as {role}."),
            "member_role_set": plain("Changed the role of {about}: {new} (before: {old})."),
            "member_activated": plain("Activated {about}."),
            "member_deactivated": plain("Deactivated {about}."),
            "api_token_created": plain("Made the API token “{name}” for {about}: scope {scope}, {days} days."),
            "api_token_revoked": plain("Revoked the API token “{name}” of {about}."),
            "password_link_created": plain("Made a link that lets {about} choose a new password."),
            "password_link_mailed": plain("Sent {about} a link by mail to choose a new password, as asked."),
            "password_link_used": plain("Chose a new password by a link."),
            "password_changed": plain("Changed their own password."),
            "address_changed": plain("Changed their own mail address."),
            "person_exported": plain("Exported what is stored about one person."),
            "person_anonymised": plain("Made {about} anonymous: names and texts are gone, labels stay."),
            "identity_linked": plain("Linked a sign-in by OpenID Connect with their own account."),
            "identity_unlinked": plain("Unlinked a sign-in by OpenID Connect from their own account."),
            "first_account_created": plain("Made the first account, by the link that the server printed."),
            "account_switched_off": plain("Switched off the account of {about}."),
            "account_switched_on": plain("Switched the account of {about} on again."),
            "assignments_withdrawn": counting(
                "Withdrew {assignments} of {about}, not answered yet.", assignments="assignment"
            ),
            "assignments_restored": counting("Gave {about} back {assignments}.", assignments="assignment"),
        },
    ),
    "rounds": (
        "Rounds and batches",
        {
            "round_started": plain("Started round {number}, strategy {strategy}."),
            "round_opened": counting("Round {about} chose {items}.", items="item"),
            "round_failed": plain("Round {about} failed at step {step}: {reason}"),
            "round_restarted": plain("Started round {about} again."),
            "round_cancelled": plain("Cancelled round {about}."),
            "batch_opened": batch_opened,
            "second_look_opened": counting(
                "Opened a second look at round {number}: {items}, {assignments}.",
                items="item",
                assignments="assignment",
            ),
            "batch_closed": lambda data, about: (
                f"Closed {named_batch(about)} with what was there: "
                f"{counted(data.get('assignments'), 'open assignment')} withdrawn."
            ),
            "batch_reopened": lambda data, about: (
                f"Opened {named_batch(about)} again: {counted(data.get('assignments'), 'assignment')} given back."
            ),
            "person_taken_off": lambda data, about: (
                f"Took {about or UNKNOWN} off {batch_words(Recorded(data)['kind'], Recorded(data)['number'])}: "
                f"{counted(data.get('assignments'), 'open assignment')} withdrawn."
            ),
            "person_put_back": lambda data, about: (
                f"Put {about or UNKNOWN} back on {batch_words(Recorded(data)['kind'], Recorded(data)['number'])}: "
                f"{counted(data.get('assignments'), 'assignment')} given back."
            ),
            "person_added": lambda data, about: (
                f"Added {about or UNKNOWN} to {batch_words(Recorded(data)['kind'], Recorded(data)['number'])}, "
                f"for {counted(data.get('items'), 'item')}."
            ),
            "batch_priority_set": lambda data, about: (
                f"Gave {named_batch(about)} the priority {Recorded(data)['new']} (before: {Recorded(data)['old']})."
            ),
            "items_handed_over": counting("Handed {items} of {about} over to {to_name}.", items="open item"),
            "suggestions_set": suggestions_set,
            "item_left_out": counting(
                "Left item {about} out of the pool: {reason} ({assignments} withdrawn)", assignments="open assignment"
            ),
            "item_taken_back": plain("Took item {about} back into the pool."),
            "items_left_out": counting(
                "Left {items} out of the pool: {reason} ({assignments} withdrawn)",
                items="item",
                assignments="open assignment",
            ),
            "items_taken_back": counting("Took {items} back into the pool.", items="item"),
            "second_look_closed": lambda data, about: f"Closed {named_batch(about)}.",
            "practice_created": plain("Made the practice “{title}”."),
            "practice_changed": plain("Changed the practice “{about}”: pass mark {pass_mark}, attempts {attempts}."),
            "practice_removed": plain("Removed the practice “{title}”, which was never opened."),
            "practice_items_added": counting("Added {items} to the practice “{about}”.", items="item"),
            "practice_item_removed": plain("Removed an item from the practice “{about}”."),
            "practice_key_set": plain("Wrote the key of an item of the practice “{about}”."),
            "practice_opened": counting(
                "Opened the practice “{about}”: {items}, pass mark {pass_mark} percent, {attempts}.",
                items="item",
                attempts="attempt",
            ),
            "practice_closed": plain("Closed the practice “{about}”."),
            "practice_begun": plain("Began attempt {attempt} at the practice “{about}”."),
            "test_set_attached": plain("Attached a test set for stage {stage}."),
            "test_set_removed": plain("Removed the test set {about}."),
        },
    ),
    "decisions": (
        "Decisions",
        {
            "adjudication_submitted": adjudicated,
            "adjudication_withdrawn": plain("Withdrew the decision on item {about}."),
            "validation_submitted": validated,
            "answers_shown": answers_shown,
            "predictions_shown": predictions_shown,
            "remark_resolved": plain("Marked a remark on item {about} as resolved."),
            "remark_reopened": plain("Marked a remark on item {about} as open again."),
            "flag_answered": plain("Answered in the thread of a flag on item {about}."),
            "codebook_note_published": plain("Published a note beside version {version} of the codebook."),
            "codebook_note_withdrawn": plain("Withdrew a note beside version {version} of the codebook."),
        },
    ),
    "exports": (
        "Exports and releases",
        {
            "export_made": export_made,
            "datasheet_answered": plain("Answered a question of the datasheet: {about}."),
            "release_created": plain("Began release {number}."),
            "release_done": plain("Release {number} was finished."),
            "release_failed": plain("Release {number} failed: {reason}"),
        },
    ),
    "simulations": (
        "Simulations",
        {
            "simulation_created": plain("Started the simulation “{about}”."),
            "simulation_restarted": simulation_restarted,
            "simulation_cancelled": plain("Cancelled the simulation “{about}”."),
            "simulation_done": plain("The simulation “{about}” was finished."),
            "simulation_failed": plain("The simulation “{about}” failed: {reason}"),
        },
    ),
    "evaluations": (
        "Evaluations of models",
        {
            "evaluation_created": plain("Started the evaluation “{about}”, number {number}."),
            "evaluation_paused": plain("Paused the evaluation “{about}”."),
            "evaluation_resumed": plain("Let the evaluation “{about}” go on."),
            "evaluation_cancelled": plain("Cancelled the evaluation “{about}”."),
            "evaluation_done": plain("The evaluation “{about}” was finished."),
            "evaluation_failed": plain("The evaluation “{about}” failed: {reason}"),
            "evaluation_shown": evaluation_shown,
            "prompt_saved": plain("Saved version {number} of the prompt of the stage {stage}."),
            "language_model_approved": plain("Approved that texts go to {destination}, for the model {model}."),
            "language_model_approval_taken": plain("Took back that texts go to {destination}, for the model {model}."),
            "error_cause_created": plain("Added “{name}” to the causes of errors."),
            "error_marked": error_marked,
        },
    ),
    "interpretations": (
        "Interpretations of sources",
        {
            "interpretation_created": plain("Started the interpretation “{about}”, number {number}."),
            "interpretation_paused": plain("Paused the interpretation “{about}”."),
            "interpretation_resumed": plain("Let the interpretation “{about}” go on."),
            "interpretation_cancelled": plain("Cancelled the interpretation “{about}”."),
            "interpretation_removed": plain("Removed the interpretation “{name}”, number {number}, with its files."),
            "interpretation_done": plain("The interpretation “{about}” was finished."),
            "interpretation_failed": plain("The interpretation “{about}” failed: {reason}"),
        },
    ),
    "factoids": (
        "Factoids",
        {
            "text_set_imported": counting("Imported the text set “{name}”: {texts}.", texts="text"),
            "texts_added": texts_added,
            "factoid_phase_opened": phase_opened,
            "factoid_people_added": counting("Added {people} to phase {phase} of “{about}”.", people="annotator"),
            "factoid_phase_closed": plain("Closed phase {phase} of “{about}”."),
            "factoid_phase_reopened": plain("Opened phase {phase} of “{about}” again."),
            "factoid_list_imported": counting(
                "Imported {factoids} from {file} into a list of phase {phase} of “{about}”.", factoids="factoid"
            ),
            "factoids_paired": plain("Paired two lists of “{about}”, from an overlap of {threshold} on."),
            "factoids_pairing_set": plain("Changed how two lists of “{about}” are paired: from {threshold} on."),
            "factoid_consensus_drafted": counting(
                "Drafted a consensus list of “{about}”: {factoids}.", factoids="factoid"
            ),
            "factoid_consensus_published": counting(
                "Published version {version} of the consensus list of “{about}”: {factoids}.", factoids="factoid"
            ),
            "factoid_consensus_discarded": plain("Discarded a draft of a consensus list of “{about}”."),
        },
    ),
    "equivalence": (
        "Equivalence classes",
        {
            "equivalence_created": plain("Created the evaluation by equivalence classes “{name}”."),
            "equivalence_changed": plain("Changed the equivalence classes of “{name}”: revision {revision}."),
            "equivalence_removed": plain("Removed the evaluation by equivalence classes “{name}”."),
            "equivalence_put_back": plain("Put the evaluation by equivalence classes “{name}” back."),
            "equivalence_reviewed": equivalence_reviewed,
            "equivalence_vectors_started": counting(
                "Asked which of {strings} of the category {category} are alike.", strings="string"
            ),
            "equivalence_vectors_done": plain("Found which strings of the category {category} are alike."),
            "equivalence_vectors_failed": plain(
                "Did not find which strings of the category {category} are alike: {reason}"
            ),
        },
    ),
    "annotations": (
        "Annotations",
        {
            "annotation_submitted": annotation_submitted,
            "item_flagged": plain("Flagged item {about} for the admins."),
            "flag_replied": plain("Replied in the thread of their flag on item {about}."),
            "items_claimed": counting("Was given {items}.", items="item"),
            "item_released": plain("Gave item {about} back."),
            "claims_expired": claims_expired,
        },
    ),
}

# Many, and seldom what is looked for.
MANY = list(KINDS["annotations"][1])
WORDS = {verb: words for _, verbs in KINDS.values() for verb, words in verbs.items()}
KIND_OF = {verb: kind for kind, (_, verbs) in KINDS.items() for verb in verbs}


def sentence(verb: str, data: dict[str, Any], about: str) -> str:
    """Return the sentence of a line; `about` names its subject, or is empty.

    A verb of a later version is shown as it is.
    """
    words = WORDS.get(verb)
    return words(data, about) if words else f"{verb.replace('_', ' ').capitalize()}."
