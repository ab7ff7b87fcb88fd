import { type KeyboardEvent, type ReactNode, useState } from "react";
import { flushSync } from "react-dom";
import type { Factoid } from "../../../../api/factoids";
import { Key } from "../../../../components/Key";
import { KeptNotice } from "../../../../kept/KeptNotice";
import { useKept } from "../../../../kept/useKept";
import { counted } from "../../../../text/format";
import { KEYS } from "../actions";
import { describeFactoid, idFault, renumberFactoid } from "../model/steps";
import type { Bench } from "../useBench";

/** The factoid at hand: its words, its sentences, and what can be done with it. */
export function ActiveCard({ bench }: { bench: Bench }) {
  const { active, mayEdit } = bench.work;
  if (!active) return <NoneAtHand bench={bench} />;
  return (
    <section className="card now active-card stack" aria-label={`Factoid ${active.id}`}>
      {mayEdit && bench.mode === "define" ? (
        // Words that a step, an undo or another tab made begin the box anew.
        <Words key={`${active.key} ${active.description}`} bench={bench} factoid={active} />
      ) : (
        <>
          <p dir="auto">
            <b className="factoid-id">{active.id}</b>{" "}
            {active.description || <i className="mute">no description</i>}
          </p>
          <TypedBefore key={active.key} list={bench.work.list.id} factoid={active} />
        </>
      )}
      {mayEdit &&
        (bench.mode === "define" ? <Changes bench={bench} /> : <Answers bench={bench} factoid={active} />)}
      <SideBySide bench={bench} factoid={active} />
    </section>
  );
}

function NoneAtHand({ bench: { mode, work, commands } }: { bench: Bench }) {
  if (!work.mayEdit) return null;
  return (
    <section className="card active-card row" aria-label="No factoid at hand">
      {mode === "define" ? (
        <>
          <Command name={KEYS.create} isPrimary run={commands.create}>
            New factoid from this sentence
          </Command>
          <span className="small mute">
            Words that you select in it begin its description. Or choose a factoid of the list.
          </span>
        </>
      ) : (
        <>
          <Command name={KEYS.undecided} isPrimary run={commands.undecided}>
            Next undecided factoid
          </Command>
          <span className="small mute">Or choose one of the list.</span>
        </>
      )}
    </section>
  );
}

const keptName = (list: string, { key }: Factoid) => `factoid.${list}.${key}`;

/** Its id and description. What is typed is kept in this browser until Enter, or leaving the box, makes a step of it. */
function Words({ bench, factoid }: { bench: Bench; factoid: Factoid }) {
  const { work, refs, back } = bench;
  const form = useKept(keptName(work.list.id, factoid), factoid.description);
  const keep = () => {
    if (!form.isChanged) return;
    const step = describeFactoid(factoid, form.value);
    if (!step) form.discard();
    // What cannot be a step now stays kept in this browser.
    else if (work.perform(step)) form.saved();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.shiftKey) return;
    // Leaving the box keeps what is in it.
    if (event.key === "Enter") event.preventDefault();
    if (event.key === "Escape") flushSync(form.discard);
    if (event.key === "Enter" || event.key === "Escape") back();
  };
  return (
    <>
      <div className="active-words">
        <IdBox key={factoid.id} bench={bench} factoid={factoid} />
        <div className="field">
          <label htmlFor="factoid-description">
            Description <Key name={KEYS.describe} />
          </label>
          <textarea
            id="factoid-description"
            ref={refs.description}
            className="input"
            rows={2}
            maxLength={10_000}
            dir="auto"
            value={form.value}
            placeholder="One piece of information, as a short sentence"
            onChange={(event) => form.set(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            onBlur={keep}
          />
        </div>
      </div>
      <KeptNotice form={form} what={`the description of ${factoid.id}`} />
    </>
  );
}

/** What was typed of a description, and was no step yet when the list was closed: it can still be read and copied. */
function TypedBefore({ list, factoid }: { list: string; factoid: Factoid }) {
  const form = useKept(keptName(list, factoid), factoid.description);
  if (!form.isChanged) return null;
  return (
    <div className="notice warn row">
      <p>
        You had typed this description, and the list was closed before it was saved:{" "}
        <span dir="auto">“{form.value}”</span>
      </p>
      <button type="button" className="button quiet" onClick={form.discard}>
        Discard
      </button>
    </div>
  );
}

function IdBox({ bench: { work, refs, back }, factoid }: { bench: Bench; factoid: Factoid }) {
  const [id, setId] = useState(factoid.id);
  const fault = idFault(work.list, factoid, id);
  return (
    <div className="field id-field">
      <label htmlFor="factoid-id">
        Id <Key name={KEYS.renumber} />
      </label>
      <input
        id="factoid-id"
        ref={refs.id}
        className="input"
        value={id}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? "factoid-id-fault" : undefined}
        onChange={(event) => setId(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          // Leaving the box keeps what is in it.
          if (event.key === "Escape") flushSync(() => setId(factoid.id));
          if (event.key === "Escape" || (event.key === "Enter" && fault === null)) back();
        }}
        onBlur={() => {
          if (fault === null) work.perform(renumberFactoid(factoid, id));
          else setId(factoid.id);
        }}
      />
      {fault && (
        <span className="error" id="factoid-id-fault" role="alert">
          {fault}
        </span>
      )}
    </div>
  );
}

