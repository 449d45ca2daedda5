/**
 * Who may answer, with which keys tickets are signed, and from which day on reports are taken, like
 * `client/core/access.py`.
 */

import { BY_LINK } from "./groups.js";
import { require } from "./primitives/refusal.js";
import { checkPattern, DAY } from "./primitives/values.js";
import { requireObject } from "./primitives/canonical.js";

export const [OPEN, INVITED] = ["open", "invited"];
/** An odd number of exactly 2048 bits. */
const TICKET_KEY = /^[89a-f][0-9a-f]{510}[13579bdf]$/;

/**
 * Check who may answer, from when on, and the keys that a survey has if and only if it is invited.
 * @param {object} fields of a document
 */
export function checkAccess(fields) {
  const { access, answer_from: day, delete_on: deleted } = fields;
  const known = access === OPEN || access === INVITED;
  require(known, "bad_access", `access must be ${OPEN} or ${INVITED}`);
  if ("answer_from" in fields) {
    checkPattern(day, DAY, "answer_from");
    require(access === INVITED, "bad_answer_from", "only an invited survey has answer_from");
    const inTime = deleted === "" || day < deleted;
    require(inTime, "bad_answer_from", "answer_from must be before delete_on");
  }
  const fits = "ticket_keys" in fields === (access === INVITED);
  require(fits, "bad_ticket_key", "a survey has ticket_keys if and only if it is invited");
  if (access === INVITED) checkTicketKeys(fields);
}

function checkTicketKeys({ ticket_keys: keys, groups, test }) {
  requireObject(keys, "ticket_keys");
  // The link of a test sets no group.
  const wanted = groups?.by === BY_LINK && !test ? groups.codes : [""];
  const given = Object.keys(keys).sort();
  const same = given.length === wanted.length && given.every((group, i) => group === wanted[i]);
  require(same, "bad_ticket_key", "ticket_keys must have one key for each group and no others");
  for (const key of Object.values(keys)) {
    const sound = typeof key === "string" && TICKET_KEY.test(key);
    require(sound, "bad_ticket_key", "a ticket key must be an odd number of 2048 bits in hex");
  }
  const apart = new Set(Object.values(keys)).size === given.length;
  require(apart, "bad_ticket_key", "two groups have the same ticket key");
}
