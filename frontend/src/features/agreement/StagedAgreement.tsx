import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { type AgreementPage, agreementQuery, type Phase, type Scope } from "../../api/agreement";
import { Switch } from "../../components/Switch";
import { NotLoaded, Status } from "../../components/states";
import { useProject } from "../../session/project";
import type { Choice } from "./choice";
import { Detail } from "./detail/Detail";
import { Meanings } from "./Meanings";
import { PairTable } from "./PairTable";
import { RoundTable } from "./RoundTable";

interface StagedAgreementProps {
  /** Where the codebook has no stage. */
  mayBeHidden: boolean;
  choice: Choice;
  onChange: (part: Partial<Choice>) => void;
}

/** Agreement on the answers at the codebook's stages: the figures in a table, or one stage in detail. */
export function StagedAgreement({ mayBeHidden, choice, onChange }: StagedAgreementProps) {
  const project = useProject();
  const { scope, phase, view } = choice;
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...agreementQuery(project.id, { scope, phase, of: "everyone" }),
    placeholderData: keepPreviousData,
  });
  const isMajority = scope === "majority";
  const { data: beside } = useQuery({
    ...agreementQuery(project.id, { scope: "all", phase, of: "everyone" }),
    enabled: isMajority,
  });
  const pages = data && (isMajority ? beside && [beside, data] : [data]);
  if (mayBeHidden && data?.stages.length === 0) return null;
  if (!data && !error) {
    return <Status>Counting the agreement</Status>;
  }
  return (
    <>
      <div className="agreement-choice">
        <Switch<Choice["view"]>
          label="View"
          value={view}
          options={[
            { value: "table", text: "All stages" },
            { value: "detail", text: "In detail" },
          ]}
          onValue={(value) => onChange({ view: value })}
        />
        <Switch<Scope>
          label="Which items"
          value={scope}
          options={[
            { value: "all", text: "All items" },
            { value: "majority", text: "Items with a majority" },
          ]}
          onValue={(value) => onChange({ scope: value })}
        />
      </div>
      {data && data.second_looks.length > 0 && (
        <Phases rounds={data.second_looks} phase={phase} onPhase={(value) => onChange({ phase: value })} />
      )}
      {error && <NotLoaded what="The agreement" error={error} retry={refetch} />}
      {data && pages && !isPlaceholderData && (
        <Shown page={data} pages={pages} choice={choice} onChange={onChange} />
      )}
      {(isPlaceholderData || (data && !pages)) && (
        <Status>Counting again for {scope === "all" ? "all items" : "items with a majority"}</Status>
      )}
      {data && <Meanings statistics={data.statistics} />}
    </>
  );
}

interface ShownProps extends Omit<StagedAgreementProps, "mayBeHidden"> {
  /** In the scope that is asked for. */
  page: AgreementPage;
  /** Over all items, and over those with a majority where they are asked for. */
  pages: readonly AgreementPage[];
}

function Shown({ page, pages, ...asked }: ShownProps) {
  if (page.rows.every((row) => row.n_items === 0)) return <NoAnswers scope={page.scope} />;
  if (asked.choice.view === "detail") return <Detail page={page} pages={pages} {...asked} />;
  return asked.choice.whose === "pairs" ? (
    <PairTable page={page} {...asked} />
  ) : (
    <RoundTable pages={pages} {...asked} />
  );
}

interface PhasesProps {
  rounds: number[];
  phase: Phase;
  onPhase: (phase: Phase) => void;
}

function Phases({ rounds, phase, onPhase }: PhasesProps) {
  return (
    <>
      <Switch<"1" | "2">
        label="Which answers"
        value={phase === 2 ? "2" : "1"}
        options={[
          { value: "1", text: "Phase 1: independent answers" },
          { value: "2", text: "Phase 2: after second looks" },
        ]}
        onValue={(value) => onPhase(value === "2" ? 2 : 1)}
      />
      <p className="small mute">
        Second looks were taken in {rounds.length === 1 ? "round" : "rounds"} {rounds.join(", ")}; elsewhere
        both phases are the same. Where somebody has not looked again, their first answer counts in both.
      </p>
    </>
  );
}

function NoAnswers({ scope }: { scope: Scope }) {
  const project = useProject();
  if (scope === "majority")
    return (
      <section className="card stack" aria-labelledby="none">
        <h2 id="none">No majority yet</h2>
        <p>
          No item has a majority at any stage: it takes more than half of the answers that an item is to get.
          Look at all items meanwhile.
        </p>
      </section>
    );
  return (
    <section className="card stack" aria-labelledby="none">
      <h2 id="none">No answers yet</h2>
      <p>
        Agreement is counted from the first item that two people have answered. Start a round and let people
        label: <Link to={`/projects/${project.id}/rounds`}>rounds</Link>.
      </p>
    </section>
  );
}
