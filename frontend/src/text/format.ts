/** Numbers, times and lists as they are shown to people. */

const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** 176118 -> "176,118". */
export function count(value: number): string {
  return WHOLE.format(value);
}

/** "1 item", "2 items". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Of a person's items of a batch: those that closing it or somebody else took; empty where there are none. */
export function withdrawnWords(withdrawn: number): string {
  if (withdrawn === 0) return "";
  return `${count(withdrawn)} more ${withdrawn === 1 ? "was" : "were"} taken back, or went to somebody else.`;
}

/** A duration: "0.4 s", "118 s", "2 min 5 s", "1 h 3 min". */
export function duration(seconds: number): string {
  if (seconds < 9.95) return `${trimmed(seconds, 1)} s`;
  const whole = Math.round(seconds);
  if (whole < 120) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return joined(`${minutes} min`, whole % 60, "s");
  return joined(`${Math.floor(minutes / 60)} h`, minutes % 60, "min");
}

function joined(first: string, rest: number, unit: string): string {
  return rest === 0 ? first : `${first} ${rest} ${unit}`;
}

function trimmed(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}

/** 0.8333 -> "83.3 %". */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** A coefficient with a true minus sign: 0.6429 -> "0.64". */
export function coefficient(value: number, digits = 2): string {
  const shown = value.toFixed(digits);
  return Number(shown) === 0 ? (0).toFixed(digits) : shown.replace("-", "−");
}

// What doubles lose on the way to 1, so that perfect agreement is not said to lack a little.
const ROUNDING = 1e-12;

/** As `coefficient`, of what is at most 1; only 1 itself is shown as 1: 0.9996 -> "> 0.99". */
export function bounded(value: number, digits = 2): string {
  const short = Math.abs(value) < 1 - ROUNDING && Number(Math.abs(value).toFixed(digits)) >= 1;
  if (!short) return coefficient(value, digits);
  const nearest = (1 - 10 ** -digits).toFixed(digits);
  return value < 0 ? `< −${nearest}` : `> ${nearest}`;
}

/** As `percent`, of a share; only all of it is shown as 100 %: 0.9996 -> "> 99.9 %". */
export function boundedPercent(share: number): string {
  return share < 1 - ROUNDING && Number((100 * share).toFixed(1)) >= 100 ? "> 99.9 %" : percent(share);
}

/** The time zone of this device, as "Europe/Oslo". */
export const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A moment in a time zone: "27 Nov 2025, 14:05". */
export function moment(iso: string, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone }).format(
    new Date(iso),
  );
}

/** A moment by this browser's own clock and zone, in milliseconds since 1970: "27 Nov 2025, 14:05". */
export function momentHere(at: number): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" }).format(at);
}

export function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** 11088740 -> "11.1 MB". */
export function sizeWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(0)} kB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

const BATCHES = {
  round: "round",
  prototype: "prototype batch",
  practice: "practice batch",
  second_look: "second look at round",
  chosen: "chosen batch",
};

/** "round 3", "second look at round 3", "prototype batch 1". */
export function batchName(kind: keyof typeof BATCHES, number: number): string {
  return `${BATCHES[kind]} ${number}`;
}

/** "A", "A and B", "A, B and C". */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

/** The server's reason why a figure has no value. Some of its reasons begin with the word themselves. */
export function undefinedWords(reason: string | null | undefined): string {
  const said = reason ?? "no reason given";
  return said.startsWith("undefined") ? said : `undefined: ${said}`;
}

/** Time zones to choose from: this device's, UTC and the chosen one first, then every other that the browser knows. */
export function zonesWith(chosen: string): string[] {
  return [...new Set([HERE, "UTC", chosen, ...Intl.supportedValuesOf("timeZone")])].filter(Boolean);
}
