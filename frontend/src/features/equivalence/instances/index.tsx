import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { errorWords } from "../../../api/errors";
import { at } from "../../../browser/base";
import { Field } from "../../../components/Field";
import { Pages } from "../../../components/Pages";
import { Select } from "../../../components/Select";
import { NotLoaded, Status } from "../../../components/states";
import { useProject } from "../../../session/project";
import { count, counted } from "../../../text/format";
import { downloadPath, overviewQuery } from "../api";
import { equivalencePath } from "../paths";
import { BEGUN, instancesQuery, queryOf, type Rules, releasesQuery } from "./api";
import { InstanceLine } from "./InstanceLine";
import { LeftOut, Tallies } from "./Tallies";
import "../../../components/admin.css";
import "../equivalence.css";
import "./instances.css";

const SEED = /^\d{1,9}$/;

/** What the classes make of the settled targets: instances in their text, and what was left out. */
export function Component() {
  const { id: projectId } = useProject();
  const [rules, setRules] = useState(BEGUN);
  const [page, setPage] = useState(1);
  const change = (part: Partial<Rules>) => {
    setRules({ ...rules, ...part });
    setPage(1);
  };
  const isValid = SEED.test(rules.seed);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...instancesQuery(projectId, rules, page),
    enabled: isValid,
  });
  return (
    <main className="page equivalence-page" id="main">
      <div className="page-head">
        <p className="small">
          <Link to={equivalencePath(projectId)}>Equivalence classes</Link>
        </p>
        <h1>Instances</h1>
        <p className="mute">
          An instance is a prefix of a target with a true and a false continuation. A model is right where it
          finds the true one more probable.
        </p>
      </div>
      <Choose rules={rules} isValid={isValid} projectId={projectId} change={change} />
      <Downloads rules={rules} isValid={isValid} projectId={projectId} />
      {!data && error && <NotLoaded what="The instances" error={error} retry={refetch} />}
      {!data && !error && <Status>Making the instances</Status>}
      {data && error && (
        <p className="notice bad" role="alert">
          {errorWords(error)}
        </p>
      )}
      {data && (
        <div className="stack instances-found" aria-busy={isPlaceholderData}>
          <Tallies tallies={data.tallies} />
          <LeftOut left={data.left_out} evaluations={data.evaluations_left_out} />
          <section className="card stack" aria-labelledby="instances">
            <h2 id="instances">{counted(data.n, "instance")}</h2>
            {data.n_hidden > 0 && (
              <p className="notice">
                {counted(data.n_hidden, "instance is", "instances are")} not shown: you may still answer about
                their items. The downloads leave them out too.
              </p>
            )}
            <ol className="instances">
              {data.instances.map((each, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: an instance has no id, and a page's list stays as it is.
                <InstanceLine key={place} of={each} />
              ))}
            </ol>
            <Pages page={page} n_pages={data.n_pages} onPage={setPage} />
          </section>
        </div>
      )}
    </main>
  );
}

interface ChooseProps {
  rules: Rules;
  isValid: boolean;
  projectId: string;
  change: (part: Partial<Rules>) => void;
}

function Choose({ rules, isValid, projectId, change }: ChooseProps) {
  const { data: overview } = useQuery(overviewQuery(projectId));
  const { data: made } = useQuery(releasesQuery(projectId));
  const releases = made?.releases.filter(({ state }) => state === "done") ?? [];
  return (
    <section className="card stack" aria-label="What instances are made of">
      <div className="form-grid">
        <Select
          label="Data"
          value={rules.data}
          options={[
            { value: "current", text: "Settled annotations as they are now" },
            ...releases.map(({ number }) => ({ value: `release:${number}`, text: `Release ${number}` })),
          ]}
          onValue={(data) => change({ data })}
        />
        <Select
          label="Evaluation"
          value={rules.evaluation}
          options={[
            { value: "", text: "All evaluations" },
            ...(overview?.evaluations.map(({ id, name }) => ({ value: id, text: name })) ?? []),
          ]}
          onValue={(evaluation) => change({ evaluation })}
        />
        <Field
          label="Seed"
          value={rules.seed}
          inputMode="numeric"
          autoComplete="off"
          hint="The same seed draws the same false continuations."
          errors={isValid ? undefined : ["A seed is a whole number of at most nine digits."]}
          onValue={(seed) => change({ seed: seed.trim() })}
        />
        <Select
          label="Rules"
          value={rules.source}
          options={[
            { value: "paper", text: "As the paper says" },
            { value: "code", text: "As the authors’ programs do" },
          ]}
          hint="They differ in which negatives are drawn."
          onValue={(source) => change({ source: source as Rules["source"] })}
        />
        <Select
          label="The prefix begins with"
          value={rules.prefix}
          options={[
            { value: "sentence", text: "the standardized sentence" },
            { value: "target", text: "the whole target" },
          ]}
          onValue={(prefix) => change({ prefix: prefix as Rules["prefix"] })}
        />
      </div>
      <label className="row">
        <input
          type="checkbox"
          checked={rules.replace_positive}
          onChange={() => change({ replace_positive: !rules.replace_positive })}
        />
        Put another member of its class in the place of the true continuation
      </label>
    </section>
  );
}

function Downloads({ rules, isValid, projectId }: Omit<ChooseProps, "change">) {
  const [factor, setFactor] = useState("1");
  const isFactor = /^\d{1,3}$/.test(factor) && Number(factor) >= 1 && Number(factor) <= 100;
  const { data, seed } = rules;
  return (
    <section className="card stack" aria-label="Downloads">
      <div className="downloads">
        <div className="stack-tight">
          <h2>Instances</h2>
          <p className="small mute">One JSON object a line, with the choices above.</p>
          {isValid && (
            <a className="button" href={at(downloadPath(projectId, "instances", queryOf(rules)))} download>
              Instances as JSONL
            </a>
          )}
        </div>
        <div className="stack-tight">
          <h2>Augmented training targets</h2>
          <p className="small mute">
            Each new target differs from a training target in one span, which has another member of its class.
            The data and the seed are those above.
          </p>
          <div className="row">
            <Field
              label="New targets for one, at most"
              value={factor}
              inputMode="numeric"
              autoComplete="off"
              errors={isFactor ? undefined : ["A whole number from 1 to 100."]}
              onValue={(value) => setFactor(value.trim())}
            />
            {isValid && isFactor && (
              <a
                className="button"
                href={at(
                  downloadPath(projectId, "augmented", { data, seed, factor: String(Number(factor)) }),
                )}
                download
              >
                Up to {count(Number(factor))} for each, as JSONL
              </a>
            )}
          </div>
        </div>
      </div>
    </section>
  );
}
