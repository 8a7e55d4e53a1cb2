/** The parameters of a query or a url-encoded form, strictly: RFC 6749 3.1, 3.2 and appendix B. */
import { parseQuery } from "../../../contract/parse-query.ts";

export interface Parameters {
  /** What was given once, could be read and is not empty, decoded. */
  readonly values: ReadonlyMap<string, string>;
  /** What was given more than once, whatever the values: no single one of them was meant. */
  readonly repeated: ReadonlySet<string>;
  /** What was given once and is no UTF-8 in correct escapes. */
  readonly malformed: ReadonlySet<string>;
  /** What was given once and without a value, which counts as absent in OAuth. */
  readonly empty: ReadonlySet<string>;
}

export function parseParameters(text: string): Parameters {
  const values = new Map<string, string>();
  const repeated = new Set<string>();
  const malformed = new Set<string>();
  const empty = new Set<string>();
  for (const [name, list] of parseQuery(spoilUnescaped(text))) {
    const value = list[0] ?? null;
    if (list.length > 1) repeated.add(name);
    else if (value === null) malformed.add(name);
    else if (value === "") empty.add(name);
    else values.set(name, value);
  }
  return { values, repeated, malformed, empty };
}

/**
 * A byte that should have been escaped has lost its meaning on the way (a server may have read it as
 * Latin-1), so it reads like an escape that is no UTF-8.
 */
function spoilUnescaped(text: string): string {
  return text.replaceAll(/[^\p{ASCII}]/gu, "%ff");
}
