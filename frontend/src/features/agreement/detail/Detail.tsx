import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useProject } from "../../../app/project";
import { NotLoaded } from "../../../components/Refusal";
import { Select } from "../../../components/Select";
import { type AgreementPage, detailsQuery } from "../api";
import type { Choice } from "../choice";
import { RoundSelect } from "../RoundSelect";
import { BatchesCard } from "./BatchesCard";
import { ConfusionCard } from "./ConfusionCard";
import { MajorityCard } from "./MajorityCard";
import { SharesCard } from "./SharesCard";
import "./detail.css";

interface DetailProps {
  /** Rows of everyone, at every stage and round. */
  page: AgreementPage;
  choice: Choice;
  onChange: (part: Partial<Choice>) => void;
}

/** One stage: who takes what for what, who says what how often, how it went, who is near the majority. */
export function Detail({ page, choice, onChange }: DetailProps) {
  const stage = choice.stage ?? page.stages[0]?.key ?? "";
  const isKnown = page.stages.some(({ key }) => key === stage);
  return (
    <>
      <div className="form-grid">
        <Select
          label="Stage"
          value={isKnown ? stage : ""}
          options={[
            ...(isKnown ? [] : [{ value: "", text: "Choose a stage" }]),
            ...page.stages.map(({ key, title }) => ({ value: key, text: title })),
          ]}
          onValue={(value) => onChange({ stage: value })}
        />
        <RoundSelect page={page} round={choice.round} onRound={(round) => onChange({ round })} />
      </div>
      {isKnown ? (
        <Cards page={page} stage={stage} choice={choice} onChange={onChange} />
      ) : (
        <p className="notice warn">
          The codebook has no stage <code>{stage}</code>. Choose one of its stages.
        </p>
      )}
    </>
  );
}

function Cards({ page, stage, choice, onChange }: DetailProps & { stage: string }) {
  const project = useProject();
  const { round, scope, phase } = choice;
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...detailsQuery(project.id, { stage, round, scope, phase }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      {error && <NotLoaded what="The stage’s agreement" error={error} retry={refetch} />}
      {!error && (!data || isPlaceholderData) && (
        <p className="mute" role="status">
          Counting this stage
        </p>
      )}
      {data && !isPlaceholderData && (
        <>
          <ConfusionCard page={data} pair={choice.pair} onPair={(pair) => onChange({ pair })} />
          <SharesCard page={data} />
        </>
      )}
      <BatchesCard page={page} stage={stage} choice={choice} onChange={onChange} />
      {data && !isPlaceholderData && <MajorityCard page={data} />}
    </>
  );
}
