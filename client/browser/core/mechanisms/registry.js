/** The table that finds a randomizer by the name in a document. */

import { HadamardResponse } from "./hadamard_response.js";
import { PrivateSet } from "./private_set.js";
import { RandomThreshold } from "./random_threshold.js";
import { RandomizedResponse } from "./randomized_response.js";
import { SampledChecks } from "./sampled_checks.js";
import { SlidingWindow } from "./sliding_window.js";
import { SubsetSelection } from "./subset_selection.js";

/** @type {ReadonlyMap<string, typeof import("./two_level.js").TwoLevel>} */
export const MECHANISMS = new Map(
  [
    RandomizedResponse,
    SubsetSelection,
    HadamardResponse,
    SampledChecks,
    PrivateSet,
    RandomThreshold,
    SlidingWindow,
  ].map((Mechanism) => [Mechanism.mechanism, Mechanism]),
);
