import { useState } from "react";
import { useRefresh } from "../../api/useRefresh";
import { RadioChoices } from "../../components/Choices";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Select } from "../../components/Select";
import { useProject } from "../../session/project";
import { counted } from "../../text/format";
import { factoidsApi, setsQuery } from "./api";
import { PeopleField } from "./People";
import type { Kind, TextSet } from "./types";

/** A new independent phase, for chosen people. */
export function OpenPhase({ set }: { set: TextSet }) {
  const { id: projectId } = useProject();
  const refresh = useRefresh();
  const published = set.consensus.toSorted((a, b) => b.version - a.version);
  const newest = published[0];
  const [asked, ask] = useState<{ kind: Kind | null; given: string; members: string[] }>({
    kind: null,
    given: "",
    members: [],
  });
  const kind = asked.kind ?? (newest ? "annotation" : "definition");
  const given = asked.given || newest?.id || "";
  const open = async () => {
    await factoidsApi.openPhase(set.id, {
      kind,
      members: asked.members,
      given: kind === "annotation" ? given : null,
      follows: null,
      step: "independent",
    });
    ask({ kind: null, given: "", members: [] });
    await refresh(setsQuery(projectId).queryKey);
  };
  return (
    <ConfirmButton
      button="Open a new phase"
      label={`Open a new phase of ${set.name}`}
      className={set.phases.length === 0 ? "button primary" : "button"}
      title={`Open a new phase of ${set.name}`}
      act="Open the phase"
      blocked={asked.members.length === 0}
      onConfirm={open}
    >
      {(errors) => (
        <>
          <RadioChoices<Kind>
            legend="What people do"
            value={kind}
            choices={[
              {
                value: "definition",
                text: "Define factoids",
                help: "Each makes a list of their own, and sees nobody else’s.",
              },
              {
                value: "annotation",
                text: "Mark a given list",
                help: newest
                  ? "Each says of every factoid in which texts it is."
                  : "It needs a published consensus list.",
                isOff: !newest,
              },
            ]}
            errors={errors.kind}
            onValue={(value) => ask({ ...asked, kind: value })}
          />
          {kind === "annotation" && (
            <Select
              label="The list that they mark"
              value={given}
              options={published.map(({ id, version, n_factoids }) => ({
                value: id,
                text: `Version ${version}, ${counted(n_factoids, "factoid")}`,
              }))}
              errors={errors.given}
              onValue={(value) => ask({ ...asked, given: value })}
            />
          )}
          <PeopleField
            legend="Who takes part?"
            values={asked.members}
            errors={errors.members}
            onValues={(members) => ask({ ...asked, members })}
          />
          <p className="hint small mute">Agreement needs two people or more. You can add others later.</p>
        </>
      )}
    </ConfirmButton>
  );
}
