import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useAnnounce } from "../../components/Announcer";
import { Confirm } from "../../components/Confirm";
import { counted, moment } from "../../text/format";
import { type ImportJob, importsQuery, importUndo } from "./api";

interface UndoImportProps {
  job: ImportJob;
  projectId: string;
  timeZone: string;
}

/** Takes back what an import brought, or says why it stays. */
export function UndoImport({ job, projectId, timeZone }: UndoImportProps) {
  const [asking, setAsking] = useState(false);
  const client = useQueryClient();
  const announce = useAnnounce();
  const undo = useMutation({
    mutationFn: () => importUndo(job.id),
    onSuccess: () => announce(`The import of ${job.filename} was undone.`),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: importsQuery(projectId).queryKey }),
        client.invalidateQueries({ queryKey: ["project", projectId] }),
      ]),
  });
  if (job.state !== "done") return null;
  if (job.undone_at)
    return (
      <p className="notice">
        <b>Undone</b> {moment(job.undone_at, timeZone)}
        {job.undone_by && ` by ${job.undone_by}`}: what it had brought is gone, and its ids are free again.
      </p>
    );
  if (job.keeps) return <p className="small mute">It can't be undone: {job.keeps}</p>;
  const { items = 0, documents = 0, sources = 0, marks = 0 } = job.report ?? {};
  return (
    <div className="row">
      <button
        type="button"
        className="button"
        aria-label={`Undo this import: ${job.filename}`}
        onClick={() => setAsking(true)}
      >
        Undo this import
      </button>
      {asking && (
        <Confirm
          title={`Undo the import of ${job.filename}?`}
          act="Undo the import"
          danger
          busy={undo.isPending}
          error={undo.error}
          onConfirm={() => undo.mutate(undefined, { onSuccess: () => setAsking(false) })}
          onClose={() => {
            undo.reset();
            setAsking(false);
          }}
        >
          <p>
            This removes {counted(items, "item")} of {counted(documents, "document")} with their context
            {sources > 0 && `, the source documents that nothing else refers to (it named ${sources})`}
            {marks > 0 && `, and ${counted(marks, "mark")}`}. Nobody was given any of it, so no answer is
            lost.
          </p>
          <p>
            Their ids can be imported again. The undo itself can't be taken back: import the file again
            instead.
          </p>
        </Confirm>
      )}
    </div>
  );
}
