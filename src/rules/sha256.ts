/**
 * Incremental SHA-256 (FIPS 180-4). WebCrypto digests only what is wholly in memory; a download is
 * hashed while it streams by.
 */

export interface Sha256 {
  update(bytes: Uint8Array): void;
  /** The digest in lowercase hex. Ends the hash: nothing can be added afterwards. */
  digestHex(): string;
}

const BLOCK_BYTES = 64;
/** Where the padding writes the message length: the last eight bytes of the last block. */
const LENGTH_OFFSET = 56;

export function createSha256(): Sha256 {
  const state = Int32Array.from(INITIAL_STATE);
  const schedule = new Int32Array(64);
  const block = new Uint8Array(BLOCK_BYTES);
  let filled = 0;
  let total = 0;
  let ended = false;

  const add = (bytes: Uint8Array) => {
    let offset = 0;
    if (filled > 0) {
      offset = Math.min(BLOCK_BYTES - filled, bytes.length);
      block.set(bytes.subarray(0, offset), filled);
      filled += offset;
      if (filled < BLOCK_BYTES) return;
      compress(state, schedule, block, 0);
      filled = 0;
    }
    for (; offset + BLOCK_BYTES <= bytes.length; offset += BLOCK_BYTES) {
      compress(state, schedule, bytes, offset);
    }
    block.set(bytes.subarray(offset));
    filled = bytes.length - offset;
  };

  return {
    update: (bytes) => {
      if (ended) throw new Error("Cannot add to a SHA-256 that has ended: create a new one");
      total += bytes.length;
      add(bytes);
    },
    digestHex: () => {
      if (ended) throw new Error("Cannot end a SHA-256 twice: keep its first digest");
      ended = true;
      add(createPadding(filled, total));
      return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
    },
  };
}

/** FIPS 180-4 5.1.1: a one bit, zeros, and the length in bits as 64 bits. */
function createPadding(filled: number, total: number): Uint8Array {
  const length = (filled < LENGTH_OFFSET ? BLOCK_BYTES : 2 * BLOCK_BYTES) - filled;
  const padding = new Uint8Array(length);
  padding[0] = 0x80;
  const view = new DataView(padding.buffer);
  // 2^29 bytes are 2^32 bits, so the two halves stay exact up to 2^53 bytes.
  view.setUint32(length - 8, Math.floor(total / 2 ** 29));
  view.setUint32(length - 4, (total % 2 ** 29) * 8);
  return padding;
}

/** FIPS 180-4 5.3.3: the fractional parts of the square roots of the first 8 primes. */
const INITIAL_STATE = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

/** FIPS 180-4 4.2.2: the fractional parts of the cube roots of the first 64 primes. */
const ROUND_CONSTANTS = Int32Array.from([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);

/** FIPS 180-4 6.2.2, on the 64 bytes that start at `offset`. */
function compress(h: Int32Array, w: Int32Array, bytes: Uint8Array, offset: number) {
  for (let t = 0, at = offset; t < 16; t++, at += 4) {
    w[t] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
  }
  for (let t = 16; t < 64; t++) {
    const x = w[t - 15]!;
    const y = w[t - 2]!;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[t] = (s1 + w[t - 7]! + s0 + w[t - 16]!) | 0;
  }
  let a = h[0]!;
  let b = h[1]!;
  let c = h[2]!;
  let d = h[3]!;
  let e = h[4]!;
  let f = h[5]!;
  let g = h[6]!;
  let k = h[7]!;
  for (let t = 0; t < 64; t++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (k + s1 + ((e & f) ^ (~e & g)) + ROUND_CONSTANTS[t]! + w[t]!) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    k = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  h[0] = (h[0]! + a) | 0;
  h[1] = (h[1]! + b) | 0;
  h[2] = (h[2]! + c) | 0;
  h[3] = (h[3]! + d) | 0;
  h[4] = (h[4]! + e) | 0;
  h[5] = (h[5]! + f) | 0;
  h[6] = (h[6]! + g) | 0;
  h[7] = (h[7]! + k) | 0;
}
