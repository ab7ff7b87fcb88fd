import { useContext } from "react";
import { byStem, FileLinks, FilesContext } from "./FileLinks";

/** Every table, figure and prediction, to take away. */
export function Downloads() {
  const { files } = useContext(FilesContext);
  if (files.length === 0) return null;
  return (
    <section className="card stack" aria-labelledby="files">
      <h2 id="files">Files to take away</h2>
      <ul className="downloads">
        {[...byStem(files).keys()].map((stem) => (
          <li key={stem}>
            <span className="stem">{stem}</span> <FileLinks stem={stem} />
          </li>
        ))}
      </ul>
    </section>
  );
}
