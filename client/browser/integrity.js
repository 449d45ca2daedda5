/** Hashes as people compare them, in hexadecimal digits, and as browsers write them. */

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
