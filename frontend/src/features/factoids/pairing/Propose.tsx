import { useNavigate } from "react-router";
import { useRefresh } from "../../../api/useRefresh";
import { ConfirmButton } from "../../../components/ConfirmButton";
import { useProject } from "../../../session/project";
import { counted } from "../../../text/format";
import { factoidsApi, setsQuery } from "../api";
import { listPath } from "../paths";
import type { Pairing } from "../types";

/** A draft of the consensus list from the judged relations; it opens to be edited. */
export function Propose({ pairing, n_open }: { pairing: Pairing; n_open: number }) {
  const { id: projectId } = useProject();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const propose = async () => {
    const { id } = await factoidsApi.draft(pairing.set.id, { pairing: pairing.id, from: null });
    await refresh(setsQuery(projectId).queryKey);
    await navigate(listPath(projectId, id));
  };
  return (
    <ConfirmButton
      button="Propose a consensus list"
      className={n_open === 0 ? "button primary" : "button"}
      title="Propose a consensus list?"
      act="Propose the list"
      onConfirm={propose}
    >
      {n_open > 0 && (
        <p className="notice warn">
          {counted(n_open, "pair")} not judged yet. Both factoids of such a pair are kept.
        </p>
      )}
      <ul className="reasons">
        <li>Equal factoids become one, with A’s id and description and the sentences of both.</li>
        <li>Where one subsumes the other, both are kept. So is every factoid without a partner.</li>
        <li>An id of B that A uses too gets a prefix.</li>
      </ul>
      <p>The draft opens to be edited. Nothing is published yet.</p>
    </ConfirmButton>
  );
}
