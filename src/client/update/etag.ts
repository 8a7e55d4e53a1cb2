/** RFC 9110 8.8.3, in ASCII and bounded: what is kept and sent back must be safe in a header. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/;

export function isEtag(value: unknown): value is string {
  return typeof value === "string" && ENTITY_TAG.test(value);
}

/** RFC 9110 13.1.5: only a strong validator can promise that two byte ranges belong together. */
export function isStrongEtag(value: unknown): value is string {
  return isEtag(value) && !value.startsWith("W/");
}
