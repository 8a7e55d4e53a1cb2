import type { RandomBytes } from "../../rules/web-crypto.ts";

const MAX_NAME_LENGTH = 40;
/** The alphabet lacks letters that are read as others. */
const ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz0";
const RANDOM_CHARACTERS = 8;

/** Makes a readable, unique id in the grammar: `Ada's phone` becomes `adas-phone-3f9k2m7q`. */
export function createDeviceId(deviceName: string, randomBytes: RandomBytes): string {
  const bytes = randomBytes(RANDOM_CHARACTERS);
  const suffix = Array.from(bytes, (byte) => ALPHABET.charAt(byte & 31)).join("");
  return `${toSlug(deviceName) || "device"}-${suffix}`;
}

function toSlug(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\p{M}'’]/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_NAME_LENGTH)
    .replace(/^-+|-+$/g, "");
}
