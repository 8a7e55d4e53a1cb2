/** Finds Chromium for the browser tests; installs it where that needs no question, else says how. */
import { spawnSync } from "node:child_process";
import { findChromium } from "../test/browser/find-chromium.ts";

if (findChromium() === null) {
  const isRoot = process.getuid?.() === 0;
  const hasApt = spawnSync("apt-get", ["--version"]).status === 0;
  if (isRoot && hasApt) {
    console.error("Installing Chromium for the browser tests with apt-get");
    runApt("update");
    // A distribution may have only the whole browser.
    if (!runApt("install", "-y", "chromium-headless-shell")) runApt("install", "-y", "chromium");
  }
  if (findChromium() === null) {
    console.error(
      "The browser tests need Chromium: install it (Debian: `apt-get install chromium-headless-shell`) so that `chromium-headless-shell`, `chromium`, `chromium-browser` or `google-chrome` is on the PATH, or name it in CHROMIUM_PATH",
    );
    process.exitCode = 1;
  }
}

function runApt(...words: string[]): boolean {
  const { status } = spawnSync("apt-get", ["-qq", ...words], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  return status === 0;
}
