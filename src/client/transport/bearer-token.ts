/** Tells whether a value fits a bearer header: some runtimes quote one that does not in an error. */
export function isBearerToken(value: unknown): value is string {
  return typeof value === "string" && /^[\x21-\x7e]{1,8192}$/.test(value);
}
