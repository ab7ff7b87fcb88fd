import { useState } from "react";
import { Link } from "react-router";
import { type Names, type Of, SEED, type Style, seedOf } from "../../api/exports";
import type { Project } from "../../api/types";
import { RadioChoices } from "../../components/Choices";
import { Field } from "../../components/Field";
import { KindCard } from "./KindCard";

interface SpanKindsProps {
  project: Project;
  names: Names;
  /** Whether the codebook names a target category. */
  targets: boolean;
}

/** The files about marked spans, for a codebook that has a span layer. */
export function SpanKinds({ project, names, targets }: SpanKindsProps) {
  const [of, setOf] = useState<Of>("all");
  const [style, setStyle] = useState<Style>("spaces");
  const [typed, setTyped] = useState(String(SEED));
  const seed = seedOf(typed);
  return (
    <>
      <div className="page-head">
        <h2 className="span-heading">Spans</h2>
        <p className="mute">
          What people marked in the texts, in five forms.{" "}
          <Link to={`/projects/${project.id}/dataset`}>What the data set comes to</Link>: sources, targets,
          lengths and categories in tables.
        </p>
      </div>
      <div className="card form-grid">
        <OfChoice of={of} onOf={setOf} />
        <StyleChoice style={style} targets={targets} onStyle={setStyle} />
        {targets && (
          <Field
            label="Seed of the split"
            inputMode="numeric"
            value={typed}
            hint="The same seed gives the same training, validation and test parts."
            errors={seed === null ? ["Write a whole number."] : undefined}
            onValue={setTyped}
          />
        )}
      </div>
      <KindCard project={project} asked={{ kind: "spans", names, of }} title="Text and spans">
        One line a person and item: the text as it was imported, and beside it each span with its place, its
        words, category, comment and the source document it means. Everything is in it. {importWords(of)}
      </KindCard>
      <KindCard project={project} asked={{ kind: "text", names, of, style }} title="Text form">
        One line a person and item: the whole text with a marker before and after each span, and comments in
        parentheses. What a text-to-text model reads; it can be turned back without loss.
      </KindCard>
      {targets && (
        <KindCard
          project={project}
          asked={{ kind: "targets", names, of, style, seed: seed ?? SEED }}
          title="Targets"
        >
          One line for each source document that a person’s target sentences are about: these sentences alone,
          as text form and as spans, the source’s text, and the part of the split it falls into. Pairs to
          train on.
        </KindCard>
      )}
      <KindCard project={project} asked={{ kind: "conll", names, of }} format="CoNLL" title="CoNLL">
        A token a line, a BIO column for each category. It cannot hold everything: the head of the file says
        what is left out and how often.
      </KindCard>
      <KindCard project={project} asked={{ kind: "webannotation", names, of }} title="Web Annotation">
        One W3C Web Annotation (JSON-LD) for each span: category as a tag, the comment, the source as a link.
      </KindCard>
    </>
  );
}

/** An import takes each id once. */
function importWords(of: Of): string {
  return of === "validated"
    ? "It can be imported again, with the spans as marks to start from."
    : "An item has as many lines here as people marked it, and cannot be imported again like this: choose the validated ones for that, one line an item.";
}

function OfChoice({ of, onOf }: { of: Of; onOf: (of: Of) => void }) {
  return (
    <RadioChoices<Of>
      legend="Whose spans"
      value={of}
      choices={[
        { value: "all", text: "Everyone’s", help: "Each annotator’s, and the validated ones, told apart." },
        { value: "annotators", text: "The annotators’", help: "What each of them submitted." },
        {
          value: "validated",
          text: "The validated ones",
          help: "What a senior person accepted or edited: one an item, for release.",
        },
      ]}
      onValue={onOf}
    />
  );
}

const EXAMPLES: Record<Style, string> = {
  spaces: "[ACT START] … [ACT END], as the paper prints it",
  underscores: "[ACT_START] … [ACT_END], as its authors’ code has it",
  angle: "<ACT_START> … <ACT_END>, one token each for a tokenizer",
};

interface StyleChoiceProps {
  style: Style;
  targets: boolean;
  onStyle: (style: Style) => void;
}

function StyleChoice({ style, targets, onStyle }: StyleChoiceProps) {
  return (
    <RadioChoices<Style>
      legend={targets ? "Markers of text form and targets" : "Markers of the text form"}
      value={style}
      choices={[
        { value: "spaces", text: "With spaces", help: EXAMPLES.spaces },
        { value: "underscores", text: "With underscores", help: EXAMPLES.underscores },
        { value: "angle", text: "In angle brackets", help: EXAMPLES.angle },
      ]}
      onValue={onStyle}
    />
  );
}
