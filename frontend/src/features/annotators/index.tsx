import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { type AnnotatorsPage, annotatorsQuery } from "../../api/annotators";
import { Select } from "../../components/Select";
import { NotLoaded, Status } from "../../components/states";
import { useProject } from "../../session/project";
import { csvLink } from "../../text/csv";
import { batchName, capitalised } from "../../text/format";
import { LabelShares } from "./LabelShares";
import { PeopleTable } from "./PeopleTable";
import { annotatorsCsv, type Order, sorted } from "./rows";
import "../../components/admin.css";
import "./annotators.css";

/** What each annotator did, and how far they agree with the others. */
export function Component() {
  const project = useProject();
  const [asked, ask] = useSearchParams();
  const batch = asked.get("batch") || "rounds";
  const { data, error, refetch, isPlaceholderData } = useQuery(annotatorsQuery(project.id, batch));
  const choose = (part: Record<string, string>) =>
    ask({ ...Object.fromEntries(asked), ...part }, { replace: true });
  return (
    <main className="page" id="main">
      <div className="page-head">
        <h1>Annotators</h1>
        <p className="mute">
          What each person did, how long it took, and how far they agree with the others. Only admins see this
          page; everybody else sees their own pace alone.
        </p>
      </div>
      {error && <NotLoaded what="The figures" error={error} retry={refetch} />}
      {!data && !error && <Status>Counting what everybody did</Status>}
      {data && !error && (
        <Figures
          page={data}
          batch={batch}
          stage={asked.get("stage")}
          isStale={isPlaceholderData}
          onChoose={choose}
        />
      )}
    </main>
  );
}

interface FiguresProps {
  page: AnnotatorsPage;
  batch: string;
  stage: string | null;
  isStale: boolean;
  onChoose: (part: Record<string, string>) => void;
}

function Figures({ page, batch, stage: asked, isStale, onChoose }: FiguresProps) {
  const [order, setOrder] = useState<Order>({ by: "name", isDown: false });
  const stage = page.stages.find(({ key }) => key === asked) ?? page.stages[0];
  return (
    <>
      <section className="card stack" aria-labelledby="people" aria-busy={isStale}>
        <div className="card-head">
          <h2 id="people">By person</h2>
          <a
            className="button"
            download="annotators.csv"
            href={csvLink(annotatorsCsv(page, sorted(page.annotators, order, stage?.key)))}
          >
            Download this table (CSV)
          </a>
        </div>
        {page.hidden.length > 0 && (
          <p className="notice">
            You can still answer or revise items of{" "}
            {page.hidden.map(({ kind, number }) => batchName(kind, number)).join(", ")}. Agreement, labels and
            check items leave them out until then, so that you do not see the others' answers.
          </p>
        )}
        <div className="form-grid">
          <Select
            label="Batches"
            value={batch}
            options={[
              { value: "rounds", text: "All rounds" },
              { value: "all", text: "All batches" },
              ...page.batches.map(({ id, kind, number }) => ({
                value: id,
                text: capitalised(batchName(kind, number)),
              })),
            ]}
            onValue={(value) => onChoose({ batch: value })}
          />
          {stage && (
            <Select
              label="Stage"
              value={stage.key}
              options={page.stages.map(({ key, title }) => ({ value: key, text: title }))}
              onValue={(value) => onChoose({ stage: value })}
            />
          )}
        </div>
        {isStale && <Status>Counting anew</Status>}
        <PeopleTable page={page} stage={stage} order={order} onOrder={setOrder} />
        {stage && <About page={page} stage={stage} />}
      </section>
      {stage && <LabelShares page={page} stage={stage} />}
    </>
  );
}

function About({ page, stage }: { page: AnnotatorsPage; stage: AnnotatorsPage["stages"][number] }) {
  return (
    <p className="small mute">
      {stage.coefficient
        ? `Agreement at ${stage.title} is ${stage.coefficient} of a person and the others on the same items, with its 95 % interval: 1 is perfect, 0 is chance. An item’s others count as one together. `
        : `${stage.title} asks for free text, which has no coefficient of agreement. `}
      Below {page.few_items} items a figure says little, whatever its value. Low agreement can come from hard
      items or an unclear codebook as well as from the person. Active time leaves out idle time, and holds all
      revisions. Check items count in their own column alone. Practice is counted apart, whatever batches are
      chosen.
    </p>
  );
}
