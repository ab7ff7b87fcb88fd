import { useCallback, useMemo, useState } from "react";
import type { Factoid, ListItem } from "../../../api/factoids";
import { HelpSheet } from "../../../components/HelpSheet";
import { Key } from "../../../components/Key";
import { useKeyboard } from "../../../keyboard/useKeyboard";
import { count, counted } from "../../../text/format";
import { ITEM_KEYS, itemActions } from "./actions";
import { answerWords, earlierWords } from "./model/copy";
import { Command } from "./parts/ActiveCard";
import { Head } from "./parts/Head";
import { Sentences } from "./parts/TextPane";
import { type ItemProps, type ItemState, isOpen, linkedIn, useItem } from "./useItem";
import type { Work } from "./useWork";

/** Items that differ, one after another: the factoid, the text, and the answer. */
export function ItemsBench({ work }: { work: Work }) {
  const { items } = work.list;
  const [itemId, setItemId] = useState(() => (items.find(isOpen) ?? items[0])?.id);
  const item = items.find(({ id }) => id === itemId);
  if (!item) return <NoItems work={work} />;
  // Another item, or another answer to it, begins its own draft.
  const answer = JSON.stringify([item.id, item.is_there, item.note, linkedIn(work.list, item)]);
  return <Bench key={answer} work={work} item={item} onItem={({ id }) => setItemId(id)} />;
}

function Bench(props: ItemProps) {
  const { work, item } = props;
  const bench = useItem(props);
  const { commands } = bench;
  const nOpen = work.list.items.filter(isOpen).length;
  const actions = itemActions(
    commands,
    {
      mayEdit: work.mayEdit,
      hasOpen: bench.hasNextOpen,
      mayUndo: work.mayUndo,
      mayRedo: work.mayRedo,
    },
    { there: answerWords(item, true), notThere: answerWords(item, false) },
  );
  useKeyboard(actions);
  return (
    <main className="factoid-bench" id="main">
      <Head
        work={work}
        progress={`${count(work.list.items.length - nOpen)} of ${counted(work.list.items.length, "item")}`}
        left={
          nOpen > 0
            ? { words: `${counted(nOpen, "item is", "items are")} still open.`, isNeeded: true }
            : null
        }
        onKeys={commands.keys}
      />
      <div className="panes">
        <TextOfItem bench={bench} />
        <section className="list-pane" aria-label="Items">
          <ItemCard bench={bench} nOpen={nOpen} />
          <ItemList {...props} />
        </section>
      </div>
      {bench.keysShown && <HelpSheet actions={actions} onClose={bench.hideKeys} />}
    </main>
  );
}

function NoItems({ work }: { work: Work }) {
  return (
    <main className="factoid-bench" id="main">
      <Head work={work} progress="No item" left={null} onKeys={() => {}} />
      <p className="card">
        {work.list.step === "consensus"
          ? "All answers are alike: nothing is left to decide."
          : "None of your answers differs from the others’: there is nothing to look at again."}
      </p>
    </main>
  );
}

const NOTHING: ReadonlyMap<string, readonly Factoid[]> = new Map();

function TextOfItem({ bench: { work, text, factoid, draft, linked } }: { bench: ItemState }) {
  const { dispatch, state, mayEdit } = work;
  const onSentence = useCallback((sentence: string) => dispatch({ kind: "at", sentence }), [dispatch]);
  const shown = mayEdit ? draft.value.sentences : linked;
  const chosen = useMemo(() => new Set(shown), [shown]);
  if (!text) return null;
  return (
    <section className="text-pane" aria-label={`Text ${text.id}`}>
      <div className="row text-head">
        <h2>{text.id}</h2>
        <span className="small mute">
          {chosen.size === 0
            ? `No sentence is linked to ${factoid?.id}`
            : `${counted(chosen.size, "sentence")} linked to ${factoid?.id}`}
        </span>
      </div>
      <Sentences
        text={text}
        current={state.sentence}
        chosen={chosen}
        linked={NOTHING}
        active={null}
        onSentence={onSentence}
        onFactoid={null}
      />
    </section>
  );
}

