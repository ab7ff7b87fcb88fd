import { count } from "../../text/format";
import type { Simulation } from "./api";
import { sourceWords } from "./copy";

/** What was asked for: enough to ask for it again. */
export function Setup({ simulation }: { simulation: Simulation }) {
  const { config, texts } = simulation;
  const facts: [name: string, value: string][] = [
    ["Texts", sourceWords(simulation)],
    ["To learn from", countsWords(texts.train.class_counts)],
    ["To test on", countsWords(texts.test.class_counts)],
    ...(texts.source === "stage"
      ? ([["Held out", `${Math.round(100 * (texts.share ?? 0))} %, random seed ${texts.random_state}`]] as [
          string,
          string,
        ][])
      : []),
    ...config.strategies.map(({ key, name, options }): [string, string] => [
      `Strategy ${key}`,
      [name, ...Object.entries(options ?? {}).map(([option, value]) => `${option} = ${value}`)].join(", "),
    ]),
    ["Compared with", config.baseline],
    ["Primary comparison", primaryWords(config)],
    ...(config.parts ?? []).map(({ key, field, value }): [string, string] => [
      `Part ${key}`,
      `${field} = ${JSON.stringify(value)}`,
    ]),
    ...(config.string_test ? [["String test", stringTestWords(config.string_test)] as [string, string]] : []),
    ...(config.missing?.length
      ? [["Marks for missing", config.missing.map((mark) => mark || "blank").join(", ")] as [string, string]]
      : []),
    ["Models", config.models.join(", ")],
    ["Seeds", config.seeds.join(", ")],
    [
      "Full supervision",
      config.full_supervision_seeds.length > 0
        ? `${config.full_supervision_seeds.length === 1 ? "seed" : "seeds"} ${config.full_supervision_seeds.join(", ")}`
        : "left out",
    ],
    ["Batches", `${config.batches} of ${config.batch_sizes.map(count).join(", ")}`],
  ];
  return (
    <section className="card stack" aria-labelledby="setup">
      <h2 id="setup">What was asked for</h2>
      <dl className="setup">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function primaryWords({ primary, primary_part, baseline, first_batch_in_area }: Simulation["config"]) {
  const area =
    first_batch_in_area === false ? "areas from the second batch on" : "areas from the first batch on";
  if (!primary) return `none; ${area}`;
  return `${primary} − ${baseline} on ${primary_part || "all test items"}; ${area}`;
}

function stringTestWords({ phrases, label, otherwise }: NonNullable<Simulation["config"]["string_test"]>) {
  return `“${label}” for a text with ${phrases.map((phrase) => `“${phrase}”`).join(", ")}; else “${otherwise}”`;
}

function countsWords(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([label, n]) => `${label}: ${count(n)}`)
    .join(", ");
}
