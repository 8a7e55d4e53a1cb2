/** The members of a JSON object by name. */
export type Members = Readonly<Record<string, unknown>>;

/** Whether parsed JSON is an object: neither null nor an array. */
export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
