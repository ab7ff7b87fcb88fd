import type { Release, ReleaseDetail } from "../features/releases/api";

export const CARD = `---
pretty_name: Committee stance
---
# Committee stance

> For *testing*.

## Files

| File | Lines |
|---|---:|
| \`data/aggregated.jsonl\` | 1,050 |

### Motivation

#### What was it made for?

Not answered.
`;

export const DONE: Release = {
  id: "r1",
  number: 1,
  state: "done",
  notes: "The first.",
  evaluations: [],
  text_sets: [],
  progress: { step: "done", fraction: 1 },
  failure: "",
  content_hash: "a".repeat(64),
  counts: { items: 1050, annotations: 3150, annotators: 3, rounds: 7, spans: 0 },
  size: 1_234_567,
  sha256: "b".repeat(64),
  filename: "committee-stance-release-1.zip",
  created_by: "Anna",
  created_at: "2026-11-27T10:00:00Z",
  finished_at: "2026-11-27T10:01:00Z",
};

export const DETAIL: ReleaseDetail = {
  ...DONE,
  files: [
    { path: "README.md", bytes: 5_120, sha256: "c".repeat(64), lines: null },
    { path: "data/aggregated.jsonl", bytes: 2_500_000, sha256: "d".repeat(64), lines: 1050 },
    { path: "data/annotations.jsonl", bytes: 4_500_000, sha256: "e".repeat(64), lines: 3150 },
  ],
  card: CARD,
};

export const RUNNING: Release = {
  ...DONE,
  ...{
    id: "r2",
    number: 2,
    state: "running",
    notes: "",
    progress: { step: "writing annotations", fraction: 0.42 },
  },
  ...{ content_hash: "", counts: {}, size: null, sha256: "", filename: "", finished_at: null },
};

export const FAILED: Release = {
  ...RUNNING,
  ...{
    state: "failed",
    notes: "Once more.",
    failure: "The storage has no room left: make some, then try again.",
  },
};
