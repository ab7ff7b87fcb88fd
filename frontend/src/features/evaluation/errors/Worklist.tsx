import { useQuery } from "@tanstack/react-query";
import { HelpSheet } from "../../../components/HelpSheet";
import { Key } from "../../../components/Key";
import { Pages } from "../../../components/Pages";
import { Refusal } from "../../../components/Refusal";
import { NotLoaded, Status } from "../../../components/states";
import { useKeyboard } from "../../../keyboard/useKeyboard";
import { useProject } from "../../../session/project";
import { count, counted } from "../../../text/format";
import { type EvaluationDetail, PER_PAGE, type PredictionFilters, predictionsQuery } from "../api";
import { Causes } from "./Causes";
import { ErrorTable } from "./ErrorTable";
import { ErrorText } from "./ErrorText";
import { NewCause } from "./NewCause";
import { useWork, type Work } from "./useWork";

interface WorklistProps {
  evaluation: EvaluationDetail;
  filters: PredictionFilters;
  page: number;
  onPage: (page: number) => void;
}

export function Worklist({ evaluation, filters, page, onPage }: WorklistProps) {
  const { data, error, refetch } = useQuery(predictionsQuery(evaluation.id, filters, page));
  const n_pages = Math.ceil((data?.total ?? 0) / PER_PAGE);
  const { id } = useProject();
  const work = useWork({
    ...{ evaluationId: evaluation.id, projectId: id, filters, page, n_pages, onPage },
    rows: data?.rows ?? [],
  });
  useKeyboard(work.actions);
  if (error) return <NotLoaded what="The list" error={error} retry={refetch} />;
  if (!data) return <Status>Loading the list</Status>;
  return (
    <>
      <div className="worklist">
        <section className="card stack" aria-labelledby="list">
          <div className="card-head">
            <h2 id="list">{listWords(filters, data.total)}</h2>
          </div>
          {data.total === 0 && <p>Nothing matches. Choose less above, or another system.</p>}
          <List work={work} offset={(page - 1) * PER_PAGE} />
          <Pages page={page} n_pages={n_pages} onPage={onPage} />
        </section>
        {work.current && (
          <section className="card stack worklist-case" aria-label="Error in hand">
            <ErrorText key={work.current.id} row={work.current} />
            <Causes work={work} />
            <Refusal error={work.error} />
            <Foot work={work} />
          </section>
        )}
      </div>
      <ErrorTable evaluation={evaluation} filters={filters} />
      {work.asksNew && <NewCause work={work} projectId={id} />}
      {work.keysShown && <HelpSheet actions={work.actions} onClose={() => work.showKeys(false)} />}
    </>
  );
}

function listWords({ only }: PredictionFilters, total: number): string {
  if (only === "all") return counted(total, "prediction");
  return only === "errors" ? counted(total, "error") : `${count(total)} not compliant`;
}

function List({ work, offset }: { work: Work; offset: number }) {
  return (
    <ol className="worklist-rows" start={offset + 1}>
      {work.rows.map((row, place) => (
        <li key={row.id}>
          <button
            type="button"
            ref={(button) => work.hold(place, button)}
            aria-current={place === work.place || undefined}
            onClick={() => work.go(place)}
          >
            <span className="small numbers">
              <b>{row.confidence === null ? "–" : row.confidence.toFixed(2)}</b> {row.gold ?? "no label"} →{" "}
              {row.label ?? "no label"}
              {row.cause && <span className="tag">{row.cause.name}</span>}
            </span>
            <span className="row-text" dir="auto">
              {row.item.text}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function Foot({ work }: { work: Work }) {
  const [next, previous, undo] = [work.can("next"), work.can("previous"), work.can("undo")];
  return (
    <div className="row">
      <button type="button" className="button" disabled={!previous} onClick={work.previous}>
        Back <Key name="arrowup" />
      </button>
      <button type="button" className="button" disabled={!next} onClick={work.next}>
        Forward <Key name="arrowdown" />
      </button>
      <button type="button" className="button quiet" disabled={!undo} onClick={work.undo}>
        Undo the last cause <Key name="u" />
      </button>
      <button type="button" className="button quiet" onClick={() => work.showKeys(true)}>
        Keys <Key name="?" />
      </button>
    </div>
  );
}
