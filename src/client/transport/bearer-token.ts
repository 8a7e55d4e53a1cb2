/** Fits a bearer header: some runtimes quote a header that does not in an error message. */
export function isBearerToken(value: unknown): value is string {
  return typeof value === "string" && /^[\x21-\x7e]{1,8192}$/.test(value);
}
