import { Link } from "react-router";

export function NotFoundPage() {
  return (
    <main className="page narrow" id="main">
      <div className="card stack">
        <h1>Nothing here</h1>
        <p>There is no such page, or it is not yours to see. Nothing was lost.</p>
        <p>
          <Link className="button" to="/">
            Your projects
          </Link>
        </p>
      </div>
    </main>
  );
}
