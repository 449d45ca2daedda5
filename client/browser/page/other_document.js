/**
 * On the page of results: whether this device has drawn a report for a document that the server does
 * not show there. A key for one person alone would need a document for that person alone.
 */

import { versionsOf } from "../device/outbox.js";
import { code, element } from "./dom.js";
import { firstDigits } from "./entrance/comparison.js";

/** @param {HTMLElement} notice hidden, with the survey's name and the fingerprints of all versions */
export async function tellOtherDocuments(notice) {
  const { slug, fingerprints } = notice.dataset;
  const shown = fingerprints.split(" ");
  const drawn = await versionsOf(slug).catch(() => []);
  const others = drawn.filter((fingerprint) => !shown.includes(fingerprint));
  const digits = others.map((one) => element("p", { class: "digits" }, code(firstDigits(one))));
  notice.append(...digits);
  notice.hidden = others.length === 0;
}
