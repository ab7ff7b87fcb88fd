import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useId, useState } from "react";
import { isApiError } from "../../../api/errors";
import { ROW_FILES } from "../../../api/upload";
import { useAnnounce } from "../../../components/Announcer";
import { Labelled } from "../../../components/Labelled";
import { Refusal } from "../../../components/Refusal";
import { Select } from "../../../components/Select";
import { useAskBeforeLeaving } from "../../../kept/leaving";
import { counted } from "../../../text/format";
import { type TestSetPage, testSetApi, testSetQuery } from "./api";

interface AttachFormProps {
  page: TestSetPage;
  projectId: string;
  onClose: () => void;
}

export function AttachForm({ page, projectId, onClose }: AttachFormProps) {
  const [stage, setStage] = useState(page.test_set?.stage ?? page.stages[0]?.key ?? "");
  const [file, setFile] = useState<File | null>(null);
  useAskBeforeLeaving(file && `The file ${file.name} is chosen and not attached yet.`);
  const [isMissing, setMissing] = useState(false);
  const linesId = useId();
  const attach = useAttach(projectId, onClose);
  const errors = isApiError(attach.error) ? attach.error.fields : {};
  const chosen = page.stages.find(({ key }) => key === stage);
  const labels = chosen?.labels ?? [];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setMissing(!file);
    if (file) attach.mutate({ stage, file });
  };
  return (
    <form className="stack" onSubmit={submit} noValidate aria-label="Attach a test set">
      <Select
        label="Stage that it is labelled at"
        value={stage}
        options={page.stages.map(({ key, title }) => ({ value: key, text: title }))}
        hint={labels.length > 0 && `Labels: ${labels.join(", ")}.`}
        errors={errors.stage}
        onValue={setStage}
      />
      <Labelled
        label="File"
        hint={
          <>
            CSV, TSV, JSON Lines or a JSON array, a row an item, with <code>id</code>, <code>text</code> and{" "}
            <code>label</code>
            {chosen?.head_kind === "several" && (
              <>
                , which is a list such as <code>["a","b"]</code>
              </>
            )}
            . No item of it may be in the pool.
          </>
        }
        errors={isMissing && !file ? ["Choose a file first."] : undefined}
      >
        {(control) => (
          <input
            {...control}
            type="file"
            accept={ROW_FILES}
            aria-describedby={[control["aria-describedby"], errors.file && linesId].filter(Boolean).join(" ")}
            aria-invalid={control["aria-invalid"] ?? (errors.file ? true : undefined)}
            // A file that was mended keeps its name: chosen again, it would be no change.
            onClick={(event) => {
              event.currentTarget.value = "";
              setFile(null);
            }}
            onChange={(event) => {
              setFile(event.currentTarget.files?.[0] ?? null);
              attach.reset();
            }}
          />
        )}
      </Labelled>
      {errors.file && <Lines id={linesId} messages={errors.file} />}
      <Refusal error={errors.file ? null : attach.error} placed={(field) => field === "stage"} />
      <div className="row">
        <button type="submit" className="button primary" disabled={attach.isPending}>
          {page.test_set ? "Replace the test set" : "Attach it"}
        </button>
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        {attach.isPending && (
          <span className="small mute" role="status">
            The server checks it.
          </span>
        )}
      </div>
    </form>
  );
}

function useAttach(projectId: string, onDone: () => void) {
  const client = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: ({ stage, file }: { stage: string; file: File }) => testSetApi.attach(projectId, stage, file),
    onSuccess: (page) => {
      client.setQueryData(testSetQuery(projectId).queryKey, page);
      announce(`The test set is attached: ${counted(page.test_set?.n ?? 0, "item")}.`);
      onDone();
    },
  });
}

/** What the server found, line by line; nothing was stored. */
function Lines({ id, messages }: { id: string; messages: string[] }) {
  return (
    <div className="notice bad" id={id} role="alert">
      <p>
        <b>Nothing was attached.</b> Mend the file and choose it again.
      </p>
      <ul className="reasons line-faults">
        {messages.map((message) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </div>
  );
}
