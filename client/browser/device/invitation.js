/**
 * The invitation in a link such as #fingerprint;invitation: a personal code, or the key of a group.
 * A short link, for letters, has only the code; then people compare the fingerprint. The part after
 * # never reaches the server with the page. It is removed from the address at once, where others
 * could read or share it. The tab remembers it for a reload, until a report is sent.
 */

import { BY_LINK } from "../core/groups.js";
import { require } from "../core/primitives/refusal.js";
import { carriedState } from "./carried.js";

const CARRIED = /^#([0-9a-f]{64});([a-z0-9.-]{1,200})$/;
// Also with a few characters too many or too few, as people type it: the server knows the right ones.
const SHORT = /^#([0-9a-z]{14,18}|[0-9a-z]{1,8}(?:-[0-9a-z]{1,8}){1,3})$/i;
const WITH_GROUP = /^[0-9a-f]{64}\.([a-z0-9-]{1,31})\.[0-9a-f]+$/;
/** Symbols of a personal code, behind one digit for each factor of the groups that links set. */
const CODE_SYMBOLS = 14;

let remembered = "";

/** @returns {string} "" for a link that is the same for everybody */
export function takeInvitation() {
  const carried = CARRIED.exec(location.hash);
  if (carried) {
    history.replaceState({ ...carriedState(), invitation: carried[2] }, "", `#${carried[1]}`);
  }
  const short = SHORT.exec(location.hash);
  if (short) {
    history.replaceState({ ...carriedState(), invitation: short[1] }, "", location.pathname);
  }
  remembered = history.state?.invitation ?? "";
  return remembered;
}

/** Forget the invitation, because it was used or is no longer valid. */
export function dropInvitation() {
  remembered = "";
  if (history.state) history.replaceState(entryState(history.state.isSpare), "");
}

/**
 * Return all that an entry of the tab's history holds.
 * @param {boolean} [isSpare] the entry of the Back button
 */
export function entryState(isSpare = false) {
  const state = {
    ...carriedState(),
    ...(remembered === "" ? {} : { invitation: remembered }),
    ...(isSpare ? { isSpare } : {}),
  };
  return Object.keys(state).length === 0 ? null : state;
}

/**
 * Return a code as the server reads it, however it was typed: without hyphens, and with digits for
 * the letters that look like them.
 * @param {string} invitation
 */
export function plainCode(invitation) {
  const plain = invitation.toLowerCase().replaceAll("-", "");
  return plain.replace(/[il]/g, "1").replaceAll("o", "0");
}

/**
 * Return the group that a personal code names; "" if links set none.
 * @param {string} invitation
 * @param {import("../core/survey.js").Survey} survey
 */
export function groupOfCode(invitation, { groups }) {
  const factors = groups?.by === BY_LINK ? groups.factors.length : 0;
  const symbols = plainCode(invitation);
  const isWhole = symbols.length === factors + CODE_SYMBOLS;
  require(isWhole, "invitation_unknown", "the code is too short or too long");
  return [...symbols.slice(0, factors)].join("-");
}

/** @returns {string} the public group in a ticket, which comes with the report; "" for none */
export function groupOf(ticket) {
  return WITH_GROUP.exec(ticket)?.[1] ?? "";
}
