import { useEffect } from "react";
import { answerName } from "../../../annotate/copy";
import { ownPracticesQuery } from "../../../api/practice";
import type { Assignment } from "../../../api/types";
import { useRefresh } from "../../../api/useRefresh";
import { useAnnounce } from "../../../components/Announcer";
import { useProject } from "../../../session/project";

interface KeyCardProps {
  answerKey: NonNullable<Assignment["key"]>;
  definition: Assignment["codebook"]["definition"];
}

/** The key of a practice's item beside one's own answer, and why it is so. */
export function KeyCard({ answerKey, definition }: KeyCardProps) {
  const { answers, differs, explanation, explanations } = answerKey;
  const { id: projectId } = useProject();
  const verdict = differs.length === 0 ? "Right: this is the key" : "Not right: this is the key";
  const announce = useAnnounce();
  const refresh = useRefresh();
  // biome-ignore lint/correctness/useExhaustiveDependencies(refresh): once for each key
  useEffect(() => {
    announce(`${verdict}.`);
    void refresh(ownPracticesQuery(projectId).queryKey);
  }, [announce, verdict, projectId]);
  return (
    <section className="card stack" aria-labelledby="key">
      <h2 id="key">{verdict}</h2>
      <dl className="stack-tight">
        {definition.stages
          .filter((stage) => stage.key in answers)
          .map((stage) => (
            <div key={stage.key}>
              <dt className="small mute">{stage.title}</dt>
              <dd>
                <b>{answerName(stage, answers[stage.key])}</b>{" "}
                <span className={differs.includes(stage.key) ? "tag warn" : "tag"}>
                  {differs.includes(stage.key) ? "yours is another" : "as yours"}
                </span>
                {explanations[stage.key] && (
                  <p className="key-explanation" dir="auto">
                    {explanations[stage.key]}
                  </p>
                )}
              </dd>
            </div>
          ))}
      </dl>
      {explanation && (
        <p className="key-explanation" dir="auto">
          {explanation}
        </p>
      )}
    </section>
  );
}
