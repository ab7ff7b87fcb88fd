import { render, screen } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import { expectAccessible } from "../../test/admin";
import { IntervalPlot, StackedBars } from "./BarCharts";
import { ChartFigure } from "./ChartFigure";
import { Histogram, shapeWords } from "./Histogram";
import { LineChart } from "./LineChart";
import { pointWords, spreads } from "./lineOption";
import { coefficientEnds, type Series } from "./model";
import { SeriesTable } from "./SeriesTable";

// The engine loads once; under load that takes longer than a drawing may.
beforeAll(() => import("./engine"), 30_000);

const X = { name: "training items" };
const Y = { name: "macro-F1", min: 0, max: 1, words: (value: number) => value.toFixed(2) };
const SERIES: Series[] = [
  {
    label: "entropy",
    points: [
      { x: 150, y: 0.5, low: 0.4, high: 0.6 },
      { x: 300, y: 0.7, low: 0.66, high: 0.74 },
      { x: 450, y: null },
    ],
  },
  { label: "random", points: [{ x: 300, y: 0.6 }], dashed: true },
];

it("draws lines with their band, and names the lines beside the drawing", async () => {
  const { container } = render(<LineChart label="Macro-F1 by strategy" series={SERIES} x={X} y={Y} />);
  await expect.poll(() => container.querySelectorAll(".chart svg path").length).toBeGreaterThan(2);
  expect(screen.getByRole("img", { name: /Macro-F1 by strategy/ })).toBeVisible();
  expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual(["entropy", "random"]);
  expect(container.querySelector(".chart svg")?.textContent).toContain("training items");
});

it("ends the axis of a coefficient at a tick, as far below zero as a value reaches", async () => {
  expect(coefficientEnds([0.4, null, undefined])).toEqual({ min: 0, max: 1, step: 0.2 });
  expect(coefficientEnds([0.4, -0.03])).toEqual({ min: -0.5, max: 1, step: 0.5 });
  expect(coefficientEnds([0.4, -0.66])).toEqual({ min: -1, max: 1, step: 0.5 });
  expect(coefficientEnds([0.4], true)).toEqual({ min: 0, max: 1, step: 0.5 });
  const points = [{ label: "Round 1", y: 0.4, low: -0.66, high: 1 }];
  const y = { ...Y, name: "α", ...coefficientEnds([-0.66]) };
  const { container } = render(<IntervalPlot label="α by round" points={points} y={y} xName="round" />);
  const written = () => [...container.querySelectorAll(".chart svg text")].map((text) => text.textContent);
  await expect.poll(written).toEqual(expect.arrayContaining(["-1.00", "-0.50", "0.00", "0.50", "1.00"]));
  expect(written().filter((text) => text?.includes("."))).toHaveLength(5);
});

it("draws bars, and intervals beside a reference", async () => {
  const { container } = render(
    <>
      <StackedBars
        label="Shares"
        stacks={[{ label: "1", values: { yes: 0.25, no: 0.75 } }]}
        parts={[
          { key: "yes", label: "Yes" },
          { key: "no", label: "No", tone: "quiet" },
        ]}
        y={Y}
      />
      <IntervalPlot
        label="Yield"
        points={[{ label: "1", y: 0.2, low: 0.1, high: 0.3 }]}
        y={Y}
        reference={{ label: "prototype", y: 0.1, low: 0.05, high: 0.2 }}
      />
    </>,
  );
  await expect.poll(() => container.querySelectorAll(".chart svg").length).toBe(2);
  expect(screen.getByText("prototype: 0.10 [0.05, 0.20]")).toBeVisible();
});

it("keeps the numbers of a drawing in a table that a key opens", async () => {
  const { container } = render(
    <main>
      <ChartFigure title="Learning curve" about="n = 2" table={<SeriesTable series={SERIES} x={X} y={Y} />}>
        <Histogram bins={[1, 0, 3]} low={0} high={1} label="Entropy" />
      </ChartFigure>
    </main>,
  );
  container.querySelector("details")?.setAttribute("open", "");
  const rows = screen.getAllByRole("row").map((row) => [...row.children].map((cell) => cell.textContent));
  expect(rows).toEqual([
    ["training items", "entropy", "random"],
    ["150", "0.50 [0.40, 0.60]", "–"],
    ["300", "0.70 [0.66, 0.74]", "0.60"],
    ["450", "–", "–"],
  ]);
  expect(
    screen.getByRole("img", { name: "Entropy: 4 items, the fullest bin from 0.67 to 1.00" }),
  ).toBeVisible();
  await expectAccessible(container);
});

it("breaks a band where nothing was measured, and draws none through a single point", () => {
  const spread = { low: 0, high: 1 };
  const points = [
    { x: 1, y: 0, ...spread },
    { x: 2, y: 0, ...spread },
    { x: 3, y: 0 },
    { x: 4, y: 0, ...spread },
  ];
  expect(spreads(points).map((run) => run.map(({ x }) => x))).toEqual([[1, 2]]);
});

it("says a value with and without its interval, and an empty histogram", () => {
  expect(pointWords({ y: 0.5, low: 0.25, high: 0.75 }, Y)).toBe("0.50 [0.25, 0.75]");
  expect(pointWords({ y: 0.5, low: null, high: 1 }, { name: "x" })).toBe("0.5");
  expect(shapeWords([0, 0], 0, 1)).toBe("no items");
});
