import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Project } from "../../../api/types";
import { useRefresh } from "../../../api/useRefresh";
import { useAnnounce } from "../../../components/Announcer";
import { ConfirmButton } from "../../../components/ConfirmButton";
import { NotLoaded } from "../../../components/states";
import { count, counted, moment } from "../../../text/format";
import { AttachForm } from "./AttachForm";
import { type TestSet, type TestSetPage, testSetApi, testSetQuery } from "./api";

/** The labelled text that each round's model is measured on, and never learns from. */
export function TestSetCard({ project }: { project: Project }) {
  const { data, error, refetch } = useQuery(testSetQuery(project.id));
  return (
    <section className="card stack" aria-labelledby="test-set">
      <h2 id="test-set">Held-out test set</h2>
      {error && !data && <NotLoaded what="The test set" error={error} retry={refetch} />}
      {!data && !error && <p className="mute small">Loading the test set</p>}
      {data && <Shown page={data} project={project} />}
    </section>
  );
}

function Shown({ page, project }: { page: TestSetPage; project: Project }) {
  const [isOpen, setOpen] = useState(false);
  const { test_set: attached, stages } = page;
  if (!attached && stages.length === 0)
    return <p className="small mute">{noStageWords(project.active_codebook !== null)}</p>;
  return (
    <>
      {attached ? (
        <Attached testSet={attached} page={page} timeZone={project.time_zone} />
      ) : (
        <p className="small mute">
          None is attached: rounds then know only how well a model fits its own training items. Labelled text
          that is not in the pool gives the learning curve its quality; every later round is measured on it.
        </p>
      )}
      {stages.length === 0 && <p className="small mute">{noStageWords(project.active_codebook !== null)}</p>}
      {isOpen && <AttachForm page={page} projectId={project.id} onClose={() => setOpen(false)} />}
      {!isOpen && stages.length > 0 && (
        <div className="row">
          <button type="button" className="button" onClick={() => setOpen(true)}>
            {attached ? "Replace it" : "Attach a test set"}
          </button>
          {attached && <Remove projectId={project.id} fileName={attached.file_name} />}
        </div>
      )}
    </>
  );
}

function noStageWords(hasCodebook: boolean): string {
  return hasCodebook
    ? "The codebook has no stage that a model can learn, so that there is nothing to measure."
    : "Publish a codebook first: a test set is of one of its stages.";
}

interface AttachedProps {
  testSet: TestSet;
  page: TestSetPage;
  timeZone: string;
}

function Attached({ testSet, page, timeZone }: AttachedProps) {
  const stage = page.stages.find(({ key }) => key === testSet.stage)?.title ?? testSet.stage;
  const counts = Object.entries(testSet.class_counts).map(([label, n]) => `${label} ${count(n)}`);
  return (
    <>
      <p>
        <b>{testSet.file_name}</b>: {counted(testSet.n, "item")} labelled at “{stage}” ({counts.join(", ")}).
      </p>
      <p className="small mute">
        Attached {moment(testSet.attached_at, timeZone)}; SHA-256{" "}
        <code title={testSet.sha256}>{testSet.sha256.slice(0, 12)}</code>. Measured by every later round that
        learns this stage.
      </p>
      {testSet.notices.map((notice) => (
        <p key={notice} className="notice warn">
          {notice}
        </p>
      ))}
    </>
  );
}

function Remove({ projectId, fileName }: { projectId: string; fileName: string }) {
  const refresh = useRefresh();
  const announce = useAnnounce();
  const remove = () =>
    testSetApi
      .remove(projectId)
      .then(() => announce("The test set is removed."))
      .finally(() => refresh(testSetQuery(projectId).queryKey));
  return (
    <ConfirmButton
      button="Remove it"
      className="button quiet"
      title="Remove the test set?"
      act="Remove the test set"
      danger
      onConfirm={remove}
    >
      <p>
        Later rounds are not measured on <b>{fileName}</b> any more. What earlier rounds measured stays with
        them.
      </p>
    </ConfirmButton>
  );
}
