import type { Answer } from "../../api/contract";
import type { components } from "../../api/schema";

type Schemas = components["schemas"];

export type Overview = Answer<"/api/projects/{project_id}/equivalence/", "get">;
export type Category = Overview["categories"][number];
export type Summary = Overview["evaluations"][number];
export type Part = Summary["part"];
export type Evaluation = Schemas["EquivalenceEvaluationOut"];
export type EquivalenceClass = Evaluation["classes"][number];
export type ClassReview = EquivalenceClass["review"];
export type ReviewState = ClassReview["state"];
export type Decision = "validated" | "returned" | "taken_back";
export type Strings = Schemas["EquivalenceStringsOut"];
export type Place = Schemas["EquivalencePlaceOut"];
export type Suggestions = Schemas["EquivalenceSuggestionsOut"];
export type Pair = Suggestions["pairs"][number];
export type By = "words" | "vectors";
export type Revision = Schemas["EquivalenceRevisionOut"];
export type FileRead = Schemas["EquivalenceFileRead"];
export type Instances = Schemas["EquivalenceInstances"];
export type Instance = Instances["instances"][number];
export type Tally = Instances["tallies"][number];
