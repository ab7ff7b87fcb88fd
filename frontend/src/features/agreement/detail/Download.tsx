import type { File } from "./files";

/** `of` is heard, so that the links of a page differ. */
export function Download({ file, of }: { file: File; of: string }) {
  return (
    <p className="small">
      <a href={file.href} download={file.name}>
        CSV <span className="visually-hidden">of “{of}”</span>
      </a>
    </p>
  );
}
