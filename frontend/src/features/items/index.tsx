import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { Link, useSearchParams } from "react-router";
import type { Project } from "../../api/types";
import { Field } from "../../components/Field";
import { Pages } from "../../components/Pages";
import { Select } from "../../components/Select";
import { Failure, Loading } from "../../components/states";
import { useProject } from "../../session/project";
import { batchName, count, counted } from "../../text/format";
import { type ItemFilters, type ItemListed, type ItemsPage, itemsQuery, type Which } from "./api";
import { LeaveOut, TakeBack } from "./LeaveOut";
import "../../components/admin.css";
import "./items.css";

const WHICH: readonly { value: Which; text: string }[] = [
  { value: "all", text: "All items" },
  { value: "pool", text: "In the pool, given to nobody yet" },
  { value: "given", text: "Given to people in a batch" },
  { value: "left_out", text: "Left out by an admin" },
];

/** Items to look up by id or text; the address holds what was asked. */
export function Component() {
  const project = useProject();
  const [address, setAddress] = useSearchParams();
  const asked = askedOf(address);
  const { data, error, refetch } = useQuery(itemsQuery(project.id, asked));
  const ask = (part: Partial<ItemFilters>) => {
    const next = { ...asked, page: 1, ...part };
    setAddress({ q: next.q, which: next.which, page: String(next.page) });
  };
  return (
    <main className="page items-page" id="main">
      <div className="page-head">
        <h1>Items</h1>
        <p className="mute">
          Look an item up by its id or by words of its text. What people answered is not shown here.
        </p>
      </div>
      <Search key={asked.q} asked={asked} onAsk={ask} />
      {error && !data && <Failure error={error} retry={refetch} />}
      {!data && !error && <Loading what="the items" />}
      {data && <Found page={data} project={project} onPage={(page) => ask({ page })} />}
    </main>
  );
}

function askedOf(address: URLSearchParams): ItemFilters {
  const which = WHICH.find(({ value }) => value === address.get("which"))?.value ?? "all";
  const page = Number(address.get("page"));
  return { q: address.get("q") ?? "", which, page: Number.isInteger(page) && page > 0 ? page : 1 };
}

function Search({ asked, onAsk }: { asked: ItemFilters; onAsk: (part: Partial<ItemFilters>) => void }) {
  const [q, setQ] = useState(asked.q);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onAsk({ q });
  };
  return (
    <form className="card items-search" aria-label="Items" onSubmit={submit}>
      <Field label="Id or words of the text" type="search" value={q} maxLength={500} onValue={setQ} />
      <Select
        label="Which"
        value={asked.which}
        options={WHICH}
        onValue={(which) => onAsk({ q, which: which as Which })}
      />
      <button type="submit" className="button primary">
        Look up
      </button>
    </form>
  );
}

interface FoundProps {
  page: ItemsPage;
  project: Project;
  onPage: (page: number) => void;
}

function Found({ page, project, onPage }: FoundProps) {
  return (
    <section className="card stack" aria-label="Found">
      <p className="small mute numbers" role="status">
        {page.n === 0 ? "No item matches." : `${counted(page.n, "item")} found.`}
      </p>
      <ul className="items-list">
        {page.items.map((item) => (
          <li key={item.id} className="stack-tight">
            <p className="small">
              <b className="item-id">{item.item_id}</b>{" "}
              <span className="mute">{[item.document, stateWords(item)].filter(Boolean).join(" · ")}</span>
            </p>
            <p className="item-text">{item.text}</p>
            {item.left_out === "by_admin" && (
              <p className="notice">
                <b>Left out:</b> {item.left_out_reason}
              </p>
            )}
            <div className="row">
              <Answers item={item} project={project} />
              {item.left_out === "" && <LeaveOut id={item.id} itemId={item.item_id} />}
              {item.left_out === "by_admin" && <TakeBack id={item.id} itemId={item.item_id} />}
            </div>
          </li>
        ))}
      </ul>
      <Pages page={page.page} n_pages={page.n_pages} onPage={onPage} />
    </section>
  );
}

function stateWords({ left_out, batch, done, total }: ItemListed): string {
  const given = batch && `${batchName(batch.kind, batch.number)}, ${count(done)} of ${count(total)} answered`;
  if (left_out === "too_short") return "too short for the pool";
  if (left_out === "too_long") return "too long for the pool";
  if (left_out === "by_admin") return given ?? "left out before anybody was given it";
  return given ?? "in the pool, given to nobody yet";
}

/** Where the item's answers can be looked at, by the rules of blindness there. */
function Answers({ item, project }: { item: ItemListed; project: Project }) {
  if (item.batch?.kind !== "round" || item.done === 0) return null;
  const where = `/projects/${project.id}`;
  return (
    <>
      {project.has_stages && (
        <Link to={`${where}/adjudication/${item.id}?kind=any`}>Look at its answers</Link>
      )}
      {project.has_spans && <Link to={`${where}/validation/${item.id}`}>Look at its spans</Link>}
    </>
  );
}
