import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Project } from "../../api/types";
import { DataTable } from "../../components/DataTable";
import { count, counted } from "../../text/format";
import { choicesQuery, type InterpretationDetail } from "./api";
import { RULES, splitWords } from "./copy";
import { LeftOutList } from "./LeftOutList";
import { evaluationTitle } from "./results/names";

interface SetupProps {
  interpretation: InterpretationDetail;
  project: Project;
}

/** What was asked for, and what of the data is not in it. */
export function Setup({ interpretation: { spec, data_title, left_out }, project }: SetupProps) {
  const { data: choices } = useQuery(choicesQuery(project.id));
  const named = (list: readonly { name: string; title: string }[] | undefined, name: string) =>
    list?.find((each) => each.name === name)?.title ?? name;
  const { beams, min_tokens, max_tokens, limit } = spec.generation;
  return (
    <section className="card stack" aria-labelledby="setup">
      <h2 id="setup">What was asked for</h2>
      <dl className="setup">
        <Line title="Data">{data_title}</Line>
        <Line title="Tested on">the {splitWords(spec.split)} targets</Line>
        <Line title="A prefix begins with">
          {spec.prefix === "sentence" ? "its standardized sentence" : "the whole target"}
        </Line>
        <Line title="Rules of instances">{RULES[spec.rules ?? "paper"]}</Line>
        {spec.replace_positive && <Line title="True continuations">another member of the class</Line>}
        {spec.training && <Trained {...spec.training} />}
        <Line title="Beams">{beams}</Line>
        <Line title="Tokens of a text">
          {count(min_tokens)} to {count(max_tokens)}
        </Line>
        <Line title="Sources, at most">{limit === 0 ? "all" : count(limit)}</Line>
        <Line title="Encoder of BERTScore">{spec.bertscore || "none"}</Line>
        <Line title="Seed">{spec.seed}</Line>
      </dl>
      <DataTable
        title="Systems that were asked for"
        rows={spec.systems}
        keyOf={({ title }) => title}
        columns={[
          ["System", ({ title }) => title],
          ["Kind", ({ kind }) => named(choices?.kinds, kind)],
          ["Model", ({ model }) => named(choices?.models, model)],
          [
            "Filter",
            ({ filter, filter_model }) =>
              `${named(choices?.filters, filter)}${filter_model ? ` (${named(choices?.models, filter_model)})` : ""}`,
          ],
          ["Budget", ({ budget }) => `${count(budget)} tokens`, "number nowrap"],
          ["Augmentation", ({ augment }) => (augment === 0 ? "none" : count(augment)), "number"],
          ["Epochs at most", ({ max_epochs }) => count(max_epochs), "number"],
        ]}
      />
      {spec.evaluations.length > 0 && (
        <ul className="reasons small">
          {spec.evaluations.map((evaluation) => (
            <li key={evaluation.id}>
              {evaluationTitle(evaluation)}: revision {count(evaluation.revision)},{" "}
              {counted(evaluation.classes.length, "class", "classes")}, {count(evaluation.n_validated)}{" "}
              validated.
            </li>
          ))}
        </ul>
      )}
      <LeftOutList leftOut={left_out} />
    </section>
  );
}

type Training = NonNullable<InterpretationDetail["spec"]["training"]>;

function Trained({ learning_rate, schedule, patience, batch_size }: Training) {
  return (
    <>
      <Line title="Learning rate at most">{learning_rate ?? "that of the kind"}</Line>
      <Line title="The rate falls">{RULES[schedule]}</Line>
      <Line title="Epochs without a lower loss">{count(patience)}</Line>
      <Line title="Training examples at a time">{count(batch_size)}</Line>
    </>
  );
}

function Line({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}
