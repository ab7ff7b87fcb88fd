import { useQuery } from "@tanstack/react-query";
import { DataTable } from "../../../components/DataTable";
import { Disclosure } from "../../../components/Disclosure";
import { Refusal } from "../../../components/Refusal";
import { useSettled } from "../../../components/useSettled";
import { count, counted, duration } from "../../../text/format";
import { type Estimate, estimateQuery } from "../api";
import { splitWords } from "../copy";
import { LeftOutList } from "../LeftOutList";
import { Tallies } from "../Tallies";
import { ESTIMATED, estimateFaults, type PartProps, specBody } from "./spec";

/** What the chosen data hold and what the systems would take: it follows the form. */
export function Amount({ choices, spec, projectId }: PartProps & { projectId: string }) {
  const isWhole = Object.keys(estimateFaults(spec, choices)).length === 0;
  // The name is no part of what it takes: typing it asks nothing, and it may still be missing.
  const asked = useSettled(isWhole ? JSON.stringify({ ...specBody(spec, choices), name: ESTIMATED }) : "");
  const { data, error, isPlaceholderData } = useQuery(
    estimateQuery(projectId, asked === "" ? null : JSON.parse(asked)),
  );
  return (
    <section className="card stack" aria-labelledby="amount">
      <h2 id="amount">What it takes</h2>
      {asked === "" && <p className="mute">Correct what is marked above to see it.</p>}
      {asked !== "" && <Refusal error={error} />}
      {asked !== "" && !error && !data && <p className="mute">Counting</p>}
      {asked !== "" && !error && data && <Counted estimate={data} isOld={isPlaceholderData} />}
    </section>
  );
}

const SPLITS = ["train", "valid", "test"] as const;

function Counted({ estimate, isOld }: { estimate: Estimate; isOld: boolean }) {
  const { data, systems, instances, notices } = estimate;
  const hasNotes = systems.some(({ note }) => note);
  return (
    <div className="stack" aria-busy={isOld}>
      <DataTable
        title="Sources and targets by split"
        rows={SPLITS}
        keyOf={(split) => split}
        columns={[
          ["Split", splitWords],
          ["Sources", (split) => count(data.sources[split]), "number"],
          ["Targets", (split) => count(data.targets[split]), "number"],
        ]}
      />
      <LeftOutList leftOut={data.left_out} />
      <DataTable
        title="What each system takes"
        rows={systems}
        keyOf={({ name }) => name}
        columns={[
          ["System", ({ title }) => title],
          ["Training examples", ({ examples }) => count(examples), "number"],
          [
            "Longest source",
            ({ source_tokens_max }) => `about ${count(source_tokens_max)} tokens`,
            "number nowrap",
          ],
          ["Sources that are cut", ({ cut }) => `about ${count(cut)}`, "number nowrap"],
          ["Time", ({ seconds }) => timeWords(seconds), "number nowrap"],
          ...(hasNotes
            ? ([["Note", ({ note }: Estimate["systems"][number]) => note, "small"]] as const)
            : []),
        ]}
      />
      <p role="status">{totalWords(systems)}</p>
      {notices.map((notice) => (
        <p key={notice} className="notice warn">
          {notice}
        </p>
      ))}
      {instances.tallies.length > 0 && (
        <Disclosure
          title={`${counted(instances.total, "instance")} of all evaluations, and what is left out`}
        >
          <Tallies tallies={instances.tallies} />
        </Disclosure>
      )}
    </div>
  );
}

function timeWords(seconds: number | null): string {
  return seconds === null ? "not known" : `about ${duration(Math.max(1, Math.round(seconds)))}`;
}

function totalWords(systems: Estimate["systems"]): string {
  const known = systems.flatMap(({ seconds }) => (seconds === null ? [] : [seconds]));
  if (known.length === 0) return "How long it takes is not known yet: none was trained here before.";
  const sum = timeWords(known.reduce((all, each) => all + each, 0));
  if (known.length < systems.length)
    return `${sum}, and as long as the systems take of which it is not known.`;
  return `In all ${sum}. You need not wait: it goes on without the page.`;
}
