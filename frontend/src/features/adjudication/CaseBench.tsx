import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { Questions } from "../../annotate/questions/Questions";
import { Reading } from "../../annotate/reading/Reading";
import { showInPanel, usePreserveScroll } from "../../annotate/reading/usePreserveScroll";
import { HelpSheet } from "../../components/HelpSheet";
import { Key } from "../../components/Key";
import { Refusal } from "../../components/Refusal";
import { useKeyboard } from "../../keyboard/useKeyboard";
import { useProject } from "../../session/project";
import { KEYS } from "./actions";
import { decisionWords, placeInList, REVISED_SINCE } from "./model/copy";
import { pathTo } from "./model/filters";
import { AnswersTable } from "./parts/AnswersTable";
import { Begun } from "./parts/Begun";
import { type CaseState, useCase } from "./useCase";
import type { CaseProps } from "./useOwn";

/** One item: the text with its context, the answers side by side, and the decision. */
export function CaseBench(props: CaseProps) {
  const bench = useCase(props);
  const pageRef = useRef<HTMLElement>(null);
  const markRef = useRef<HTMLElement>(null);
  const sectionRef = useRef<HTMLElement>(null);
  const stay = usePreserveScroll(markRef, pageRef);
  useKeyboard(bench.actions);
  useEffect(() => {
    window.scrollTo(0, 0);
  }, []);
  const current = bench.questions.current?.key;
  // biome-ignore lint/correctness/useExhaustiveDependencies(current): at each new question it is read again
  useEffect(() => showInPanel(markRef.current), [current]);
  return (
    <main className="label-page" id="main" ref={pageRef}>
      <h1 className="visually-hidden">
        {props.filters.phase === 2 ? "Record a consensus" : "Decide a disagreement"}
      </h1>
      <div className="case-side">
        <Where bench={bench} />
        <div className="reading-side">
          <Reading
            item={props.page.item}
            claimedUntil={null}
            opened={bench.context}
            onLevel={(level) => {
              stay();
              bench.setContext(level);
            }}
            markRef={markRef}
            sectionRef={sectionRef}
          />
        </div>
        <AnswersTable page={props.page} stages={bench.stages} phase={props.filters.phase} />
      </div>
      <aside className="questions" aria-label="Decision">
        <Side bench={bench} />
      </aside>
      {bench.keysShown && <HelpSheet actions={bench.actions} onClose={bench.hideKeys} />}
    </main>
  );
}

function Where({ bench: { page, projectId, filters } }: { bench: CaseState }) {
  const { may } = useProject();
  return (
    <div className="row">
      <p className="small mute">
        <Link to={pathTo(projectId, filters)}>All disagreements</Link> · round {page.round} ·{" "}
        {placeInList(page.place, page.total)}
      </p>
      {may.includes("manage") && (
        <Link
          className="small"
          to={`/projects/${projectId}/items?q=${encodeURIComponent(page.item.external_id)}`}
        >
          Find it under Items
        </Link>
      )}
    </div>
  );
}

function Side({ bench }: { bench: CaseState }) {
  const { page, stages, own, commands, filters } = bench;
  return (
    <>
      {page.decision && (
        <div className="notice">
          <p>{decisionWords(page.decision, stages)}</p>
          {page.decision.reason && <p className="small mute">{page.decision.reason}</p>}
          {page.revised_since && <p>{REVISED_SINCE}</p>}
        </div>
      )}
      <Begun bench={bench} />
      {filters.phase === 2 && (
        <p className="notice">Record what the annotators agreed on after the second look.</p>
      )}
      <Questions
        stages={stages}
        answers={own.deciding.path}
        questions={bench.questions}
        keys={bench.keys}
        contextOpened={bench.context}
        showHelp={bench.helpShown}
        notes={(stage) => (own.deciding.touched.has(stage) ? "decided" : "majority")}
        onAnswer={commands.answer}
        onReopen={commands.reopen}
        submitRef={bench.storeRef}
      />
      <Reason bench={bench} />
      {bench.problem && <p className="notice warn">{bench.problem}</p>}
      {bench.isBusy && <Storing isPaused={bench.isPaused} />}
      <Refusal error={bench.error} placed={() => false} />
      <Foot bench={bench} />
    </>
  );
}

function Storing({ isPaused }: { isPaused: boolean }) {
  if (!isPaused) return <p className="small mute">Storing…</p>;
  return (
    <p className="notice warn" role="status">
      Not stored yet: you are offline. It is kept in this browser and sent when the connection is back.
    </p>
  );
}

function Reason({ bench }: { bench: CaseState }) {
  return (
    <div className="field">
      <label htmlFor="reason">
        Reason <Key name={KEYS.reason} />
      </label>
      <input
        id="reason"
        ref={bench.reasonRef}
        className="input"
        value={bench.own.reason}
        readOnly={bench.isBusy}
        maxLength={1000}
        autoComplete="off"
        onChange={(event) => bench.own.setReason(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Enter") {
            event.preventDefault();
            bench.commands.store();
          }
          if (event.key === "Escape") event.currentTarget.blur();
        }}
      />
      <span className="hint">Enter stores, Esc leaves the box.</span>
    </div>
  );
}

function Foot({ bench }: { bench: CaseState }) {
  const { page, commands, filters } = bench;
  const isDecided = page.decision !== null && !page.decision.withdraws;
  return (
    <>
      <div className="go-row">
        <button type="button" className="button" disabled={!page.previous} onClick={commands.previous}>
          Back <Key name={KEYS.previous} />
        </button>
        <button
          type="button"
          className="button primary"
          ref={bench.storeRef}
          aria-disabled={bench.isBusy || Object.keys(bench.own.labels).length === 0}
          onClick={commands.store}
        >
          {filters.phase === 2 ? "Record" : "Decide"} <Key name={KEYS.store} />
        </button>
        <button type="button" className="button" disabled={!page.next} onClick={commands.next}>
          Forward <Key name={KEYS.next} />
        </button>
      </div>
      <div className="more-row">
        {isDecided && (
          <button type="button" className="button quiet" onClick={commands.undo}>
            Take the decision back <Key name={KEYS.undo} />
          </button>
        )}
        <button
          type="button"
          className="button quiet"
          aria-pressed={bench.helpShown}
          onClick={commands.toggleHelp}
        >
          Help <Key name={KEYS.help} />
        </button>
        <button type="button" className="button quiet" onClick={commands.keys}>
          Keys <Key name={KEYS.keys} />
        </button>
      </div>
      <p className="foot-note">
        Your choices count together with the majorities. Choosing another label closes the questions that
        depend on it.
      </p>
    </>
  );
}
