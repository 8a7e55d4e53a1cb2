/** What makes two operations the same content, as it is kept in the ledger. */
import { createHash } from "node:crypto";
import { canonicalContent } from "../rules/sync/content-identity.ts";

export function contentHash(operationText: string): string {
  return createHash("sha256").update(canonicalContent(operationText), "utf8").digest("base64url");
}
