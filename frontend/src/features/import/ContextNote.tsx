import type { ImportReport } from "./api";

/** Says how rows come to have context, where no two of a file's rows belong to one document. */
export function ContextNote({ report }: { report: ImportReport }) {
  const { documents, utterances } = report;
  if (utterances < 2 || documents < utterances) return null;
  return (
    <p className="small mute">
      Every row is a document of its own, so that no text has other rows around it as context. A column with
      one value for rows that belong together gives it: name it <code>document_id</code>, or choose it as
      “Document or conversation”.
    </p>
  );
}
