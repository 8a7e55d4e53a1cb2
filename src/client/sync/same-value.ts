import { isPlainObject } from "./json-text.ts";

/** Whether two values are equal as JSON; objects of a class are their own. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, i) => isSameValue(value, other[i]));
  }
  if (!isPlainObject(one) || !isPlainObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    // JSON has no undefined, so a member that the other lacks differs.
    names.every((name) => isSameValue(one[name], other[name]))
  );
}
