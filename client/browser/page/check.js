/**
 * "Check this page": what to compare with another source. A page cannot vouch for itself, and says
 * so. It can name the hash that the browser enforced, and look at the server again.
 */

import { fingerprint as hashOf } from "../core/document.js";
import { code, element } from "./dom.js";

const PREFIX = "sha256-";

/** @param {string} hash a SHA-256 in hexadecimal digits */
export function integrityOf(hash) {
  const bytes = hash.match(/../g).map((digits) => parseInt(digits, 16));
  return PREFIX + btoa(String.fromCharCode(...bytes));
}

/** @param {string} integrity as in the attribute of that name */
export function hexOf(integrity) {
  const bytes = [...atob(integrity.slice(PREFIX.length))];
  return bytes.map((byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
}

/**
 * @param {string} fingerprint of the survey's document
 * @param {import("../wording/catalogue.js").Wording} wording
 * @param {string} link to this survey and this document
 */
export function checkThisPage(fingerprint, { say }, link) {
  const { src, integrity } = document.querySelector("script[integrity]");
  const hash = hexOf(integrity);
  const outcome = element("p", { role: "status", class: "outcome" });
  const compare = async () => {
    outcome.textContent = say("check.busy");
    outcome.textContent = await verdict(src, hash, say);
  };
  return element(
    "details",
    { class: "check" },
    element("summary", {}, say("check.heading")),
    element("p", {}, say("check.lead")),
    element(
      "dl",
      { class: "facts" },
      fact(say("maths.fingerprint"), code(fingerprint)),
      fact(say("check.script"), element("a", { href: src }, code(hash))),
      fact(say("check.command"), code(`candor check ${link}`)),
      fact(say("check.answer"), code(`candor answer ${link}`)),
    ),
    element("button", { type: "button", class: "button quiet", click: compare }, say("check.button")),
    outcome,
  );
}

/** Fetch the script again, bypassing all copies on the device, and compare. */
async function verdict(src, expected, say) {
  try {
    const response = await fetch(src, { cache: "no-store", credentials: "omit" });
    const hash = await hashOf(new Uint8Array(await response.arrayBuffer()));
    return say(hash === expected ? "check.same" : "check.changed", { hash });
  } catch {
    return say("check.unreachable");
  }
}

function fact(name, value) {
  return element("div", {}, element("dt", {}, name), element("dd", {}, value));
}
