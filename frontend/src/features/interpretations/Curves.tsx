import { useMemo } from "react";
import { ChartFigure } from "../../components/charts/ChartFigure";
import { LineChart } from "../../components/charts/LineChart";
import type { Series } from "../../components/charts/model";
import { SeriesTable } from "../../components/charts/SeriesTable";
import { CardFiles } from "../../components/FileLinks";
import type { Epoch, InterpretationDetail } from "./api";

const EPOCHS = { name: "Epoch", isWhole: true };
const LOSS = { name: "Loss per token", words: (value: number) => value.toFixed(3) };

/** The losses of each system by epoch, as far as it is trained. */
export function Curves({ interpretation: { curves, systems } }: { interpretation: InterpretationDetail }) {
  const trained = systems.filter(({ name }) => (curves[name]?.length ?? 0) > 0);
  if (trained.length === 0) return null;
  return (
    <div className="two-charts">
      {trained.map(({ name, title }) => (
        <LossCurves key={name} name={name} title={title} epochs={curves[name] ?? []} />
      ))}
    </div>
  );
}

interface LossCurvesProps {
  name: string;
  title: string;
  epochs: readonly Epoch[];
}

function LossCurves({ name, title, epochs }: LossCurvesProps) {
  const series = useMemo((): Series[] => {
    const line = (label: string, of: (epoch: Epoch) => number | null) => ({
      label,
      points: epochs.map((each) => ({ x: each.epoch, y: of(each) })),
    });
    return [
      line("Training", ({ train_loss }) => train_loss),
      line("Validation", ({ valid_loss }) => valid_loss),
    ];
  }, [epochs]);
  const words = `Loss of ${title}`;
  return (
    <ChartFigure
      title={words}
      about={bestWords(epochs)}
      table={<SeriesTable series={series} x={EPOCHS} y={LOSS} />}
    >
      <LineChart label={`${words}, training and validation by epoch`} series={series} x={EPOCHS} y={LOSS} />
      <CardFiles stem={`loss-${name}`} />
    </ChartFigure>
  );
}

/** "The validation loss is lowest after epoch 3: 2.114." */
function bestWords(epochs: readonly Epoch[]): string {
  const known = epochs.filter((each): each is Epoch & { valid_loss: number } => each.valid_loss !== null);
  if (known.length === 0) return "There is no validation loss.";
  const best = known.reduce((low, each) => (each.valid_loss < low.valid_loss ? each : low));
  return `The validation loss is lowest after epoch ${best.epoch}: ${LOSS.words(best.valid_loss)}. The weights of that epoch count.`;
}
