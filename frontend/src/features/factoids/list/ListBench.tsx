import { useCallback, useMemo, useState } from "react";
import { ConfirmButton } from "../../../components/ConfirmButton";
import { HelpSheet } from "../../../components/HelpSheet";
import { useKeyboard } from "../../../keyboard/useKeyboard";
import { count, counted } from "../../../text/format";
import { annotateActions, defineActions, KEYS } from "./actions";
import type { Filter } from "./model/views";
import { ActiveCard } from "./parts/ActiveCard";
import { MergeDialog, RenumberAll, SplitDialog } from "./parts/Dialogs";
import type { Left } from "./parts/DoneButton";
import { FactoidRows } from "./parts/FactoidRows";
import { Head } from "./parts/Head";
import { SearchBox, SearchTexts, Sentences, TextStrip } from "./parts/TextPane";
import { type Bench, useBench, useFirstFocus } from "./useBench";
import type { Work } from "./useWork";

/** The texts on one side, the list of factoids on the other: for one's own list, or for marking a given one. */
export function ListBench({ work, mode }: { work: Work; mode: "define" | "annotate" }) {
  const bench = useBench(work, mode);
  const { commands, overlay, setOverlay } = bench;
  const enabled = {
    mayEdit: work.mayEdit,
    hasActive: work.active !== null,
    mayUndo: work.mayUndo,
    mayRedo: work.mayRedo,
  };
  const actions = mode === "define" ? defineActions(commands, enabled) : annotateActions(commands, enabled);
  useKeyboard(actions);
  useFirstFocus(work.state.sentence);
  const close = () => {
    setOverlay(null);
    bench.back();
  };
  return (
    <main className="factoid-bench" id="main">
      <Head work={work} {...progressOf(bench)} onKeys={commands.keys} />
      <div className="panes">
        <Reading bench={bench} />
        <section className="list-pane" aria-label="List">
          <ActiveCard bench={bench} />
          <Filters bench={bench} />
          <FactoidRows
            factoids={bench.shown}
            texts={work.texts}
            active={work.state.active}
            place={bench.place}
            atomicity={bench.atomicity}
            isAnnotation={mode === "annotate"}
            onChoose={bench.choose}
          />
        </section>
      </div>
      {overlay === "keys" && <HelpSheet actions={actions} onClose={close} />}
      {overlay === "split" && work.active && (
        <SplitDialog bench={bench} factoid={work.active} onClose={close} />
      )}
      {overlay === "merge" && work.active && (
        <MergeDialog bench={bench} factoid={work.active} onClose={close} />
      )}
    </main>
  );
}

function progressOf({ mode, work, answered, marks }: Bench): { progress: string; left: Left | null } {
  const { factoids, texts } = work.list;
  if (mode === "define") {
    const bare = factoids.filter(({ description }) => description === "").length;
    const words = `${counted(bare, "factoid")} of the list still without a description.`;
    const covered = marks.covered.reduce((sum, each) => sum + each, 0);
    return {
      progress: `${counted(factoids.length, "factoid")} · ${count(covered)} of ${counted(work.texts.order.length, "sentence")} linked`,
      left: bare > 0 ? { words, isNeeded: false } : null,
    };
  }
  const total = factoids.length * texts.length;
  const done = answered.reduce((sum, each) => sum + each, 0);
  const left = total - done;
  return {
    progress: `${count(done)} of ${counted(total, "answer")}`,
    left:
      left > 0
        ? { words: `${counted(left, "answer is", "answers are")} still missing.`, isNeeded: true }
        : null,
  };
}

