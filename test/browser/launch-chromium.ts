/** The installed Chromium for tests in a real browser. */
import { chromium, type Browser } from "playwright-core";
import { findChromium } from "./find-chromium.ts";

// No background activity of the browser.
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) {
    throw new Error("The browser tests need Chromium: run them with `npm test`, which installs it");
  }
  return chromium.launch({ executablePath, args: FLAGS });
}
