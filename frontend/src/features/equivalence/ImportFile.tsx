import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { isApiError } from "../../api/errors";
import { useRefresh } from "../../api/useRefresh";
import { useAnnounce } from "../../components/Announcer";
import { DataTable } from "../../components/DataTable";
import { FilePicker } from "../../components/FilePicker";
import { Refusal } from "../../components/Refusal";
import { Status } from "../../components/states";
import { useAskBeforeLeaving } from "../../kept/leaving";
import { counted } from "../../text/format";
import { equivalenceApi, overviewQuery } from "./api";
import type { FileRead } from "./types";

const HINT = (
  <>
    A JSON file in the form of the paper’s authors:{" "}
    <code>{'[{"annotation", "evaluation", "equivalence_classes": [["string"]]}]'}</code>.{" "}
    <code>annotation</code> is the category. It may have <code>part</code>, <code>in_depth</code> and{" "}
    <code>class_names</code> too.
  </>
);

/** Shows what a file would do before anything is stored. */
export function ImportFile({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const [files, setFiles] = useState<File[]>([]);
  const refresh = useRefresh();
  const announce = useAnnounce();
  const file = files[0];
  const looking = useMutation({
    mutationFn: (which: File) => equivalenceApi.importFile(projectId, which, true),
  });
  const storing = useMutation({
    mutationFn: (which: File) => equivalenceApi.importFile(projectId, which, false),
    onSuccess: async ({ created, changed }) => {
      announce(`${counted(created.length + changed.length, "evaluation")} imported.`);
      await refresh(overviewQuery(projectId).queryKey);
      onClose();
    },
  });
  useAskBeforeLeaving(file ? `${file.name} is chosen and not imported yet.` : null);
  const report = looking.data;
  const failed = storing.error ?? looking.error;
  const faults = report?.faults.length ? report.faults : faultsOf(failed);
  const n = report ? report.created.length + report.changed.length : 0;
  return (
    <section className="card stack" aria-label="Import evaluations">
      <h2>Import evaluations</h2>
      <FilePicker
        files={files}
        isOne
        accept=".json"
        hint={HINT}
        onFiles={(chosen) => {
          setFiles(chosen);
          storing.reset();
          if (chosen[0]) looking.mutate(chosen[0]);
        }}
      />
      {looking.isPending && <Status>Reading the file</Status>}
      {faults.length === 0 && <Refusal error={failed} />}
      {report && <Preview report={report} />}
      {faults.length > 0 && <Faults faults={faults} />}
      <div className="row">
        <button
          type="button"
          className="button primary"
          disabled={!file || !report || n === 0 || faults.length > 0 || storing.isPending}
          onClick={() => file && storing.mutate(file)}
        >
          {storing.isPending ? "Importing…" : n > 0 ? `Import ${counted(n, "evaluation")}` : "Import"}
        </button>
        <button type="button" className="button" onClick={onClose}>
          Import nothing
        </button>
      </div>
    </section>
  );
}

function Preview({ report }: { report: FileRead }) {
  const { created, changed, unchanged, notices, faults } = report;
  return (
    <div className="stack" role="status">
      {faults.length === 0 && created.length + changed.length === 0 && (
        <p>The file changes nothing: all it holds is here already.</p>
      )}
      <Names title="New" names={created} />
      <Names title="Changed: they get the classes of the file" names={changed} />
      {unchanged.length > 0 && created.length + changed.length > 0 && (
        <p className="small mute">
          {counted(unchanged.length, "evaluation is", "evaluations are")} here already.
        </p>
      )}
      {notices.length > 0 && (
        <ul className="notice reasons-notice">
          {notices.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Names({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <div className="stack-tight">
      <h3>
        {title} ({names.length})
      </h3>
      <ul className="reasons line-faults">
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </div>
  );
}

function Faults({ faults }: { faults: FileRead["faults"] }) {
  return (
    <div className="notice bad stack" role="alert">
      <p>
        <b>Nothing is imported.</b> Mend {counted(faults.length, "fault")} in the file, and choose it again.
      </p>
      <DataTable
        title="Faults of the file"
        rows={faults}
        keyOf={({ place, message }) => `${place} ${message}`}
        columns={[
          ["Place", ({ place }) => <code>{place || "the file"}</code>],
          ["Fault", ({ message }) => message],
        ]}
      />
    </div>
  );
}

/** A refusal may carry the faults too. */
function faultsOf(error: unknown): FileRead["faults"] {
  if (!isApiError(error)) return [];
  const { faults } = (error.body ?? {}) as { faults?: FileRead["faults"] };
  return Array.isArray(faults) ? faults : [];
}
