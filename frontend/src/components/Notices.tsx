import { counted } from "../text/format";
import "./results.css";

/** More than these are folded, so that they do not push the figures away. */
const NOTICES_SHOWN = 2;

/** What the server has to say of it. `about`: what they are about, where they are folded. */
export function Notices({ notices, about }: { notices: readonly string[]; about: string }) {
  if (notices.length === 0) return null;
  const list = notices.map((notice) => <li key={notice}>{notice}</li>);
  if (notices.length <= NOTICES_SHOWN) return <ul className="notice warn reasons notices">{list}</ul>;
  return (
    <details className="notice warn more">
      <summary>
        {counted(notices.length, "notice")} about {about}
      </summary>
      <ul className="reasons notices">{list}</ul>
    </details>
  );
}
