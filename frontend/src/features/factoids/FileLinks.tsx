import { at } from "../../browser/base";
import { filePath } from "./api";

const FORMATS: Record<string, string> = { csv: "CSV", tex: "LaTeX", svg: "SVG", png: "PNG" };

interface FileLinksProps {
  set: string;
  /** Of the table or figure. */
  name: string;
  title: string;
  /** Which list or pairing it is of. */
  of?: Record<string, string>;
  ends?: readonly string[];
}

/** A table or figure of a set, in each of its formats. */
export function FileLinks({ set, name, title, of, ends = ["csv", "tex"] }: FileLinksProps) {
  return (
    <span className="file-links">
      <span className="mute">{title}:</span>
      {ends.map((end) => (
        <a key={end} href={at(filePath(set, `${name}.${end}`, of))} download={`${name}.${end}`}>
          {FORMATS[end]} <span className="visually-hidden">of “{title}”</span>
        </a>
      ))}
    </span>
  );
}
