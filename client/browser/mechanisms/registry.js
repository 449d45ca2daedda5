/** The table that finds a randomizer by the name in a document. */

import { RandomizedResponse } from "./randomized_response.js";

/** @type {ReadonlyMap<string, typeof RandomizedResponse>} */
export const MECHANISMS = new Map([[RandomizedResponse.mechanism, RandomizedResponse]]);
