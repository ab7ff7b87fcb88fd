import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { isApiError } from "../../../api/errors";
import { HelpSheet } from "../../../components/HelpSheet";
import { NotFoundPage } from "../../../components/NotFoundPage";
import { Failure, Loading } from "../../../components/states";
import { useKeyboard } from "../../../keyboard/useKeyboard";
import { useProject } from "../../../session/project";
import { count } from "../../../text/format";
import { pairingQuery } from "../api";
import { factoidsPath } from "../paths";
import type { Pairing } from "../types";
import { ComparisonCard } from "./ComparisonCard";
import { PairList } from "./PairList";
import { PairView } from "./PairView";
import { Propose } from "./Propose";
import { Settings } from "./Settings";
import { usePairing } from "./usePairing";
import "../../../components/admin.css";
import "../../../components/worklist.css";
import "../factoids.css";
import "./pairing.css";

/** Two people's lists side by side: which factoids correspond, as people judge it. */
export function Component() {
  const { pairingId = "" } = useParams();
  const { data, error, refetch } = useQuery(pairingQuery(pairingId));
  if (isApiError(error, 404)) return <NotFoundPage />;
  if (!data) return error ? <Failure error={error} retry={refetch} /> : <Loading what="the pairing" />;
  return <Page key={data.id} pairing={data} />;
}

function Page({ pairing }: { pairing: Pairing }) {
  const project = useProject();
  const manages = project.may.includes("manage");
  const state = usePairing(pairing);
  useKeyboard(state.actions);
  const judged = pairing.links.length - state.n_open;
  return (
    <main className="page factoid-page" id="main">
      <div className="page-head">
        <p className="small">
          <Link to={factoidsPath(project.id)}>Factoids</Link> · {pairing.set.name}
        </p>
        <h1>
          {pairing.first.name} and {pairing.second.name}
        </h1>
        <p className="mute">
          A is {pairing.first.name}’s list, B is {pairing.second.name}’s. Judge what A’s factoid is to B’s.
          The pair about which the machine is least sure comes first.
        </p>
      </div>
      {pairing.is_frozen && (
        <p className="notice">
          These judgements are frozen: a next phase or a published list was made from them.
        </p>
      )}
      <div className="pairing-bar card">
        <span className="numbers" role="status">
          <b>
            {count(judged)} of {count(pairing.links.length)} pairs judged
          </b>
        </span>
        {manages && <Propose pairing={pairing} n_open={state.n_open} />}
      </div>
      <div className="worklist">
        <PairList state={state} />
        <PairView state={state} />
      </div>
      {manages && <Settings pairing={pairing} />}
      <ComparisonCard pairing={pairing} />
      {state.keysShown && <HelpSheet actions={state.actions} onClose={() => state.showKeys(false)} />}
    </main>
  );
}
