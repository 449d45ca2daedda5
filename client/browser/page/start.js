/**
 * The one script's beginning, on the two kinds of pages that have it: a survey and, where links are
 * personal, its results.
 */

import { openPage } from "./opening.js";
import { tellOtherDocuments } from "./other_document.js";

const results = document.querySelector(".other-document");
await (results === null ? openPage() : tellOtherDocuments(results));
