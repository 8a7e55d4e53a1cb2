/** Finds the error's code, all that is reported: some runtimes quote headers, with the token, in errors. */
export function findErrorCode(error: unknown): string | null {
  if (typeof error !== "object" || error === null) return null;
  const code = "code" in error ? error.code : null;
  if (typeof code === "string" && /^[A-Z]+(?:_[A-Z0-9]+)*$/.test(code)) return code;
  return "cause" in error ? findErrorCode(error.cause) : null;
}
