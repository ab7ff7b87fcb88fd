import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { useProject } from "../../app/project";
import { NotLoaded } from "../../components/Refusal";
import { Select } from "../../components/Select";
import { Switch } from "../../components/Switch";
import { TableScroll } from "../../components/TableCard";
import { AgreementTable } from "./AgreementTable";
import { type AgreementPage, agreementQuery, type Phase, type Scope } from "./api";
import { csvLink } from "./csv";
import { agreementCsv, roundsOf, stageGroups, type View } from "./rows";

/** Agreement on the answers at the codebook's stages; may be hidden where it has none. */
export function StagedAgreement({ mayBeHidden }: { mayBeHidden: boolean }) {
  const project = useProject();
  const [scope, setScope] = useState<Scope>("all");
  const [phase, setPhase] = useState<Phase>(1);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...agreementQuery(project.id, scope, phase),
    placeholderData: keepPreviousData,
  });
  if (mayBeHidden && data?.stages.length === 0) return null;
  if (!data && !error) {
    return (
      <p className="mute" role="status">
        Counting the agreement
      </p>
    );
  }
  return (
    <>
      <Switch<Scope>
        label="Which items"
        value={scope}
        options={[
          { value: "all", text: "All items" },
          { value: "majority", text: "Items with a majority" },
        ]}
        onValue={setScope}
      />
      {data && data.second_looks.length > 0 && (
        <Phases rounds={data.second_looks} phase={phase} onPhase={setPhase} />
      )}
      {error && <NotLoaded what="The agreement" error={error} retry={refetch} />}
      {data && !isPlaceholderData && <Tables page={data} />}
      {isPlaceholderData && (
        <p className="mute" role="status">
          Counting again for {scope === "all" ? "all items" : "items with a majority"}
        </p>
      )}
      <Meanings />
    </>
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

function Tables({ page }: { page: AgreementPage }) {
  const [view, setView] = useState<View>("all");
  const [round, setRound] = useState<number | null>(null);
  const groups = stageGroups(page, view, round);
  if (page.rows.length === 0) return <NoAnswers />;
  const name = `agreement-${page.scope}-${view}${page.phase === 2 ? "-phase-2" : ""}`;
  return (
    <section className="card stack" aria-labelledby="table">
      <div className="card-head">
        <h2 id="table">{view === "all" ? "By stage and round" : "By pair of annotators"}</h2>
        <a className="button" download={`${name}.csv`} href={csvLink(agreementCsv(page, page.scope, groups))}>
          Download this table (CSV)
        </a>
      </div>
      <div className="agreement-choice">
        <Switch<View>
          label="Whose agreement"
          value={view}
          options={[
            { value: "all", text: "All annotators" },
            { value: "pairs", text: "Pairs" },
          ]}
          onValue={setView}
        />
        {view === "pairs" && (
          <Select
            label="Round"
            value={round === null ? "" : String(round)}
            options={[
              { value: "", text: "All rounds" },
              ...roundsOf(page).map((number) => ({ value: String(number), text: `Round ${number}` })),
            ]}
            onValue={(value) => setRound(value === "" ? null : Number(value))}
          />
        )}
      </div>
      {groups.length === 0 ? (
        <p className="mute">No two people have answered the same item here.</p>
      ) : (
        <TableScroll title="Agreement">
          <AgreementTable page={page} groups={groups} view={view} />
        </TableScroll>
      )}
    </section>
  );
}

function NoAnswers() {
  const project = useProject();
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

function Meanings() {
  return (
    <details className="more">
      <summary>What the numbers mean</summary>
      <dl className="meanings">
        <dt>Percent agreement</dt>
        <dd>
          Share of pairs of answers to the same item that are equal. Easy to read, but high by chance alone
          where one label is frequent.
        </dd>
        <dt>Fleiss’ κ</dt>
        <dd>
          Agreement beyond chance among a fixed number of people: 1 is perfect, 0 is chance. Counted over the
          items that everyone answered, whose number stands beside it. For two people it is Scott’s π.
        </dd>
        <dt>Krippendorff’s α (nominal)</dt>
        <dd>
          Agreement beyond chance for any number of people and missing answers; items with two answers or more
          count. From about 0.8 on labels are usually called reliable, below 0.67 hardly.
        </dd>
        <dt>α, ordinal</dt>
        <dd>
          The same where labels stand in an order: taking the next label for another one weighs less than
          taking a far one.
        </dd>
        <dt>Cohen’s κ</dt>
        <dd>
          For two people, with chance from what each of them says how often. Near zero where nearly everything
          gets one label, however often they agree.
        </dd>
        <dt>Gwet’s AC1</dt>
        <dd>
          Agreement beyond chance that stays high where nearly everything gets one label and people agree.
        </dd>
        <dt>The range below a value</dt>
        <dd>
          95 percent interval over items, by leaving out one at a time (jackknife). Without one the CSV says
          why.
        </dd>
        <dt>A later stage</dt>
        <dd>Counts only the people whose own answers opened it on that item.</dd>
        <dt>Undefined</dt>
        <dd>
          Where everyone gave the same label there is no variation to correct for chance, so that κ and α have
          no value. That is neither 0 nor 1.
        </dd>
        <dt>Items with a majority</dt>
        <dd>
          Leaves out, stage by stage, the items without a majority. Higher by construction: report it beside
          the figure over all items, not in its place.
        </dd>
      </dl>
    </details>
  );
}
