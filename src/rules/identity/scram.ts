/** SCRAM-SHA-256 (RFC 5802 3, RFC 7677): what the server stores verifies a password but cannot log in. */
import {
  encodeUtf8,
  hmacSha256,
  pbkdf2Sha256,
  randomBytes,
  sha256,
  type Bytes,
} from "../web-crypto.ts";

/** What a server stores of a password. */
export interface PasswordVerifier {
  readonly salt: Bytes;
  readonly iterations: number;
  readonly storedKey: Bytes;
  readonly serverKey: Bytes;
}

/** OWASP's figure for PBKDF2-HMAC-SHA-256. */
export const PASSWORD_ITERATIONS = 600_000;
export const SALT_BYTES = 16;
/** A key, a proof and a signature have the bytes of one SHA-256. */
export const PROOF_BYTES = 32;

/** RFC 5802 3: SaltedPassword. The password is normalised to NFC and never trimmed. */
export function deriveSaltedPassword(
  password: string,
  salt: Bytes,
  iterations: number,
): Promise<Bytes> {
  return pbkdf2Sha256(encodeUtf8(password.normalize("NFC")), salt, iterations);
}

export function deriveClientKey(salted: Bytes): Promise<Bytes> {
  return sign(salted, "Client Key");
}

export function deriveServerKey(salted: Bytes): Promise<Bytes> {
  return sign(salted, "Server Key");
}

export function deriveStoredKey(clientKey: Bytes): Promise<Bytes> {
  return sha256(clientKey);
}

export async function createVerifier(
  password: string,
  iterations: number,
): Promise<PasswordVerifier> {
  const salt = randomBytes(SALT_BYTES);
  const salted = await deriveSaltedPassword(password, salt, iterations);
  const storedKey = await deriveStoredKey(await deriveClientKey(salted));
  return { salt, iterations, storedKey, serverKey: await deriveServerKey(salted) };
}

/** RFC 5802 3: ClientProof. */
export async function createProof(salted: Bytes, authMessage: string): Promise<Bytes> {
  const clientKey = await deriveClientKey(salted);
  return xor(clientKey, await sign(await deriveStoredKey(clientKey), authMessage));
}

/** RFC 5802 3: the StoredKey of a proof of PROOF_BYTES; the server compares it in constant time. */
export async function recoverStoredKey(
  storedKey: Bytes,
  authMessage: string,
  proof: Bytes,
): Promise<Bytes> {
  return deriveStoredKey(xor(proof, await sign(storedKey, authMessage)));
}

/** RFC 5802 3: ServerSignature. */
export function createServerSignature(serverKey: Bytes, authMessage: string): Promise<Bytes> {
  return sign(serverKey, authMessage);
}

function sign(key: Bytes, text: string): Promise<Bytes> {
  return hmacSha256(key, encodeUtf8(text));
}

function xor(a: Bytes, b: Bytes): Bytes {
  if (a.length !== b.length) throw new Error(`Cannot combine ${a.length} bytes with ${b.length}`);
  return a.map((byte, index) => byte ^ (b[index] ?? 0));
}
