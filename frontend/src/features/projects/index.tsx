import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { projectsQuery } from "../../api/queries";
import { withArticle } from "../../api/roles";
import type { Project } from "../../api/types";
import { Failure, Loading } from "../../components/states";
import { homeScreen } from "../../session/homeScreen";
import { useMe } from "../../session/session";
import { counted, moment } from "../../text/format";
import { NewProject } from "./NewProject";
import { progressWords } from "./progress";
import { Waiting } from "./Waiting";
import "./projects.css";
import { useZoneOf } from "../../session/project";

export function Component() {
  const me = useMe();
  const { data: projects, error, refetch } = useQuery(projectsQuery);
  if (error) return <Failure error={error} retry={refetch} />;
  if (!projects) return <Loading what="your projects" />;
  return (
    <main className="page narrow" id="main">
      <div className="page-head">
        <h1>Your projects</h1>
        <p className="mute">Signed in as {me.display_name}</p>
      </div>
      {projects.length === 0 && <NoProjects mayCreate={me.can_create_projects} />}
      <ProjectList projects={projects.filter(({ archived_at }) => !archived_at)} />
      <Archived projects={projects.filter(({ archived_at }) => archived_at)} />
      {me.can_create_projects && <NewProject />}
    </main>
  );
}

function ProjectList({ projects }: { projects: Project[] }) {
  return (
    <ul className="project-list">
      {projects.map((project) => (
        <li key={project.id}>
          <ProjectCard project={project} />
        </li>
      ))}
    </ul>
  );
}

function Archived({ projects }: { projects: Project[] }) {
  if (projects.length === 0) return null;
  return (
    <details className="more">
      <summary>{counted(projects.length, "archived project")}</summary>
      <ProjectList projects={projects} />
    </details>
  );
}

function NoProjects({ mayCreate }: { mayCreate: boolean }) {
  return (
    <p className="card">
      No projects yet.{" "}
      {mayCreate
        ? "Start one below: give it a name, then import a corpus and write its codebook."
        : "A project's admin invites you with a link; open it and the project appears here."}
    </p>
  );
}

function ProjectCard({ project }: { project: Project }) {
  const zone = useZoneOf(project);
  const progress = project.my_progress;
  const open = progress?.state === "ok" && !project.archived_at;
  const settles = !project.archived_at && !project.may.includes("rate") && !open;
  return (
    <article className="card project-card">
      <div className="stack">
        <h2>
          <Link to={`/projects/${project.id}/${homeScreen(project)}`}>{project.name}</Link>
        </h2>
        {project.description && <p className="mute">{project.description}</p>}
        {project.deletes_at && (
          <p className="small">
            <b>Will be deleted on {moment(project.deletes_at, zone)}.</b>
          </p>
        )}
        <p className="small">
          {progressWords(project)}
          <span className="mute">
            {" "}
            · you are {withArticle(project.role)} · {project.owner} answers for it
          </span>
        </p>
        <Waiting project={project} />
        {open && progress.total > 0 && (
          <span className="bar" aria-hidden="true">
            <i style={{ width: `${(100 * progress.done) / progress.total}%` }} />
          </span>
        )}
      </div>
      {open && (
        <Link className="button primary" to={`/projects/${project.id}/label`}>
          {progress.done === 0 ? "Start" : "Go on"}
          <span className="visually-hidden">labelling in {project.name}</span>
        </Link>
      )}
      {settles && (
        <Link className="button primary" to={`/projects/${project.id}/${homeScreen(project)}`}>
          {project.has_spans ? "Validate" : "Decide disagreements"}
          <span className="visually-hidden">in {project.name}</span>
        </Link>
      )}
    </article>
  );
}
