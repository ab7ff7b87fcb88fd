import { at } from "../../../browser/base";
import { sizeWords } from "../../../text/format";
import { type EvaluationDetail, filePath } from "../api";

type File = EvaluationDetail["files"][number];

/** Every table, figure and prediction, to take away. Formats of the same thing stand on one line. */
export function Downloads({ evaluation: { id, files } }: { evaluation: EvaluationDetail }) {
  if (files.length === 0) return null;
  return (
    <section className="card stack" aria-labelledby="files">
      <h2 id="files">Files to take away</h2>
      <ul className="downloads">
        {[...byStem(files)].map(([stem, formats]) => (
          <li key={stem}>
            <span className="stem">{stem}</span>{" "}
            {formats.map(({ name, size }) => (
              <a key={name} href={at(filePath(id, name))} download={name} title={sizeWords(size)}>
                {FORMATS[endOf(name)] ?? endOf(name).toUpperCase()}{" "}
                <span className="visually-hidden">of “{stem}”</span>
              </a>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

const FORMATS: Record<string, string> = { tex: "LaTeX" };

function endOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

function byStem(files: readonly File[]): Map<string, File[]> {
  const stems = new Map<string, File[]>();
  for (const file of files) {
    const stem = file.name.slice(0, file.name.lastIndexOf("."));
    stems.set(stem, [...(stems.get(stem) ?? []), file]);
  }
  return stems;
}
