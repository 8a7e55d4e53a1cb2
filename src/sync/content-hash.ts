/** What makes two operations the same content, as it is kept in the ledger. */
import { hash } from "node:crypto";
import type { Operation } from "../contract/sync/operation.ts";
import { operationContent } from "../rules/sync/content-identity.ts";
import { scanOperation, type ScannedOperation } from "../rules/sync/scan-operations.ts";

export function contentHash(scanned: ScannedOperation, operation: Operation): string {
  return hash("sha256", operationContent(scanned, operation), "base64url");
}

/** Of the text of an operation that was validated before it was stored. */
export function storedContentHash(text: string): string {
  return contentHash(scanOperation(text), JSON.parse(text) as Operation);
}
