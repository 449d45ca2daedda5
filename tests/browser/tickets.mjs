/** What a device does with a ticket, for tests that are the server; and WebCrypto as a judge. */

const modules = (base) =>
  Promise.all(["ticket", "rsabssa"].map((name) => import(new URL(`core/tickets/${name}.js`, base))));

/** Blind so many tickets. */
export async function blinded(base, key, fingerprint, group, count) {
  const [{ blind }] = await modules(base);
  return Promise.all(Array.from({ length: count }, () => blind(key, fingerprint, group)));
}

/** Return the tickets, and whether WebCrypto accepts the signature in each for its message. */
export async function finished(base, key, fingerprint, group, blindings, signed) {
  const [{ finalize }] = await modules(base);
  const tickets = blindings.map((blinding, i) =>
    finalize(key, fingerprint, group, blinding, signed[i]),
  );
  const texts = await Promise.all(tickets);
  const judged = texts.map((text) => accepts(key, messageOf(text, fingerprint, group), text));
  return { tickets: texts, accepted: await Promise.all(judged) };
}

/** Return whether WebCrypto accepts a ticket for another message. */
export function acceptsAnother(key, fingerprint, group, ticket) {
  const message = messageOf(ticket, fingerprint, group);
  message[0] ^= 1;
  return accepts(key, message, ticket);
}

/** Return whether our code takes what WebCrypto signs without a salt, for keys of several lengths. */
export async function takesTheirs(base, lengths) {
  const [, { encode, isSigned }] = await modules(base);
  const message = new TextEncoder().encode("a message");
  const verdicts = lengths.map(async (modulusLength) => {
    const publicExponent = Uint8Array.of(1, 0, 1);
    const algorithm = { name: "RSA-PSS", hash: "SHA-384", modulusLength, publicExponent };
    const pair = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
    const { n } = await crypto.subtle.exportKey("jwk", pair.publicKey);
    const modulus = number(Buffer.from(n, "base64url"));
    const signature = await crypto.subtle.sign(PSS, pair.privateKey, message);
    return isSigned(await encode(message, modulus), number(Buffer.from(signature)), modulus);
  });
  return Promise.all(verdicts);
}

const PSS = { name: "RSA-PSS", saltLength: 0 };

async function accepts(key, message, ticket) {
  const n = Buffer.from(key, "hex").toString("base64url");
  const jwk = { kty: "RSA", alg: "PS384", n, e: "AQAB" };
  const algorithm = { name: "RSA-PSS", hash: "SHA-384" };
  const known = await crypto.subtle.importKey("jwk", jwk, algorithm, false, ["verify"]);
  const signature = Buffer.from(ticket.split(".").at(-1), "hex");
  return crypto.subtle.verify(PSS, known, signature, message);
}

function messageOf(ticket, fingerprint, group) {
  const nonce = Buffer.from(ticket.split(".")[0], "hex");
  return Buffer.concat([nonce, Buffer.from(`candor ticket 1\n${fingerprint}\n${group}`)]);
}

const number = (bytes) => BigInt(`0x${bytes.toString("hex")}`);
