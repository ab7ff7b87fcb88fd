import type { ReleaseDetail } from "./api";

/** In the order of the card; the first is what loads where none is named. */
const CONFIGS: Record<string, string> = {
  aggregated: "one label an item and stage",
  annotations: "what each annotator said",
  spans: "the marked spans",
  text: "the spans inside their texts",
};

/** Python that loads a release's files from its unpacked folder. */
export function loadingSnippet({ filename, files }: Pick<ReleaseDetail, "filename" | "files">): string {
  // An empty file cannot be loaded, and the card names no configuration for it.
  const paths = new Set(files.filter(({ lines }) => lines).map(({ path }) => path));
  const loads = Object.entries(CONFIGS)
    .filter(([config]) => paths.has(`data/${config}.jsonl`))
    .map(([config, holds]) => `${config} = load_dataset(folder, "${config}", split="train")  # ${holds}`);
  const sets = [...paths].flatMap((path) => {
    const [, set] = path.match(/^factoids\/([^/]+)\/factoids\.jsonl$/) ?? [];
    return set ? [ofSet(set)] : [];
  });
  const folder = `folder = "${filename.replace(/\.zip$/, "")}"  # the unpacked ZIP`;
  return ["from datasets import load_dataset", "", folder, ...loads, ...sets, ""].join("\n");
}

/** A text set's other files have configurations too: the card has their lines. */
const ofSet = (set: string) =>
  `factoids_${set.replaceAll("-", "_")} = load_dataset(folder, "${set}-factoids", split="train")  # factoids of each list`;
