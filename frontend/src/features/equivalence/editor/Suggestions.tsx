import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { Key } from "../../../components/Key";
import { Refusal } from "../../../components/Refusal";
import { NotLoaded, Status } from "../../../components/states";
import { counted } from "../../../text/format";
import { shortQuote } from "../../../text/quote";
import { equivalenceApi, suggestionsQuery } from "../api";
import { type Alike, alikeTo } from "../model/alike";
import { classWords } from "../model/edits";
import type { By, Suggestions as Found } from "../types";
import { KEYS } from "./actions";
import type { Editor } from "./useEditor";

const SHOWN = 12;

/** What is alike to the selected strings, or to the class at hand where none is selected. Nothing is put anywhere by itself. */
export function Suggestions({ by, editor }: { by: By; editor: Editor }) {
  const { projectId, evaluation, targets, atHandClass, places, setAlike, targetWords, content } = editor;
  const { data, error, refetch } = useQuery(
    suggestionsQuery(projectId, evaluation.id, evaluation.revision, by),
  );
  const members = atHandClass?.members;
  const about = useMemo(() => new Set(targets.length > 0 ? targets : (members ?? [])), [targets, members]);
  const alike = useMemo(() => {
    const isNew = ({ text, other }: Alike) => {
      const [own, theirs] = [places.get(text), places.get(other)];
      return own === undefined || own !== theirs;
    };
    return alikeTo(data?.pairs ?? [], about)
      .filter(isNew)
      .slice(0, SHOWN);
  }, [data, about, places]);
  useEffect(() => {
    setAlike(alike);
    return () => setAlike([]);
  }, [alike, setAlike]);
  if (!data)
    return error ? (
      <NotLoaded what="Suggestions" error={error} retry={refetch} />
    ) : (
      <Status>Looking for what is alike</Status>
    );
  const whom = targets.length > 0 ? targetWords : atHandClass ? classWords(content, atHandClass.key) : null;
  return (
    <>
      {by === "vectors" && <Job found={data} editor={editor} />}
      {data.state === "ready" &&
        (whom === null ? (
          <p className="mute small">Choose a string or a class to see what is alike.</p>
        ) : (
          <>
            <h2 dir="auto">Alike to {whom}</h2>
            {alike.length === 0 && <p className="mute small">Nothing else is alike enough.</p>}
            <ul className="alike">
              {alike.map((each, place) => (
                <Line key={each.other} of={each} isFirst={place === 0} editor={editor} />
              ))}
            </ul>
          </>
        ))}
    </>
  );
}

function Line({ of, isFirst, editor }: { of: Alike; isFirst: boolean; editor: Editor }) {
  const { places, content, counts, mayEdit, accept, selection } = editor;
  const theirs = places.get(of.other);
  return (
    <li>
      <button type="button" className="alike-text" onClick={() => selection.goTo(of.other)}>
        <span dir="auto">{shortQuote(of.other, 80)}</span>{" "}
        <span className="small mute numbers">{counts.get(of.other) ?? 0} ×</span>
      </button>
      <p className="small mute">
        {of.score.toFixed(2)}
        {of.shared.length > 0 && `, shares ${of.shared.join(", ")}`}
        {theirs !== undefined && `, in ${classWords(content, theirs)}`}
      </p>
      {mayEdit && (
        <button
          type="button"
          className="button alike-accept"
          aria-label={`${acceptWords(of, editor)}: ${of.other}`}
          onClick={() => accept(of)}
        >
          {acceptWords(of, editor)} {isFirst && <Key name={KEYS.accept} />}
        </button>
      )}
    </li>
  );
}

function acceptWords({ text, other }: Alike, { places, content }: Editor): string {
  const [own, theirs] = [places.get(text), places.get(other)];
  if (own !== undefined) return `Put into ${classWords(content, own, 30)}`;
  if (theirs !== undefined) return `Join ${classWords(content, theirs, 30)}`;
  return "New class of both";
}

/** The job that compares vectors: it is started by hand. */
function Job({ found, editor }: { found: Found; editor: Editor }) {
  const { projectId, evaluation, mayEdit } = editor;
  const client = useQueryClient();
  const starting = useMutation({
    mutationFn: () => equivalenceApi.findAlike(projectId, evaluation.id),
    onSuccess: (answer) =>
      client.setQueryData(
        suggestionsQuery(projectId, evaluation.id, evaluation.revision, "vectors").queryKey,
        answer,
      ),
  });
  const { state, encoder, failure, n_new } = found;
  const isWorking = state === "waiting" || state === "running";
  const act = state === "none" ? "Compare the strings" : "Compare anew";
  return (
    <div className="stack-tight">
      {state === "none" && (
        <p className="small">
          A small language model can compare all strings by meaning. It runs on this server, for some seconds
          or minutes.
        </p>
      )}
      {isWorking && (
        <Status>{state === "waiting" ? "Waiting for the model worker." : "Comparing the strings."}</Status>
      )}
      {state === "failed" && (
        <p className="notice bad" role="alert">
          The comparison failed. {failure}
        </p>
      )}
      {state === "ready" && (
        <p className="small mute">
          By {encoder}.
          {n_new > 0 && ` ${counted(n_new, "string is", "strings are")} newer, and not compared yet.`}
        </p>
      )}
      <Refusal error={starting.error} />
      {mayEdit && !isWorking && (state !== "ready" || n_new > 0) && (
        <div className="row">
          <button
            type="button"
            className="button"
            disabled={starting.isPending}
            onClick={() => starting.mutate()}
          >
            {act}
          </button>
        </div>
      )}
    </div>
  );
}
