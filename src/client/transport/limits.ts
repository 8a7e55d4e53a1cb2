/** Limits that an app may change one by one. */

/** The longest time a timer can wait; a longer one would fire at once. */
const MAX_LIMIT = 2 ** 31 - 1;

export function readLimits<T extends object>(
  defaults: T,
  given: Partial<T> | undefined,
  wrong: (name: string, problem: string) => Error,
): T {
  const limits = { ...defaults, ...given };
  for (const [name, value] of Object.entries(limits)) {
    if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > MAX_LIMIT) {
      throw wrong(`limits.${name}`, `is not an integer from 1 to ${MAX_LIMIT}`);
    }
  }
  return limits;
}
