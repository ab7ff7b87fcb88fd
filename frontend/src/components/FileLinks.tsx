import { createContext, useContext } from "react";
import { at } from "../browser/base";
import { sizeWords } from "../text/format";
import "./results.css";

interface Files {
  files: readonly { name: string; size: number }[];
  /** The address of one of them. */
  pathOf: (name: string) => string;
}

/** The files of what is on the page. */
export const FilesContext = createContext<Files>({ files: [], pathOf: (name) => name });

/** Every file by what it holds: formats of the same thing together. */
export function byStem(files: Files["files"]): Map<string, Files["files"]> {
  const stems = new Map<string, Files["files"]>();
  for (const file of files) {
    const own = ownName(file.name);
    const stem = own.slice(0, own.lastIndexOf("."));
    stems.set(stem, [...(stems.get(stem) ?? []), file]);
  }
  return stems;
}

/** Without its folder. */
function ownName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

const FORMATS: Record<string, string> = { tex: "LaTeX" };

/** A table or figure in each of its formats. Nothing where there is no such file. */
export function FileLinks({ stem }: { stem: string }) {
  const { files, pathOf } = useContext(FilesContext);
  return (byStem(files).get(stem) ?? []).map(({ name, size }) => {
    const end = name.slice(name.lastIndexOf(".") + 1);
    return (
      <a key={name} href={at(pathOf(name))} download={ownName(name)} title={sizeWords(size)}>
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
