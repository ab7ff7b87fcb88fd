import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { Switch } from "../../../components/Switch";
import { Failure, Loading } from "../../../components/states";
import { FeatureUnavailable } from "../../../session/FeatureUnavailable";
import { useProject } from "../../../session/project";
import { choicesQuery } from "../api";
import { PromptEditor } from "./PromptEditor";
import "../../../components/admin.css";
import "../../../components/results.css";
import "../evaluation.css";

/** The prompts of language models, one a stage; the address holds which is open. */
export function Component() {
  const project = useProject();
  const [address, setAddress] = useSearchParams();
  const [saved, setSaved] = useState(0);
  const { data: choices, error, refetch } = useQuery(choicesQuery(project.id));
  if (!choices) return error ? <Failure error={error} retry={refetch} /> : <Loading what="the prompts" />;
  const shown = choices.prompts.find(({ stage }) => stage === address.get("stage")) ?? choices.prompts[0];
  const titleOf = (key: string) => choices.stages.find((stage) => stage.key === key)?.title ?? key;
  return (
    <main className="page" id="main">
      <div className="page-head">
        <p className="small">
          <Link to={`/projects/${project.id}/evaluation`}>All evaluations</Link>
        </p>
        <h1>Prompts</h1>
        <p className="mute">
          What language models are asked, one prompt a stage. An evaluation keeps the text that it used.
        </p>
      </div>
      <FeatureUnavailable what="stages" />
      {choices.prompts.length > 1 && (
        <Switch
          label="Stage"
          value={shown?.stage ?? ""}
          options={choices.prompts.map(({ stage }) => ({ value: stage, text: titleOf(stage) }))}
          onValue={(stage) => setAddress({ stage })}
        />
      )}
      {shown && (
        <PromptEditor
          // What is saved is what the form begins with from then on.
          key={`${shown.stage} ${saved}`}
          prompt={shown}
          title={titleOf(shown.stage)}
          variables={choices.variables}
          onSaved={() => setSaved((before) => before + 1)}
        />
      )}
    </main>
  );
}
