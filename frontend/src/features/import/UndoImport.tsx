import { useRefresh } from "../../api/useRefresh";
import { useAnnounce } from "../../components/Announcer";
import { ConfirmButton } from "../../components/ConfirmButton";
import { counted, moment } from "../../text/format";
import { type ImportJob, importsQuery, importUndo } from "./api";

interface UndoImportProps {
  job: ImportJob;
  projectId: string;
  timeZone: string;
}

/** Takes back what an import brought, or says why it stays. */
export function UndoImport({ job, projectId, timeZone }: UndoImportProps) {
  const refresh = useRefresh();
  const announce = useAnnounce();
  const undo = () =>
    importUndo(job.id)
      .then(() => announce(`The import of ${job.filename} was undone.`))
      .finally(() => refresh(importsQuery(projectId).queryKey, ["project", projectId]));
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
      <ConfirmButton
        button="Undo this import"
        label={`Undo this import: ${job.filename}`}
        title={`Undo the import of ${job.filename}?`}
        act="Undo the import"
        danger
        onConfirm={undo}
      >
        <p>
          This removes {counted(items, "item")} of {counted(documents, "document")} with their context
          {sources > 0 && `, the source documents that nothing else refers to (it named ${sources})`}
          {marks > 0 && `, and ${counted(marks, "mark")}`}. Nobody was given any of it, so no answer is lost.
        </p>
        <p>
          Their ids can be imported again. The undo itself can't be taken back: import the file again instead.
        </p>
      </ConfirmButton>
    </div>
  );
}
