import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";
import { Begin } from "../../components/Begin";
import { DataTable } from "../../components/DataTable";
import { Pages } from "../../components/Pages";
import { NotLoaded, Status } from "../../components/states";
import { WhichItems } from "../../components/WhichItems";
import { FeatureUnavailable } from "../../session/FeatureUnavailable";
import { useProject } from "../../session/project";
import { batchName } from "../../text/format";
import { type Listing, listingQuery, type Which } from "./api";
import { countOf, countWords, EMPTY_WORDS, inWords, STATE_WORDS, stateTag, WHICH } from "./model/copy";
import { pathTo } from "./model/paths";

/** The items in which people mark spans, by how far their validation is. */
export function ListPage() {
  const project = useProject();
  const [asked, ask] = useSearchParams();
  const which = whichOf(asked.get("state"));
  const page = Math.max(1, Math.floor(Number(asked.get("page")) || 1));
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...listingQuery(project.id, which, page),
    placeholderData: keepPreviousData,
  });
  return (
    <main className="page" id="main">
      <div className="page-head">
        <h1>Validate</h1>
        <p className="mute">
          Look at the annotations of an item side by side, without names, and decide: accept one, edit one, or
          reject all of them. Your decision gives the item’s aggregated annotation; the annotations stay as
          they are.
        </p>
      </div>
      <FeatureUnavailable what="spans" />
      {error && <NotLoaded what="The list" error={error} retry={refetch} />}
      {!data && !error && <Status>Loading the list</Status>}
      {data && (
        <section className="card stack" aria-labelledby="items">
          <div className="card-head">
            <h2 id="items">{countWords(data)}</h2>
            <Begin to={which === "open" ? firstOf(data, project.id) : undefined} page={data.page} />
          </div>
          <WhichItems
            value={which}
            words={WHICH}
            sizeOf={(value) => countOf(data, value)}
            onValue={(value) => ask({ state: value })}
          />
          {isPlaceholderData ? <Status>Loading the list</Status> : <Items listing={data} which={which} />}
          <Pages
            page={data.page}
            n_pages={data.n_pages}
            onPage={(to) => ask({ state: which, page: String(to) })}
          />
        </section>
      )}
    </main>
  );
}

/** The first that is ready. */
function firstOf({ items: [first] }: Listing, projectId: string): string | undefined {
  return first && pathTo(projectId, first.id);
}

function whichOf(value: string | null): Which {
  return value !== null && value in WHICH ? (value as Which) : "open";
}

function Items({ listing, which }: { listing: Listing; which: Which }) {
  const { id: projectId } = useProject();
  if (listing.items.length === 0) return <p className="mute">{EMPTY_WORDS[which]}</p>;
  return (
    <DataTable
      title="Items"
      className="listed"
      rows={listing.items}
      keyOf={({ id }) => id}
      columns={[
        [
          "Item",
          (item) => (
            <>
              <Link to={pathTo(projectId, item.id)}>{item.external_id}</Link>
              <span className="basis" dir="auto">
                {item.title}
              </span>
              <span className="basis">{batchName(item.batch_kind, item.batch_number)}</span>
            </>
          ),
        ],
        [
          "State",
          (item) => (
            <>
              <span className={stateTag(item.state)}>{STATE_WORDS[item.state]}</span>{" "}
              {item.revised_since && <span className="tag warn">an annotation was revised since</span>}
              <span className="basis">{inWords(item)}</span>
            </>
          ),
        ],
      ]}
    />
  );
}
