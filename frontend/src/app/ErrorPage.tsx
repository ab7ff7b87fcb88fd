import { isRouteErrorResponse, Link, useRouteError } from "react-router";
import { errorWords, isApiError } from "../api/errors";
import { withArticle } from "../api/roles";
import type { Project } from "../api/types";
import { NotFoundPage } from "../components/NotFoundPage";
import { homeScreen } from "../session/homeScreen";

interface NotForYouProps {
  project: Project;
  /** What the page asks of a member. */
  needs: Project["may"][number];
}

const WHOM = {
  manage: "those who run the project",
  rate: "those who annotate",
  resolve: "those who adjudicate",
  group: "those who annotate or adjudicate",
} satisfies Record<NotForYouProps["needs"], string>;

export function NotForYouPage({ project, needs }: NotForYouProps) {
  return (
    <main className="page narrow" id="main">
      <div className="card stack">
        <h1>This page is for {WHOM[needs]}</h1>
        <p>
          You are {withArticle(project.role)} in {project.name}. An admin of the project can give you another
          role.
        </p>
        <p>
          <Link className="button" to={`/projects/${project.id}/${homeScreen(project)}`}>
            To your own page
          </Link>
        </p>
      </div>
    </main>
  );
}

/** What is shown when a page breaks: what happened and what to do. */
export function ErrorPage() {
  const error = useRouteError();
  if (isApiError(error, 404) || (isRouteErrorResponse(error) && error.status === 404))
    return <NotFoundPage />;
  return (
    <main className="page narrow" id="main">
      <div className="card stack">
        <h1>This page broke</h1>
        <p>
          {isRouteErrorResponse(error) ? error.statusText : errorWords(error)} Answers that you submitted are
          kept in this browser until the server has them.
        </p>
        <div className="row">
          <button type="button" className="button primary" onClick={() => window.location.reload()}>
            Load the page again
          </button>
          <Link className="button" to="/">
            Your projects
          </Link>
        </div>
      </div>
    </main>
  );
}
