import type { AgreementPage } from "../../api/agreement";
import { Select } from "../../components/Select";
import { roundsOf } from "./rows";

interface RoundSelectProps {
  page: AgreementPage;
  round: number | null;
  onRound: (round: number | null) => void;
}

/** A round that the address names and that has no answers stays chosen: what is shown says so. */
export function RoundSelect({ page, round, onRound }: RoundSelectProps) {
  const rounds = roundsOf(page);
  const named = round === null || rounds.includes(round) ? rounds : [...rounds, round];
  return (
    <Select
      label="Round"
      value={round === null ? "" : String(round)}
      options={[
        { value: "", text: "All rounds" },
        ...named.map((number) => ({ value: String(number), text: `Round ${number}` })),
      ]}
      onValue={(value) => onRound(value === "" ? null : Number(value))}
    />
  );
}
