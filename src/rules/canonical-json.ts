/**
 * The one text of a JSON value, whatever the order of its members: RFC 8785. JavaScript's own texts of
 * strings and numbers are those of section 3.2.2.
 */
import { isObject } from "../contract/is-object.ts";

export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  // RFC 8785 3.2.3: by UTF-16 code units, as `sort` does.
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`);
  return `{${members.join(",")}}`;
}
