/**
 * Tickets for reports by invitation: what devices ask for, keep and show, and how it is checked. A
 * device blinds its ticket before the server signs it, so a report that comes with the ticket cannot
 * be joined to the link that bought it: the server never saw the two together. The arithmetic is in
 * `rsabssa.js`. All numbers are written as 512 lower-case hexadecimal digits, and in no other way.
 *
 * @typedef {{nonce: string, inv: string, blinded: string}} Blinding what a device keeps, from before
 *   it asks for its ticket until the server has signed; `blinded` is all that is sent, and with `inv`
 *   a link can be joined to its report
 * @typedef {{nonce: string, group: string, signature: string}} Ticket a ticket in parts: as text,
 *   `nonce.signature` or `nonce.group.signature`
 */

import { Refusal, require } from "../primitives/refusal.js";
import { SecureWords } from "../primitives/words.js";
import { blindMessage, encode, isSigned, unblind } from "./rsabssa.js";

const GROUP = "[a-z0-9](?:[a-z0-9-]{0,29}[a-z0-9])?";
const NUMBER = /^[0-9a-f]{512}$/;
const TICKET = new RegExp(`^([0-9a-f]{64})(?:\\.(${GROUP}))?\\.([0-9a-f]{512})$`);
const NONCE_WORDS = 8;
const PURPOSE = "candor ticket 1";

/**
 * Draw a ticket for this document and group, and blind it; throw if the key is bad. Then a device
 * must stop: trying again with other values could tell the server about them.
 * @param {string} key
 * @param {string} fingerprint
 * @param {string} [group]
 * @returns {Promise<Blinding>}
 */
export function blind(key, fingerprint, group = "") {
  return blindWith(new SecureWords(), key, fingerprint, group);
}

/**
 * Blind with these words, of which the nonce takes the first eight: for test vectors.
 * @param {import("../primitives/words.js").Words} words
 * @param {string} key
 * @param {string} fingerprint
 * @param {string} group
 * @returns {Promise<Blinding>}
 */
export async function blindWith(words, key, fingerprint, group) {
  let nonce = "";
  for (let i = 0; i < NONCE_WORDS; i++) nonce += words.word().toString(16).padStart(8, "0");
  const encoded = await encodedOf(nonce, key, fingerprint, group);
  try {
    const { blinded, inverse } = blindMessage(encoded, number(key), words);
    return { nonce, inv: digits(inverse), blinded: digits(blinded) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Refusal("bad_ticket_key", "the server's key has a factor that would tell about you");
  }
}

/**
 * Return the ticket; throw if the server did not sign what was sent with the published key.
 * @param {string} key
 * @param {string} fingerprint
 * @param {string} group
 * @param {Blinding} blinding
 * @param {unknown} signed
 * @returns {Promise<string>}
 */
export async function finalize(key, fingerprint, group, blinding, signed) {
  const isNumber = typeof signed === "string" && NUMBER.test(signed);
  const [received, modulus] = [isNumber ? number(signed) : 0n, number(key)];
  requireSigned(0n < received && received < modulus);
  const signature = unblind(received, number(blinding.inv), modulus);
  const encoded = await encodedOf(blinding.nonce, key, fingerprint, group);
  requireSigned(isSigned(encoded, signature, modulus));
  return ticketOf(blinding.nonce, group, digits(signature));
}

/**
 * Return the text of a ticket.
 * @param {string} nonce
 * @param {string} group
 * @param {string} signature
 */
export function ticketOf(nonce, group, signature) {
  return (group ? [nonce, group, signature] : [nonce, signature]).join(".");
}

/**
 * Return a ticket in parts; throw unless it is written in the one way.
 * @param {string} ticket
 * @returns {Ticket}
 */
export function read(ticket) {
  const found = TICKET.exec(ticket);
  requireGenuine(found !== null);
  return { nonce: found[1], group: found[2] ?? "", signature: found[3] };
}

/**
 * Return a ticket in parts; throw unless it was signed for this document and its group. A signature
 * plus the modulus would be the same ticket under another name, so it is refused.
 * @param {string} ticket
 * @param {Map<string, string>} keys by group
 * @param {string} fingerprint
 * @returns {Promise<Ticket>}
 */
export async function verify(ticket, keys, fingerprint) {
  const parts = read(ticket);
  const key = keys.get(parts.group);
  requireGenuine(key !== undefined);
  const encoded = await encodedOf(parts.nonce, key, fingerprint, parts.group);
  requireGenuine(isSigned(encoded, number(parts.signature), number(key)));
  return parts;
}

function requireSigned(condition) {
  require(condition, "ticket_unsound", "the server did not sign with the published key");
}

function requireGenuine(condition) {
  require(condition, "ticket_forged", "this ticket was not issued for this survey");
}

function encodedOf(nonce, key, fingerprint, group) {
  const purpose = new TextEncoder().encode(`${PURPOSE}\n${fingerprint}\n${group}`);
  const prefix = nonce.match(/../g).map((pair) => parseInt(pair, 16));
  return encode(Uint8Array.of(...prefix, ...purpose), number(key));
}

function number(text) {
  return BigInt(`0x${text}`);
}

function digits(value) {
  return value.toString(16).padStart(512, "0");
}
