/** Entity ids: a type and the parts that identify the entity, each percent-encoded. */
import { isDate } from "../../contract/date-time.ts";
import {
  ENTITY_TYPE_PATTERN,
  MAX_ENTITY_ID_LENGTH,
  SEALED_ID_PATTERN,
  type ClearProfile,
  type SyncProfile,
} from "../../contract/sync/operation-limits.ts";

/** What the id of an entity says, read by `parseEntityId`. */
export type EntityId =
  | { readonly type: "habit"; readonly habitId: string }
  | { readonly type: "entry"; readonly habitId: string; readonly date: string }
  | { readonly type: "setting"; readonly key: string }
  | { readonly type: "open" }
  | { readonly type: "sealed" };

const ENTITY_TYPE = new RegExp(ENTITY_TYPE_PATTERN);
const SEALED_ID = /* @__PURE__ */ new RegExp(SEALED_ID_PATTERN);
export const ENTITY_TYPE_EXPECTED = "1 to 32 of a-z 0-9 -, a letter first";

export function isEntityType(text: string): boolean {
  return ENTITY_TYPE.test(text);
}

/**
 * Makes the id of an entity of its type and parts, such as `entry/ID/2026-01-31`, with escapes where a part
 * needs them.
 * @param type - the type of the entity
 * @param parts - the other parts of the id
 * @returns the id
 * @example
 * ```ts
 * import { formatEntityId, parseEntityId } from "trellis/client";
 *
 * const id = formatEntityId("entry", "water", "2026-01-31");
 * console.log(parseEntityId(id, "habits"));
 * ```
 */
export function formatEntityId(type: string, ...parts: readonly string[]): string {
  return [type, ...parts.map(encodeURIComponent)].join("/");
}

export interface EntityIdError {
  readonly type: "error";
  /** What the entity id must be or have. */
  readonly expected: string;
}

/**
 * Reads the id of an entity. Null means that the text is no entity id of the profile, or not in its one
 * spelling.
 * @param text - the id
 * @param profile - the profile of the server
 * @returns what the id says, or null
 */
export function parseEntityId(text: string, profile: SyncProfile): EntityId | null {
  const entity = profile === "sealed" ? readSealedId(text) : readEntityId(text, profile);
  return entity.type === "error" ? null : entity;
}

/** Says what is wrong with a text that is no entity id. */
export function readEntityId(text: string, profile: ClearProfile): EntityId | EntityIdError {
  if (text.length > MAX_ENTITY_ID_LENGTH) {
    return entityIdError(`have at most ${MAX_ENTITY_ID_LENGTH} characters`);
  }
  const parts = text.split("/");
  const [type = ""] = parts;
  if (parts.length === 1) return entityIdError("be a type and an id with a slash between them");
  if (!isEntityType(type)) return entityIdError(`begin with a type of ${ENTITY_TYPE_EXPECTED}`);
  for (let index = 1; index < parts.length; index++) {
    const part = parts[index] ?? "";
    if (part === "") return entityIdError("have no empty part");
    const decoded = decodePart(part);
    if (decoded === null) return entityIdError("have each part encoded as by encodeURIComponent");
    parts[index] = decoded;
  }
  return profile === "open" ? { type: "open" } : parseHabitsId(parts);
}

export function readSealedId(text: string): EntityId | EntityIdError {
  return SEALED_ID.test(text)
    ? { type: "sealed" }
    : entityIdError("be sealed/ and 32 bytes in canonical base64url");
}

function parseHabitsId(parts: readonly string[]): EntityId | EntityIdError {
  const [type = "", first = "", second = ""] = parts;
  if (parts.length === 2 && type === "habit") return { type, habitId: first };
  if (parts.length === 2 && type === "setting") return { type, key: first };
  if (parts.length === 3 && type === "entry" && isDate(second)) {
    return { type, habitId: first, date: second };
  }
  return entityIdError(
    "be habit/<id>, entry/<habit id>/<YYYY-MM-DD> or setting/<key> in the profile habits; the profile open takes any type",
  );
}

function entityIdError(expected: string): EntityIdError {
  return { type: "error", expected };
}

/** The characters that `encodeURIComponent` does not escape. */
const UNRESERVED = /^[A-Za-z0-9\-_.!~*'()]+$/;

/** One id must have one spelling, or two devices would make two entities of it. */
function decodePart(part: string): string | null {
  if (UNRESERVED.test(part)) return part;
  try {
    const decoded = decodeURIComponent(part);
    return encodeURIComponent(decoded) === part ? decoded : null;
  } catch {
    return null;
  }
}
