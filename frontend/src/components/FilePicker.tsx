import { type DragEvent, type ReactNode, useId, useRef, useState } from "react";
import { counted, sizeWords } from "../text/format";

interface FilePickerProps {
  files: readonly File[];
  /** The ends of names that the browser's picker offers; left out: any. */
  accept?: string;
  /** What is taken. */
  hint: ReactNode;
  errors?: string[];
  isOne?: boolean;
  onFiles: (files: File[]) => void;
}

/** A place to drop files on, around the browser's own picker, which the keyboard reaches. */
export function FilePicker({ files, accept, hint, errors, isOne, onFiles }: FilePickerProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const take = (chosen: FileList | null) => {
    if (chosen && chosen.length > 0) onFiles([...chosen].slice(0, isOne ? 1 : undefined));
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
          multiple={!isOne}
          accept={accept}
          className="visually-hidden"
          aria-describedby={errors ? `${id}-about ${id}-error` : `${id}-about`}
          aria-invalid={errors ? true : undefined}
          // A file that was corrected keeps its name: chosen again, it would be no change.
          onClick={(event) => {
            event.currentTarget.value = "";
          }}
          onChange={(event) => take(event.currentTarget.files)}
        />
        <label htmlFor={id} className="button">
          {files.length > 0
            ? `Choose ${isOne ? "another file" : "other files"}`
            : `Choose ${isOne ? "a file" : "files"}`}
        </label>
        <span className="small">{files.length > 0 ? <Chosen files={files} /> : <Drop isOne={isOne} />}</span>
      </div>
      <span className="hint" id={`${id}-about`}>
        {hint}
      </span>
      {errors && <Errors id={`${id}-error`} errors={errors} />}
    </div>
  );
}

function Drop({ isOne }: { isOne?: boolean }) {
  return <span className="mute">or drop {isOne ? "it" : "them"} here</span>;
}

function Chosen({ files }: { files: readonly File[] }) {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  return (
    <>
      <b>{files.length === 1 ? files[0]?.name : counted(files.length, "file")}</b>{" "}
      <span className="mute numbers">{sizeWords(size)}</span>
    </>
  );
}

function Errors({ id, errors }: { id: string; errors: string[] }) {
  if (errors.length === 1)
    return (
      <span className="error" id={id}>
        {errors[0]}
      </span>
    );
  return (
    <ul className="error line-faults reasons" id={id}>
      {errors.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
