import type { Assignment, StageDefinition } from "../../../api/types";
import { useOutboxState } from "../../../outbox/OutboxProvider";
import { counted } from "../../../text/format";
import type { Compare } from "../useNavigation";
import type { Work } from "../useWork";

interface FirstLookProps {
  stages: readonly StageDefinition[];
  firstLook: NonNullable<Assignment["first_look"]>;
}

interface RevisitNoteProps {
  work: Work;
  onUndone: () => void;
}

/** Says that this item is done already, and what came of it. */
export function RevisitNote({ work, onUndone }: RevisitNoteProps) {
  const skipped = work.initial.skipReason;
  return (
    <div className="notice row">
      <span role={work.isOvertaken ? "status" : undefined}>
        {work.isOvertaken
          ? overtakenWords(skipped)
          : skipped
            ? `You skipped this one: ${skipped}.`
            : "You answered this one."}{" "}
        {work.isChanged
          ? "Your change is not submitted yet."
          : "You can change it until the next round begins."}
      </span>
      {work.isChanged && (
        <button type="button" className="button" onClick={() => void work.undo().then(onUndone)}>
          {work.isOvertaken ? "Drop my work here" : "Undo the change"}
        </button>
      )}
    </div>
  );
}

function overtakenWords(skipped: string | null): string {
  const did = skipped ? `skipped this item (${skipped})` : "submitted this item";
  return `You ${did} in another tab. Your work in this tab is kept: submit it as a change, or drop it.`;
}

/** In a second look: where somebody's answer differs, and what is not told. */
export function FirstLookNote({ stages, firstLook }: FirstLookProps) {
  const titles = stages.filter(({ key }) => firstLook.differs.includes(key)).map(({ title }) => title);
  return (
    <div className="notice">
      <p>
        <b>Second look.</b> Your first answer is filled in. Somebody’s differs from it at: {titles.join(", ")}
        . Submit to confirm yours, or change it first.
      </p>
      <p className="small mute">
        What others said is not shown, and please don’t discuss it. Only where two people answered and a
        question has two labels does a difference tell the other’s label. Your first answer is frozen and kept
        as it is.
      </p>
    </div>
  );
}

interface OtherTabProps {
  id: string;
  work: Work;
  onTaken: () => void;
}

/** Two tabs share one draft of an item: the later change is kept. */
export function OtherTabNote({ id, work, onTaken }: OtherTabProps) {
  const { elsewhere } = useOutboxState();
  if (!elsewhere.has(id)) return null;
  return (
    <div className="notice warn row">
      <span role="status">
        You have changed this item in another tab since, and that is what is kept. A change here replaces it.
      </span>
      <button type="button" className="button" onClick={() => void work.takeOther().then(onTaken)}>
        Take what is kept
      </button>
    </div>
  );
}

/** A model's prediction differs from the person's own answer, which was given without it. */
export function CompareNote({ compare }: { compare: Compare }) {
  return (
    <div className="notice row">
      <span role="status">
        A model gives another label than you to {counted(compare.n, "item")} that you answered. Your answers
        stay unless you change them.
      </span>
      <button type="button" className="button" onClick={compare.go}>
        Compare item {compare.position}
      </button>
    </div>
  );
}

export function UnsubmittedNote({ onReturn }: { onReturn: () => void }) {
  return (
    <div className="notice warn row">
      <span>
        You changed an earlier answer and did not submit it. The change is kept in this browser only.
      </span>
      <button type="button" className="button" onClick={onReturn}>
        Go back to it
      </button>
    </div>
  );
}
