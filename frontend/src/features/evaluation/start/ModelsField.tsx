import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useRefresh } from "../../../api/useRefresh";
import { CheckChoices } from "../../../components/Choices";
import { Confirm } from "../../../components/Confirm";
import { ConfirmButton } from "../../../components/ConfirmButton";
import { useZone } from "../../../session/project";
import { moment } from "../../../text/format";
import { choicesQuery, evaluationApi, type LanguageModel } from "../api";
import { priceWords } from "../copy";
import type { PartProps } from "./spec";

/** Language models of the operator's file. One whose texts leave the server is approved by an admin once. */
export function ModelsField({ choices, spec, change, projectId }: PartProps & { projectId: string }) {
  const [asking, setAsking] = useState<LanguageModel | null>(null);
  const models = choices.language_models;
  const choose = (systems: string[]) => {
    const added = models.find(({ name }) => systems.includes(name) && !spec.systems.includes(name));
    if (added && needsApproval(added)) setAsking(added);
    else change({ systems });
  };
  if (choices.language_models_problem)
    return <p className="notice warn">{choices.language_models_problem}</p>;
  if (models.length === 0)
    return (
      <p className="notice">
        There are no language models here. The operator of the server names them in a file, to which
        QUORUM_LANGUAGE_MODELS points.
      </p>
    );
  return (
    <>
      <CheckChoices
        legend="Language models"
        values={spec.systems}
        choices={models.map((model) => ({
          value: model.name,
          text: model.title || model.name,
          help: aboutModel(model),
          isOff: model.problem !== "",
        }))}
        onValues={choose}
      />
      <Approved models={models} projectId={projectId} />
      {asking && (
        <Approve
          model={asking}
          projectId={projectId}
          onApproved={() => {
            change({ systems: [...spec.systems, asking.name] });
            setAsking(null);
          }}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}

function needsApproval({ is_remote, approved }: LanguageModel): boolean {
  return is_remote && approved === null;
}

function aboutModel(model: LanguageModel) {
  const where = model.is_remote
    ? `Texts go to ${model.destination}.${model.approved ? "" : " You are asked to approve that."}`
    : "Texts stay on this server.";
  return (
    <>
      {model.problem && <b className="model-problem">{model.problem} </b>}
      {model.model}. {where} {priceWords(model)}
    </>
  );
}

function useChoicesAnew(projectId: string) {
  const refresh = useRefresh();
  return () => refresh(choicesQuery(projectId).queryKey);
}

interface ApproveProps {
  model: LanguageModel;
  projectId: string;
  onApproved: () => void;
  onClose: () => void;
}

/** Asks once whether the project's texts may leave the server for this host. */
function Approve({ model, projectId, onApproved, onClose }: ApproveProps) {
  const anew = useChoicesAnew(projectId);
  const approving = useMutation({
    mutationFn: () => evaluationApi.approve(projectId, model),
    onSettled: anew,
    onSuccess: onApproved,
  });
  return (
    <Confirm
      title={`Send texts to ${model.destination}?`}
      act={`Approve sending texts to ${model.destination}`}
      busy={approving.isPending}
      error={approving.error}
      onConfirm={() => approving.mutate()}
      onClose={onClose}
    >
      <p>
        An evaluation with {model.title || model.name} sends texts of this project, with the context that a
        prompt names, to <b>{model.destination}</b>. They leave this server.
      </p>
      <p>
        Approve it only where the texts may be shared with that host. The approval holds for the whole
        project, and every admin can take it back. Nothing is sent yet.
      </p>
    </Confirm>
  );
}

/** Where texts may go, who approved it, and the way back. */
function Approved({ models, projectId }: { models: readonly LanguageModel[]; projectId: string }) {
  const zone = useZone();
  const anew = useChoicesAnew(projectId);
  const approved = models.filter((model) => model.is_remote && model.approved);
  if (approved.length === 0) return null;
  return (
    <ul className="plain-list small">
      {approved.map((model) => (
        <li key={model.name} className="row">
          <span>
            {model.title || model.name}: sending texts to <b>{model.destination}</b> was approved by{" "}
            {model.approved?.by}, {moment(model.approved?.at ?? "", zone)}.
          </span>
          <ConfirmButton
            button="Take the approval back"
            label={`Take the approval back: ${model.title || model.name}`}
            className="button quiet inline"
            title="Take the approval back?"
            act="Take the approval back"
            onConfirm={() => evaluationApi.takeBack(projectId, model).finally(anew)}
          >
            <p>
              No evaluation of this project can then be started with it, until an admin approves it again.
            </p>
          </ConfirmButton>
        </li>
      ))}
    </ul>
  );
}
