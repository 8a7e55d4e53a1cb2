/** The parameters of a query or a url-encoded form, strictly: RFC 6749 3.1, 3.2 and appendix B. */
import { parseQuery } from "../../../contract/parse-query.ts";

export interface Parameters {
  /** Values are decoded, and not empty. */
  readonly values: ReadonlyMap<string, string>;
  /** Names that were given more than once, with whatever values. */
  readonly repeated: ReadonlySet<string>;
  /** Names whose value is not UTF-8 in correct percent-encoding. */
  readonly malformed: ReadonlySet<string>;
  /** Names without a value, which count as absent in OAuth (RFC 6749 3.1). */
  readonly empty: ReadonlySet<string>;
}

export function parseParameters(text: string): Parameters {
  const values = new Map<string, string>();
  const repeated = new Set<string>();
  const malformed = new Set<string>();
  const empty = new Set<string>();
  for (const [name, list] of parseQuery(invalidateUnescaped(text))) {
    const value = list[0] ?? null;
    if (list.length > 1) repeated.add(name);
    else if (value === null) malformed.add(name);
    else if (value === "") empty.add(name);
    else values.set(name, value);
  }
  return { values, repeated, malformed, empty };
}

/** An unescaped byte may have been read as Latin-1, so its value is not known. */
function invalidateUnescaped(text: string): string {
  return text.replaceAll(/[^\p{ASCII}]/gu, "%ff");
}
