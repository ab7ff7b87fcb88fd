import { useParams } from "react-router";
import { Failure, Loading } from "../../components/states";
import { useProject } from "../../session/project";
import { LabelStatus } from "./parts/LabelStatus";
import { Resting } from "./parts/Resting";
import { Revisit } from "./Revisit";
import { useGoing } from "./useGoing";
import { useLabelling } from "./useLabelling";
import { Workbench } from "./Workbench";
import "../../annotate/annotate.css";

/** The labelling screen: the item at hand, or an own done one when the address names it. */
export function Component() {
  const { id: projectId } = useProject();
  const { assignmentId } = useParams();
  const labelling = useLabelling(projectId);
  const going = useGoing(projectId, labelling.done, assignmentId ?? null);
  const { current, window, progress } = labelling;
  if (!window || !progress) {
    return labelling.error ? (
      <Failure error={labelling.error} retry={labelling.retry} />
    ) : (
      <Loading what="your items" />
    );
  }
  const place = { projectId, going };
  return (
    <>
      <LabelStatus progress={progress} />
      {assignmentId && assignmentId !== current?.id ? (
        <Revisit key={assignmentId} assignmentId={assignmentId} {...place} />
      ) : current ? (
        <Workbench key={current.id} assignment={current} {...place} />
      ) : (
        <Resting
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
