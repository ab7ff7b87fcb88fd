import { type RefObject, useId } from "react";
import { COMMENT_LENGTH } from "../../../annotate/spans/model/rules";

interface CommentBoxProps {
  comment: string;
  onComment: (comment: string) => void;
  onLeave: () => void;
  boxRef: RefObject<HTMLTextAreaElement | null>;
}

/** A free remark on the item. In the box letters are letters; Esc leaves it. */
export function CommentBox({ comment, onComment, onLeave, boxRef }: CommentBoxProps) {
  const id = useId();
  return (
    <div className="field comment">
      <label htmlFor={id}>Comment (Esc leaves the box)</label>
      <textarea
        id={id}
        ref={boxRef}
        className="input"
        value={comment}
        maxLength={COMMENT_LENGTH}
        onChange={(event) => onComment(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          onLeave();
        }}
      />
    </div>
  );
}
