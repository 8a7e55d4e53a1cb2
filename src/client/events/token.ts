/** What can travel behind `Bearer`: anything else would end up in a runtime's error message. */
export function isSendableToken(value: unknown): value is string {
  return typeof value === "string" && /^[\x21-\x7e]{1,8192}$/.test(value);
}
