import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { isApiError } from "../../api/errors";
import { type Insights, insightsQuery } from "../../api/insights";
import { Select } from "../../components/Select";
import { Failure, Loading, Status } from "../../components/states";
import { useProject } from "../../session/project";
import { AgreementFigure } from "./AgreementFigure";
import { BatchTable } from "./BatchTable";
import { ClassFigure } from "./ClassFigure";
import { LearningFigure } from "./LearningFigure";
import { PoolFigure } from "./PoolFigure";
import { SignalList } from "./SignalList";
import { Summary } from "./Summary";
import { useNames } from "./useNames";
import { YieldFigure } from "./YieldFigure";
import "../../components/admin.css";
import "./insights.css";

export function Component() {
  const project = useProject();
  const [stage, setStage] = useState<string>();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...insightsQuery(project.id, stage),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
  if (isApiError(error, 409))
    return error.code === "no_stages" ? <SpansOnly /> : <NoCodebook words={error.message} />;
  if (error && !data) return <Failure error={error} retry={refetch} />;
  if (!data) return <Loading what="the insights" />;
  return (
    <main className="page" id="main">
      <div className="insights-head">
        <div className="page-head">
          <h1>Insights</h1>
          <p className="mute">What the rounds brought, and whether the next one will bring more.</p>
        </div>
        <Select
          label="Stage"
          value={stage ?? data.stage}
          options={data.stages.map(({ key, title }) => ({ value: key, text: title }))}
          onValue={setStage}
        />
      </div>
      {error && (
        <p className="notice bad" role="alert">
          The server cannot be reached: what is shown may be old.
        </p>
      )}
      {isPlaceholderData && <Status>Counting at the other stage</Status>}
      {data.batches.length === 0 ? <NoBatches /> : <Told insights={data} />}
    </main>
  );
}

function Told({ insights }: { insights: Insights }) {
  const project = useProject();
  const names = useNames(project.id, insights.stage);
  return (
    <>
      <Positive insights={insights} names={insights.positive.map((label) => names.get(label) ?? label)} />
      <Summary insights={insights} project={project} />
      <div className="insights-two">
        <LearningFigure insights={insights} />
        <YieldFigure insights={insights} />
        <ClassFigure insights={insights} names={names} />
        <AgreementFigure insights={insights} />
      </div>
      <PoolFigure insights={insights} />
      <SignalList signals={insights.signals} />
      <BatchTable insights={insights} />
    </>
  );
}

function Positive({ insights, names }: { insights: Insights; names: string[] }) {
  const title = insights.stages.find(({ key }) => key === insights.stage)?.title ?? insights.stage;
  if (names.length === 0)
    return (
      <p className="notice warn">
        The codebook names no positive label at “{title}”: yields cannot be counted there. Everything else is
        shown.
      </p>
    );
  return (
    <p className="small mute">
      Positive at “{title}”: {names.join(", ")}.
    </p>
  );
}

function NoBatches() {
  const project = useProject();
  return (
    <section className="card stack" aria-labelledby="none">
      <h2 id="none">No figures yet</h2>
      <p>
        The first figures come with the first answers: the share of each class, how far people agree. From the
        second round on a model learns, and its learning curve begins. For a curve that tells quality, attach
        a held-out test set before that; for a base rate of its own, open a prototype batch. Both are on the{" "}
        <Link to={`/projects/${project.id}/rounds`}>rounds page</Link>.
      </p>
    </section>
  );
}

/** Figures of classes and models are of stages; what was marked is told on other pages. */
function SpansOnly() {
  const project = useProject();
  const to = (page: string) => `/projects/${project.id}/${page}`;
  return (
    <main className="page narrow" id="main">
      <h1>Insights</h1>
      <section className="card stack" aria-labelledby="spans-only">
        <h2 id="spans-only">Spans have no learning curve</h2>
        <p>
          The codebook of this project has no stages: no label is predicted, and there are no class shares and
          no yield to show. What the rounds brought stands elsewhere:
        </p>
        <ul>
          <li>
            how far people agree on what they marked: <Link to={to("agreement")}>Agreement</Link>
          </li>
          <li>
            how far each batch is: <Link to={to("rounds")}>Rounds</Link>
          </li>
          <li>
            what was validated, item by item: <Link to={to("validation")}>Validation</Link>
          </li>
          <li>
            what the data set comes to, in sources, targets and lengths:{" "}
            <Link to={to("dataset")}>Dataset</Link>
          </li>
          <li>
            the spans themselves, as data and as text: <Link to={to("export")}>Export</Link>
          </li>
        </ul>
      </section>
    </main>
  );
}

function NoCodebook({ words }: { words: string }) {
  const project = useProject();
  return (
    <main className="page narrow" id="main">
      <h1>Insights</h1>
      <p className="notice warn">
        {words} <Link to={`/projects/${project.id}/codebook`}>Go to the codebook</Link>.
      </p>
    </main>
  );
}
