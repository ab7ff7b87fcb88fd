import { useMemo } from "react";
import type { Factoid } from "../../../api/factoids";
import { Key } from "../../../components/Key";
import { Refusal } from "../../../components/Refusal";
import { Select } from "../../../components/Select";
import { counted } from "../../../text/format";
import { RELATION_HELP, RELATION_WORDS, RELATIONS } from "../copy";
import type { PairLink } from "../types";
import { candidates, headOf, type Mark, markedSentences } from "./pairs";
import type { PairingState } from "./usePairing";
import { pieces } from "./words";

/** The pair at hand, as the paper shows it, with a key for each relation. */
export function PairView({ state }: { state: PairingState }) {
  const { current } = state;
  if (!current)
    return (
      <section className="card stack worklist-case pair-view" aria-label="Pair at hand">
        <p>There is no pair to judge. Relate factoids under By hand.</p>
      </section>
    );
  const [a, b] = [state.factoid(current.a), state.factoid(current.b)];
  return (
    <section className="card stack worklist-case pair-view" aria-label="Pair at hand">
      <div className="card-head">
        <h2>{a && b ? headOf(current) : "Relate by hand"}</h2>
        {a && b && <LinkWords link={current} />}
      </div>
      <div className="two-descriptions">
        <Side letter="A" name={state.pairing.first.name} factoid={a} other={b} state={state} />
        <Side letter="B" name={state.pairing.second.name} factoid={b} other={a} state={state} />
      </div>
      {a && b && (
        <p className="small mute">
          <span className="lacked">Marked words</span> are not in the other description.
        </p>
      )}
      <Judge state={state} />
      {state.isPaused && (
        <p className="notice warn" role="status">
          You are offline: the judgement is sent when the connection is back. Leave this page open.
        </p>
      )}
      <Refusal error={state.error} />
      <Foot state={state} />
      <Sentences a={a} b={b} state={state} />
    </section>
  );
}

function LinkWords({ link: { direction, f } }: { link: PairLink }) {
  const words = { "A->B": "A → B", "A<-B": "A ← B", none: "no link" };
  return (
    <span className="small numbers mute">
      {direction && `${words[direction]} · `}F = {f.toFixed(3)}
    </span>
  );
}

interface SideProps {
  letter: "A" | "B";
  name: string;
  factoid: Factoid | null;
  other: Factoid | null;
  state: PairingState;
}

function Side({ letter, name, factoid, other, state }: SideProps) {
  if (!factoid) return other && <Counterpart letter={letter} name={name} other={other} state={state} />;
  return (
    <div className="stack-tight">
      <span className="small mute">
        {letter} · {name} · <b>{factoid.id}</b>
      </span>
      <p className="description" dir="auto">
        {factoid.description ? <Marked text={factoid.description} other={other} /> : "(no description)"}
      </p>
    </div>
  );
}

/** Words that the other description lacks are marked. */
function Marked({ text, other }: { text: string; other: Factoid | null }) {
  if (!other) return text;
  return pieces(text, other.description).map((piece, place) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place.
    piece.isOwn ? <mark key={place}>{piece.text}</mark> : piece.text,
  );
}

/** Those that share sentences or words with the other factoid stand first. */
function Counterpart({ letter, name, other, state }: Omit<SideProps, "factoid"> & { other: Factoid }) {
  const { pairing } = state;
  const list = letter === "A" ? pairing.first_factoids : pairing.second_factoids;
  const found = useMemo(() => candidates(other, list), [other, list]);
  return (
    <Select
      label={`${letter} · ${name}: relate it to`}
      value=""
      options={[
        { value: "", text: "Choose a factoid" },
        ...found.map(({ key, id, description }) => ({ value: key, text: `${id} ${description}` })),
      ]}
      hint="Those that share sentences or words stand first."
      onValue={(key) => key && (letter === "A" ? state.relate(key, other.key) : state.relate(other.key, key))}
    />
  );
}

const MARK_WORDS: Record<Mark, string> = { "=": "in both", "<": "only in A", ">": "only in B" };

function Sentences({ a, b, state }: { a: Factoid | null; b: Factoid | null; state: PairingState }) {
  const { texts } = state.pairing;
  const marked = useMemo(() => markedSentences(texts, a, b), [texts, a, b]);
  if (marked.length === 0) return <p className="mute">Neither has a sentence.</p>;
  const n = (mark: Mark) => marked.filter((each) => each.mark === mark).length;
  return (
    <div className="stack-tight">
      <h3>
        {counted(marked.length, "sentence")}:{" "}
        <span className="mute">
          = both {n("=")}, &lt; only A {n("<")}, &gt; only B {n(">")}
        </span>
      </h3>
      <ul className="marked-sentences">
        {marked.map(({ id, mark, text }) => (
          <li key={id} data-mark={mark}>
            <span className="mark" aria-hidden="true">
              {mark}
            </span>
            <code className="small">{id}</code>
            <span dir="auto">
              <span className="visually-hidden">{MARK_WORDS[mark]}: </span>
              {text}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Judge({ state }: { state: PairingState }) {
  const { current, mayJudge, judge } = state;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would announce the buttons as a form's fields.
    <div className="relations" role="group" aria-label="What A is to B">
      {RELATIONS.map((relation, place) => (
        <button
          key={relation}
          type="button"
          className="button"
          title={RELATION_HELP[relation]}
          disabled={!mayJudge}
          aria-pressed={current?.relation === relation}
          onClick={() => judge(relation)}
        >
          {RELATION_WORDS[relation]} <Key name={String(place + 1)} />
        </button>
      ))}
    </div>
  );
}

function Foot({ state }: { state: PairingState }) {
  return (
    <div className="row">
      <button type="button" className="button" disabled={!state.hasPrevious} onClick={() => state.step(-1)}>
        Back <Key name="arrowup" />
      </button>
      <button type="button" className="button" disabled={!state.hasNext} onClick={() => state.step(1)}>
        Forward <Key name="arrowdown" />
      </button>
      <button type="button" className="button" disabled={state.n_open === 0} onClick={state.skip}>
        Put aside <Key name="s" />
      </button>
      <button type="button" className="button quiet" disabled={!state.canWithdraw} onClick={state.withdraw}>
        Withdraw <Key name="0" />
      </button>
      <button type="button" className="button quiet" disabled={!state.canUndo} onClick={state.undo}>
        Undo the last judgement <Key name="u" />
      </button>
      <button type="button" className="button quiet" onClick={() => state.showKeys(true)}>
        Keys <Key name="?" />
      </button>
    </div>
  );
}
