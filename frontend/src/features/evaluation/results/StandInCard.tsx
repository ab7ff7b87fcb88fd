import { DataTable } from "../../../components/DataTable";
import { CardFiles } from "../../../components/FileLinks";
import { Because, pWords } from "../../../components/intervals";
import { bounded, count } from "../../../text/format";
import { isReason, type Reason, type StandIn } from "../figures";

/** The alternative annotator test: can the system stand in for a person? */
export function StandInCard({ standIn }: { standIn: StandIn | Reason }) {
  const title = "Can it stand in for an annotator?";
  return (
    <section className="card stack" aria-label={title}>
      <div className="stack-tight">
        <h2>{title}</h2>
        <p className="small mute">
          The alternative annotator test (Calderon, Reichart and Dror 2025). The system is compared with each
          person in turn: which of them agrees more with the others?
        </p>
      </div>
      {isReason(standIn) ? <Because reason={standIn.reason} /> : <Tested standIn={standIn} title={title} />}
      <CardFiles stem="stand_in" />
    </section>
  );
}

function Tested({ standIn, title }: { standIn: StandIn; title: string }) {
  return (
    <>
      <p>
        <b>{standIn.passes ? "It passes the test." : "It does not pass the test."}</b> It beats{" "}
        {bounded(standIn.winning_rate)} of the people (winning rate; 0.50 passes), at ε ={" "}
        {standIn.epsilon.toFixed(2)}. Average advantage probability: {bounded(standIn.advantage)}.
      </p>
      <DataTable
        title={title}
        rows={standIn.comparisons}
        keyOf={({ annotator }) => annotator}
        columns={[
          ["Person", ({ annotator }) => (/^\d+$/.test(annotator) ? `Annotator ${annotator}` : annotator)],
          ["Items", ({ n }) => count(n), "number"],
          ["System agrees as much or more", ({ model_wins }) => bounded(model_wins), "number"],
          ["Person agrees as much or more", ({ annotator_wins }) => bounded(annotator_wins), "number"],
          ["p", ({ p }) => pWords(p), "number nowrap"],
          ["Result", ({ is_beaten }) => (is_beaten ? "beaten" : "not beaten")],
        ]}
      />
    </>
  );
}
