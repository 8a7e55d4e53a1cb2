/** What is left in the ledger of an operation that the log no longer has. */
import { hash } from "node:crypto";
import { canonicalContent } from "../rules/sync/content-identity.ts";

/** The same for every spelling of the same content. */
export function contentHash(text: string): string {
  return hash("sha256", canonicalContent(text), "base64url");
}
