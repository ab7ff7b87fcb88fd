import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { ChartFigure } from "../../../components/charts/ChartFigure";
import { LineChart } from "../../../components/charts/LineChart";
import { type Axis, coefficientEnds, type Series } from "../../../components/charts/model";
import { DataTable } from "../../../components/DataTable";
import { Field } from "../../../components/Field";
import { NotLoaded, Status } from "../../../components/states";
import { bounded, coefficient, count } from "../../../text/format";
import { stabilityQuery } from "../api";
import { FileLinks } from "../FileLinks";
import type { StabilityPoint } from "../types";

const TITLE = "How many texts are enough";
const X: Axis = { name: "Texts in each half", isWhole: true };
const MOST_DRAWS = 1000;

interface StabilityProps {
  listId: string;
  setId: string;
}

/** Rank stability by the number of texts: the mean of Spearman's rho over draws, and its spread. */
export function Stability({ listId, setId }: StabilityProps) {
  const [asked, ask] = useState({ draws: 100, seed: 0 });
  const [typed, type] = useState({ draws: "100", seed: "0" });
  const { data, error, refetch, isFetching } = useQuery({
    ...stabilityQuery(listId, asked.draws, asked.seed),
    placeholderData: keepPreviousData,
  });
  const points = data?.points;
  const series = useMemo(() => seriesOf(points ?? []), [points]);
  const y = useMemo<Axis>(
    () => ({
      name: "Spearman’s rho",
      ...coefficientEnds(series.flatMap((each) => each.points.flatMap(({ y: rho, low }) => [rho, low]))),
      words: (rho) => coefficient(rho, 2),
    }),
    [series],
  );
  if (!points)
    return error ? (
      <NotLoaded what="Rank stability" error={error} retry={refetch} />
    ) : (
      <Status>Drawing halves of the texts</Status>
    );
  if (points.length === 0)
    return <ChartFigure title={TITLE} about="It needs four texts that vote, or more." />;
  const files = { list: listId, draws: String(asked.draws), seed: String(asked.seed) };
  return (
    <ChartFigure
      title={TITLE}
      about={`Two halves of the texts rank all texts, ${count(asked.draws)} times. The line is the mean rho of the two rankings, the band one standard deviation.`}
      table={<PointTable points={points} />}
    >
      {points.some(({ rho }) => rho !== null) ? (
        <LineChart label={`${TITLE}: rho by the number of texts`} series={series} x={X} y={y} />
      ) : (
        <p>{points[0]?.reason}</p>
      )}
      <p className="card-files small">
        <FileLinks
          set={setId}
          name="stability"
          title="Rank stability"
          of={files}
          ends={["csv", "tex", "svg", "png"]}
        />
      </p>
      <form
        className="row draws"
        noValidate
        aria-label="Draws"
        onSubmit={(event) => {
          event.preventDefault();
          ask({ draws: whole(typed.draws, 1) ?? asked.draws, seed: whole(typed.seed, 0) ?? asked.seed });
        }}
      >
        <Field
          label="Draws"
          inputMode="numeric"
          value={typed.draws}
          errors={whole(typed.draws, 1) === null ? [`A whole number from 1 to ${MOST_DRAWS}.`] : undefined}
          onValue={(draws) => type({ ...typed, draws })}
        />
        <Field
          label="Random seed"
          inputMode="numeric"
          value={typed.seed}
          errors={whole(typed.seed, 0) === null ? ["A whole number."] : undefined}
          onValue={(seed) => type({ ...typed, seed })}
        />
        <button type="submit" className="button" disabled={isFetching}>
          Draw again
        </button>
      </form>
    </ChartFigure>
  );
}

function whole(typed: string, least: number): number | null {
  const value = Number(typed);
  const isFit = typed.trim() !== "" && Number.isSafeInteger(value) && value >= least;
  return isFit && (least === 0 || value <= MOST_DRAWS) ? value : null;
}

function seriesOf(points: readonly StabilityPoint[]): Series[] {
  return [
    {
      label: "mean rho",
      points: points.map(({ m, rho, sd }) => ({
        x: m,
        y: rho,
        ...(rho !== null && sd !== null && { low: Math.max(-1, rho - sd), high: Math.min(1, rho + sd) }),
      })),
    },
  ];
}

function PointTable({ points }: { points: readonly StabilityPoint[] }) {
  return (
    <DataTable
      rows={points}
      keyOf={({ m }) => m}
      columns={[
        ["Texts", ({ m }) => m, "number"],
        ["Draws with a value", ({ n }) => count(n), "number"],
        ["Mean rho", ({ rho, reason }) => (rho === null ? (reason ?? "–") : bounded(rho, 3)), "number"],
        ["Standard deviation", ({ sd }) => (sd === null ? "–" : sd.toFixed(3)), "number"],
      ]}
    />
  );
}
