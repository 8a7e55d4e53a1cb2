import { createJsonScanner, skipValue } from "./json-scanner.ts";

/**
 * Whether an object of the JSON text, which was parsed as `value`, has a name twice. Parsers differ in which of
 * the two they take, so two readers of one body would not see the same (RFC 8259 4).
 */
export function hasRepeatedMember(text: string, value: unknown): boolean {
  const scanner = createJsonScanner(text);
  skipValue(scanner);
  return scanner.memberCount > countMembers(value);
}

/** Without recursion: a body may be nested as deep as it is long. */
function countMembers(value: unknown): number {
  let count = 0;
  const unread = [value];
  while (unread.length > 0) {
    const next = unread.pop();
    if (typeof next !== "object" || next === null) continue;
    const isList = Array.isArray(next);
    for (const item of isList ? next : Object.values(next)) {
      if (!isList) count++;
      if (typeof item === "object") unread.push(item);
    }
  }
  return count;
}
