/** Members of a document that are metadata: all but those that the contract names. */
import { DOCUMENT_MEMBERS } from "../../contract/sync/operation-limits.ts";

const RESERVED: ReadonlySet<string> = new Set(DOCUMENT_MEMBERS);
const NONE: readonly string[] = [];

export function isReserved(name: string): boolean {
  return RESERVED.has(name);
}

export function metadataNamesOf(document: object): readonly string[] {
  const names = Object.keys(document);
  // Most documents have none.
  return names.every(isReserved) ? NONE : names.filter((name) => !isReserved(name));
}
