import type { EChartsCoreOption, EChartsType } from "echarts/core";
import { useEffect, useRef, useState } from "react";
import { type Palette, readPalette } from "./palette";
import "./charts.css";

type MakeOption = (palette: Palette) => EChartsCoreOption;

interface ChartProps {
  /** What the picture shows, in words: what a screen reader says in its place. */
  label: string;
  make: MakeOption;
  /** In rem. */
  height?: number;
}

/** One drawing. The library comes by itself, later than the page; the numbers never wait for it. */
export function Chart({ label, make, height = 16 }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const { chart, failed } = useChart(place);
  const look = useLook();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another look means other colours to read.
  useEffect(() => {
    if (!chart || !place.current) return;
    const aria = { enabled: true, label: { description: label } };
    chart.setOption({ animation: false, aria, ...make(readPalette(place.current)) }, { notMerge: true });
  }, [chart, make, label, look]);
  if (failed) return <p className="small mute">The drawing could not be loaded. Its numbers stand below.</p>;
  return (
    <div ref={place} className="chart" role="img" aria-label={label} style={{ height: `${height}rem` }} />
  );
}

function useChart(place: { current: HTMLDivElement | null }) {
  const [chart, setChart] = useState<EChartsType | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let made: EChartsType | null = null;
    let gone = false;
    const watch = typeof ResizeObserver === "undefined" ? null : new ResizeObserver(() => made?.resize());
    const show = ({ init }: typeof import("./engine")) => {
      if (gone || !place.current) return;
      made = init(place.current, null, { renderer: "svg", ...sizeOf(place.current) });
      watch?.observe(place.current);
      setChart(made);
    };
    import("./engine").then(show, () => setFailed(true));
    return () => {
      gone = true;
      watch?.disconnect();
      made?.dispose();
    };
  }, [place]);
  return { chart, failed };
}

/** A place that is not laid out (yet) has no size to draw in. */
function sizeOf(element: HTMLElement): { width?: number; height?: number } {
  return element.clientWidth > 0 ? {} : { width: 600, height: 256 };
}

/** What the page's colours follow. */
const LOOKS = ["(prefers-color-scheme: dark)", "(prefers-contrast: more)", "(forced-colors: active)"];

/** Changes when the page's colours do. */
function useLook(): string {
  const [look, setLook] = useState("");
  useEffect(() => {
    if (!window.matchMedia) return;
    const looks = LOOKS.map((query) => window.matchMedia(query));
    const follow = () => setLook(looks.map(({ matches }) => matches).join());
    for (const each of looks) each.addEventListener("change", follow);
    const theme = new MutationObserver(() => setLook((look) => `${look}.`));
    theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      theme.disconnect();
      for (const each of looks) each.removeEventListener("change", follow);
    };
  }, []);
  return look;
}
