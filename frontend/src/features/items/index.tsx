import { useQuery } from "@tanstack/react-query";
import { useParams, useSearchParams } from "react-router";
import { Select } from "../../components/Select";
import { Failure, Loading } from "../../components/states";
import { useProject } from "../../session/project";
import { addressOf, filtersOf, itemsQuery, placeOf } from "./api";
import { Filters } from "./Filters";
import { Found } from "./Found";
import { Item } from "./Item";
import "../../components/admin.css";
import "./items.css";

const SORTS = [
  { value: "", text: "As imported" },
  { value: "-order", text: "As imported, the last first" },
  { value: "id", text: "By id" },
  { value: "-id", text: "By id, the last first" },
  { value: "length", text: "The shortest first" },
  { value: "-length", text: "The longest first" },
];

/** The list, or one item of it. */
export function Component() {
  return useParams().itemId ? <Item /> : <Items />;
}

/** All items, to look through and to act on; the address holds what was asked, so that a link leads to the same list. */
function Items() {
  const project = useProject();
  const [address, setAddress] = useSearchParams();
  const filters = filtersOf(address);
  const place = placeOf(address);
  const { data, error, refetch } = useQuery(itemsQuery(project.id, filters, place));
  const ask = (part: object, sort = place.sort) => setAddress(addressOf({ ...filters, sort, ...part }));
  // The items of the page, or the one where it begins, are gone.
  const isBeyond = (place.after || place.before) && (error || data?.items.length === 0);
  return (
    <main className="page items-page" id="main">
      <div className="page-head">
        <h1>Items</h1>
        <p className="mute">
          All that can be labelled. The list shows nobody’s answers; filters by answers leave out what you can
          still answer yourself.
        </p>
      </div>
      <Filters filters={filters} onChange={ask} />
      {error && !data && <Failure error={error} retry={refetch} />}
      {isBeyond && (
        <p>
          <button type="button" className="button" onClick={() => ask({})}>
            To the first page
          </button>
        </p>
      )}
      {!data && !error && <Loading what="the items" />}
      {data && (
        <Found
          page={data}
          filters={filters}
          sort={<Select label="Order" value={place.sort} options={SORTS} onValue={(sort) => ask({}, sort)} />}
          onPage={ask}
        />
      )}
    </main>
  );
}
