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

/** The last list is the only one that Chromium reads, so this one has what matters of Playwright's, too. */
const DISABLED_FEATURES = [
  // For the list below its address bar, which nothing here shows, every window starts a process and loads two
  // pages: most of the CPU time of a test.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "SpareRendererForSitePerProcess",
  // Playwright's: its waiting and its routes depend on the first ones, the others ask for something online.
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AimEnabled",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PreconnectToSearch",
];

/**
 * The pages of a context share a process that stays: to open one then takes a quarter less CPU time. For
 * tests of one page at a time, in which no process is killed.
 */
export const ONE_RENDERER = ["--disable-site-isolation-trials", "--renderer-process-limit=1"];

export function launchChromium(flags: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) {
    throw new Error("The browser tests need Chromium: run them with `npm test`, which installs it");
  }
  const args = [...FLAGS, `--disable-features=${DISABLED_FEATURES.join(",")}`, ...flags];
  return chromium.launch({ executablePath, args });
}
