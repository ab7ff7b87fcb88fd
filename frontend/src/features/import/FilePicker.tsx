import { type DragEvent, useId, useRef, useState } from "react";
import { sizeWords } from "../../text/format";

interface FilePickerProps {
  file: File | null;
  errors: string[] | undefined;
  onFile: (file: File) => void;
}

/** A place to drop a file on, around the browser's own picker, which the keyboard reaches. */
export function FilePicker({ file, errors, onFile }: FilePickerProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const take = (files: FileList | null) => {
    if (files?.[0]) onFile(files[0]);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
    // The picker would otherwise name an earlier choice.
    if (input.current) input.current.value = "";
  };
  return (
    <div className="field">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the input is the first. */}
      <div
        className={over ? "drop over" : "drop"}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <input
          ref={input}
          id={id}
          type="file"
          className="visually-hidden"
          aria-describedby={errors ? `${id}-about ${id}-error` : `${id}-about`}
          aria-invalid={errors ? true : undefined}
          // A file that was mended keeps its name: chosen again, it would be no change.
          onClick={(event) => {
            event.currentTarget.value = "";
          }}
          onChange={(event) => take(event.currentTarget.files)}
        />
        <label htmlFor={id} className="button">
          {file ? "Choose another file" : "Choose a file"}
        </label>
        <span className="small">
          {file ? (
            <>
              <b>{file.name}</b> <span className="mute numbers">{sizeWords(file.size)}</span>
            </>
          ) : (
            <span className="mute">or drop it here</span>
          )}
        </span>
      </div>
      <Accepted id={`${id}-about`} />
      {errors && (
        <span className="error" id={`${id}-error`}>
          {errors.join(" ")}
        </span>
      )}
    </div>
  );
}

function Accepted({ id }: { id: string }) {
  return (
    <span className="hint" id={id}>
      A ConvoKit corpus as .zip, or JSONL, a JSON array, CSV or TSV (plain or .gz). Rows need an id and a
      text; document, speaker, time and others are used where they are given. You can choose which column is
      what.
    </span>
  );
}
