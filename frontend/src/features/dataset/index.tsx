import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { Link } from "react-router";
import { type Of, SEED, seedOf } from "../../api/exports";
import { Field } from "../../components/Field";
import { Switch } from "../../components/Switch";
import { NotLoaded, Status } from "../../components/states";
import { FeatureUnavailable } from "../../session/FeatureUnavailable";
import { useProject } from "../../session/project";
import { type Dataset, datasetQuery } from "./api";
import { Tables } from "./Tables";
import "../../components/admin.css";
import "./dataset.css";

export function Component() {
  const project = useProject();
  const [of, setOf] = useState<Of>("validated");
  const [seed, setSeed] = useState(SEED);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...datasetQuery(project.id, of, seed),
    placeholderData: keepPreviousData,
  });
  return (
    <main className="page middle" id="main">
      <div className="page-head">
        <h1>Dataset</h1>
        <p className="mute">
          What the marked spans come to: source documents and their targets, how long they are, and how often
          each category occurs. The same targets as in the{" "}
          <Link to={`/projects/${project.id}/export`}>export</Link>.
        </p>
      </div>
      <FeatureUnavailable what="spans" />
      <div className="dataset-choice">
        <Switch<Of>
          label="Whose spans"
          value={of}
          options={[
            { value: "validated", text: "Validated" },
            { value: "annotators", text: "Annotators’" },
            { value: "all", text: "Both" },
          ]}
          onValue={setOf}
        />
        <SeedForm seed={seed} onSeed={setSeed} />
      </div>
      {error && <NotLoaded what="The tables" error={error} retry={refetch} />}
      {((!data && !error) || isPlaceholderData) && (
        <Status>Counting; the first time takes some seconds</Status>
      )}
      {data && !isPlaceholderData && <DatasetTables dataset={data} />}
      <Meanings />
    </main>
  );
}

function SeedForm({ seed, onSeed }: { seed: number; onSeed: (seed: number) => void }) {
  const [typed, setTyped] = useState(String(seed));
  const [fault, setFault] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const found = seedOf(typed);
    setFault(found === null);
    if (found !== null) onSeed(found);
  };
  return (
    <form className="seed-form" onSubmit={submit} noValidate>
      <Field
        label="Seed of the split"
        inputMode="numeric"
        value={typed}
        errors={fault ? ["Write a whole number."] : undefined}
        onValue={setTyped}
      />
      <button type="submit" className="button">
        Draw the split
      </button>
    </form>
  );
}

function DatasetTables({ dataset }: { dataset: Dataset }) {
  return (
    <>
      {dataset.missing.map((text) => (
        <p className="notice" key={text}>
          {text}
        </p>
      ))}
      {dataset.notes.length > 0 && (
        <section className="card stack-tight" aria-labelledby="notes">
          <h2 id="notes">What is counted here</h2>
          <ul className="reasons">
            {dataset.notes.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </section>
      )}
      <Tables dataset={dataset} />
    </>
  );
}

function Meanings() {
  return (
    <details className="more">
      <summary>What the numbers mean</summary>
      <dl className="meanings">
        <dt>Source document</dt>
        <dd>
          What an item is about, such as the press release of an article. An item that carries none stands for
          a source of its own, with its own text.
        </dd>
        <dt>Target</dt>
        <dd>
          One person’s target sentences in one item about one source. A source may have many. Where several
          people marked an item, each one’s is a target, unless only validated ones are counted.
        </dd>
        <dt>Split</dt>
        <dd>
          Four fifths of the sources, rounded down, are for training, a tenth, rounded down, for validation,
          the rest for testing. It is drawn over the sources that have a target here: draw it once, when the
          work is done.
        </dd>
        <dt>Words and markers</dt>
        <dd>
          Words stand between spaces; those of comments count. Each start or end marker is one token more.
        </dd>
        <dt>Standard deviation</dt>
        <dd>Of the sample (divided by n − 1); none below two values.</dd>
        <dt>Closed correctly</dt>
        <dd>The share of start markers that are closed again when the text form is read back.</dd>
      </dl>
    </details>
  );
}
