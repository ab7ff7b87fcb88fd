import { at } from "../../browser/base";

/** What is stored about a person, for themselves. */
export function OwnData() {
  return (
    <section className="card stack" aria-labelledby="own-data">
      <h2 id="own-data">Your data</h2>
      <p className="mute small">
        A ZIP with all that is stored about you: your account, your answers with their revisions, your
        comments, and what the log says you did. You can download it ten times an hour. Keep it as safe as
        your password.
      </p>
      <div className="row">
        <a className="button" href={at("/api/me/data/")} download="quorum-my-data.zip">
          Download your data
        </a>
      </div>
    </section>
  );
}
