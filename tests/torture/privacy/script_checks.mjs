/** The checks of the page's script in Node, for many scripts in one process. */

import { runVectorsInScript } from "../../browser/run_vectors.mjs";
import { countReports } from "./counting.mjs";

// The page must do without it: nobody could tell its words from secure ones by counting.
Math.random = () => {
  throw new Error("Math.random is no secure generator");
};

/**
 * Return for each script what the vectors say: the names of those that it does not reproduce.
 * @param {string[]} scripts file URLs of modules that export the modules of the script
 * @param {Record<string, object[]>} vectors by file name
 */
export function failedVectors(scripts, vectors) {
  return each(scripts, async (modules) => (await runVectorsInScript(modules, vectors, {})).failed);
}

/**
 * Return for each script what it counts, as `countReports` does.
 * @param {string[]} scripts
 * @param {unknown[]} given to `countReports`
 */
export function counts(scripts, given) {
  return each(scripts, (modules) => countReports(modules, ...given));
}

/** Do something with each script; a text instead of its result says which error it met. */
async function each(scripts, check) {
  const found = [];
  for (const script of scripts) {
    try {
      found.push(await check((await import(script)).modules));
    } catch (error) {
      found.push(String(error));
    }
  }
  return found;
}
