/** Valid requests with named changes, for the tables. */

/** Sets a parameter, omits it (null), or repeats it. */
export type Change = Readonly<Record<string, string | null | readonly string[]>>;

export const twice = (value: string): readonly string[] => [value, value];

/** A case in which the two servers differ, and why. */
export interface Difference {
  readonly ours: string;
  readonly oracle: string;
  readonly why: string;
}

export function writePairs(right: Readonly<Record<string, string>>, change: Change): string {
  const changed: Change = { ...right, ...change };
  return Object.entries(changed)
    .flatMap(([name, given]) =>
      (given === null ? [] : typeof given === "string" ? [given] : given).map(
        (value) => `${name}=${encodeURIComponent(value)}`,
      ),
    )
    .join("&");
}
