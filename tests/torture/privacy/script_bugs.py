"""Bugs of one line in the page's script: the shared vectors or counting catches every one."""

from tests.browser.one_script import Change

WORDS = "core/primitives/words.js"
_FOLDER = "core/mechanisms"
ONE_BIT = f"{_FOLDER}/two_level.js"
SUBSET = f"{_FOLDER}/subset_selection.js"
HADAMARD = f"{_FOLDER}/hadamard_response.js"
CHECKS = f"{_FOLDER}/sampled_checks.js"
SET = f"{_FOLDER}/private_set.js"
THRESHOLD = f"{_FOLDER}/random_threshold.js"
WINDOW = f"{_FOLDER}/sliding_window.js"
TICKET = "core/tickets/ticket.js"
BLINDING = "core/tickets/rsabssa.js"
FLIP = "return bern(words, this.threshold) ? bit : 1 - bit;"

# The vectors catch these: each result is fixed for a fixed tape of words.
VECTORS: dict[str, Change] = {
    "keeps a word that equals the threshold": (WORDS, "word() < threshold", "word() <= threshold"),
    "compares signed words": (WORDS, "words.word() < threshold", "(words.word() | 0) < threshold"),
    "takes a remainder without drawing again": (WORDS, "if (word < limit) return", "return"),
    "draws again one word too late": (WORDS, "word < limit", "word <= limit"),
    "scales a word as a fraction": (
        WORDS,
        "return word % bound;",
        "return Math.floor((word / WORD_RANGE) * bound);",
    ),
    "sorts a set as texts": (WORDS, ".sort((a, b) => a - b)", ".sort()"),
    "never picks the last member": (WORDS, "below(words, j + 1)", "below(words, j || 1)"),
    "draws a word where nothing is chosen": (WORDS, "if (bound === 1) return 0;", ""),
    "flips the wrong way round": (ONE_BIT, FLIP, FLIP.replace("bit : 1 - bit", "1 - bit : bit")),
    "never flips a no": (ONE_BIT, FLIP, f"if (bit === 0) return 0; {FLIP}"),
    "keeps with half of the threshold": (
        ONE_BIT,
        "this.threshold) ? bit",
        "this.threshold / 2) ? bit",
    ),
    "does not step over the truth": (SUBSET, "other >= answer ?", "other > answer ?"),
    "adds the truth at the end of the set": (
        SUBSET,
        "[...report, answer].sort((a, b) => a - b)",
        "[...report, answer]",
    ),
    "draws one option too few": (SUBSET, "keep ? this.size - 1 : this.size", "this.size - 1"),
    "takes row zero, which says nothing": (
        HADAMARD,
        "const row = answer + 1;",
        "const row = answer;",
    ),
    "takes the wrong half": (HADAMARD, "(column & row) === keep", "(column & row) !== keep"),
    "flips a bit that the row does not look at": (HADAMARD, "column ^ (row & -row)", "column ^ 1"),
    "draws the column before the coin": (
        HADAMARD,
        "const keep = bern(words, this.threshold);\nconst column = below(words, this.columns);",
        "const column = below(words, this.columns);\nconst keep = bern(words, this.threshold);",
    ),
    "charges two boxes for one": (
        CHECKS,
        "return this.asked;\n}\nget longest",
        "return 1;\n}\nget longest",
    ),
    "sends only ticked boxes": (CHECKS, "words)]);", "words)]).filter(([, bit]) => bit);"),
    "prefers a ticked box": (
        CHECKS,
        "this.drawAssignment(words));",
        "answer.length ? [answer[0]] : this.drawAssignment(words));",
    ),
    "does not hide how many are ticked": (
        SET,
        "padded.size < this.at_most; dummy++",
        "padded.size < 1; dummy++",
    ),
    "takes a near set that misses": (
        SET,
        "if (report.some((item) => padded.has(item))) return",
        "return",
    ),
    "asks above instead of at least": (THRESHOLD, "answer >= t ?", "answer > t ?"),
    "counts limits from zero": (THRESHOLD, "1 + below(words, this.top)", "below(words, this.top)"),
    "draws from a window too narrow by one": (
        WINDOW,
        "below(words, this.width + 1)",
        "below(words, this.width || 1)",
    ),
    "draws the far number from everywhere": (
        WINDOW,
        "return outside < start ? outside : outside + this.width + 1;",
        "return outside;",
    ),
    "slides the window of silence on": (WINDOW, "* (this.width + 1);", "* 1;"),
    "draws an r of 13 bits": (BLINDING, "BigInt.asUintN(bits, ", "BigInt.asUintN(13, "),
    "takes a remainder for r": (
        BLINDING,
        "if (0n < drawn && drawn < modulus) return drawn;",
        "return drawn % modulus;",
    ),
    "blinds with a key that has a factor": (BLINDING, "if (rest !== 1n) throw", "if (!rest) throw"),
    "takes a signature plus the modulus": (BLINDING, "signature < modulus && ", ""),
    "uses a nonce again": (TICKET, "words.word().toString", "(7).toString"),
    "signs no group": (TICKET, "${fingerprint}\\n${group}", "${fingerprint}\\n"),
    "signs no version": (TICKET, "${fingerprint}\\n${group}", "${group}"),
    "takes what another key has signed": (
        TICKET,
        "requireSigned(isSigned(encoded, signature, modulus));",
        "",
    ),
    "takes a ticket in capitals": (
        TICKET,
        "TICKET.exec(ticket)",
        "TICKET.exec(ticket.toLowerCase())",
    ),
}
# The vectors bring their own words; counting catches what is wrong with those of the device.
COUNTING: dict[str, Change] = {
    "hands out the same block again": (
        WORDS,
        "this.#supply[this.#next++] = 0;",
        "this.#next = (this.#next + 1) % SUPPLY;",
    ),
    "hands out every word twice": (
        WORDS,
        "this.#supply[this.#next++] = 0;",
        "this.#next += this.again ^= 1;",
    ),
    "wipes the next word": (
        WORDS,
        "this.#supply[this.#next++] = 0;",
        "this.#supply[++this.#next] = 0;",
    ),
    "fetches words of 31 bits": (
        WORDS,
        "const word = this.#supply[this.#next];",
        "const word = this.#supply[this.#next] >>> 1;",
    ),
    "fetches bytes": (
        WORDS,
        "crypto.getRandomValues(this.#supply);",
        "this.#supply.set(crypto.getRandomValues(new Uint8Array(SUPPLY)));",
    ),
    "gives all questions the same words": (
        WORDS,
        "const words = this.#drawn.get(id);",
        "const words = this.#drawn.values().next().value;",
    ),
    "takes words from a weak generator": (
        WORDS,
        "crypto.getRandomValues(this.#supply);",
        "this.#supply = this.#supply.map(() => Math.random() * WORD_RANGE);",
    ),
    "asks about a ticked box only": (
        CHECKS,
        "boxes.map((box) =>",
        "(answer.length ? [answer[0]] : boxes).map((box) =>",
    ),
}
