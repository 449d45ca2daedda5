/**
 * Canonical JSON, and a strict parser for it, like `client/core/primitives/canonical.py`.
 * `JSON.parse` alone accepts duplicate keys, floats and numbers too large to be exact.
 */

import { Refusal, require } from "./refusal.js";

const MAX_DEPTH = 4;
const MAX_DIGITS = 15;

/**
 * Return the one canonical spelling of a value: sorted keys, no spaces.
 * @param {unknown} value
 * @returns {string}
 */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

/**
 * Parse `data` strictly; throw a `Refusal` that names the fault. Objects have no prototype.
 * @param {Uint8Array} data
 * @param {number} limit
 * @param {string} what
 * @param {number} [depth]
 */
export function parse(data, limit, what, depth = MAX_DEPTH) {
  require(data.length <= limit, "too_large", `${what} must be at most ${limit} bytes`);
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    throw new Refusal("not_utf8", `${what} must be UTF-8 text`);
  }
  checkDepth(text, what, depth);
  return new Reader(text, what).document();
}

/**
 * Return `value` if it is an object with exactly these keys, plus any of the optional ones.
 * @param {unknown} value
 * @param {readonly string[]} keys
 * @param {string} what
 * @param {readonly string[]} [optional]
 */
export function exactKeys(value, keys, what, optional = []) {
  requireObject(value, what);
  for (const key of keys) require(key in value, "missing_key", `${what} has no key '${key}'`);
  for (const key of Object.keys(value)) {
    const known = keys.includes(key) || optional.includes(key);
    require(known, "unknown_key", `${what} has the unknown key '${key}'`);
  }
  return value;
}

/**
 * @param {unknown} value
 * @param {string} what
 */
export function requireObject(value, what) {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  require(isObject, "not_an_object", `${what} must be a JSON object`);
}

/** Refuse deep nesting, by counting brackets outside strings before anything is parsed. */
function checkDepth(text, what, most) {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\[^])*(?:"|\\?$)|[[\]{}]/g)) {
    if (token === "[" || token === "{") depth += 1;
    if (token === "]" || token === "}") depth -= 1;
    require(depth <= most, "too_deep", `${what} is nested more than ${most} levels deep`);
  }
}

/** A recursive parser; the depth is bounded before it starts. */
class Reader {
  #text;
  #what;
  #at = 0;

  constructor(text, what) {
    this.#text = text;
    this.#what = what;
  }

  document() {
    this.#space();
    const value = this.#value();
    this.#space();
    if (this.#at !== this.#text.length) this.#fail();
    return value;
  }

  #value() {
    const next = this.#text[this.#at];
    if (next === "{") return this.#object();
    if (next === "[") return this.#list();
    if (next === '"') return this.#string();
    for (const [word, value] of [["null", null], ["true", true], ["false", false]]) {
      if (this.#match(new RegExp(word, "y"))) return value;
    }
    return this.#number();
  }

  #object() {
    const result = Object.create(null);
    let twice = null;
    this.#members("}", () => {
      if (this.#text[this.#at] !== '"') this.#fail();
      const key = this.#string();
      this.#space();
      if (!this.#match(/:/y)) this.#fail();
      this.#space();
      const value = this.#value();
      if (key in result) twice ??= key;
      result[key] = value;
    });
    require(twice === null, "duplicate_key", `the key '${twice}' appears twice`);
    return result;
  }

  #list() {
    const result = [];
    this.#members("]", () => result.push(this.#value()));
    return result;
  }

  #members(close, read) {
    this.#at += 1;
    this.#space();
    if (this.#text[this.#at] === close) {
      this.#at += 1;
      return;
    }
    for (;;) {
      read();
      this.#space();
      const next = this.#text[this.#at++];
      if (next === close) return;
      if (next !== ",") this.#fail();
      this.#space();
    }
  }

  #string() {
    const raw = this.#match(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y);
    if (!raw) this.#fail();
    return JSON.parse(raw);
  }

  #number() {
    const digits = this.#match(/-?(?:0|[1-9][0-9]*)/y);
    const rest = digits && this.#match(/(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y);
    const constant = !digits && this.#match(/NaN|-?Infinity/y);
    if (!digits && !constant) this.#fail();
    require(!rest && !constant, "not_an_integer", "numbers must be integers");
    const short = digits.length <= MAX_DIGITS;
    require(short, "number_too_large", `numbers must have at most ${MAX_DIGITS} digits`);
    return Number(digits) + 0;
  }

  #space() {
    this.#match(/[ \t\n\r]*/y);
  }

  #match(pattern) {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at = pattern.lastIndex;
    return found?.[0];
  }

  #fail() {
    throw new Refusal("malformed_json", `${this.#what} is not JSON at character ${this.#at + 1}`);
  }
}
