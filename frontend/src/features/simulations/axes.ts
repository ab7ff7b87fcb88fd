import type { Axis } from "../../components/charts/model";
import { count, percent } from "../../text/format";
import { score } from "./copy";

// The charts' titles name what is measured. They keep their identity between renders, so that nothing is drawn anew.
export const LABELS_AXIS: Axis = { name: "labels", words: count };
export const F1_AXIS: Axis = { name: "", words: (value) => score(value) };
export const SHARE_AXIS: Axis = { name: "", words: percent };
