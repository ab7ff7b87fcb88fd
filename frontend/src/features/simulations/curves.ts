import type { Point, Series } from "../../components/charts/model";
import type { Curve, Measures, Simulation, Spread } from "./api";
import { wanted } from "./copy";

/** Mean lines with bands of one standard deviation; a strategy keeps its colour from chart to chart. */
export function studySeries<T extends Pick<Measures, "n_labeled">>(
  strategies: Record<string, T>,
  figure: (of: T) => readonly Spread[],
): Series[] {
  return Object.entries(strategies).map(([label, own], tone) => ({
    label,
    tone,
    points: figure(own).map(({ mean, sd }, place) => ({
      x: own.n_labeled[place] ?? 0,
      y: mean,
      low: sd === null ? null : Math.max(0, mean - sd),
      high: sd === null ? null : Math.min(1, mean + sd),
    })),
  }));
}

export interface PartialStudy {
  model: string;
  batchSize: number;
  series: Series[];
}

/** The curves so far: over the seeds that are through, else the first one begun. */
export function partialStudies(simulation: Simulation, curves: readonly Curve[]): PartialStudy[] {
  const studies = new Map<string, Curve[]>();
  for (const curve of curves.filter(({ batch_size }) => batch_size > 0)) {
    const key = `${curve.model} ${curve.batch_size}`;
    studies.set(key, [...(studies.get(key) ?? []), curve]);
  }
  return [...studies.values()].map((own) => ({
    model: own[0]?.model ?? "",
    batchSize: own[0]?.batch_size ?? 0,
    series: simulation.config.strategies.flatMap(({ key }, tone) => {
      const mine = own.filter(({ strategy }) => strategy === key);
      return mine.length > 0 ? [{ ...partialSeries(simulation, key, mine), tone }] : [];
    }),
  }));
}

function partialSeries(simulation: Simulation, label: string, curves: Curve[]): Series {
  const through = curves.filter((curve) => curve.n_labeled.length >= wanted(simulation, curve));
  if (through.length === 0) {
    const first = curves.toSorted((a, b) => b.n_labeled.length - a.n_labeled.length)[0];
    return { label: `${label} (seed ${first?.seed}, so far)`, points: first ? points([first]) : [] };
  }
  const of = simulation.config.seeds.length;
  return { label: `${label} (${through.length} of ${of} seeds)`, points: points(through) };
}

function points(curves: Curve[]): Point[] {
  const [first] = curves;
  return (first?.n_labeled ?? []).map((x, place) => {
    const values = curves.flatMap(({ macro_f1 }) => macro_f1[place] ?? []);
    return { x, y: values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length) };
  });
}
