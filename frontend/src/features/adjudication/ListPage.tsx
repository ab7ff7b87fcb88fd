import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";
import { Begin } from "../../components/Begin";
import { DataTable } from "../../components/DataTable";
import { Pages } from "../../components/Pages";
import { Select } from "../../components/Select";
import { Switch } from "../../components/Switch";
import { NotLoaded, Status } from "../../components/states";
import { WhichItems } from "../../components/WhichItems";
import { FeatureUnavailable } from "../../session/FeatureUnavailable";
import { useProject } from "../../session/project";
import { type ListedItem, type Listing, listingQuery } from "./api";
import { EMPTY_WORDS, isSettled, KIND_WORDS, settledWords, stateTag, stateWords } from "./model/copy";
import { asAddress, type Filters, filtersFrom, pathTo } from "./model/filters";
import { OwnOpen } from "./parts/OwnOpen";
import { SecondLookCard } from "./parts/SecondLookCard";
import { StandingCard } from "./parts/StandingCard";

/** What people disagree on, and what everything came to. */
export function ListPage() {
  const project = useProject();
  const [asked, ask] = useSearchParams();
  const filters = filtersFrom(asked);
  const page = Math.max(1, Math.floor(Number(asked.get("page")) || 1));
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...listingQuery(project.id, filters, page),
    placeholderData: keepPreviousData,
  });
  const change = (part: Partial<Filters>) => ask(asAddress({ ...filters, ...part }));
  return (
    <main className="page" id="main">
      <div className="page-head">
        <h1>Disagreements</h1>
        <p className="mute">
          Look at the answers to an item side by side, without names, and decide. A decision is stored beside
          the answers: it changes no majority and no agreement figure, blocks no round, and is learned from
          only where a round’s start asks for it.
        </p>
      </div>
      <FeatureUnavailable what="stages" />
      {error && <NotLoaded what="The list" error={error} retry={refetch} />}
      {!data && !error && <Status>Loading the list</Status>}
      {data && (
        <section className="card stack" aria-labelledby="items">
          <Head listing={data} filters={filters} />
          <FilterRow listing={data} filters={filters} onChange={change} />
          <OwnOpen listing={data} projectId={project.id} filters={filters} />
          {isPlaceholderData ? <Status>Loading the list</Status> : <Items listing={data} filters={filters} />}
          <Pages
            page={data.page}
            n_pages={data.n_pages}
            onPage={(to) => ask({ ...asAddress(filters), page: String(to) })}
          />
        </section>
      )}
      {data && <StandingCard listing={data} />}
      {project.may.includes("manage") && <SecondLookCard projectId={project.id} />}
    </main>
  );
}

function Head({ listing, filters }: { listing: Listing; filters: Filters }) {
  const { id: projectId } = useProject();
  const [first] = listing.items;
  return (
    <div className="card-head">
      <h2 id="items">{filters.phase === 2 ? "To agree on" : KIND_WORDS[filters.kind]}</h2>
      <Begin to={first && pathTo(projectId, filters, first.id)} page={listing.page} />
    </div>
  );
}

interface FilterRowProps {
  listing: Listing;
  filters: Filters;
  onChange: (part: Partial<Filters>) => void;
}

function FilterRow({ listing, filters, onChange }: FilterRowProps) {
  const { may } = useProject();
  const mayAgree = may.includes("manage") && listing.second_looks.length > 0;
  return (
    <>
      {(mayAgree || filters.phase === 2) && (
        <Switch<"1" | "2">
          label="Which answers"
          value={filters.phase === 2 ? "2" : "1"}
          options={[
            { value: "1", text: "Adjudicate independent answers" },
            { value: "2", text: "Record a consensus after the second look" },
          ]}
          onValue={(phase) => onChange({ phase: phase === "2" ? 2 : 1, round: null })}
        />
      )}
      <WhichItems
        value={filters.kind}
        words={KIND_WORDS}
        sizeOf={(kind) => listing.counts[kind]}
        onValue={(kind) => onChange({ kind })}
      />
      <div className="form-grid">
        <Select
          label="Stage"
          value={filters.stage ?? ""}
          options={[
            { value: "", text: "Any stage" },
            ...listing.stages.map(({ key, title }) => ({ value: key, text: title })),
          ]}
          onValue={(stage) => onChange({ stage: stage || null })}
        />
        <Select
          label="Round"
          value={filters.round === null ? "" : String(filters.round)}
          options={[
            { value: "", text: "All rounds" },
            ...listing.rounds.map((round) => ({ value: String(round), text: `Round ${round}` })),
          ]}
          onValue={(round) => onChange({ round: round ? Number(round) : null })}
        />
      </div>
    </>
  );
}

function Items({ listing, filters }: { listing: Listing; filters: Filters }) {
  const { id: projectId } = useProject();
  if (listing.items.length === 0) return <p className="mute">{EMPTY_WORDS[filters.kind]}</p>;
  return (
    <DataTable
      title="Items"
      className="listed disagreements"
      rows={listing.items}
      keyOf={({ id }) => id}
      columns={[
        [
          "Text",
          ({ id, text, document, round }) => (
            <>
              <Link className="beginning" dir="auto" to={pathTo(projectId, filters, id)}>
                {text}
              </Link>
              <span className="basis" dir="auto">
                {document}, round {round}
              </span>
            </>
          ),
        ],
        ["Result", (item) => <Result item={item} titles={listing.stages} />],
      ]}
    />
  );
}

function Result({ item, titles }: { item: ListedItem; titles: Listing["stages"] }) {
  const title = (stage: string) => titles.find(({ key }) => key === stage)?.title ?? stage;
  return (
    <ul className="came-to">
      {item.stages
        .filter(({ state }) => !isSettled(state))
        .map(({ stage, state, differs }) => (
          <li key={stage}>
            {title(stage)} <span className={stateTag(state)}>{stateWords(state, differs)}</span>
          </li>
        ))}
      {settledWords(item, title).map((words) => (
        <li key={words} className="mute small">
          {words}
        </li>
      ))}
      {item.revised_since && (
        <li>
          <span className="tag warn">an answer is newer than the decision</span>
        </li>
      )}
    </ul>
  );
}
