import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { DataTable } from "../../../components/DataTable";
import { Pages } from "../../../components/Pages";
import { NotLoaded, Status } from "../../../components/states";
import { useProject } from "../../../session/project";
import { disagreementsQuery, PER_PAGE } from "../api";
import { phaseTitle } from "../copy";
import { pairingPath } from "../paths";
import type { Disagreement, Phase } from "../types";

interface DisagreementsProps {
  phase: Phase;
  pairing: string | null;
  onClose: () => void;
}

/** Each item on which people differ in a phase. */
export function Disagreements({ phase, pairing, onClose }: DisagreementsProps) {
  const { id: projectId } = useProject();
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery(disagreementsQuery(phase.id, pairing, page));
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    head.current?.focus();
    head.current?.scrollIntoView?.({ block: "start" });
  }, []);
  return (
    <section className="card stack" aria-labelledby="differing">
      <div className="card-head">
        <h2 id="differing" ref={head} tabIndex={-1}>
          Disagreements in {phaseTitle(phase).replace(/^P/, "p")}
        </h2>
        <button type="button" className="button quiet" onClick={onClose}>
          Close
        </button>
      </div>
      {pairing && (
        <p className="small">
          <Link to={pairingPath(projectId, pairing)}>See the pairs themselves</Link>
        </p>
      )}
      {error && !data && <NotLoaded what="The disagreements" error={error} retry={refetch} />}
      {!data && !error && <Status>Loading the disagreements</Status>}
      {data?.items.length === 0 && <p className="mute">Nobody differs.</p>}
      {data && data.items.length > 0 && (
        <>
          <DataTable
            title="Disagreements"
            className="listed differing"
            rows={data.items}
            keyOf={({ key, key_b, text }) => `${key} ${key_b} ${text}`}
            columns={[
              ["Factoid", Described],
              ["Text", ({ text }) => text, "text-id"],
              ["Answers", Answers],
            ]}
          />
          <Pages page={page} n_pages={Math.ceil(data.total / PER_PAGE)} onPage={setPage} />
        </>
      )}
    </section>
  );
}

function Described({ id, id_b, description, description_b }: Disagreement) {
  return (
    <>
      <b>{id}</b> <span dir="auto">{description}</span>
      {id_b && (
        <span className="basis">
          <b>{id_b}</b> <span dir="auto">{description_b}</span>
        </span>
      )}
    </>
  );
}

function Answers({ answers }: Disagreement) {
  return (
    <ul className="answers">
      {answers.map(({ name, is_there }) => (
        <li key={name}>
          {name}: <b>{is_there ? "there" : "not there"}</b>
        </li>
      ))}
    </ul>
  );
}
