import { Key } from "../../../components/Key";
import { Select } from "../../../components/Select";
import { count, counted } from "../../../text/format";
import { shortQuote } from "../../../text/quote";
import { REVIEW_TONES, REVIEW_WORDS, reviewWords } from "../copy";
import { classTitle, classWords } from "../model/edits";
import type { ClassFilter, ShownClass } from "../model/found";
import type { ReviewState } from "../types";
import { KEYS, NUMBERED } from "./actions";
import { DeleteClass } from "./Dialogs";
import { dragOf, useDrop } from "./dragging";
import { classId, type Editor } from "./useEditor";

const FILTERS: ClassFilter[] = ["all", "none", "validated", "changed", "returned", "unused"];

const FILTER_WORDS: Record<ClassFilter, string> = {
  all: "All classes",
  ...REVIEW_WORDS,
  unused: "with strings that are not found",
};

/** The classes, each a place to drop strings on. */
export function ClassesPane({ editor }: { editor: Editor }) {
  const { content, classes, classFilter, setClassFilter, mayEdit, stateOf, isFound } = editor;
  const { isOver, target } = useDrop(editor.create, mayEdit);
  const size = (filter: ClassFilter) => {
    if (filter === "all") return content.classes.length;
    const fits = (key: string, members: readonly string[]) =>
      filter === "unused" ? members.some((each) => !isFound(each)) : stateOf(key) === filter;
    return content.classes.filter(({ key, members }) => fits(key, members)).length;
  };
  return (
    <section className="classes-pane" aria-label="Classes">
      <Select
        label="Classes"
        value={classFilter}
        options={FILTERS.map((value) => ({
          value,
          text: `${FILTER_WORDS[value]} (${count(size(value))})`,
        }))}
        onValue={(value) => setClassFilter(value as ClassFilter)}
      />
      <div className="class-list">
        {classes.map((each) => (
          <ClassCard key={each.key} of={each} editor={editor} />
        ))}
        {classes.length === 0 && content.classes.length > 0 && (
          <p className="mute">No class is {FILTER_WORDS[classFilter]}.</p>
        )}
        {mayEdit && (
          <div className={isOver ? "new-class over" : "new-class"} {...target}>
            {content.classes.length === 0
              ? "No class yet. Select strings that mean the same, and drop them here or press "
              : "Drop strings here for a new class, or press "}
            <Key name={KEYS.create} />
          </div>
        )}
      </div>
    </section>
  );
}

function ClassCard({ of, editor }: { of: ShownClass; editor: Editor }) {
  const { content, atHandClass, goClass, mayEdit, reviews, counts, targets, places, targetWords } = editor;
  const { isOver, target } = useDrop((texts) => editor.put(texts, of.key), mayEdit);
  const review = reviews.get(of.key);
  const isAtHand = atHandClass?.key === of.key;
  const title = classTitle(content, of.key);
  const n = of.members.reduce((sum, each) => sum + (counts.get(each) ?? 0), 0);
  const isNew = targets.some((text) => places.get(text) !== of.key);
  return (
    <section
      id={classId(of.key)}
      className={["class-card", isAtHand && "at-hand", isOver && "over"].filter(Boolean).join(" ")}
      aria-label={title}
      {...target}
    >
      <div className="class-head">
        <button type="button" className="class-title" aria-pressed={isAtHand} onClick={() => goClass(of.key)}>
          {of.number <= NUMBERED && <Key name={String(of.number)} />}
          <b dir="auto">{of.name || <span className="mute">Class {of.number}</span>}</b>
          <span className="small mute numbers">
            {counted(of.members.length, "string")}, found {count(n)} ×
          </span>
        </button>
        {review && review.state !== "none" && (
          <span className={`tag ${REVIEW_TONES[review.state]}`}>{reviewWords(review)}</span>
        )}
      </div>
      {review?.note && <Note state={review.state} note={review.note} by={review.by} />}
      <Members of={of} editor={editor} />
      {mayEdit && targets.length > 0 && isNew && (
        <button type="button" className="button put-here" onClick={() => editor.put(targets, of.key)}>
          Put {targets.length === 1 ? "it" : count(targets.length)} here
          <span className="visually-hidden">
            : {targetWords} into {classWords(content, of.key)}
          </span>
        </button>
      )}
      {isAtHand && <Acts of={of} title={title} state={review?.state ?? "none"} editor={editor} />}
    </section>
  );
}

function Note({ state, note, by }: { state: ReviewState; note: string; by: string | null }) {
  return (
    <p className={state === "returned" ? "notice bad class-note" : "small mute class-note"} dir="auto">
      <b>{by ? `${by}: ` : "Note: "}</b>
      {note}
    </p>
  );
}

function Members({ of, editor }: { of: ShownClass; editor: Editor }) {
  const { selection, atHand, counts, isFound, isTouch, mayEdit } = editor;
  if (of.members.length === 0) return <p className="small mute">No string yet.</p>;
  const isNone = selection.selected.size === 0;
  return (
    <ul className="members">
      {of.members.map((text) => {
        const isSelected = selection.selected.has(text) || (isNone && atHand === text && !isTouch);
        return (
          <li key={text}>
            <button
              type="button"
              className={isFound(text) ? "member" : "member unused"}
              aria-pressed={isSelected}
              title={text.length > 60 ? text : undefined}
              onClick={(event) => selection.press(text, event)}
              onKeyDown={(event) => {
                if (event.key !== " ") return;
                event.preventDefault();
                if (!event.repeat) selection.toggle(text);
              }}
              {...dragOf(() => editor.dragged(text), mayEdit && !isTouch)}
            >
              <span dir="auto">{shortQuote(text, 60)}</span>{" "}
              {isFound(text) ? (
                <span className="mute numbers">{count(counts.get(text) ?? 0)}</span>
              ) : (
                <span className="not-found">not found</span>
              )}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** What can be done with the class at hand. */
function Acts({
  of,
  title,
  state,
  editor,
}: {
  of: ShownClass;
  title: string;
  state: ReviewState;
  editor: Editor;
}) {
  const { enabled, commands, mayEdit, overview } = editor;
  return (
    <div className="row tight class-acts">
      {mayEdit && (
        <>
          <button type="button" className="button quiet" onClick={commands.rename}>
            {of.name ? "Rename" : "Name it"} <Key name={KEYS.rename} />
          </button>
          {enabled.n_classes > 1 && (
            <button type="button" className="button quiet" onClick={commands.merge}>
              Merge <Key name={KEYS.merge} />
            </button>
          )}
          <button
            type="button"
            className="button quiet"
            onClick={() => {
              editor.selection.only(of.members);
              editor.refs.list.current?.focus();
            }}
          >
            Select its strings
          </button>
          <DeleteClass of={of} title={title} editor={editor} />
        </>
      )}
      {overview.can_validate && (
        <>
          {state !== "validated" && of.members.length > 0 && (
            <button type="button" className="button quiet review-act" onClick={commands.validate}>
              Validate <Key name={KEYS.validate} />
            </button>
          )}
          <button type="button" className="button quiet review-act" onClick={commands.sendBack}>
            Return <Key name={KEYS.sendBack} />
          </button>
          {state !== "none" && (
            <button type="button" className="button quiet review-act" onClick={commands.takeBack}>
              Take the review back <Key name={KEYS.takeBack} />
            </button>
          )}
        </>
      )}
    </div>
  );
}
