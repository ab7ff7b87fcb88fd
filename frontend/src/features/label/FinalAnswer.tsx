import { useEffect, useRef, useState } from "react";
import { contextActions, STAGE_KEYS } from "../../annotate/actions";
import { answerName } from "../../annotate/copy";
import { changesDone } from "../../annotate/doneItems";
import { levelBelow, nextLevel } from "../../annotate/reading/contextLevels";
import { Reading } from "../../annotate/reading/Reading";
import { showInPanel, usePreserveScroll } from "../../annotate/reading/usePreserveScroll";
import { nameOf } from "../../annotate/spans/model/categories";
import type { Assignment, ContextLevel, CurrentAnnotation } from "../../api/types";
import { HelpSheet } from "../../components/HelpSheet";
import { Key } from "../../components/Key";
import { type Action, action } from "../../keyboard/registry";
import { useKeyboard } from "../../keyboard/useKeyboard";
import { useOutbox } from "../../outbox/OutboxProvider";
import { shortQuote } from "../../text/quote";
import { ItemFlags } from "./parts/ItemFlags";
import { KeyCard } from "./parts/KeyCard";
import type { Navigation } from "./useNavigation";

interface FinalAnswerProps {
  assignment: Assignment;
  projectId: string;
  /** Why it can't be changed. */
  why: string;
  navigation: Navigation;
}

/** An own answer that can't be changed any more, to be read. */
export function FinalAnswer({ assignment, projectId, why, navigation }: FinalAnswerProps) {
  const { item, current } = assignment;
  const [opened, setOpened] = useState<ContextLevel>(current?.context_opened ?? "sentence");
  const [keysShown, setKeysShown] = useState(false);
  const pageRef = useRef<HTMLElement>(null);
  const markRef = useRef<HTMLElement>(null);
  const sectionRef = useRef<HTMLElement>(null);
  const stay = usePreserveScroll(markRef, pageRef);
  useEffect(() => showInPanel(markRef.current), []);
  const setLevel = (level: ContextLevel) => {
    stay();
    setOpened(level);
  };
  const wider = nextLevel(item, opened);
  const actions: Action[] = [
    offered("go", "Go on", "Going on", "enter", navigation.forward),
    offered("back", "Back to the one before", "Going on", STAGE_KEYS.back, navigation.back),
    offered("forward", "Forward", "Going on", STAGE_KEYS.forward, navigation.forward),
    ...contextActions(
      { openContext: () => wider && setLevel(wider), closeContext: () => setLevel(levelBelow(item, opened)) },
      { openContext: wider !== null, closeContext: opened !== "sentence" },
    ),
    offered("keys", "This list of keys", "Help", "?", () => setKeysShown(true)),
  ];
  useKeyboard(actions);
  return (
    <main className="label-page" id="main" ref={pageRef}>
      <h1 className="visually-hidden">Your earlier answer</h1>
      <div className="reading-side">
        <Reading
          item={item}
          claimedUntil={null}
          opened={opened}
          onLevel={setLevel}
          markRef={markRef}
          sectionRef={sectionRef}
        />
      </div>
      <aside className="questions" aria-label="Your answer">
        <div className="notice">
          <p>
            {saidWords(current)} {why}
          </p>
        </div>
        {assignment.key && <KeyCard answerKey={assignment.key} definition={assignment.codebook.definition} />}
        <LeftChange assignmentId={assignment.id} />
        {assignment.key && <h2>Your answer</h2>}
        {current && <Said current={current} definition={assignment.codebook.definition} />}
        <Foot navigation={navigation} />
        <ItemFlags assignmentId={assignment.id} projectId={projectId} />
      </aside>
      {keysShown && <HelpSheet actions={actions} onClose={() => setKeysShown(false)} />}
    </main>
  );
}

function saidWords(current: CurrentAnnotation | null): string {
  if (!current) return "You did not answer this one.";
  return current.skip_reason ? `You skipped this one: ${current.skip_reason}.` : "You answered this one.";
}

interface SaidProps {
  current: CurrentAnnotation;
  definition: Assignment["codebook"]["definition"];
}

function Said({ current, definition }: SaidProps) {
  const layer = definition.span_layer;
  const answered = definition.stages.filter(({ key }) => key in current.answers);
  if (answered.length === 0 && current.spans.length === 0 && !current.comment) return null;
  return (
    <dl className="card stack">
      {answered.map((stage) => (
        <div key={stage.key}>
          <dt className="small mute">{stage.title}</dt>
          <dd>
            <b>{answerName(stage, current.answers[stage.key])}</b>
          </dd>
        </div>
      ))}
      {layer &&
        current.spans.map((span, place) => (
          <div key={String(place)}>
            <dt className="small mute">{nameOf(layer, span.category)}</dt>
            <dd dir="auto">
              <q>{shortQuote(span.quote, 80)}</q> <span className="mute">{span.comment}</span>
            </dd>
          </div>
        ))}
      {current.comment && (
        <div>
          <dt className="small mute">Comment</dt>
          <dd dir="auto">{current.comment}</dd>
        </div>
      )}
    </dl>
  );
}

/** A change that was begun before and can't be submitted: it is dropped by the person, and not behind their back. */
function LeftChange({ assignmentId }: { assignmentId: string }) {
  const outbox = useOutbox();
  const [isLeft, setLeft] = useState(() => changesDone(outbox.drafts.get(assignmentId)));
  if (!isLeft) return null;
  return (
    <div className="notice warn row">
      <span>A change that you began here was not submitted, and can no longer be submitted.</span>
      <button
        type="button"
        className="button"
        onClick={() => void outbox.drafts.drop(assignmentId).then(() => setLeft(false))}
      >
        Drop the change
      </button>
    </div>
  );
}

function Foot({ navigation }: { navigation: Navigation }) {
  return (
    <div className="go-row">
      <button
        type="button"
        className="button"
        disabled={!navigation.back}
        onClick={() => navigation.back?.()}
      >
        Back <Key name={STAGE_KEYS.back} />
      </button>
      <button type="button" className="button primary" onClick={() => navigation.forward?.()}>
        Go on <Key name="enter" />
      </button>
    </div>
  );
}

function offered(id: string, label: string, group: string, key: string, run: (() => void) | null): Action {
  return action(id, label, group, key, run !== null, () => run?.());
}
