import type { BrowserName } from "../../contract/identity.ts";
import type { OwnerTexts } from "./texts.ts";

/** "Firefox on Linux", as far as it is known. */
export function describeBrowser(
  { browser, system }: BrowserName,
  texts: OwnerTexts["browserName"],
): string {
  const known = browser ?? texts.unknown;
  return system === null ? known : texts.on(known, system);
}
