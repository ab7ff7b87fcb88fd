import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, Navigate, Outlet, useLocation, useMatch, useParams } from "react-router";
import { SaveStatus } from "../annotate/saving/SaveStatus";
import { isApiError } from "../api/errors";
import { projectQuery } from "../api/queries";
import type { Project } from "../api/types";
import { NotFoundPage } from "../components/NotFoundPage";
import { Failure, Loading } from "../components/states";
import { LeavingGuard } from "../kept/leaving";
import { OutboxProvider, useOutboxState } from "../outbox/OutboxProvider";
import { HeaderStatusContext } from "../session/HeaderStatus";
import { homeScreen } from "../session/homeScreen";
import { ProjectContext, useProject } from "../session/project";
import { RequireSession, useMe } from "../session/session";
import { ArchivedBanner } from "./ArchivedBanner";
import { Bell } from "./Bell";
import { NotForYouPage } from "./ErrorPage";
import { pageTitle, screensFor } from "./navigation";
import { FlatNav, MenuButton, SideNav } from "./ProjectNav";
import { SignOut } from "./SignOut";
import { WorkerHealth } from "./WorkerHealth";

/** So many screens stand beside each other in the header; more have a side bar with groups. */
const MOST_IN_A_ROW = 4;

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
  const listed = useMatch("/projects/:projectId/factoids/lists/:listId") !== null;
  const { data: project } = useQuery({ ...projectQuery(projectId ?? ""), enabled: Boolean(projectId) });
  const { pathname } = useLocation();
  const title = pageTitle(pathname, projectId && project?.name);
  const screens = project ? screensFor(project) : [];
  const isGrouped = screens.length > MOST_IN_A_ROW;
  const [menuOpen, setMenuOpen] = useState(false);
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <>
      <a className="skip-link button" href="#main">
        Skip to the page
      </a>
      <header className={`shell-header${screens.length > 1 && !isGrouped ? " some" : ""}`}>
        <Link className="brand" to="/">
          Quorum
        </Link>
        {project && (
          <span className="project mute" title={project.name}>
            {project.name}
          </span>
        )}
        {project && isGrouped && <MenuButton open={menuOpen} onChange={setMenuOpen} />}
        {project && !isGrouped && <FlatNav project={project} screens={screens} />}
        <div className="shell-status">
          <span ref={setStatusPlace} style={{ display: "contents" }} />
          {(labels || listed || entries.length > 0) && <SaveStatus />}
          <Bell />
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
      <div className={isGrouped ? "shell-body" : undefined}>
        {project && isGrouped && (
          <SideNav project={project} screens={screens} open={menuOpen} onChange={setMenuOpen} />
        )}
        <HeaderStatusContext value={statusPlace}>
          <div className="shell-page">
            <Outlet />
          </div>
        </HeaderStatusContext>
      </div>
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
