/**
 * A random id, kept in the app's storage, that decides the installation's bucket of a staged rollout. No
 * request has it: the manifest says who is offered a release, and the client applies it.
 */
import { decodeBase64Url, encodeBase64Url } from "../../rules/base64url.ts";
import { randomBytes } from "../../rules/web-crypto.ts";

const ID_BYTES = 16;
const BUCKETS = 100;

export function createInstallationId(): string {
  return encodeBase64Url(randomBytes(ID_BYTES));
}

export function isInstallationId(value: unknown): value is string {
  return typeof value === "string" && decodeBase64Url(value)?.length === ID_BYTES;
}

/** The bucket from 1 to 100. The id is evenly random, so its first four bytes need no hash. */
export function bucketOf(installationId: string): number {
  const bytes = decodeBase64Url(installationId) ?? new Uint8Array();
  const number = bytes.subarray(0, 4).reduce((sum, byte) => sum * 256 + byte, 0);
  return (number % BUCKETS) + 1;
}
