import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { codebooksQuery, publishedCodebook } from "../../api/codebooks";
import { workersQuery } from "../../api/queries";
import type { Project } from "../../api/types";
import { useAnnounce } from "../../components/Announcer";
import { NotLoaded } from "../../components/states";
import { useProject, useZone } from "../../session/project";
import { count, counted } from "../../text/format";
import { type ImportJob, importsQuery, isRunning } from "./api";
import { JobCard } from "./JobCard";
import { UploadForm } from "./UploadForm";
import "../../components/admin.css";
import "./import.css";

export function Component() {
  const zone = useZone();
  const project = useProject();
  const { data: workers } = useQuery(workersQuery(project.id));
  const { data: jobs, error, refetch } = useQuery(importsQuery(project.id));
  const { data: codebooks } = useQuery(codebooksQuery(project.id));
  const layer = codebooks && publishedCodebook(codebooks)?.definition.span_layer;
  const [begun, setBegun] = useState("");
  useFinished(jobs);
  // What was begun here stays in sight when it ends.
  const isAbove = (job: ImportJob) => isRunning(job) || job.id === begun;
  const above = jobs?.filter(isAbove) ?? [];
  const ended = jobs?.filter((job) => !isAbove(job)) ?? [];
  return (
    <main className="page middle" id="main">
      <div className="page-head">
        <h1>Import</h1>
        <p className="mute">
          {project.pool_size === 0
            ? "No text yet. Import a corpus: its items become the pool that batches are drawn from."
            : `The pool has ${counted(project.pool_size, "item")} of ${counted(project.n_documents, "document")}. Another import adds to it.`}
        </p>
      </div>
      {above.map((job) => (
        <JobCard
          key={job.id}
          job={job}
          timeZone={zone}
          projectId={project.id}
          isNewest
          isFocused={job.id === begun}
        />
      ))}
      {above.length > 0 && <Next project={project} jobs={jobs} />}
      <UploadForm
        projectId={project.id}
        workers={workers}
        hasSpans={Boolean(layer)}
        onBegun={({ id }) => setBegun(id)}
      />
      {error && <NotLoaded what="The list of imports" error={error} retry={refetch} />}
      {ended.length > 0 && (
        <section className="stack" aria-labelledby="imports">
          <h2 id="imports">Imports</h2>
          {ended.map((job) => (
            <JobCard
              key={job.id}
              job={job}
              timeZone={zone}
              projectId={project.id}
              isNewest={job.id === jobs?.[0]?.id}
            />
          ))}
        </section>
      )}
      {above.length === 0 && <Next project={project} jobs={jobs} />}
    </main>
  );
}

function Next({ project, jobs }: { project: Project; jobs: ImportJob[] | undefined }) {
  if (jobs?.[0]?.state !== "done" || project.active_round !== null) return null;
  return (
    <p className="small">
      Next: <Link to={`/projects/${project.id}/rounds`}>start a round</Link>.
    </p>
  );
}

/** The end of an import is said. */
function useFinished(jobs: ImportJob[] | undefined) {
  const announce = useAnnounce();
  const newest = jobs?.[0];
  const state = newest && `${newest.id} ${newest.state}`;
  const before = useRef(state);
  useEffect(() => {
    if (newest && before.current && before.current !== state && !state?.endsWith("running")) {
      if (newest.state === "done")
        announce(`${newest.filename}: ${count(newest.report?.kept ?? 0)} items imported.`);
      if (newest.state === "failed") announce(`${newest.filename}: nothing was imported.`);
    }
    before.current = state;
  }, [newest, state, announce]);
}