function Reading({ bench }: { bench: Bench }) {
  const { work, mode, text, place, marks, answered, refs, goTo, back } = bench;
  const { texts, list, state, dispatch } = work;
  const parts = useMemo(
    () =>
      texts.all.map(({ sentences }, at) =>
        mode === "define"
          ? { done: marks.covered[at] ?? 0, of: sentences.length }
          : { done: answered[at] ?? 0, of: list.factoids.length },
      ),
    [texts, mode, marks, answered, list.factoids.length],
  );
  const toText = useCallback(
    (at: number) => {
      const first = texts.all[at]?.sentences[0];
      if (first) goTo(first.id);
    },
    [texts, goTo],
  );
  const onSentence = useCallback((sentence: string) => dispatch({ kind: "at", sentence }), [dispatch]);
  const chosen = useMemo(() => new Set(work.active?.sentences), [work.active]);
  const part = parts[place] ?? { done: 0, of: 0 };
  const words = mode === "define" ? linkedWords : answeredWords;
  return (
    <section className="text-pane" aria-label="Texts">
      <TextStrip texts={texts} place={place} parts={parts} words={words} onText={toText} />
      <SearchTexts texts={texts} inputRef={refs.findText} onSentence={goTo} onLeave={back} />
      {text ? (
        <>
          <div className="row text-head">
            <h2>{text.id}</h2>
            <span className="small mute">{words(part)}</span>
            {mode === "annotate" && work.mayEdit && <RestAbsent bench={bench} />}
          </div>
          <Sentences
            text={text}
            current={state.sentence}
            chosen={chosen}
            linked={marks.linked}
            active={state.active}
            onSentence={onSentence}
            onFactoid={bench.choose}
          />
        </>
      ) : (
        <p className="mute">This set has no texts yet.</p>
      )}
    </section>
  );
}

const linkedWords = ({ done, of }: { done: number; of: number }) =>
  `${done} of ${counted(of, "sentence")} linked`;
const answeredWords = ({ done, of }: { done: number; of: number }) =>
  `${count(done)} of ${counted(of, "factoid")} answered`;

/** Once all that is in a text is marked, the rest is not. */
function RestAbsent({ bench }: { bench: Bench }) {
  const rest = bench.undecidedHere();
  if (rest.length === 0) return null;
  return (
    <ConfirmButton
      button={
        rest.length === 1 ? "The other one is not here" : `The other ${count(rest.length)} are not here`
      }
      className="button quiet inline"
      title={`Nothing else is in ${bench.text?.id}?`}
      act="Not here"
      onConfirm={() => bench.restIsAbsent(rest)}
    >
      <p>
        {counted(rest.length, "factoid that is", "factoids that are")} undecided get the answer “not here” for{" "}
        {bench.text?.id}. One undo takes it back.
      </p>
    </ConfirmButton>
  );
}

const DEFINE_FILTERS: readonly [Filter, string][] = [
  ["all", "All"],
  ["here", "In this text"],
  ["alike", "Same texts"],
  ["in-all", "In all texts"],
  ["in-none", "In no text"],
];
const ANNOTATE_FILTERS: readonly [Filter, string][] = [
  ["all", "All"],
  ["undecided", "Undecided"],
  ["here", "Here"],
  ["absent", "Not here"],
];

function Filters({ bench }: { bench: Bench }) {
  const { mode, work, refs, shown, filter, setFilter, sought, setSought, atomicity, back } = bench;
  const [renumbers, setRenumbers] = useState(false);
  const { inAll, inNone } = atomicity;
  const alike = [...atomicity.alike.keys()].filter((key) => !inAll.has(key) && !inNone.has(key)).length;
  const counts: Partial<Record<Filter, number>> =
    mode === "define" ? { alike, "in-all": inAll.size, "in-none": inNone.size } : {};
  const leave = () => {
    setSought("");
    back();
  };
  return (
    <div className="list-filters">
      <div className="row tight list-search">
        <SearchBox
          label="Search the list"
          keyName={KEYS.findFactoid}
          value={sought}
          inputRef={refs.findFactoid}
          onValue={setSought}
          onEnter={() => {
            if (shown[0]) bench.toHand(shown[0]);
            back();
          }}
          onEscape={leave}
        />
        <p className="small mute" role="status">
          {shown.length === work.list.factoids.length
            ? counted(shown.length, "factoid")
            : `${count(shown.length)} of ${counted(work.list.factoids.length, "factoid")}`}
        </p>
      </div>
      <fieldset className="row tight filter-buttons">
        <legend className="visually-hidden">Show</legend>
        {(mode === "define" ? DEFINE_FILTERS : ANNOTATE_FILTERS).map(([value, words]) => (
          <button
            key={value}
            type="button"
            className="button quiet"
            aria-pressed={filter === value}
            onClick={() => setFilter(value)}
          >
            {words} {counts[value] ? count(counts[value]) : ""}
          </button>
        ))}
        {mode === "define" && work.mayEdit && work.list.factoids.length > 0 && (
          <button type="button" className="button quiet" onClick={() => setRenumbers(true)}>
            Number anew
          </button>
        )}
      </fieldset>
      {renumbers && <RenumberAll bench={bench} onClose={() => setRenumbers(false)} />}
    </div>
  );
}