function Changes({ bench: { work, commands } }: { bench: Bench }) {
  const { active, state } = work;
  const isLinked = state.sentence !== null && active?.sentences.includes(state.sentence);
  return (
    <div className="row tight">
      <Command name={KEYS.link} run={commands.link} isPrimary>
        {isLinked ? "Unlink this sentence" : "Link this sentence"}
      </Command>
      <Command name={KEYS.create} run={commands.create}>
        New
      </Command>
      <Command name={KEYS.split} run={commands.split}>
        Split
      </Command>
      <Command name={KEYS.merge} run={commands.merge}>
        Merge
      </Command>
      <Command name={KEYS.remove} run={commands.remove}>
        Delete
      </Command>
    </div>
  );
}

function Answers({ bench: { work, commands, text }, factoid }: { bench: Bench; factoid: Factoid }) {
  const isLinked = work.state.sentence !== null && factoid.sentences.includes(work.state.sentence);
  const isAbsent = text !== null && factoid.absent.includes(text.id);
  return (
    <div className="row tight">
      <Command name={KEYS.link} run={commands.link} isPrimary>
        {isLinked ? "Not in this sentence after all" : "It is in this sentence"}
      </Command>
      <Command name={KEYS.absent} run={commands.absent}>
        {isAbsent ? "Undecided again" : "It is not in this text"}
      </Command>
      <Command name={KEYS.undecided} run={commands.undecided}>
        Next undecided
      </Command>
    </div>
  );
}

interface CommandProps {
  name: string;
  run: () => void;
  isPrimary?: boolean;
  isOff?: boolean;
  children: ReactNode;
}

/** A button with its key. */
export function Command({ name, run, isPrimary, isOff, children }: CommandProps) {
  return (
    <button type="button" className={isPrimary ? "button primary" : "button"} disabled={isOff} onClick={run}>
      {children} <Key name={name} />
    </button>
  );
}

/** Where it stands, sentence beside sentence: whether all say the same is for people to judge. */
function SideBySide({ bench, factoid }: { bench: Bench; factoid: Factoid }) {
  const { texts } = bench.work;
  const places = (id: string) => texts.placeOf.get(id) ?? 0;
  const sentences = [...factoid.sentences].sort((a, b) => places(a) - places(b));
  if (sentences.length === 0) return null;
  return (
    <div className="stack tight">
      <button
        type="button"
        className="button quiet inline side-toggle"
        aria-expanded={bench.isSideBySide}
        onClick={bench.commands.sideBySide}
      >
        {sentences.length === 1 ? "Its sentence" : `${counted(sentences.length, "sentence")} side by side`}{" "}
        <Key name={KEYS.sideBySide} />
      </button>
      {bench.isSideBySide && (
        <ul className="side-by-side" aria-label={`Sentences of ${factoid.id}`}>
          {sentences.map((id) => (
            <li key={id}>
              <button type="button" onClick={() => bench.goTo(id)}>
                <b>{id}</b> <span dir="auto">{texts.words.get(id)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
