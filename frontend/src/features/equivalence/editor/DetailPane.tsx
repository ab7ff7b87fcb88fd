import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { Pages } from "../../../components/Pages";
import { Switch } from "../../../components/Switch";
import { NotLoaded, Status } from "../../../components/states";
import { useProject } from "../../../session/project";
import { counted } from "../../../text/format";
import { shortQuote } from "../../../text/quote";
import { placesQuery } from "../api";
import type { Place } from "../types";
import { Suggestions } from "./Suggestions";
import type { Detail, Editor } from "./useEditor";

const VIEWS: { value: Detail; text: string }[] = [
  { value: "places", text: "Places" },
  { value: "words", text: "Alike by words" },
  { value: "vectors", text: "Alike by vectors" },
];

/** What helps to decide about the string at hand: where it stands, and what is alike. */
export function DetailPane({ editor }: { editor: Editor }) {
  const { detail, setDetail, atHand } = editor;
  return (
    <section className="detail-pane" aria-label="About the string at hand">
      <Switch<Detail> label="What is shown of it" value={detail} options={VIEWS} onValue={setDetail} />
      {detail !== "places" ? (
        <Suggestions key={detail} by={detail} editor={editor} />
      ) : atHand === null ? (
        <p className="mute small">Choose a string to see its places.</p>
      ) : (
        <PlacesOf key={atHand} text={atHand} editor={editor} />
      )}
    </section>
  );
}

function PlacesOf({ text, editor }: { text: string; editor: Editor }) {
  const { projectId, evaluation } = editor;
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery(
    placesQuery(projectId, evaluation.id, evaluation.part, text, page),
  );
  if (!data)
    return error ? (
      <NotLoaded what="The places" error={error} retry={refetch} />
    ) : (
      <Status>Finding its places</Status>
    );
  return (
    <>
      <h2 dir="auto">
        “{shortQuote(text, 80)}”: {data.n === 0 ? "not found in the texts" : counted(data.n, "place")}
      </h2>
      <ol className="places">
        {data.places.map((place, number) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a place has no id, and the list of a page stays as it is.
          <li key={number}>
            <PlaceLine place={place} />
          </li>
        ))}
      </ol>
      <Pages page={page} n_pages={data.n_pages} onPage={setPage} />
    </>
  );
}

function PlaceLine({ place: { before, words, comment, after, item, item_id, batch } }: { place: Place }) {
  const { id: projectId, may } = useProject();
  const to = may.includes("manage")
    ? `/projects/${projectId}/items?q=${encodeURIComponent(item_id)}`
    : may.includes("resolve")
      ? `/projects/${projectId}/validation/${item}`
      : null;
  return (
    <>
      <p className="place-text" dir="auto">
        {before}
        <mark>{words}</mark>
        {comment && <span className="place-comment"> ({comment})</span>}
        {after}
      </p>
      <p className="small mute">
        {to ? <Link to={to}>{item_id}</Link> : item_id}, round {batch}
      </p>
    </>
  );
}
