import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link, Navigate, NavLink, Outlet, useLocation, useMatch, useParams } from "react-router";
import { isApiError } from "../api/errors";
import { projectQuery } from "../api/queries";
import type { Project } from "../api/types";
import { at } from "../browser/base";
import { NotFoundPage } from "../components/NotFoundPage";
import { Failure, Loading } from "../components/states";
import { LeavingGuard } from "../kept/leaving";
import { OutboxProvider, useOutboxState } from "../outbox/OutboxProvider";
import { SaveStatus } from "../outbox/SaveStatus";
import { HeaderStatusContext } from "../session/HeaderStatus";
import { homeScreen } from "../session/homeScreen";
import { ProjectContext, useProject } from "../session/project";
import { RequireSession, useMe } from "../session/session";
import { ArchivedBanner } from "./ArchivedBanner";
import { NotForYouPage } from "./ErrorPage";
import { pageTitle, type Screen, screensFor } from "./navigation";
import { SignOut } from "./SignOut";
import { WorkerHealth } from "./WorkerHealth";

export function AppShell() {
  return (
    <RequireSession>
      <WithOutbox />
    </RequireSession>
  );
}

function WithOutbox() {
  const me = useMe();
  return (
    <OutboxProvider key={me.id} userId={me.id}>
      <Frame />
    </OutboxProvider>
  );
}

function Frame() {
  const [statusPlace, setStatusPlace] = useState<HTMLElement | null>(null);
  const { projectId } = useParams();
  const { entries } = useOutboxState();
  const me = useMe();
  // The labelling screen holds what labelling needs: saved or not, and no machinery.
  const labels = useMatch("/projects/:projectId/label/*") !== null;
  const { data: project } = useQuery({ ...projectQuery(projectId ?? ""), enabled: Boolean(projectId) });
  const { pathname } = useLocation();
  const title = pageTitle(pathname, projectId && project?.name);
  const screens = project ? screensFor(project) : [];
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <>
      <a className="skip-link button" href="#main">
        Skip to the page
      </a>
      <header className={`shell-header ${amountOf(screens)}`}>
        <Link className="brand" to="/">
          Quorum
        </Link>
        {project && <ProjectNav project={project} screens={screens} />}
        <div className="shell-status">
          <span ref={setStatusPlace} style={{ display: "contents" }} />
          {(labels || entries.length > 0) && <SaveStatus />}
          {project?.may.includes("manage") && !labels && <WorkerHealth projectId={project.id} />}
          {!labels && (
            <Link
              className={`button quiet${projectId ? " where-room" : ""}`}
              to="/account"
              title={`Signed in as ${me.display_name}`}
            >
              Your account
            </Link>
          )}
          <SignOut />
        </div>
      </header>
      <LeavingGuard />
      <HeaderStatusContext value={statusPlace}>
        <Outlet />
      </HeaderStatusContext>
    </>
  );
}

/** One screen stands beside the rest, a few do where there is room, many have a row of their own. */
function amountOf({ length }: readonly Screen[]): "" | "some" | "many" {
  if (length > 4) return "many";
  return length > 1 ? "some" : "";
}

function ProjectNav({ project, screens }: { project: Project; screens: readonly Screen[] }) {
  const { pathname } = useLocation();
  const nav = useRef<HTMLElement>(null);
  // On a phone the list scrolls sideways: where one is must be in sight.
  useEffect(() => {
    const links = nav.current?.querySelectorAll("a") ?? [];
    const here = [...links].find((link) => at(pathname).startsWith(link.pathname));
    here?.scrollIntoView?.({ block: "nearest", inline: "nearest" });
  }, [pathname]);
  return (
    <>
      <span className="project mute" title={project.name}>
        {project.name}
      </span>
      <nav ref={nav} className="shell-nav" aria-label="Project">
        {screens.map((screen) => (
          <NavLink key={screen.name} to={`/projects/${project.id}/${screen.name}`}>
            {screen.title}
          </NavLink>
        ))}
      </nav>
    </>
  );
}

/** Loads the project of the address and gives it to the screens inside. */
export function ProjectShell() {
  const { projectId = "" } = useParams();
  const { data: project, error, refetch } = useQuery(projectQuery(projectId));
  if (project) {
    return (
      <ProjectContext value={project}>
        <ArchivedBanner project={project} />
        <Outlet />
      </ProjectContext>
    );
  }
  if (isApiError(error, 404)) return <NotFoundPage />;
  if (error) return <Failure error={error} retry={refetch} />;
  return <Loading what="the project" />;
}

export function ProjectHome() {
  return <Navigate to={homeScreen(useProject())} replace />;
}

/** A screen whose every request would be refused says so, instead of offering what cannot be done. */
export function ForCapable({ needs }: { needs?: Project["may"][number] }) {
  const project = useProject();
  return !needs || project.may.includes(needs) ? (
    <Outlet />
  ) : (
    <NotForYouPage project={project} needs={needs} />
  );
}
