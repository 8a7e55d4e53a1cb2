import { hash } from "node:crypto";

/** In hexadecimal, of the text as UTF-8. */
export function sha256OfText(text: string): string {
  return hash("sha256", text);
}
