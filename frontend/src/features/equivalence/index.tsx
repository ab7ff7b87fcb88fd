import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { at } from "../../browser/base";
import { Failure, Loading } from "../../components/states";
import { useProject } from "../../session/project";
import { filePath, overviewQuery } from "./api";
import { hiddenWords } from "./copy";
import { Evaluations, Removed } from "./Evaluations";
import { ImportFile } from "./ImportFile";
import { NewEvaluation } from "./NewEvaluation";
import { instancesPath } from "./paths";
import type { Overview } from "./types";
import "../../annotate/spans/palette.css";
import "../../components/admin.css";
import "./equivalence.css";

/** The evaluations of a project: each sorts the strings of one category into equivalence classes. */
export function Component() {
  const { id: projectId } = useProject();
  const { data, error, refetch } = useQuery(overviewQuery(projectId));
  if (!data)
    return error ? <Failure error={error} retry={refetch} /> : <Loading what="the equivalence classes" />;
  return (
    <main className="page equivalence-page" id="main">
      <div className="card-head">
        <div className="page-head">
          <h1>Equivalence classes</h1>
          <p className="mute">
            A class holds strings that mean the same for an evaluation. Classes test whether a model tells
            what is alike from what is not.
          </p>
        </div>
        {data.can_manage && data.evaluations.length > 0 && (
          <Link className="button" to={instancesPath(projectId)}>
            Instances
          </Link>
        )}
      </div>
      <Content overview={data} projectId={projectId} />
    </main>
  );
}

function Content({ overview, projectId }: { overview: Overview; projectId: string }) {
  const { can_group, can_manage, can_validate, evaluations, removed, categories, hidden_items } = overview;
  const [open, setOpen] = useState<"new" | "import" | null>(null);
  const close = () => setOpen(null);
  const hasSpans = categories.some(({ n_spans }) => n_spans > 0);
  return (
    <>
      {!hasSpans && (
        <p className="notice">
          No span is settled yet. Strings are found once spans are reviewed: accepted or edited under
          Validate.
        </p>
      )}
      {hidden_items > 0 && <p className="notice">{hiddenWords(hidden_items)}</p>}
      <div className="row">
        {can_group && categories.length > 0 && (
          <button type="button" className="button primary" onClick={() => setOpen("new")}>
            New evaluation
          </button>
        )}
        {can_manage && (
          <button
            type="button"
            className="button"
            aria-expanded={open === "import"}
            onClick={() => setOpen(open === "import" ? null : "import")}
          >
            Import a file
          </button>
        )}
        {(can_manage || can_validate) && evaluations.length > 0 && (
          <a className="button" href={at(filePath(projectId))} download="equivalence_classes.json">
            Export as JSON
          </a>
        )}
      </div>
      {open === "new" && <NewEvaluation overview={overview} onClose={close} />}
      {open === "import" && <ImportFile projectId={projectId} onClose={close} />}
      <Evaluations overview={overview} />
      {removed.length > 0 && <Removed overview={overview} />}
    </>
  );
}
