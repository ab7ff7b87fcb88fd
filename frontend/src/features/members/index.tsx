import { useQuery } from "@tanstack/react-query";
import { membersQuery } from "../../api/members";
import { Failure, Loading } from "../../components/states";
import { TableCard } from "../../components/TableCard";
import { useProject } from "../../session/project";
import { Invites } from "./Invites";
import { MemberRow } from "./MemberRow";
import "../../components/admin.css";
import "./members.css";

export function Component() {
  const project = useProject();
  const { data: members, error, refetch } = useQuery(membersQuery(project.id));
  if (error && !members) return <Failure error={error} retry={refetch} />;
  if (!members) return <Loading what="the members" />;
  return (
    <main className="page" id="main">
      <div className="page-head">
        <h1>Members</h1>
        <p className="mute">
          People are deactivated, never deleted: what they labelled keeps counting, under the same pseudonym.
        </p>
      </div>
      <Invites project={project} />
      <TableCard title="Who belongs to the project">
        <table className="table members folds">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">In exports</th>
              <th scope="col">Role</th>
              <th scope="col" className="number">
                Assignments done
              </th>
              <th scope="col">State</th>
              <th scope="col">
                <span className="visually-hidden">Change</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {members.map((member) => (
              <MemberRow key={member.id} member={member} projectId={project.id} />
            ))}
          </tbody>
        </table>
      </TableCard>
    </main>
  );
}
