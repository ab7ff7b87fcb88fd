import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { isApiError } from "../../../api/errors";
import { Field } from "../../../components/Field";
import { Refusal } from "../../../components/Refusal";
import { counted } from "../../../text/format";
import { factoidsApi, pairingQuery } from "../api";
import type { Pairing } from "../types";
import { changedLinks, LINK_WORDS, type LinkChange } from "./pairs";

interface Change {
  threshold: number;
  description_weight: number;
}

/** Threshold and weight, and which links they changed. Judgements stay with their pairs. */
export function Settings({ pairing }: { pairing: Pairing }) {
  const client = useQueryClient();
  const [threshold, setThreshold] = useState(String(pairing.threshold));
  const [weight, setWeight] = useState(String(pairing.description_weight));
  const [changed, setChanged] = useState<{ links: LinkChange[]; before: Change } | null>(null);
  const changing = useMutation({
    mutationFn: (body: Change) => factoidsApi.changePairing(pairing.id, body),
    onSuccess: async (_, body) => {
      const now = await client.fetchQuery({ ...pairingQuery(pairing.id), staleTime: 0 });
      setThreshold(String(body.threshold));
      setWeight(String(body.description_weight));
      setChanged({ links: changedLinks(pairing.links, now.links), before: pairing });
    },
  });
  const errors = isApiError(changing.error) ? changing.error.fields : {};
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    changing.mutate({ threshold: Number(threshold), description_weight: Number(weight) });
  };
  const isSame = Number(threshold) === pairing.threshold && Number(weight) === pairing.description_weight;
  const isNumber = isShare(threshold) && isShare(weight);
  return (
    <form className="card stack" aria-labelledby="settings" onSubmit={submit} noValidate>
      <h2 id="settings">How they are linked</h2>
      <div className="form-grid">
        <Field
          label="Threshold"
          inputMode="decimal"
          value={threshold}
          hint="The least F of a strong link, from 0 to 1. The paper has 0.8."
          errors={isShare(threshold) ? errors.threshold : ["Type a number from 0 to 1."]}
          onValue={setThreshold}
        />
        <Field
          label="Weight of descriptions"
          inputMode="decimal"
          value={weight}
          hint="0 compares sentences alone, as the paper does. 1 compares the descriptions’ words alone."
          errors={isShare(weight) ? errors.description_weight : ["Type a number from 0 to 1."]}
          onValue={setWeight}
        />
      </div>
      <Refusal
        error={changing.error}
        placed={(field) => field === "threshold" || field === "description_weight"}
      />
      <div className="row">
        <button
          type="submit"
          className="button"
          disabled={changing.isPending || isSame || !isNumber || pairing.is_frozen}
        >
          Link them anew
        </button>
        {changed && (
          <button
            type="button"
            className="button quiet"
            disabled={changing.isPending}
            onClick={() => {
              const { threshold, description_weight } = changed.before;
              changing.mutate({ threshold, description_weight });
            }}
          >
            Back to {changed.before.threshold} and {changed.before.description_weight}
          </button>
        )}
      </div>
      <div role="status">{changed && <Changed links={changed.links} pairing={pairing} />}</div>
    </form>
  );
}

function isShare(typed: string): boolean {
  const value = Number(typed);
  return typed.trim() !== "" && value >= 0 && value <= 1;
}

function Changed({ links, pairing }: { links: readonly LinkChange[]; pairing: Pairing }) {
  const id = (key: string) =>
    [...pairing.first_factoids, ...pairing.second_factoids].find((each) => each.key === key)?.id ?? "?";
  if (links.length === 0) return <p>No link changed.</p>;
  return (
    <div className="stack-tight">
      <p>{counted(links.length, "pair")} changed:</p>
      <ul className="reasons line-faults numbers">
        {links.map(({ a, b, before, after }) => (
          <li key={`${a} ${b}`}>
            {id(a)} – {id(b)}: {LINK_WORDS[before].toLowerCase()}, now {LINK_WORDS[after].toLowerCase()}
          </li>
        ))}
      </ul>
    </div>
  );
}
