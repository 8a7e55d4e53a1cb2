/** A longer timer would fire at once. */
const MAX_LIMIT = 2 ** 31 - 1;

/** `createError` makes the error of the setting of that name. */
export function readLimits<T extends object>(
  defaults: T,
  given: Partial<T> | undefined,
  createError: (name: string, detail: string) => Error,
): T {
  const limits = { ...defaults, ...given };
  for (const [name, value] of Object.entries(limits)) {
    if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > MAX_LIMIT) {
      throw createError(`limits.${name}`, `is not an integer from 1 to ${MAX_LIMIT}`);
    }
  }
  return limits;
}
