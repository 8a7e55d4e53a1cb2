/** What the platform lends to a sign-in: a page gives WebCrypto, a server node:crypto. */

export type Bytes = Uint8Array<ArrayBuffer>;

export interface IdentityPrimitives {
  encodeUtf8(text: string): Bytes;
  sha256(bytes: Bytes): Promise<Bytes>;
  hmacSha256(key: Bytes, bytes: Bytes): Promise<Bytes>;
  /** PBKDF2 with HMAC-SHA-256 (RFC 8018 5.2), 32 bytes of output. */
  pbkdf2Sha256(password: Bytes, salt: Bytes, iterations: number): Promise<Bytes>;
  randomBytes(length: number): Bytes;
}
