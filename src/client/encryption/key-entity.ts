/** The key entity of the first layout, as long as a command reads it. */

/** `check/<key id>` proves a key, `keys/<key id>` holds the others, `next/<key id>` names the one after it. */
export type KeyEntityField = "check" | "keys" | "next";

/** The value of `check/<key id>`. */
export function toCheckValue(keyId: string): readonly unknown[] {
  return ["check", keyId];
}
