/** Entity ids: a type and the parts that identify the entity, each percent-encoded. */
import { isDate } from "../../contract/date-time.ts";
import {
  ENTITY_TYPE_PATTERN,
  MAX_ENTITY_ID_LENGTH,
  type SyncProfile,
} from "../../contract/sync/operation-limits.ts";

export type EntityId =
  | { readonly type: "habit"; readonly habitId: string }
  | { readonly type: "entry"; readonly habitId: string; readonly date: string }
  | { readonly type: "setting"; readonly key: string }
  | { readonly type: "open" };

const ENTITY_TYPE = new RegExp(ENTITY_TYPE_PATTERN);

/** Formats an id, such as `formatEntityId("entry", habitId, "2026-01-31")`. */
export function formatEntityId(type: string, ...parts: readonly string[]): string {
  return [type, ...parts.map(encodeURIComponent)].join("/");
}

/** Null when the text is no entity id of the profile, or not in its one spelling. */
export function parseEntityId(text: string, profile: SyncProfile): EntityId | null {
  if (text.length > MAX_ENTITY_ID_LENGTH) return null;
  const parts = text.split("/");
  if (parts.length === 1) return null;
  for (let index = 1; index < parts.length; index++) {
    const decoded = decodePart(parts[index] ?? "");
    if (decoded === null) return null;
    parts[index] = decoded;
  }
  const [type = "", first = "", second = ""] = parts;
  if (profile === "open") return ENTITY_TYPE.test(type) ? { type: "open" } : null;
  if (parts.length === 2 && type === "habit") return { type, habitId: first };
  if (parts.length === 2 && type === "setting") return { type, key: first };
  if (parts.length === 3 && type === "entry" && isDate(second)) {
    return { type, habitId: first, date: second };
  }
  return null;
}

/** The characters that `encodeURIComponent` does not escape. */
const UNRESERVED = /^[A-Za-z0-9\-_.!~*'()]+$/;

/** One id must have one spelling, or two devices would make two entities of it. */
function decodePart(part: string): string | null {
  if (UNRESERVED.test(part)) return part;
  if (part === "") return null;
  try {
    const decoded = decodeURIComponent(part);
    return encodeURIComponent(decoded) === part ? decoded : null;
  } catch {
    return null;
  }
}
