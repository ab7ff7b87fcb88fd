import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Copyable } from "../../components/Copyable";
import { DataTable } from "../../components/DataTable";
import { NotLoaded, Status } from "../../components/states";
import { count, sizeWords } from "../../text/format";
import { type Release, type ReleaseDetail, releaseQuery } from "./api";
import { CardView } from "./CardView";
import { loadingSnippet } from "./snippet";

/** Asked when it is first unfolded; the three parts share one answer. */
function OfRelease({ id, children }: { id: string; children: (detail: ReleaseDetail) => ReactNode }) {
  const { data, error, refetch } = useQuery(releaseQuery(id));
  if (error) return <NotLoaded what="The release" error={error} retry={refetch} />;
  if (!data) {
    return <Status>Loading the release</Status>;
  }
  return children(data);
}

export function LoadIt({ id }: { id: string }) {
  return (
    <OfRelease id={id}>
      {(detail) => (
        <div className="stack-tight">
          <Copyable text={loadingSnippet(detail)} what="Python lines" isBlock />
          <p className="small mute">
            With the package <code>datasets</code> of Hugging Face, beside the unpacked folder. The files are
            plain JSONL: anything else reads them too.
          </p>
        </div>
      )}
    </OfRelease>
  );
}

export function ReleasedCard({ id }: { id: string }) {
  return <OfRelease id={id}>{({ card }) => <CardView markdown={card} top={3} />}</OfRelease>;
}

export function Inside({ release }: { release: Release }) {
  const title = `Files of release ${release.number}`;
  return (
    <OfRelease id={release.id}>
      {({ files }) => (
        <div className="stack">
          <DataTable
            title={title}
            label={title}
            className="release-files"
            rows={files}
            keyOf={({ path }) => path}
            columns={[
              ["File", ({ path }) => path],
              ["Lines", ({ lines }) => (lines === null ? "–" : count(lines)), "number"],
              ["Size", ({ bytes }) => sizeWords(bytes), "number nowrap"],
              ["SHA-256", ({ sha256 }) => <code>{sha256}</code>],
            ]}
          />
          <p className="small mute">
            Check an unpacked folder with <code>sha256sum -c SHA256SUMS</code>.
          </p>
          <div className="stack-tight">
            <h3>SHA-256 of the ZIP file</h3>
            <Copyable text={release.sha256} what="hash of the ZIP file" />
          </div>
        </div>
      )}
    </OfRelease>
  );
}
