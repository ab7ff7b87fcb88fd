import { useQuery } from "@tanstack/react-query";
import { Select } from "../../../components/Select";
import { NotLoaded, Status } from "../../../components/states";
import { compareQuery, type InterpretationDetail, interpretationsQuery } from "../api";
import { PairedAbout, PairedTable } from "./PairsTable";

interface CompareProps {
  interpretation: InterpretationDetail;
  projectId: string;
  other: string;
  onOther: (id: string) => void;
}

/** The systems of this interpretation against those of another one, on the same instances. */
export function Compare({ interpretation, projectId, other, onOther }: CompareProps) {
  const { data: rows } = useQuery(interpretationsQuery(projectId));
  const others = (rows ?? []).filter(({ id, state }) => state === "done" && id !== interpretation.id);
  if (others.length === 0) return null;
  return (
    <section className="card stack" aria-labelledby="compare">
      <h2 id="compare">Compare with another interpretation</h2>
      <Select
        label="Interpretation"
        hint="Only interpretations with the same instances can be compared: the same data, evaluations and seed."
        value={other}
        options={[
          { value: "", text: "None" },
          ...others.map(({ id, number, name }) => ({ value: id, text: `${number}. ${name}` })),
        ]}
        onValue={onOther}
      />
      {other && <Compared projectId={projectId} id={interpretation.id} other={other} />}
    </section>
  );
}

function Compared({ projectId, id, other }: { projectId: string; id: string; other: string }) {
  const { data, error, refetch } = useQuery(compareQuery(projectId, id, other));
  if (error) return <NotLoaded what="The comparison" error={error} retry={refetch} />;
  if (!data) return <Status>Comparing</Status>;
  if (!data.same) return <p className="notice">{data.reason}</p>;
  return (
    <>
      <PairedAbout />
      {data.pairs.map(({ first, second, evaluations }) => (
        <PairedTable
          key={`${first.name} ${second.name}`}
          title={`${first.title} – ${second.title}`}
          rows={evaluations}
        />
      ))}
    </>
  );
}
