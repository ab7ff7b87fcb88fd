/** How the parts of the page call stages and systems. */
export interface Names {
  stage: (key: string) => string;
  system: (name: string) => string;
}
