import { useMemo, useState } from "react";
import type { Factoid } from "../../../../api/factoids";
import { CancelButton, Dialog } from "../../../../components/Dialog";
import { Field } from "../../../../components/Field";
import { uuid } from "../../../../outbox/uuid";
import { counted } from "../../../../text/format";
import { naturally } from "../../../../text/natural";
import { mergeFactoids, nextId, renumberAll, splitFactoid } from "../model/steps";
import type { Bench } from "../useBench";

interface DialogProps {
  bench: Bench;
  factoid: Factoid;
  onClose: () => void;
}

type Side = "first" | "second" | "both";
const SIDES: readonly Side[] = ["first", "second", "both"];

/** Deals out a factoid's sentences between it and a new one. */
export function SplitDialog({ bench, factoid, onClose }: DialogProps) {
  const { work } = bench;
  const [descriptions, setDescriptions] = useState({
    first: factoid.description,
    second: factoid.description,
  });
  const [sides, setSides] = useState<ReadonlyMap<string, Side>>(new Map());
  const made = nextId(work.list.factoids);
  const names: Record<Side, string> = { first: factoid.id, second: made, both: "both" };
  const sideOf = (id: string) => sides.get(id) ?? "first";
  const of = (side: Side) => factoid.sentences.filter((id) => [side, "both"].includes(sideOf(id)));
  const split = () => {
    const key = uuid();
    work.perform(
      splitFactoid(work.list, factoid, key, {
        first: { description: descriptions.first.trim(), sentences: of("first") },
        second: { description: descriptions.second.trim(), sentences: of("second") },
      }),
      key,
    );
    onClose();
  };
  return (
    <Dialog title={`Split ${factoid.id} into two`} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          split();
        }}
      >
        <Field
          label={`Description of ${factoid.id}`}
          value={descriptions.first}
          maxLength={10_000}
          data-first-focus
          onValue={(first) => setDescriptions({ ...descriptions, first })}
        />
        <Field
          label={`Description of ${made}, which is new`}
          value={descriptions.second}
          maxLength={10_000}
          onValue={(second) => setDescriptions({ ...descriptions, second })}
        />
        {factoid.sentences.map((id) => (
          <fieldset key={id} className="dealt">
            <legend>
              <b>{id}</b> <span dir="auto">{work.texts.words.get(id)}</span>
            </legend>
            <div className="row">
              {SIDES.map((side) => (
                <label key={side} className="row">
                  <input
                    type="radio"
                    name={id}
                    checked={sideOf(id) === side}
                    onChange={() => setSides(new Map([...sides, [id, side]]))}
                  />
                  {names[side]}
                </label>
              ))}
            </div>
          </fieldset>
        ))}
        <div className="row">
          <button type="submit" className="button primary">
            Split: {of("first").length} and {counted(of("second").length, "sentence")}
          </button>
          <CancelButton onClose={onClose} />
        </div>
      </form>
    </Dialog>
  );
}

/** More are found by typing. */
const OFFERED = 8;

/** Finds the other factoid; those in the same texts come first. */
export function MergeDialog({ bench, factoid, onClose }: DialogProps) {
  const { work, atomicity } = bench;
  const [sought, setSought] = useState("");
  const [chosen, setChosen] = useState<Factoid | null>(null);
  const [description, setDescription] = useState(factoid.description);
  const found = useMemo(() => {
    const alike = new Set(atomicity.alike.get(factoid.key));
    const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
    return work.list.factoids
      .filter(({ key }) => key !== factoid.key)
      .filter(({ id, description }) =>
        words.every((word) => `${id} ${description}`.toLowerCase().includes(word)),
      )
      .sort((a, b) => Number(alike.has(b.id)) - Number(alike.has(a.id)) || naturally(a, b));
  }, [work.list.factoids, atomicity, factoid.key, sought]);
  const choose = (other: Factoid) => {
    setChosen(other);
    if (factoid.description === "") setDescription(other.description);
  };
  const merge = () => {
    const other = chosen ?? (found.length === 1 ? found[0] : undefined);
    if (!other) return;
    work.perform(mergeFactoids(factoid, other, description), factoid.key);
    onClose();
  };
  return (
    <Dialog title={`Merge another factoid into ${factoid.id}`} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          merge();
        }}
      >
        <Field
          label="The other one: id or words"
          value={sought}
          data-first-focus
          onValue={(value) => {
            setSought(value);
            setChosen(null);
          }}
        />
        <fieldset className="choices merge-choices">
          <legend>{counted(found.length, "factoid")}</legend>
          {found.slice(0, OFFERED).map((other) => (
            <label key={other.key} className="row">
              <input
                type="radio"
                name="other"
                checked={chosen?.key === other.key}
                onChange={() => choose(other)}
              />
              <span dir="auto">
                <b>{other.id}</b> {other.description || <i className="mute">no description</i>}{" "}
                {atomicity.alike.get(factoid.key)?.includes(other.id) && (
                  <span className="tag">same texts</span>
                )}
              </span>
            </label>
          ))}
          {found.length > OFFERED && (
            <p className="small mute">Type its id or a word of it to see the others.</p>
          )}
        </fieldset>
        <Field
          label={`Description of ${factoid.id}`}
          value={description}
          maxLength={10_000}
          onValue={setDescription}
        />
        <p className="small mute">
          {factoid.id} gets the sentences of both; the other one is deleted. One undo takes it back.
        </p>
        <div className="row">
          <button type="submit" className="button primary" disabled={!chosen && found.length !== 1}>
            Merge
          </button>
          <CancelButton onClose={onClose} />
        </div>
      </form>
    </Dialog>
  );
}

/** Gives all ids anew, from 1 in the order of the list. */
export function RenumberAll({ bench, onClose }: { bench: Bench; onClose: () => void }) {
  const { work } = bench;
  const [prefix, setPrefix] = useState(() => (work.list.factoids.at(-1)?.id ?? "F1").replace(/\d+$/, ""));
  return (
    <Dialog title="Number all factoids anew" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          work.perform(renumberAll(work.list, prefix.trim()));
          onClose();
        }}
      >
        <Field
          label="What every id begins with"
          hint={`The ${counted(work.list.factoids.length, "factoid")} become ${prefix}1, ${prefix}2 and so on, in the order of the list.`}
          value={prefix}
          maxLength={50}
          data-first-focus
          onValue={setPrefix}
        />
        <div className="row">
          <button type="submit" className="button primary">
            Number anew
          </button>
          <CancelButton onClose={onClose} />
        </div>
      </form>
    </Dialog>
  );
}
