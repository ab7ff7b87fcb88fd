import { useContext, useId } from "react";
import { PaperContext, type ReportTable } from "./api";
import { Grid } from "./Grid";
import { TableFiles } from "./TableFiles";

/** One table with its definition, what to know when reading it, and its files; or what it still needs. */
export function TableView({ table }: { table: ReportTable }) {
  const id = useId();
  return (
    <article className="card stack" aria-labelledby={id}>
      <Head id={id} of={table} />
      {table.missing ? (
        <p>{table.missing}</p>
      ) : (
        <>
          <Grid table={table} />
          <Notes notes={table.notes} />
          <TableFiles table={table} />
        </>
      )}
    </article>
  );
}

interface HeadProps {
  id: string;
  of: Pick<ReportTable, "title" | "source" | "about">;
}

export function Head({ id, of: { title, source, about } }: HeadProps) {
  const isPaperNamed = useContext(PaperContext);
  return (
    <div className="stack-tight">
      <div className="card-head">
        <h3 id={id}>{title}</h3>
        {isPaperNamed && <span className="small mute">in OP-FED: {source}</span>}
      </div>
      {about && <p className="small mute">{about}</p>}
    </div>
  );
}

export function Notes({ notes }: { notes: readonly string[] }) {
  return notes.map((note) => (
    <p className="small mute" key={note}>
      {note}
    </p>
  ));
}
