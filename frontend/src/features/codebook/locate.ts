/** Where in a JSON text the value of a path stands, such as "stages[1].labels[0].key". */
interface Place {
  start: number;
  end: number;
  /** Counted from 1. */
  line: number;
}

/**
 * The value's place in UTF-16 units, or that of the nearest value around it where the path leads nowhere (a missing
 * key). null where the text is not JSON.
 */
export function locate(text: string, path: string): Place | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  const steps = [...path.matchAll(/[^.[\]]+/g)].map(([step]) => step);
  const { start, end } = find(text, skipSpace(text, 0), steps);
  return { start, end, line: text.slice(0, start).split("\n").length };
}

interface Range {
  start: number;
  end: number;
}

function find(text: string, start: number, steps: readonly string[]): Range {
  const whole = { start, end: valueEnd(text, start) };
  const [step, ...rest] = steps;
  if (step === undefined) return whole;
  const child = children(text, start).find(({ name }) => name === step);
  return child ? find(text, child.start, rest) : whole;
}

/** The values directly inside an object or array, by key or index. */
function children(text: string, start: number): { name: string; start: number }[] {
  const isObject = text[start] === "{";
  if (!isObject && text[start] !== "[") return [];
  const found: { name: string; start: number }[] = [];
  let at = skipSpace(text, start + 1);
  while (text[at] !== "}" && text[at] !== "]") {
    let name = String(found.length);
    if (isObject) {
      const end = stringEnd(text, at);
      name = JSON.parse(text.slice(at, end));
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    found.push({ name, start: at });
    at = skipSpace(text, valueEnd(text, at));
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return found;
}

function valueEnd(text: string, start: number): number {
  if (text[start] === '"') return stringEnd(text, start);
  if (text[start] !== "{" && text[start] !== "[") {
    const rest = /[\s,\]}]/.exec(text.slice(start));
    return rest ? start + rest.index : text.length;
  }
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') at = stringEnd(text, at) - 1;
    else if (sign === "{" || sign === "[") depth += 1;
    else if (sign === "}" || sign === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (/\s/.test(text[at] ?? "")) at += 1;
  return at;
}
