import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { meQuery } from "../../api/queries";
import { useAnnounce } from "../../components/Announcer";
import { NotLoaded, Status } from "../../components/states";
import { useProject } from "../../session/project";
import { isMaking, makingQuery, type Release, releasesQuery } from "./api";
import { MakeCard } from "./MakeCard";
import { ReleaseCard } from "./ReleaseCard";
import { Tabs } from "./Tabs";
import "../../components/admin.css";
import "./releases.css";

export function Component() {
  const project = useProject();
  const { data: me } = useQuery(meQuery);
  const { data, error, refetch } = useQuery(releasesQuery(project.id));
  const releases = data?.releases;
  useFinished(releases);
  const isBusy = releases?.some(isMaking) ?? false;
  return (
    <main className="page middle release-page" id="main">
      <div className="page-head">
        <h1>Release</h1>
        <p className="mute">
          A release is the dataset frozen as it is now: a numbered folder of labels, annotations, codebooks,
          round records, agreement and a card that describes it. It never changes again, so that a paper can
          cite it.
        </p>
      </div>
      <Tabs />
      {error && <NotLoaded what="The list of releases" error={error} retry={refetch} />}
      {!data && !error && <Status>Loading the releases</Status>}
      {releases?.filter(isMaking).map((release) => (
        <Making key={release.id} release={release} />
      ))}
      {data && releases && me && (
        <MakeCard
          key={`${project.id} ${me.id}`}
          number={nextNumber(releases)}
          unfinished={data.unfinished}
          nothingYet={data.nothing_yet}
          isBusy={isBusy}
          evaluations={data.evaluations}
          textSets={data.text_sets}
        />
      )}
      {releases
        ?.filter((release) => !isMaking(release))
        .map((release) => (
          <ReleaseCard key={release.id} release={release} isNewest={release.id === releases[0]?.id} />
        ))}
      {releases?.length === 0 && (
        <p className="mute">
          No release yet. Answer the datasheet first: what it says stands in the card of every release.
        </p>
      )}
    </main>
  );
}

/** How far it is by the second; once it is no more made, the list is asked again. */
function Making({ release }: { release: Release }) {
  const project = useProject();
  const client = useQueryClient();
  const { data: now } = useQuery(makingQuery(release.id));
  const isOver = now !== undefined && !isMaking(now);
  useEffect(() => {
    if (isOver) void client.invalidateQueries({ queryKey: releasesQuery(project.id).queryKey });
  }, [isOver, client, project.id]);
  return <ReleaseCard release={now && !isOver ? now : release} isNewest />;
}

/** Newest first; a failed one keeps its number. */
function nextNumber(releases: Release[]): number {
  return (releases[0]?.number ?? 0) + 1;
}

/** The end of one is said to those who cannot see it. */
function useFinished(releases: Release[] | undefined) {
  const announce = useAnnounce();
  const newest = releases?.[0];
  const state = newest?.state;
  const before = useRef(state);
  useEffect(() => {
    const wasMaking = before.current === "queued" || before.current === "running";
    if (newest && wasMaking && state === "done") announce(`Release ${newest.number} is done.`);
    if (newest && wasMaking && state === "failed") announce(`Release ${newest.number} failed.`);
    before.current = state;
  }, [newest, state, announce]);
}
