const SHOWN: Record<string, string> = {
  enter: "⏎",
  arrowleft: "←",
  arrowright: "→",
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
  const shift = name.startsWith("shift+");
  const bare = shift ? name.slice("shift+".length) : name;
  const shown = SHOWN[bare] ?? bare;
  return shift ? `⇧ ${shown}` : shown;
}
