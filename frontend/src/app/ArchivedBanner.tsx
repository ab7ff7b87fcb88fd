import { Link } from "react-router";
import type { Project } from "../api/types";
import { useZoneOf } from "../session/project";
import { moment } from "../text/format";

/** Says on every page of an archived project why nothing in it can be changed, and who mends it. */
export function ArchivedBanner({ project }: { project: Project }) {
  const zone = useZoneOf(project);
  if (!project.archived_at) return null;
  return (
    <p className="notice warn archived" role="status">
      <b>This project is archived.</b>{" "}
      {project.deletes_at && `It will be deleted on ${moment(project.deletes_at, zone)}. `}
      Nothing in it can be answered or changed.{" "}
      {project.may.includes("manage") ? (
        <Link to={`/projects/${project.id}/settings`}>Restore it under Settings</Link>
      ) : (
        "One of its admins can restore it."
      )}
    </p>
  );
}
