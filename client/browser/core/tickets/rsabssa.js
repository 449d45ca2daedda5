/**
 * Blind RSA signatures of RFC 9474 with SHA-384 and e = 65537: whoever signs cannot see what.
 * Arithmetic alone: what is signed, and what for, is the business of `ticket.js`, the only importer.
 * Without a salt one message has one encoding, so a signature is checked by encoding the message
 * again and comparing two integers. Nothing from outside is parsed.
 */

const HASH_BYTES = 48;
const TRAILER = 0xbc;
// 65537 = 2^16 + 1.
const SQUARINGS = 16;

/**
 * Return EMSA-PSS-ENCODE(message), one bit shorter than the modulus (RFC 8017, 9.1.1).
 * @param {Uint8Array} message
 * @param {bigint} modulus
 * @param {Uint8Array} [salt]
 * @returns {Promise<bigint>}
 */
export async function encode(message, modulus, salt = new Uint8Array()) {
  const bits = bitLength(modulus) - 1;
  const digest = await hash(joined(new Uint8Array(8), await hash(message), salt));
  const size = Math.ceil(bits / 8) - HASH_BYTES - 1;
  const block = joined(new Uint8Array(size - salt.length - 1), Uint8Array.of(1), salt);
  const masked = number(block) ^ number(await mask(digest, size));
  const kept = BigInt.asUintN(bits - 8 * HASH_BYTES - 8, masked);
  return (kept << BigInt(8 * HASH_BYTES + 8)) | number(joined(digest, Uint8Array.of(TRAILER)));
}

/**
 * Return the blinded message and what unblinds its signature, both drawn with one r. Every blinded
 * message fits every encoded one with exactly one r, and all r are equally likely. Throw a
 * `RangeError` if the message or r shares a factor with the modulus: then the key is bad.
 * @param {bigint} encoded
 * @param {bigint} modulus
 * @param {import("../primitives/words.js").Words} words
 */
export function blindMessage(encoded, modulus, words) {
  const r = uniform(modulus, words);
  // It exists only if both the message and r have an inverse.
  const both = inverseOf((encoded * r) % modulus, modulus);
  return {
    blinded: (encoded * power(r, modulus)) % modulus,
    inverse: (encoded * both) % modulus,
  };
}

/**
 * Return the signature of the message; it is worth nothing until `isSigned` says yes.
 * @param {bigint} signed
 * @param {bigint} inverse
 * @param {bigint} modulus
 */
export function unblind(signed, inverse, modulus) {
  return (signed * inverse) % modulus;
}

/**
 * Return whether this is the one signature below the modulus of the encoded message.
 * @param {bigint} encoded
 * @param {bigint} signature
 * @param {bigint} modulus
 */
export function isSigned(encoded, signature, modulus) {
  return 0n < signature && signature < modulus && power(signature, modulus) === encoded;
}

/** Draw evenly from 1 to modulus - 1, drawing again what is 0 or too large. */
function uniform(modulus, words) {
  const bits = bitLength(modulus);
  for (;;) {
    let digits = "0x";
    for (let i = 0; i < bits; i += 32) digits += words.word().toString(16).padStart(8, "0");
    const drawn = BigInt.asUintN(bits, BigInt(digits));
    if (0n < drawn && drawn < modulus) return drawn;
  }
}

/** Return base^65537. */
function power(base, modulus) {
  let square = base;
  for (let i = 0; i < SQUARINGS; i++) square = (square * square) % modulus;
  return (square * base) % modulus;
}

/** Return the inverse by Euclid's algorithm; throw if there is none. */
function inverseOf(value, modulus) {
  let [rest, next, factor, nextFactor] = [modulus, value, 0n, 1n];
  while (next !== 0n) {
    const quotient = rest / next;
    [rest, next] = [next, rest - quotient * next];
    [factor, nextFactor] = [nextFactor, factor - quotient * nextFactor];
  }
  if (rest !== 1n) throw new RangeError("a number shares a factor with the modulus");
  return factor < 0n ? factor + modulus : factor;
}

/** Return the first bytes of MGF1 with SHA-384 (RFC 8017, B.2.1). */
async function mask(seed, size) {
  const count = Math.ceil(size / HASH_BYTES);
  const blocks = Array.from({ length: count }, (_, i) => hash(joined(seed, Uint8Array.of(0, 0, 0, i))));
  return joined(...(await Promise.all(blocks))).subarray(0, size);
}

async function hash(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-384", bytes));
}

function joined(...parts) {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function number(bytes) {
  return BigInt(`0x${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`);
}

function bitLength(value) {
  return value.toString(2).length;
}
