import { useQuery, useQueryClient } from "@tanstack/react-query";
import { People } from "../../../activeLearning/People";
import { useRefresh } from "../../../api/useRefresh";
import { ConfirmButton } from "../../../components/ConfirmButton";
import { Meter } from "../../../components/Meter";
import { NotLoaded } from "../../../components/states";
import { count, counted } from "../../../text/format";
import { type LookPlace, secondLook, secondLooksQuery } from "../api";

/** Phase 2 without discussion: people get their own items on which others differ once more. */
export function SecondLookCard({ projectId }: { projectId: string }) {
  const { data, error, refetch } = useQuery(secondLooksQuery(projectId));
  return (
    <section className="card stack" aria-labelledby="second-looks">
      <h2 id="second-looks">Second look</h2>
      <p className="small mute">
        After a batch is complete, people may look again at their own items on which somebody else’s answer
        differs, without discussion, and confirm or correct them. The independent answers (phase 1) are frozen
        and stay as they are; agreement is reported for both phases, and a consensus may be recorded after.
      </p>
      {error && !data && <NotLoaded what="The second looks" error={error} retry={refetch} />}
      {data?.rounds.length === 0 && <p className="small mute">No round has a batch yet.</p>}
      {data && data.rounds.length > 0 && (
        <ul className="looks">
          {data.rounds.map((place) => (
            <Place key={place.round_id} place={place} projectId={projectId} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Place({ place, projectId }: { place: LookPlace; projectId: string }) {
  const client = useQueryClient();
  const refresh = useRefresh();
  const act = async (which: "open" | "close") => {
    client.setQueryData(secondLooksQuery(projectId).queryKey, await secondLook(place.round_id, which));
    await refresh(["disagreements", projectId]);
  };
  const look = place.second_look;
  return (
    <li className="stack-tight">
      <div className="row">
        <span className="numbers">
          <b>Round {place.number}</b>: answers differ on {count(place.n_differing)} of{" "}
          {counted(place.size, "item")}.
        </span>
        {place.may_open && (
          <ConfirmButton
            button="Open a second look"
            title={`Second look at round ${place.number}?`}
            act="Freeze and open it"
            onConfirm={() => act("open")}
          >
            <p>
              The answers of this round are frozen for good. Everyone gets those of the{" "}
              {counted(place.n_differing, "item")} that they answered themselves, with their own answer filled
              in and the questions named at which somebody’s differs. Labels, names and comments of others
              stay hidden; who has looked at the others’ answers to an item already does not get it again.
            </p>
            <p>
              <b>One exception to blindness:</b> where two people answered and a question has two labels, such
              as yes and no, being told that the answers differ tells the other’s label. That cannot be
              hidden, and is why the independent answers are frozen first.
            </p>
          </ConfirmButton>
        )}
        {look && !look.closed && (
          <ConfirmButton
            button="Close it"
            title={`Close the second look at round ${place.number}?`}
            act="Close it"
            onConfirm={() => act("close")}
          >
            <p>
              Its answers can no longer be given or changed. Where somebody has not looked again, their first
              answer counts in phase 2 too.
            </p>
          </ConfirmButton>
        )}
      </div>
      {!place.may_open && !look && <p className="small mute">{place.reason}</p>}
      {look && (
        <>
          <p className="small numbers">
            Second look at {counted(look.size, "item")}: {count(look.done)} of {count(look.total)} done
            {look.closed ? ", closed." : look.complete ? ", complete." : "."}
          </p>
          <Meter share={look.total === 0 ? 0 : look.done / look.total} />
          <People people={look.annotators} />
        </>
      )}
    </li>
  );
}
