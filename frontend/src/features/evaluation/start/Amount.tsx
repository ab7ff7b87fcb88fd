import { useQuery } from "@tanstack/react-query";
import { DataTable } from "../../../components/DataTable";
import { Refusal } from "../../../components/Refusal";
import { useSettled } from "../../../components/useSettled";
import { count } from "../../../text/format";
import { type Estimate, estimateQuery } from "../api";
import { moneyWords } from "../copy";
import { useSystemTitle } from "../useSystemTitle";
import { ESTIMATED, numberFaults, type PartProps, specBody } from "./spec";

/** What the chosen systems would take: it follows the form. */
export function Amount({ choices, spec, projectId }: PartProps & { projectId: string }) {
  const isWhole = Object.keys(numberFaults(spec, choices)).length === 0;
  const isAsked = isWhole && spec.stages.length > 0 && spec.systems.length > 0;
  // The name is no part of what it takes: typing it asks nothing, and it may still be missing.
  const asked = useSettled(isAsked ? JSON.stringify({ ...specBody(spec, choices), name: ESTIMATED }) : "");
  const { data, error, isPlaceholderData } = useQuery(
    estimateQuery(projectId, asked === "" ? null : JSON.parse(asked)),
  );
  return (
    <section className="card stack" aria-labelledby="amount">
      <h2 id="amount">What it takes</h2>
      {asked === "" && <p className="mute">Choose stages and systems to see it.</p>}
      {asked !== "" && <Refusal error={error} />}
      {asked !== "" && !error && !data && <p className="mute">Counting</p>}
      {asked !== "" && !error && data && <Counted estimate={data} isOld={isPlaceholderData} />}
    </section>
  );
}

function Counted({ estimate: { systems, notices }, isOld }: { estimate: Estimate; isOld: boolean }) {
  const title = useSystemTitle();
  const hasRequests = systems.some(({ requests }) => requests > 0);
  return (
    <div className="stack" aria-busy={isOld}>
      <DataTable
        title="What it takes"
        rows={systems}
        keyOf={({ name }) => name}
        columns={[
          ["System", ({ name }) => title(name)],
          ["Requests", ({ requests }) => count(requests), "number"],
          ["Tokens in", ({ tokens_in }) => count(tokens_in), "number"],
          ["Tokens out, at most", ({ tokens_out }) => count(tokens_out), "number"],
          [
            "Cost",
            ({ requests, cost, currency }) => (requests === 0 ? "nothing" : moneyWords(cost, currency)),
            "number nowrap",
          ],
          ...(systems.some(({ note }) => note) ? ([["Note", noteOf, "small"]] as const) : []),
        ]}
      />
      {hasRequests && <p role="status">{totalWords(systems)}</p>}
      {notices.map((notice) => (
        <p key={notice} className="notice warn">
          {notice}
        </p>
      ))}
    </div>
  );
}

function noteOf({ note }: Estimate["systems"][number]): string {
  return note;
}

/** "In all 1,042 requests, about 0.42 USD." */
function totalWords(systems: Estimate["systems"]): string {
  const asked = systems.filter(({ requests }) => requests > 0);
  const requests = asked.reduce((sum, each) => sum + each.requests, 0);
  const words = `In all ${count(requests)} requests`;
  const currencies = new Set(asked.map(({ currency }) => currency));
  if (asked.some(({ cost }) => cost === null))
    return `${words}. The operator gave no prices for some of them, so that the cost is not known.`;
  if (currencies.size > 1) return `${words}.`;
  const cost = asked.reduce((sum, each) => sum + (each.cost ?? 0), 0);
  return `${words}, about ${moneyWords(cost, [...currencies][0] ?? "")}.`;
}
