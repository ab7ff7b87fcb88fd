import { createContext, useContext } from "react";
import { at } from "../../../browser/base";
import { sizeWords } from "../../../text/format";
import { type EvaluationDetail, filePath } from "../api";

type Taken = Pick<EvaluationDetail, "id" | "files">;

/** The files of the evaluation on the page. */
export const FilesContext = createContext<Taken>({ id: "", files: [] });

/** Every file by what it holds: formats of the same thing together. */
export function byStem(files: Taken["files"]): Map<string, Taken["files"]> {
  const stems = new Map<string, Taken["files"]>();
  for (const file of files) {
    const stem = file.name.slice(0, file.name.lastIndexOf("."));
    stems.set(stem, [...(stems.get(stem) ?? []), file]);
  }
  return stems;
}

const FORMATS: Record<string, string> = { tex: "LaTeX" };

/** A table or figure in each of its formats. Nothing where there is no such file. */
export function FileLinks({ stem }: { stem: string }) {
  const { id, files } = useContext(FilesContext);
  return (byStem(files).get(stem) ?? []).map(({ name, size }) => {
    const end = name.slice(name.lastIndexOf(".") + 1);
    return (
      <a key={name} href={at(filePath(id, name))} download={name} title={sizeWords(size)}>
        {FORMATS[end] ?? end.toUpperCase()} <span className="visually-hidden">of “{stem}”</span>
      </a>
    );
  });
}

/** Stands below a table or drawing. A table's file has every stage. */
export function CardFiles({ stem }: { stem: string }) {
  return (
    <p className="card-files small">
      <FileLinks stem={stem} />
    </p>
  );
}
