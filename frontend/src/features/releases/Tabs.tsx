import { NavLink } from "react-router";
import { useProject } from "../../session/project";

/** The three pages about releases. `nOpen`: questions of the datasheet that only a person can answer, where it is known. */
export function Tabs({ nOpen }: { nOpen?: number | undefined }) {
  const base = `/projects/${useProject().id}/releases`;
  return (
    <nav className="release-tabs" aria-label="Release">
      <NavLink to={base} end>
        Releases
      </NavLink>
      <NavLink to={`${base}/datasheet`}>{nOpen ? `Datasheet (${nOpen} open)` : "Datasheet"}</NavLink>
      <NavLink to={`${base}/card`}>Card</NavLink>
    </nav>
  );
}
