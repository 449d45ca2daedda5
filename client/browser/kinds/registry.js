/** The table that finds a kind of question by the name in a document. */

import { AnyOf } from "./any_of.js";
import { Cross } from "./cross.js";
import { NumberOnGrid, Scale } from "./levels.js";
import { OneOf, YesNo } from "./single_choice.js";

/** @type {ReadonlyMap<string, typeof import("./kind.js").Kind>} */
export const KINDS = new Map(
  [YesNo, OneOf, AnyOf, Scale, NumberOnGrid, Cross].map((Kind) => [Kind.kind, Kind]),
);
