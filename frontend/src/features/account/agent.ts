/** Browsers and systems by the first mark of theirs in a user agent: most name others of the list as well. */
const BROWSERS: [RegExp, string][] = [
  [/Edg(A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\/|Chromium\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/iPhone|iPad|iPod/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/CrOS/, "ChromeOS"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/Linux/, "Linux"],
];

/** Say what a user agent is: "Firefox on Windows". What is none of these is shown as it names itself. */
export function agentWords(agent: string): string {
  const found = (list: [RegExp, string][]) => list.find(([mark]) => mark.test(agent))?.[1];
  const [browser, system] = [found(BROWSERS), found(SYSTEMS)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? (agent.slice(0, 60) || "An unknown program");
}