function ItemCard({ bench, nOpen }: { bench: ItemState; nOpen: number }) {
  const { work, item, factoid, commands, place, problem } = bench;
  const earlier = earlierWords(item);
  return (
    <section className="card now stack" aria-label="The item at hand">
      <p className="small mute">
        Item {place + 1} of {count(work.list.items.length)}
      </p>
      <h2 className="item-question" dir="auto">
        Is <b className="factoid-id">{factoid?.id}</b> in {item.text}?
      </h2>
      <p className="item-words" dir="auto">
        {factoid?.description || <i className="mute">no description</i>}
      </p>
      {earlier && <p>{earlier}</p>}
      {item.answers.length > 0 && <Answers item={item} />}
      {work.mayEdit && item.answers.some(({ sentences }) => sentences.length > 0) && (
        <p className="small mute">
          “It is there” links the sentences that you choose, or those named above where you choose none.
        </p>
      )}
      {item.is_there !== null && (
        <p className="notice ok">
          {item.was_there === null ? "Decided" : "Answered"}: {answerWords(item, item.is_there).toLowerCase()}
          .{item.note && ` ${item.note}`}
        </p>
      )}
      {problem && (
        <p className="notice warn" role="alert">
          {problem}
        </p>
      )}
      {work.mayEdit && (
        <>
          <Note bench={bench} />
          <div className="row">
            <Command
              name={ITEM_KEYS.there}
              isPrimary={item.was_there !== false}
              run={() => commands.answer(true)}
            >
              {answerWords(item, true)}
            </Command>
            <Command
              name={ITEM_KEYS.notThere}
              isPrimary={item.was_there !== true}
              run={() => commands.answer(false)}
            >
              {answerWords(item, false)}
            </Command>
            <Command name={ITEM_KEYS.link} run={commands.choose}>
              {work.state.sentence && bench.draft.value.sentences.includes(work.state.sentence)
                ? "Not in this sentence"
                : "In this sentence"}
            </Command>
          </div>
        </>
      )}
      <div className="row">
        <Command name={ITEM_KEYS.previous} isOff={place === 0} run={() => commands.go(-1)}>
          Previous
        </Command>
        <Command
          name={ITEM_KEYS.next}
          isOff={place === work.list.items.length - 1}
          run={() => commands.go(1)}
        >
          Next
        </Command>
        {nOpen === 0 && <span className="tag ok">No item is open any more</span>}
      </div>
    </section>
  );
}

function Note({ bench: { draft, noteRef, work } }: { bench: ItemState }) {
  return (
    <div className="field">
      <label htmlFor="item-note">
        Note <Key name={ITEM_KEYS.note} />
      </label>
      <textarea
        id="item-note"
        ref={noteRef}
        className="input"
        rows={2}
        maxLength={10_000}
        dir="auto"
        value={draft.value.note}
        placeholder={
          work.list.step === "consensus" ? "Why it was decided so" : "Why, if there is something to say"
        }
        onChange={({ currentTarget: { value: note } }) => draft.set((before) => ({ ...before, note }))}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || event.shiftKey) return;
          if (event.key === "Enter") event.preventDefault();
          if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
        }}
        aria-describedby="item-note-hint"
      />
      <span className="hint" id="item-note-hint">
        It is stored with the answer.
      </span>
    </div>
  );
}

/** In a consensus, where all answers may be seen. */
function Answers({ item }: { item: ListItem }) {
  return (
    <ul className="item-answers">
      {item.answers.map(({ name, is_there, sentences }) => (
        <li key={name}>
          <b>{name}</b>: {is_there ? `there, in ${sentences.join(", ") || "no sentence"}` : "not there"}
        </li>
      ))}
    </ul>
  );
}

function ItemList({ work, item: at, onItem }: ItemProps) {
  const factoids = useMemo(
    () => new Map(work.list.factoids.map((factoid) => [factoid.key, factoid])),
    [work.list.factoids],
  );
  return (
    <ul className="factoid-rows" aria-label="Items">
      {work.list.items.map((item) => {
        const factoid = factoids.get(item.key);
        return (
          <li key={item.id} className={`factoid-row${item === at ? " active" : ""}`}>
            <button
              type="button"
              aria-current={item === at ? "true" : undefined}
              tabIndex={item === at ? 0 : -1}
              onClick={() => onItem(item)}
            >
              <b className="factoid-id">{factoid?.id}</b>
              <span className="factoid-words" dir="auto">
                {item.text} · {factoid?.description}
              </span>
              <span className={`tag ${item.is_there === null ? "warn" : "ok"}`}>{stateWords(item)}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function stateWords({ is_there, was_there }: ListItem): string {
  if (is_there === null) return "open";
  if (was_there !== null && is_there !== was_there) return "corrected";
  return is_there ? "there" : "not there";
}
