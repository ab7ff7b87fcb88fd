const SHOWN: Record<string, string> = {
  enter: "⏎",
  arrowleft: "←",
  arrowright: "→",
  arrowup: "↑",
  arrowdown: "↓",
  home: "Home",
  end: "End",
  delete: "Del",
  backspace: "⌫",
  escape: "Esc",
};

/** A key's cap, printed where the key acts. The name of the control carries the words, so this is for the eye only. */
export function Key({ name }: { name: string }) {
  return (
    <span className="key" aria-hidden="true">
      {keyWords(name)}
    </span>
  );
}

export function keyWords(name: string): string {
  const bare = name.replace(/^(ctrl\+)?(shift\+)?/, "");
  const shown = SHOWN[bare] ?? bare;
  return [name.includes("ctrl+") && "Ctrl", name.includes("shift+") && "⇧", shown].filter(Boolean).join(" ");
}
