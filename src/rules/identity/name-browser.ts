/** The names of a browser and its system, from its User-Agent. Only names of these lists are stored or shown. */
import type { BrowserName } from "../../contract/identity.ts";

type Names = readonly (readonly [pattern: RegExp, name: string])[];

/** Browsers name those that they are like, too, so the most particular comes first. */
const BROWSERS: Names = [
  [/\bEdg(?:A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:(?:Headless)?Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const SYSTEMS: Names = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows NT\b/, "Windows"],
  [/\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

export function nameBrowser(userAgent: string | null): BrowserName {
  const find = (names: Names) =>
    names.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1] ?? null;
  return { browser: find(BROWSERS), system: find(SYSTEMS) };
}
