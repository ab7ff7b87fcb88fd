import type { Factoid } from "../../../api/factoids";
import { Select } from "../../../components/Select";
import { Switch } from "../../../components/Switch";
import { count } from "../../../text/format";
import { naturally } from "../../../text/natural";
import { RELATION_WORDS, RELATIONS } from "../copy";
import type { LinkKind, PairLink, Relation } from "../types";
import { keyOf, LINK_WORDS, linkKind, type Which } from "./pairs";
import type { PairingState } from "./usePairing";

/** The pairs by filter; strong links first, then weak ones, as the server orders them. */
export function PairList({ state }: { state: PairingState }) {
  const { pairing, filters, change, rows, n_open } = state;
  const n_links = pairing.links.length;
  const sizes: [Which, string, number | null][] = [
    ["all", "All", n_links],
    ["unjudged", "To judge", n_open],
    ["judged", "Judged", n_links - n_open],
    ["by-hand", "By hand", null],
  ];
  return (
    <section className="card stack" aria-labelledby="pairs">
      <h2 id="pairs">Pairs</h2>
      <Switch<Which>
        label="Which pairs"
        value={filters.which}
        options={sizes.map(([value, words, n]) => ({
          value,
          text: n === null ? words : `${words} (${count(n)})`,
        }))}
        onValue={(which) => change({ which })}
      />
      {filters.which === "by-hand" ? (
        <ByHand state={state} />
      ) : (
        <>
          <div className="pair-filters">
            <Select
              label="Relation"
              value={filters.relation}
              options={[
                { value: "", text: "Any, or none yet" },
                ...RELATIONS.map((value) => ({ value, text: RELATION_WORDS[value] })),
              ]}
              onValue={(value) => change({ relation: value as Relation | "" })}
            />
            <Select
              label="Link"
              value={filters.link}
              options={[
                { value: "", text: "Any" },
                ...Object.entries(LINK_WORDS).map(([value, text]) => ({ value, text })),
              ]}
              onValue={(value) => change({ link: value as LinkKind | "" })}
            />
          </div>
          {rows.length === 0 && <p className="mute">{emptyWords(state)}</p>}
          <ol className="worklist-rows">
            {rows.map((link) => (
              <Row key={keyOf(link)} link={link} state={state} />
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function emptyWords({ pairing, filters, n_open }: PairingState): string {
  if (pairing.links.length === 0) return "No two factoids share a sentence. Relate some under By hand.";
  if (filters.which === "unjudged" && n_open === 0) return "Every pair is judged.";
  return "No pair matches. Choose less above.";
}

function Row({ link, state }: { link: PairLink; state: PairingState }) {
  const [a, b] = [state.factoid(link.a), state.factoid(link.b)];
  const isCurrent = state.current?.a === link.a && state.current.b === link.b;
  return (
    <li>
      <button
        type="button"
        ref={(button) => state.hold(link, button)}
        aria-current={isCurrent || undefined}
        onClick={() => state.go(link)}
      >
        <span className="pair-row-head small numbers">
          <b>
            {a?.id} – {b?.id}
          </b>
          <span>{LINK_WORDS[linkKind(link.direction)]}</span>
          <span>{link.f.toFixed(3)}</span>
          {link.relation && <span className="tag ok">{RELATION_WORDS[link.relation]}</span>}
        </span>
        <span className="row-text" dir="auto">
          {a?.description || "(no description)"}
        </span>
      </button>
    </li>
  );
}

/** Any two factoids, such as those that the machine linked to none. */
function ByHand({ state }: { state: PairingState }) {
  const { unlinked, first, second, first_factoids, second_factoids } = state.pairing;
  const { a = "", b = "" } = state.current ?? {};
  return (
    <>
      <p className="small mute">
        Relate any two factoids, whether the machine linked them or not. The judged pair joins the list.
      </p>
      <Chosen
        label={`A · ${first.name}`}
        value={a}
        factoids={first_factoids}
        onValue={(key) => state.relate(key, b)}
      />
      <Chosen
        label={`B · ${second.name}`}
        value={b}
        factoids={second_factoids}
        onValue={(key) => state.relate(a, key)}
      />
      <h3>Without any link</h3>
      {unlinked.a.length + unlinked.b.length === 0 && (
        <p className="mute small">None: every factoid has a link.</p>
      )}
      <Side title={`A · ${first.name}`} keys={unlinked.a} state={state} side="a" />
      <Side title={`B · ${second.name}`} keys={unlinked.b} state={state} side="b" />
    </>
  );
}

interface ChosenProps {
  label: string;
  value: string;
  factoids: readonly Factoid[];
  onValue: (key: string) => void;
}

function Chosen({ label, value, factoids, onValue }: ChosenProps) {
  return (
    <Select
      label={label}
      value={value}
      options={[
        { value: "", text: "Choose a factoid" },
        ...factoids.toSorted(naturally).map(({ key, id, description }) => ({
          value: key,
          text: `${id} ${description}`,
        })),
      ]}
      onValue={onValue}
    />
  );
}

interface SideProps {
  title: string;
  keys: readonly string[];
  state: PairingState;
  side: "a" | "b";
}

function Side({ title, keys, state, side }: SideProps) {
  const found = keys.map(state.factoid).filter((each): each is Factoid => each !== null);
  if (found.length === 0) return null;
  return (
    <>
      <h4 className="small">{title}</h4>
      <ol className="worklist-rows">
        {found.map(({ key, id, description }) => (
          <li key={key}>
            <button
              type="button"
              aria-current={state.current?.[side] === key || undefined}
              onClick={() => (side === "a" ? state.relate(key, "") : state.relate("", key))}
            >
              <b className="small">{id}</b>
              <span className="row-text" dir="auto">
                {description || "(no description)"}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}
