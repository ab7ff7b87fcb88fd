import type { Answer } from "../../api/contract";

export type TextSets = Answer<"/api/projects/{project_id}/text-sets/", "get">;
export type TextSet = TextSets["sets"][number];
export type OwnList = TextSets["mine"][number];
export type Phase = TextSet["phases"][number];
/** How far one list of a phase is; that of a consensus is nobody's own. */
export type PhasePerson = Phase["people"][number];
export type ConsensusDraft = TextSet["drafts"][number];
export type Kind = Phase["kind"];
export type Step = Phase["step"];

export type PairingHead = Answer<"/api/text-sets/{text_set_id}/pairings/", "get">["pairings"][number];
export type Pairing = Answer<"/api/factoid-pairings/{pairing_id}/", "get">;
/** Direction null: a strong link. "none": people judged a pair that has no link. */
export type PairLink = Pairing["links"][number];
export type Direction = PairLink["direction"];
export type Relation = NonNullable<PairLink["relation"]>;
export type Comparison = Pairing["comparison"];
export type LinkKind = keyof Comparison["table"][Relation];

export type SetAgreement = Answer<"/api/text-sets/{text_set_id}/agreement/", "get">;
export type AgreementRow = SetAgreement["annotation"][number];
export type Disagreement = Answer<"/api/factoid-phases/{phase_id}/disagreements/", "get">["items"][number];
export type Scores = Answer<"/api/factoid-lists/{draft_id}/scores/", "get">;
export type TextScore = Scores["scores"][number];
export type StabilityPoint = Answer<"/api/factoid-lists/{draft_id}/stability/", "get">["points"][number];
