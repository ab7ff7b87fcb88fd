import type { ReactNode } from "react";
import type { Project } from "../../api/types";
import { type Asked, exportPath } from "./paths";

interface KindCardProps {
  project: Project;
  asked: Asked;
  title: string;
  count?: string | undefined;
  children: ReactNode;
}

/** One file to download: what its lines hold, and the link. */
export function KindCard({ project, asked, title, count, children }: KindCardProps) {
  const button = asked.kind === "conll" ? "Download CoNLL" : "Download JSONL";
  return (
    <section className="card export-kind" aria-labelledby={asked.kind}>
      <div className="stack-tight">
        <h2 id={asked.kind}>{title}</h2>
        <p>{children}</p>
        {count && <p className="small mute numbers">{count}</p>}
      </div>
      <a
        className="button primary"
        href={exportPath(project.id, asked)}
        download
        aria-label={`${button}: ${title}`}
      >
        {button}
      </a>
    </section>
  );
}
