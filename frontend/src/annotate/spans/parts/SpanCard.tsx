import { memo, useId } from "react";
import type { SpanCategory, SpanLayer } from "../../../api/types";
import { Key } from "../../../components/Key";
import { Quote } from "../../../components/Quote";
import { colorOf, nameOf } from "../model/categories";
import { categoryOf } from "../model/editor";
import { COMMENT_LENGTH } from "../model/rules";
import type { EditorSpan } from "../model/types";
import type { SpanCommands } from "../spanCommands";
import { SmallButton } from "./SmallButton";
import { SourceField, type SourceFieldProps } from "./SourceField";
import { useTyping } from "./useTyping";

interface SpanLineProps {
  span: EditorSpan;
  layer: SpanLayer;
  quote: string;
  source: string | undefined;
  /** Something is wrong with it, or missing in it. */
  isFaulty: boolean;
  onSelectSpan: (id: number) => void;
}

/** A span in the list; choosing it selects it. */
export const SpanLine = memo(function SpanLine({
  span,
  layer,
  quote,
  source,
  isFaulty,
  onSelectSpan,
}: SpanLineProps) {
  return (
    <button
      type="button"
      className="span-line"
      style={{ borderInlineStartColor: colorOf(layer, span.category) }}
      onClick={() => onSelectSpan(span.id)}
    >
      <span className="span-line-head">
        <b>{nameOf(layer, span.category)}</b> <Quote quote={quote} longest={70} />
      </span>
      <span className="span-line-more" dir="auto">
        {isFaulty && <em>not complete </em>}
        {source && <span>→ {source} </span>}
        {span.comment}
      </span>
    </button>
  );
});

interface SpanCardProps extends SourceFieldProps {
  layer: SpanLayer;
  quote: string;
  faults: readonly string[];
  spanCommands: SpanCommands;
  canRemark: boolean;
  onComment: (comment: string) => void;
}

/** The selected span: its comment, its source, its ends. */
export function SpanCard(props: SpanCardProps) {
  const { span, layer, quote, faults } = props;
  const category = categoryOf(layer, span.category);
  const id = useId();
  return (
    <section
      ref={props.focus.cardRef}
      className="span-card"
      style={{ borderInlineStartColor: colorOf(layer, span.category) }}
      aria-labelledby={id}
    >
      <p id={id}>
        <b>{nameOf(layer, span.category)}</b> <Quote quote={quote} longest={160} />
      </p>
      {faults.map((words) => (
        <p key={words} className="span-fault">
          {words}
        </p>
      ))}
      <CommentField {...props} category={category} />
      {category?.refers && props.sources.length > 0 && <SourceField {...props} />}
      <Ends {...props} />
    </section>
  );
}

function CommentField(props: SpanCardProps & { category: SpanCategory | undefined }) {
  const { span, category, onComment, onLeave, focus } = props;
  const typing = useTyping(span.comment, onComment);
  const id = useId();
  if (category?.comment === "none" && typing.value === "") return null;
  return (
    <div className="field">
      <label htmlFor={id}>
        Comment{category?.comment === "required" && " (needed)"} <Key name="m" />
      </label>
      <textarea
        id={id}
        ref={focus.commentRef}
        className="input"
        data-span-comment=""
        dir="auto"
        rows={2}
        value={typing.value}
        maxLength={COMMENT_LENGTH}
        aria-describedby={`${id}-hint`}
        onChange={(event) => typing.type(event.currentTarget.value)}
        onBlur={typing.settle}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey) typing.settle();
          if (event.key !== "Escape") return;
          event.preventDefault();
          onLeave();
        }}
      />
      <span className="hint" id={`${id}-hint`}>
        Esc leads back to the text.
      </span>
    </div>
  );
}

function Ends({ spanCommands, keys: { commands }, canRemark, onLeave }: SpanCardProps) {
  const end = (which: "start" | "end", way: "back" | "on") => () => spanCommands.moveEnd(which, "word", way);
  return (
    <div className="span-ends">
      <span className="span-pair">
        Start
        <SmallButton keyName={commands.startBack} name="Start a word earlier" onClick={end("start", "back")}>
          ◂
        </SmallButton>
        <SmallButton keyName={commands.startOn} name="Start a word later" onClick={end("start", "on")}>
          ▸
        </SmallButton>
      </span>
      <span className="span-pair">
        End
        <SmallButton keyName={commands.endBack} name="End a word earlier" onClick={end("end", "back")}>
          ◂
        </SmallButton>
        <SmallButton keyName={commands.endOn} name="End a word later" onClick={end("end", "on")}>
          ▸
        </SmallButton>
      </span>
      <SmallButton keyName={commands.select} onClick={spanCommands.selectItsText}>
        Select its text
      </SmallButton>
      <SmallButton keyName={commands.remark} isOff={!canRemark} onClick={spanCommands.remark}>
        Move to the selection
      </SmallButton>
      <SmallButton keyName="delete" onClick={spanCommands.delete}>
        Delete
      </SmallButton>
      <span className="span-narrow">
        <SmallButton keyName={null} onClick={onLeave}>
          Back to the text
        </SmallButton>
      </span>
    </div>
  );
}
