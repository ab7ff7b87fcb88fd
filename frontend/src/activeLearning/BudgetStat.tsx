import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { ofProject, patch } from "../api/client";
import { isApiError } from "../api/errors";
import { insightsKey } from "../api/insights";
import { projectQuery, projectsQuery } from "../api/queries";
import type { Project } from "../api/types";
import { useRefresh } from "../api/useRefresh";
import { useAnnounce } from "../components/Announcer";
import { CancelButton, Dialog } from "../components/Dialog";
import { Field } from "../components/Field";
import { Refusal } from "../components/Refusal";
import { Stat } from "../components/Stat";
import { count } from "../text/format";

interface BudgetStatProps {
  project: Project;
  /** Items of round batches; a prototype batch costs none. */
  spent: number;
  total: number | null;
}

/** What was spent and is left; an admin changes it here. */
export function BudgetStat({ project, spent, total }: BudgetStatProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Stat title="Budget" value={count(spent)} of={total !== null && `of ${count(total)}`}>
        {total === null
          ? "items issued; no budget is set"
          : `items issued, ${count(Math.max(0, total - spent))} left`}{" "}
        <button type="button" className="button quiet inline" onClick={() => setOpen(true)}>
          {total === null ? "Set a budget" : "Change the budget"}
        </button>
      </Stat>
      {isOpen && <BudgetDialog {...{ project, spent, total }} onClose={() => setOpen(false)} />}
    </>
  );
}

function BudgetDialog({ project, spent, total, onClose }: BudgetStatProps & { onClose: () => void }) {
  const [typed, setTyped] = useState(total === null ? "" : String(total));
  const [fault, setFault] = useState<string[]>();
  const save = useSave(project.id, onClose);
  const refused = isApiError(save.error) ? save.error.fields.annotation_budget : undefined;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const found = budgetFault(typed);
    setFault(found);
    if (!found) save.mutate(typed.trim() === "" ? null : Number(typed));
  };
  return (
    <Dialog title="Annotation budget" onClose={onClose}>
      <form className="stack" onSubmit={submit} noValidate>
        <Field
          label="Items in all"
          inputMode="numeric"
          value={typed}
          data-first-focus
          hint={`How many items the rounds may give out in all; ${count(spent)} are spent. A prototype batch costs none. Empty: no limit.`}
          errors={fault ?? refused}
          onValue={setTyped}
        />
        <Refusal error={save.error} placed={(field) => field === "annotation_budget"} />
        <div className="row">
          <button type="submit" className="button primary" disabled={save.isPending}>
            Save the budget
          </button>
          <CancelButton onClose={onClose} />
        </div>
      </form>
    </Dialog>
  );
}

function budgetFault(typed: string): string[] | undefined {
  return /^\s*([1-9]\d*)?\s*$/.test(typed) ? undefined : ["Write a whole number of 1 or more, or nothing."];
}

function useSave(projectId: string, onSaved: () => void) {
  const client = useQueryClient();
  const refresh = useRefresh();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: (annotation_budget: number | null) =>
      patch("/api/projects/{project_id}/", { ...ofProject(projectId), body: { annotation_budget } }),
    onSuccess: async (project) => {
      client.setQueryData(projectQuery(projectId).queryKey, project);
      announce("The budget is saved.");
      onSaved();
      await refresh(insightsKey(projectId), ["rounds", projectId], projectsQuery.queryKey);
    },
  });
}
