import { useParams } from "react-router";
import { FeatureUnavailable } from "../../session/FeatureUnavailable";
import { useProject } from "../../session/project";
import { ListPage } from "./ListPage";
import { PracticePage } from "./PracticePage";
import "../../components/admin.css";
import "../../annotate/annotate.css";
import "./practice.css";

/** Practices with an answer key: all of them, or the one that the address names. */
export function Component() {
  const project = useProject();
  const { practiceId } = useParams();
  if (practiceId) return <PracticePage key={practiceId} project={project} practiceId={practiceId} />;
  return (
    <main className="page" id="main">
      <div className="page-head">
        <h1>Practice</h1>
        <p className="mute">
          Items with an answer key, on which annotators learn the codebook: after each answer they see the key
          and its explanation. Nothing that is answered here counts: not in training, agreement, budget,
          exports or releases.
        </p>
      </div>
      {project.has_spans && (
        <p className="notice">
          Practice asks for labels only: a key answers questions. Spans that people mark in a practice are
          neither compared nor counted.
        </p>
      )}
      <FeatureUnavailable what="stages" />
      <ListPage project={project} />
    </main>
  );
}
