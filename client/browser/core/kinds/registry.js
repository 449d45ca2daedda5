/** The table that finds a kind of question by the name in a document. */

import { AnyOf, Cross, OneOf, YesNo } from "./choice.js";
import { NumberOnGrid, Scale } from "./ordinal.js";

/** @type {ReadonlyMap<string, typeof import("./kind.js").Kind>} */
export const KINDS = new Map(
  [YesNo, OneOf, AnyOf, Scale, NumberOnGrid, Cross].map((Kind) => [Kind.kind, Kind]),
);
