/**
 * 32-bit words, and the three exact primitives that all randomizers are built from (math 0.4).
 * `client/core/primitives/words.py` consumes the same words in the same order. All integers stay
 * below 2^53, so doubles are exact as long as only `%`, `<`, `+` and `-` are used, never `|` or
 * `>>`.
 *
 * @typedef {{ word(): number }} Words a source of uniform unsigned 32-bit integers
 */

export const WORD_RANGE = 2 ** 32;

const SUPPLY = 256;

/**
 * Words from the browser's secure generator: the only source for real answers. A long list takes
 * thousands of words, so they are fetched in blocks; a word is wiped when it is handed out.
 */
export class SecureWords {
  #supply = new Uint32Array(SUPPLY);
  #next = SUPPLY;

  word() {
    if (this.#next === SUPPLY) {
      crypto.getRandomValues(this.#supply);
      this.#next = 0;
    }
    const word = this.#supply[this.#next];
    this.#supply[this.#next++] = 0;
    return word;
  }
}

/** A fixed sequence of words, from a ticket or a test; reading past its end is an error. */
export class Tape {
  #words;
  used = 0;

  /** @param {readonly number[]} words */
  constructor(words) {
    this.#words = words;
  }

  word() {
    if (this.used === this.#words.length) {
      throw new RangeError(`the tape holds ${this.used} words and one more was asked for`);
    }
    return this.#words[this.used++];
  }
}

/**
 * Draws words only once: the words of a question are kept in memory and replayed, so that an answer
 * changed after the review costs no second draw.
 */
export class RememberedWords {
  #source;
  #drawn = new Map();

  /** @param {Words} source */
  constructor(source) {
    this.#source = source;
  }

  /**
   * Return the words of one question, from the first on.
   * @param {string} id
   * @returns {Words}
   */
  of(id) {
    if (!this.#drawn.has(id)) this.#drawn.set(id, []);
    const words = this.#drawn.get(id);
    let next = 0;
    return {
      word: () => {
        if (next === words.length) words.push(this.#source.word());
        return words[next++];
      },
    };
  }

  /** Forget all words: together with its report, a word would give the answer away. */
  forget() {
    this.#drawn.clear();
  }
}

/**
 * Return true with probability exactly threshold / 2^32.
 * @param {Words} words
 * @param {number} threshold
 */
export function bern(words, threshold) {
  return words.word() < threshold;
}

/**
 * Return an exactly uniform integer from 0 to bound - 1, redrawing words that would bias it.
 * @param {Words} words
 * @param {number} bound
 */
export function below(words, bound) {
  if (!(Number.isInteger(bound) && bound >= 1 && bound <= WORD_RANGE)) {
    throw new RangeError(`bound must be between 1 and 2^32, got ${bound}`);
  }
  if (bound === 1) return 0;
  const limit = WORD_RANGE - (WORD_RANGE % bound);
  for (;;) {
    const word = words.word();
    if (word < limit) return word % bound;
  }
}

/**
 * Return a uniform subset of 0 .. size - 1 with `chosen` members, sorted (Floyd).
 * @param {Words} words
 * @param {number} size
 * @param {number} chosen
 */
export function subset(words, size, chosen) {
  if (!(chosen >= 0 && chosen <= size)) {
    throw new RangeError(`chosen must be between 0 and ${size}, got ${chosen}`);
  }
  const picked = new Set();
  for (let j = size - chosen; j < size; j++) {
    const candidate = below(words, j + 1);
    picked.add(picked.has(candidate) ? j : candidate);
  }
  return [...picked].sort((a, b) => a - b);
}

/**
 * Return a random hexadecimal name made of `words` secure words, for a report's id.
 * @param {number} words
 */
export function secureHex(words) {
  const source = new SecureWords();
  let digits = "";
  for (let i = 0; i < words; i++) digits += source.word().toString(16).padStart(8, "0");
  return digits;
}
