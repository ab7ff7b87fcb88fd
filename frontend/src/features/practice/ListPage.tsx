import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { standingWords } from "../../activeLearning/practiceWords";
import { type Practice, practiceApi, practicesQuery } from "../../api/practice";
import type { Project } from "../../api/types";
import { useRefresh } from "../../api/useRefresh";
import { ConfirmButton } from "../../components/ConfirmButton";
import { DataTable } from "../../components/DataTable";
import { NotLoaded, Status } from "../../components/states";
import { marksWords, stateWords } from "./copy";
import { MakeForm } from "./MakeForm";
import { RequiredButton } from "./RequiredButton";

/** The practices, with who passed. */
export function ListPage({ project }: { project: Project }) {
  const { data, error, refetch } = useQuery(practicesQuery(project.id));
  return (
    <>
      {project.has_stages && <MakeForm project={project} />}
      {error && !data && <NotLoaded what="The list of practices" error={error} retry={refetch} />}
      {!data && !error && <Status>Loading the practices</Status>}
      {data?.practices.map((practice) => (
        <PracticeCard key={practice.id} practice={practice} projectId={project.id} />
      ))}
    </>
  );
}

function PracticeCard({ practice, projectId }: { practice: Practice; projectId: string }) {
  const refresh = useRefresh();
  const renew = () => refresh(practicesQuery(projectId).queryKey);
  const { id, title } = practice;
  const isOpen = practice.opened_at !== null && practice.closed_at === null;
  return (
    <section className="card stack" aria-labelledby={`practice-${id}`}>
      <div className="stack-tight">
        <h2 id={`practice-${id}`}>{title}</h2>
        <p className="small mute">
          {marksWords(practice)}; {stateWords(practice)}.{practice.is_required && " Rounds require it."}
        </p>
      </div>
      {practice.people.length > 0 && (
        <DataTable
          title={`Who passed ${title}`}
          rows={practice.people}
          keyOf={(person) => person.id}
          columns={[
            ["Name", (person) => person.display_name],
            ["Standing", standingWords],
            [
              "Attempts",
              ({ attempts }) =>
                attempts.length === 0 ? "none" : `${attempts.length} of ${practice.attempts}`,
            ],
          ]}
        />
      )}
      <div className="row">
        <Link className="button" to={`/projects/${projectId}/practice/${id}`}>
          {practice.opened_at ? "Look at items and key" : "Write the key"}
        </Link>
        <RequiredButton practice={practice} onDone={renew} />
        {isOpen && (
          <ConfirmButton
            button="Close"
            label={`Close the practice ${title}`}
            title={`Close the practice ${title}?`}
            act="Close the practice"
            onConfirm={() => practiceApi.close(id).finally(renew)}
          >
            <p>Nobody can begin it any more. Attempts that were begun go on, and results stay.</p>
          </ConfirmButton>
        )}
        {practice.opened_at === null && (
          <ConfirmButton
            button="Remove"
            label={`Remove the practice ${title}`}
            className="button quiet"
            title={`Remove the practice ${title}?`}
            act="Remove the practice"
            danger
            onConfirm={() => practiceApi.remove(id).finally(renew)}
          >
            <p>Its key is lost, and its items return to the pool. Nobody has seen it yet.</p>
          </ConfirmButton>
        )}
      </div>
    </section>
  );
}
