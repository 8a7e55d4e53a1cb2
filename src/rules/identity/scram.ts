/**
 * The keys and proofs of SCRAM-SHA-256 (RFC 5802 section 3, RFC 7677). What the server stores proves
 * a password but cannot be used to log in. The AuthMessage is an argument: what is signed is the
 * business of the exchange.
 */
import type { Bytes, IdentityPrimitives } from "./primitives.ts";

/** What a server keeps of a password. */
export interface PasswordVerifier {
  readonly salt: Bytes;
  readonly iterations: number;
  readonly storedKey: Bytes;
  readonly serverKey: Bytes;
}

/** OWASP's figure for PBKDF2-HMAC-SHA-256. */
export const PASSWORD_ITERATIONS = 600_000;
export const SALT_BYTES = 16;
/** Of a key, a proof and a signature alike: one SHA-256. */
export const PROOF_BYTES = 32;

/** RFC 5802 3: SaltedPassword. The password is never trimmed, only brought into one spelling. */
export function deriveSaltedPassword(
  primitives: IdentityPrimitives,
  password: string,
  salt: Bytes,
  iterations: number,
): Promise<Bytes> {
  const bytes = primitives.encodeUtf8(password.normalize("NFC"));
  return primitives.pbkdf2Sha256(bytes, salt, iterations);
}

export function deriveClientKey(primitives: IdentityPrimitives, salted: Bytes): Promise<Bytes> {
  return primitives.hmacSha256(salted, primitives.encodeUtf8("Client Key"));
}

export function deriveServerKey(primitives: IdentityPrimitives, salted: Bytes): Promise<Bytes> {
  return primitives.hmacSha256(salted, primitives.encodeUtf8("Server Key"));
}

export function deriveStoredKey(primitives: IdentityPrimitives, clientKey: Bytes): Promise<Bytes> {
  return primitives.sha256(clientKey);
}

export async function createVerifier(
  primitives: IdentityPrimitives,
  password: string,
  iterations: number,
): Promise<PasswordVerifier> {
  const salt = primitives.randomBytes(SALT_BYTES);
  const salted = await deriveSaltedPassword(primitives, password, salt, iterations);
  const storedKey = await deriveStoredKey(primitives, await deriveClientKey(primitives, salted));
  return { salt, iterations, storedKey, serverKey: await deriveServerKey(primitives, salted) };
}

/** RFC 5802 3: ClientProof. */
export async function createProof(
  primitives: IdentityPrimitives,
  salted: Bytes,
  authMessage: string,
): Promise<Bytes> {
  const clientKey = await deriveClientKey(primitives, salted);
  const storedKey = await deriveStoredKey(primitives, clientKey);
  return xor(clientKey, await sign(primitives, storedKey, authMessage));
}

/**
 * RFC 5802 3: the StoredKey that a proof of PROOF_BYTES amounts to. The proof is right when it
 * equals the stored one; comparing them in constant time is up to the server.
 */
export async function storedKeyOfProof(
  primitives: IdentityPrimitives,
  storedKey: Bytes,
  authMessage: string,
  proof: Bytes,
): Promise<Bytes> {
  const clientKey = xor(proof, await sign(primitives, storedKey, authMessage));
  return deriveStoredKey(primitives, clientKey);
}

/** RFC 5802 3: ServerSignature. */
export function createServerSignature(
  primitives: IdentityPrimitives,
  serverKey: Bytes,
  authMessage: string,
): Promise<Bytes> {
  return sign(primitives, serverKey, authMessage);
}

function sign(primitives: IdentityPrimitives, key: Bytes, authMessage: string): Promise<Bytes> {
  return primitives.hmacSha256(key, primitives.encodeUtf8(authMessage));
}

function xor(a: Bytes, b: Bytes): Bytes {
  if (a.length !== b.length) throw new Error(`Cannot combine ${a.length} bytes with ${b.length}`);
  return a.map((byte, index) => byte ^ (b[index] ?? 0));
}
