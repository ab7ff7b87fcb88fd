import { useMutation } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { isApiError } from "../../api/errors";
import { projectQuery } from "../../api/queries";
import { useRefresh } from "../../api/useRefresh";
import { useAnnounce } from "../../components/Announcer";
import { Field } from "../../components/Field";
import { FilePicker } from "../../components/FilePicker";
import { Refusal } from "../../components/Refusal";
import { Select } from "../../components/Select";
import { useAskBeforeLeaving } from "../../kept/leaving";
import { counted } from "../../text/format";
import { type Format, factoidsApi, setsQuery } from "./api";

export const TEXT_FILES = ".jsonl,.ndjson,.json,.csv,.txt";

export const FORMATS: { value: Format; text: string }[] = [
  { value: "auto", text: "By the file’s name" },
  { value: "jsonl", text: "JSONL" },
  { value: "csv", text: "CSV" },
  { value: "txt", text: "Plain text, one file a text" },
];

export const FILES_HINT = (
  <>
    One JSONL or CSV file, or all .txt files of a folder. A line of JSONL is <code>{'{"id", "text"}'}</code>{" "}
    or <code>{'{"id", "sentences": [{"id", "text"}]}'}</code>. CSV has the columns <code>text_id</code>,{" "}
    <code>sentence</code> and, if you have them, <code>sentence_id</code>; or <code>text_id</code> and{" "}
    <code>text</code>. Whole texts are cut into sentences with ids such as M01-004.
  </>
);

/** The texts of a new set. Nothing is stored where a line is wrong. */
export function ImportSet({ projectId, onDone }: { projectId: string; onDone: () => void }) {
  const [name, setName] = useState("");
  const [format, setFormat] = useState<Format>("auto");
  const [files, setFiles] = useState<File[]>([]);
  const [isTried, setTried] = useState(false);
  const refresh = useRefresh();
  const announce = useAnnounce();
  useAskBeforeLeaving(
    files.length > 0 ? `${counted(files.length, "file")} are chosen and not imported yet.` : null,
  );
  const sending = useMutation({
    mutationFn: () => factoidsApi.importSet(projectId, name.trim(), { files, format }),
    onSuccess: async () => {
      announce(`${name.trim()} is imported.`);
      setFiles([]);
      setName("");
      setTried(false);
      // The navigation of every member shows the screen from now on.
      await refresh(setsQuery(projectId).queryKey, projectQuery(projectId).queryKey);
      onDone();
    },
  });
  const errors = isApiError(sending.error) ? sending.error.fields : {};
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() && files.length > 0 && !sending.isPending) sending.mutate();
  };
  const missing = (isMissing: boolean, words: string) => (isTried && isMissing ? [words] : undefined);
  return (
    <form className="card stack import-set" onSubmit={submit} noValidate aria-label="Import a text set">
      <h2>Import a text set</h2>
      <div className="form-grid">
        <Field
          label="Name of the set"
          value={name}
          maxLength={200}
          autoComplete="off"
          hint="What the texts are about, such as the event."
          errors={missing(!name.trim(), "Give the set a name.") ?? errors.name}
          onValue={setName}
        />
        <Select
          label="Format"
          value={format}
          options={FORMATS}
          errors={errors.format}
          onValue={(value) => setFormat(value as Format)}
        />
      </div>
      <FilePicker
        files={files}
        accept={TEXT_FILES}
        hint={FILES_HINT}
        errors={missing(files.length === 0, "Choose the files first.") ?? errors.files}
        onFiles={(chosen) => {
          sending.reset();
          setFiles(chosen);
        }}
      />
      <Refusal error={sending.error} placed={(field) => ["name", "format", "files"].includes(field)} />
      <div className="row">
        <button type="submit" className="button primary" disabled={sending.isPending}>
          {sending.isPending ? "Importing…" : "Import the set"}
        </button>
      </div>
    </form>
  );
}
