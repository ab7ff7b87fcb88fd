import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import type { Project } from "../../../api/types";
import { Downloads } from "../../../components/Downloads";
import { FilesContext } from "../../../components/FileLinks";
import { Switch } from "../../../components/Switch";
import { choicesQuery, type EvaluationDetail, filePath } from "../api";
import type { Figures, StageFigures } from "../figures";
import { useSystemTitle } from "../useSystemTitle";
import { AccuracyTable } from "./AccuracyTable";
import type { Names } from "./names";
import { PairsTable } from "./PairsTable";
import { PeopleTable } from "./PeopleTable";
import { Shown } from "./Shown";
import { SystemDetail } from "./SystemDetail";
import { SystemsTable } from "./SystemsTable";

interface ResultsProps {
  evaluation: EvaluationDetail;
  project: Project;
}

const ALL = "";

/** The figures of all stages, or of one; the address holds which. */
export function Results({ evaluation, project }: ResultsProps) {
  const [address, setAddress] = useSearchParams();
  const { isPending } = useQuery(choicesQuery(project.id));
  const title = useSystemTitle();
  const { figures, stages } = evaluation;
  // Names that come a moment later would push the page about.
  if (!figures || isPending) return null;
  const names: Names = {
    stage: (key) => stages.find((stage) => stage.key === key)?.title ?? key,
    system: title,
  };
  const shown = figures.stages.find(({ key }) => key === address.get("stage"));
  const ask = (part: { stage?: string; system?: string }) =>
    setAddress((before) => {
      for (const [name, value] of Object.entries(part))
        if (value) before.set(name, value);
        else before.delete(name);
      return before;
    });
  const files = { files: evaluation.files, pathOf: (name: string) => filePath(evaluation.id, name) };
  return (
    <FilesContext value={files}>
      <Stages figures={figures} names={names} value={shown?.key ?? ALL} onValue={(stage) => ask({ stage })} />
      {shown ? (
        <OneStage
          evaluation={evaluation}
          figures={figures}
          stage={shown}
          names={names}
          system={address.get("system") ?? ""}
          onSystem={(system) => ask({ system })}
        />
      ) : (
        <>
          <AccuracyTable figures={figures} names={names} />
          <Shown evaluation={evaluation} figures={figures} projectId={project.id} names={names} />
        </>
      )}
      <Downloads />
    </FilesContext>
  );
}

interface StagesProps {
  figures: Figures;
  names: Names;
  value: string;
  onValue: (stage: string) => void;
}

function Stages({ figures, names, value, onValue }: StagesProps) {
  const options = [
    { value: ALL, text: "All stages" },
    ...figures.stages.map(({ key }) => ({ value: key, text: names.stage(key) })),
  ];
  return <Switch label="Stage" value={value} options={options} onValue={onValue} />;
}

interface OneStageProps {
  evaluation: EvaluationDetail;
  figures: Figures;
  stage: StageFigures;
  names: Names;
  system: string;
  onSystem: (system: string) => void;
}

function OneStage({ evaluation, figures, stage, names, system, onSystem }: OneStageProps) {
  const asked = (name: string) => figures.systems.find((each) => each.name === name);
  // The model that a reader came for is rather the last than the baseline.
  const shown = stage.systems.find(({ name }) => name === system) ?? stage.systems.at(-1);
  return (
    <>
      <SystemsTable stage={stage} names={names} />
      <PairsTable stage={stage} names={names} />
      <PeopleTable stage={stage} />
      {shown && (
        <SystemDetail
          key={`${stage.key} ${shown.name}`}
          evaluation={evaluation}
          stage={stage}
          system={shown}
          asked={asked(shown.name)}
          names={names}
          onSystem={onSystem}
        />
      )}
    </>
  );
}
