import { useState } from "react";
import { useParams } from "react-router";
import { Failure, Loading } from "../../components/states";
import { useProject } from "../../session/project";
import { AllDone } from "./parts/AllDone";
import { LabelStatus } from "./parts/LabelStatus";
import { Revisit } from "./Revisit";
import { useLabelling } from "./useLabelling";
import { useNavigation } from "./useNavigation";
import { Workbench } from "./Workbench";
import "../../annotate/annotate.css";

/** The labelling screen: the item at hand, or an own done one when the address names it. */
export function Component() {
  const [begun, setBegun] = useState(0);
  // What is at hand makes room for a practice that was begun.
  return <Labelling key={begun} onBegun={() => setBegun((times) => times + 1)} />;
}

function Labelling({ onBegun }: { onBegun: () => void }) {
  const { id: projectId } = useProject();
  const { assignmentId } = useParams();
  const labelling = useLabelling(projectId);
  const navigation = useNavigation(projectId, labelling.done, assignmentId ?? null, labelling.toCompare);
  const { current, window, progress } = labelling;
  if (!window || !progress) {
    return labelling.error ? (
      <Failure error={labelling.error} retry={labelling.retry} />
    ) : (
      <Loading what="your items" />
    );
  }
  const place = { projectId, navigation, onBegun };
  return (
    <>
      <LabelStatus progress={progress} />
      {assignmentId && assignmentId !== current?.id ? (
        <Revisit key={assignmentId} assignmentId={assignmentId} {...place} />
      ) : current ? (
        <Workbench key={current.id} assignment={current} {...place} />
      ) : (
        <AllDone
          state={window.state}
          progress={progress}
          waitsForServer={labelling.waits}
          isSignedOut={labelling.isSignedOut}
          {...place}
        />
      )}
    </>
  );
}
