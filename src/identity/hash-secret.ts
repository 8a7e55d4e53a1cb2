/** How secrets are kept that have 256 random bits: a plain hash of those cannot be searched through. */
import { hash } from "node:crypto";

export function hashSecret(secret: string): string {
  return hash("sha256", secret, "base64url");
}
