import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { ClosedBatch } from "../../activeLearning/BatchRest";
import { isFirstBatch } from "../../activeLearning/roundSpec";
import { stateWords } from "../../activeLearning/roundState";
import { type CodebookVersion, codebooksQuery, publishedCodebook } from "../../api/codebooks";
import { insightsKey } from "../../api/insights";
import { isUnfinished, type Round, type RoundsPage, roundsQuery } from "../../api/rounds";
import type { Project } from "../../api/types";
import { useAnnounce } from "../../components/Announcer";
import { Failure, Loading, NotLoaded } from "../../components/states";
import { useProject } from "../../session/project";
import { ChosenCard } from "./ChosenCard";
import { NowCard } from "./NowCard";
import { PrototypeCard } from "./prototype/PrototypeCard";
import { RoundsTable } from "./RoundsTable";
import { StartForm } from "./StartForm";
import { Summary } from "./Summary";
import { TestSetCard } from "./test-set/TestSetCard";
import "../../components/admin.css";
import "./rounds.css";

export function Component() {
  const project = useProject();
  const { data: page, error, refetch } = useQuery(roundsQuery(project.id));
  if (page) return <Rounds page={page} project={project} lost={error !== null} />;
  if (error) return <Failure error={error} retry={refetch} />;
  return <Loading what="the rounds" />;
}

function Rounds({ page, project, lost }: { page: RoundsPage; project: Project; lost: boolean }) {
  const current = page.rounds.find(isUnfinished);
  const last = page.rounds[0];
  const { data: codebooks } = useQuery(codebooksQuery(project.id));
  const published = codebooks && publishedCodebook(codebooks);
  useSaid(current ?? page.rounds[0], project.id);
  const [missed, setMissed] = useState("");
  return (
    <main className="page" id="main">
      <h1 className="visually-hidden">Rounds</h1>
      {lost && (
        <p className="notice bad" role="alert">
          The server cannot be reached: what is shown may be old. Trying again.
        </p>
      )}
      {missed && current && (
        <p className="notice warn" role="alert">
          The round was not started: {missed} Your settings were not used.
        </p>
      )}
      {current && <NowCard round={current} page={page} projectId={project.id} />}
      {!current && last?.batch?.closed_at && (
        <ClosedBatch name={`round ${last.number}`} batch={last.batch} projectId={project.id} />
      )}
      {!current && <NextRound page={page} project={project} onMissed={setMissed} />}
      {!isFirstBatch(page) && <Summary page={page} project={project} />}
      {page.rounds.length > 0 && <RoundsTable page={page} project={project} />}
      {current?.batch && <Waiting page={page} />}
      <ChosenCard projectId={project.id} />
      <div className="measures">
        <TestSetCard project={project} />
        <PrototypeCard project={project} people={page.annotators} asksQuestions={hasStages(published)} />
      </div>
    </main>
  );
}

/** A change of state is said to those who do not see the card; the ticking fraction is not. */
function useSaid(round: Round | undefined, projectId: string) {
  const announce = useAnnounce();
  const client = useQueryClient();
  const words = round ? `Round ${round.number}: ${stateWords(round)}.` : "";
  const before = useRef(words);
  useEffect(() => {
    if (before.current !== words && words) {
      announce(words);
      // An opened batch spends budget, which the project shows.
      void client.invalidateQueries({ queryKey: ["project", projectId] });
      void client.invalidateQueries({ queryKey: insightsKey(projectId) });
    }
    before.current = words;
  }, [words, announce, client, projectId]);
}

function Waiting({ page }: { page: RoundsPage }) {
  return (
    <section className="card stack" aria-labelledby="next">
      <h2 id="next">Round {page.next.number}</h2>
      <p>It can be started when the batch is complete. {page.next.reasons.join(" ")}</p>
    </section>
  );
}

interface NextRoundProps {
  page: RoundsPage;
  project: Project;
  onMissed: (words: string) => void;
}

function NextRound({ page, project, onMissed }: NextRoundProps) {
  const { data: codebooks, error, refetch } = useQuery(codebooksQuery(project.id));
  const published = codebooks && publishedCodebook(codebooks);
  return (
    <section className="card now stack" aria-labelledby="next">
      <div className="stack-tight">
        <h2 id="next">{title(page)}</h2>
        <p className="lead">{lead(page, hasStages(published))}</p>
      </div>
      {error && <NotLoaded what="The codebook" error={error} retry={refetch} />}
      {published && <StartForm {...{ page, project, onMissed }} definition={published.definition} />}
      {codebooks && !published && (
        <p className="notice warn">
          No codebook is published yet.{" "}
          <Link to={`/projects/${project.id}/codebook`}>Write and publish one</Link>, then start.
        </p>
      )}
    </section>
  );
}

/** Until it is known, a codebook is taken to have some. */
function hasStages(codebook: CodebookVersion | undefined): boolean {
  return codebook?.definition.stages.length !== 0;
}

function title(page: RoundsPage): string {
  return page.rounds.length === 0 ? "No rounds yet" : `Start round ${page.next.number}`;
}

function lead(page: RoundsPage, learns: boolean): string {
  if (isFirstBatch(page))
    return "The first batch is drawn at random, so that what later rounds choose has something to be compared with.";
  const last = page.rounds[0];
  if (last?.state === "complete")
    return `The batch of round ${last.number} is complete. Once the next round starts, its answers are frozen${learns ? " as training data" : ""}.`;
  return last?.state === "cancelled"
    ? `Round ${last.number} was cancelled: nothing of it was given out.`
    : "";
}
