import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";
import type { Project } from "../../../api/types";
import { Downloads } from "../../../components/Downloads";
import { FilesContext } from "../../../components/FileLinks";
import { NotLoaded, Status } from "../../../components/states";
import { choicesQuery, figuresQuery, filePath, type InterpretationDetail } from "../api";
import type { Figures } from "../figures";
import { Tallies } from "../Tallies";
import { AccuracyTable } from "./AccuracyTable";
import { CategoriesTable } from "./CategoriesTable";
import { Compare } from "./Compare";
import { Confusion } from "./Confusion";
import { GenerationTable } from "./GenerationTable";
import { PairsTable } from "./PairsTable";
import { SystemsTable } from "./SystemsTable";
import { TrainingTable } from "./TrainingTable";

interface ResultsProps {
  interpretation: InterpretationDetail;
  project: Project;
}

/** Every figure; the address holds what is looked at in detail. */
export function Results({ interpretation, project }: ResultsProps) {
  const { id, files } = interpretation;
  const [address, setAddress] = useSearchParams();
  const { data: figures, error, refetch } = useQuery(figuresQuery(project.id, id));
  const { data: choices } = useQuery(choicesQuery(project.id));
  if (error) return <NotLoaded what="The results" error={error} retry={refetch} />;
  if (!figures) return <Status>Loading the results</Status>;
  const here = `/projects/${project.id}/interpretations/${id}`;
  const ask = (part: Record<string, string | undefined>) =>
    setAddress(
      (before) => {
        for (const [name, value] of Object.entries(part))
          if (value) before.set(name, value);
          else before.delete(name);
        return before;
      },
      { preventScrollReset: true, replace: true },
    );
  return (
    <FilesContext value={{ files, pathOf: (name) => filePath(project.id, id, name) }}>
      <Ways figures={figures} here={here} />
      <AccuracyTable figures={figures} inDepth={false} />
      <AccuracyTable figures={figures} inDepth />
      <Untested figures={figures} />
      <PairsTable figures={figures} />
      <Confusion
        {...{ interpretation, figures, here }}
        system={address.get("system") ?? ""}
        evaluation={address.get("evaluation") ?? ""}
        onAsk={ask}
      />
      <GenerationTable figures={figures} />
      <CategoriesTable figures={figures} />
      <SystemsTable figures={figures} choices={choices} />
      <TrainingTable figures={figures} />
      <Compare
        {...{ interpretation }}
        projectId={project.id}
        other={address.get("other") ?? ""}
        onOther={(other) => ask({ other })}
      />
      <LeftOut figures={figures} />
      <Downloads />
    </FilesContext>
  );
}

function Ways({ figures, here }: { figures: Figures; here: string }) {
  const written = figures.systems.filter(({ metrics }) => metrics);
  if (written.length === 0) return null;
  return (
    <div className="row">
      <Link className="button primary" to={`${here}/generations`}>
        Read the generated texts
      </Link>
    </div>
  );
}

/** Why there are no accuracies. */
function Untested({ figures }: { figures: Figures }) {
  if (figures.systems.some(({ equivalence }) => equivalence?.evaluations.length)) return null;
  return (
    <p className="notice">
      There are no accuracies: no evaluation by equivalence classes was chosen, or none has an instance.
    </p>
  );
}

function LeftOut({ figures: { tallies } }: { figures: Figures }) {
  if (tallies.length === 0) return null;
  return (
    <section className="card stack" aria-labelledby="instances">
      <h2 id="instances">Instances, and what was left out of them</h2>
      <Tallies tallies={tallies} />
    </section>
  );
}
