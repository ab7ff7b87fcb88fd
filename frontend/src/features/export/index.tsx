import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { strategyWords } from "../../activeLearning/roundState";
import { codebooksQuery } from "../../api/codebooks";
import { type Names, type Phase, type Revisions, spansOf } from "../../api/exports";
import { type RoundsPage, recordPath, roundsQuery } from "../../api/rounds";
import type { Project } from "../../api/types";
import { at } from "../../browser/base";
import { CheckChoices, RadioChoices } from "../../components/Choices";
import { NotLoaded } from "../../components/states";
import { useProject } from "../../session/project";
import { counted } from "../../text/format";
import { KindCard } from "./KindCard";
import { SpanKinds } from "./SpanKinds";
import "../../components/admin.css";
import "./export.css";

export function Component() {
  const project = useProject();
  const [names, setNames] = useState<Names>("pseudonyms");
  const [revisions, setRevisions] = useState<Revisions>("current");
  const [bom, setBom] = useState(false);
  const [phase, setPhase] = useState<Phase>("1");
  const { data: page, error, refetch } = useQuery(roundsQuery(project.id));
  const codebooks = useQuery(codebooksQuery(project.id));
  const spans = spansOf(codebooks.data ?? []);
  return (
    <main className="page middle" id="main">
      <div className="page-head">
        <h1>Export</h1>
        <p className="mute">
          JSON Lines, UTF-8: one object a line, the text exactly as it was imported, ready to load back.
          Labels also as tables for R, pandas and Excel: one row an item or one row an answer, names beside
          keys.
        </p>
      </div>
      {project.budget_spent === 0 && <NothingYet project={project} />}
      <Choices {...{ names, revisions, bom }} onNames={setNames} onRevisions={setRevisions} onBom={setBom} />
      {page && page.next.second_looks > 0 && <Phases phase={phase} onPhase={setPhase} />}
      <KindCard
        project={project}
        asked={{ kind: "aggregated", names, phase, bom }}
        title="Aggregated labels"
        count={page && `${counted(sizeOf(page, "size"), "line")} at the moment: every item given out.`}
        isTable
        rows={page && sizeOf(page, "size")}
      >
        One line an item: id, text, speaker, document; the label of each stage (a majority, or adjudicated)
        with the votes, or why there is none; the median of a scale or a number; the round that chose it.{" "}
        <code>complete</code> is false while answers are still to come; <code>left_out</code> is the reason
        why an admin took an item out of the pool. JSONL also holds the contexts, what each annotator said,
        and the acquisition score.
        {spans.marked && " With the validated spans."}
      </KindCard>
      <KindCard
        project={project}
        asked={{ kind: "annotations", names, revisions, bom }}
        title="Annotations"
        count={
          page && `At least ${counted(sizeOf(page, "done"), "line")} at the moment: every assignment done.`
        }
        isTable
        rows={page && sizeOf(page, "done")}
      >
        One line an annotation: who, what they answered at each stage they reached, the codebook version, the
        revision, how far the context was opened, and the time it took. This is what agreement is counted
        from. A table has a row for each stage of an annotation: the comment, the reason for a skip, context
        and times are of the whole annotation, and stand in each of its rows.
        {spans.marked && " JSONL also holds the spans that they marked."}
      </KindCard>
      {codebooks.error && <NotLoaded what="The codebook" error={codebooks.error} retry={codebooks.refetch} />}
      {spans.marked && <SpanKinds project={project} names={names} targets={spans.targets} />}
      {error && <NotLoaded what="The rounds" error={error} retry={refetch} />}
      {page && <Records page={page} />}
    </main>
  );
}

interface ChoicesProps {
  names: Names;
  revisions: Revisions;
  bom: boolean;
  onBom: (bom: boolean) => void;
  onNames: (names: Names) => void;
  onRevisions: (revisions: Revisions) => void;
}

function Choices({ names, revisions, bom, onNames, onRevisions, onBom }: ChoicesProps) {
  return (
    <div className="card form-grid">
      <RadioChoices<Names>
        legend="How people are named"
        value={names}
        choices={[
          {
            value: "pseudonyms",
            text: "By pseudonym",
            help: "“annotator 2”, the same in every file of this project. For anything that leaves the project.",
          },
          { value: "names", text: "By user name", help: "For the project's own use only." },
        ]}
        onValue={onNames}
      />
      <RadioChoices<Revisions>
        legend="Revised answers"
        value={revisions}
        choices={[
          { value: "current", text: "The current one", help: "What counts in agreement and majority." },
          { value: "all", text: "Every revision", help: "Annotations only; each says which is current." },
        ]}
        onValue={onRevisions}
      />
      <CheckChoices
        legend="CSV files"
        values={bom ? ["bom"] : []}
        choices={[
          {
            value: "bom",
            text: "To be opened in Excel",
            help: "With a byte order mark, by which Excel knows the encoding. R and pandas need none.",
          },
        ]}
        onValues={(values) => onBom(values.includes("bom"))}
      />
    </div>
  );
}

function Phases({ phase, onPhase }: { phase: Phase; onPhase: (phase: Phase) => void }) {
  return (
    <div className="card">
      <RadioChoices<Phase>
        legend="Which answers the aggregated labels are of"
        value={phase}
        choices={[
          { value: "1", text: "The independent ones (phase 1)" },
          { value: "2", text: "Those after second looks (phase 2)" },
        ]}
        onValue={onPhase}
      />
    </div>
  );
}

function NothingYet({ project }: { project: Project }) {
  return (
    <p className="notice">
      Nothing is labelled yet, so that the files would be empty.{" "}
      <Link to={`/projects/${project.id}/rounds`}>Start a round</Link> first.
    </p>
  );
}

function sizeOf(page: RoundsPage, what: "size" | "done"): number {
  return page.rounds.reduce((sum, round) => sum + (round.batch?.[what] ?? 0), 0);
}

/** How each batch was chosen belongs to the data. */
function Records({ page }: { page: RoundsPage }) {
  const rounds = page.rounds.filter((round) => round.batch).toReversed();
  if (rounds.length === 0) return null;
  return (
    <section className="card stack" aria-labelledby="records">
      <div className="stack-tight">
        <h2 id="records">Round records</h2>
        <p>
          How each batch was chosen: strategy, random_state, model and its revision, the exact training set,
          the score and rank of every chosen item, timings and versions. Publish them with the data.
        </p>
      </div>
      <ul className="record-list">
        {rounds.map((round) => (
          <li key={round.id}>
            <a href={at(recordPath(round))} download>
              Round {round.number} (JSON)
            </a>{" "}
            <span className="mute small">{strategyWords(page.strategies, round)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
