/** One difference between two versions, as annotation_app/codebook/compatibility.py judges it when one is published. */
export interface Change {
  path: string;
  words: string;
  /** Answers given under the older version leave training. */
  breaking: boolean;
}

export function change(path: string, words: string, breaking: boolean): Change {
  return { path, words, breaking };
}

/** A text left out and an empty one are the same. */
export function texts<T extends object>(
  path: string,
  old: T,
  next: T,
  names: (keyof T & string)[],
): Change[] {
  const written = (value: unknown) => JSON.stringify(value || []);
  return names
    .filter((name) => written(old[name]) !== written(next[name]))
    .map((name) => change(path ? `${path}.${name}` : name, "changed", false));
}
