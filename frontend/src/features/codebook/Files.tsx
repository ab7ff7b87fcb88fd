import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { CodebookVersion } from "../../api/codebooks";
import { Disclosure } from "../../components/Disclosure";
import { FilePicker } from "../../components/FilePicker";
import { Refusal } from "../../components/Refusal";
import { inReadingOrder } from "./order";

/** A version as a file, which another project can begin with. */
export function SaveFile({ version: { version, definition } }: { version: CodebookVersion }) {
  const text = JSON.stringify(inReadingOrder(definition), null, 2);
  return (
    <a
      className="button"
      download={`codebook-${version}.json`}
      href={`data:application/json;charset=utf-8,${encodeURIComponent(text)}`}
    >
      Download version {version}
    </a>
  );
}

interface TakeFileProps {
  /** The text that stands here was written by somebody: it is replaced only where a person says so. */
  isWritten: boolean;
  onText: (text: string) => void;
}

/** A definition from a file, in place of the text. What is wrong in it is shown as of any other text. */
export function TakeFile({ isWritten, onText }: TakeFileProps) {
  const [waiting, setWaiting] = useState<{ name: string; text: string } | null>(null);
  const read = useMutation({
    mutationFn: async (file: File) => ({ name: file.name, text: await file.text() }),
    onSuccess: (found) => {
      if (isWritten) setWaiting(found);
      else onText(found.text);
    },
    networkMode: "always",
  });
  return (
    <Disclosure title="Take a codebook from a file">
      <div className="stack-tight">
        <FilePicker
          files={[]}
          accept=".json,application/json"
          isOne
          hint="A codebook as JSON, such as the download of another project's version."
          onFiles={([file]) => file && read.mutate(file)}
        />
        <Refusal error={read.error} />
        {waiting && (
          <div className="notice warn row" role="alert">
            <span>{waiting.name} takes the place of all that stands below.</span>
            <button
              type="button"
              className="button"
              onClick={() => {
                onText(waiting.text);
                setWaiting(null);
              }}
            >
              Replace the text
            </button>
            <button type="button" className="button quiet" onClick={() => setWaiting(null)}>
              Keep the text
            </button>
          </div>
        )}
      </div>
    </Disclosure>
  );
}
