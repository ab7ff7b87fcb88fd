import { useRef, useState } from "react";

interface CopyableProps {
  text: string;
  /** What it is, for the button's name: "content hash". */
  what: string;
  /** Of several lines, shown as they are. */
  isBlock?: boolean;
}

/** A text to take along, with a button that puts it into the clipboard. */
export function Copyable({ text, what, isBlock }: CopyableProps) {
  const place = useRef<HTMLElement>(null);
  const [said, setSaid] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied.");
    } catch {
      // Browsers refuse the clipboard on pages that are not served over https.
      if (place.current) window.getSelection()?.selectAllChildren(place.current);
      setSaid("The browser did not let it be copied: the text is marked, copy it by key.");
    }
  };
  const code = (
    <code ref={place} className="copyable-text">
      {text}
    </code>
  );
  return (
    <div className={isBlock ? "copyable block" : "copyable"}>
      {isBlock ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by key.
        <pre tabIndex={0}>{code}</pre>
      ) : (
        code
      )}
      <span className="copyable-act">
        <button type="button" className="button quiet inline" aria-label={`Copy the ${what}`} onClick={copy}>
          Copy
        </button>
        <span className="small mute" role="status">
          {said}
        </span>
      </span>
    </div>
  );
}
