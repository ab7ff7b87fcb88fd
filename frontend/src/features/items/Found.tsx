import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useProject } from "../../session/project";
import { count, counted } from "../../text/format";
import { countQuery, type ItemFilters, type ItemsPage, type Place } from "./api";
import { BulkActs } from "./BulkActs";
import { ItemLine } from "./ItemLine";

interface FoundProps {
  page: ItemsPage;
  filters: ItemFilters;
  sort: ReactNode;
  onPage: (beside: Partial<Place>) => void;
}

export function Found({ page, filters, sort, onPage }: FoundProps) {
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const tick = (id: string) =>
    setTicked(ticked.includes(id) ? ticked.filter((other) => other !== id) : [...ticked, id]);
  return (
    <section className="card stack" aria-label="Found">
      <div className="card-head">
        <HowMany filters={filters} isEmpty={page.items.length === 0} />
        {sort}
      </div>
      {(page.items.length > 0 || ticked.length > 0) && (
        <BulkActs filters={filters} ticked={ticked} onDone={() => setTicked([])} />
      )}
      <ul className="items-list">
        {page.items.map((item) => (
          <li key={item.id}>
            <input
              type="checkbox"
              aria-label={`Tick item ${item.item_id}`}
              checked={ticked.includes(item.id)}
              onChange={() => tick(item.id)}
            />
            <div className="stack-tight">
              <ItemLine item={item} />
            </div>
          </li>
        ))}
      </ul>
      {(page.before || page.after) && (
        <nav className="row" aria-label="Pages of the list">
          <button
            type="button"
            className="button"
            disabled={!page.before}
            onClick={() => onPage({ before: page.before ?? "" })}
          >
            Back
          </button>
          <button
            type="button"
            className="button"
            disabled={!page.after}
            onClick={() => onPage({ after: page.after ?? "" })}
          >
            Forward
          </button>
        </nav>
      )}
    </section>
  );
}

/** The count may take longer than the page, which does not wait for it. */
function HowMany({ filters, isEmpty }: { filters: ItemFilters; isEmpty: boolean }) {
  const { id } = useProject();
  const { data } = useQuery(countQuery(id, filters));
  const none = isEmpty ? "No item matches." : "";
  const found = data && data.n > 0 ? `${counted(data.n, "item")} found.` : none;
  const hidden = data && data.hidden > 0;
  return (
    <p className="small mute numbers" role="status">
      {found}
      {hidden &&
        ` ${count(data.hidden)} more not looked at: you have these items yourself, and your own answer can still change.`}
    </p>
  );
}
