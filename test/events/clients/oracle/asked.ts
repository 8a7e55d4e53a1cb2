/** Requests that are right but for what is named, for the tables. */

/** Sets a parameter, leaves it out (null), or gives it more than once. */
export type Change = Readonly<Record<string, string | null | readonly string[]>>;

export const twice = (value: string): readonly string[] => [value, value];

/** A case in which the two servers differ, and why ours does what it does. */
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
