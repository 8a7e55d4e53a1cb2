/** How secrets are kept that have 256 random bits: a plain hash of those cannot be searched through. */
import { createHash } from "node:crypto";

export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret, "utf8").digest("base64url");
}
