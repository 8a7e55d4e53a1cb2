/** Finds Chromium for the browser tests; installs it where that needs no question, else says how. */
import { spawnSync } from "node:child_process";
import { findChromium } from "../test/browser/find-chromium.ts";

if (findChromium() === null) {
  const isRoot = process.getuid?.() === 0;
  const hasApt = spawnSync("apt-get", ["--version"]).status === 0;
  if (isRoot && hasApt) {
    console.error("Installing Chromium for the browser tests (apt-get install chromium)");
    for (const args of [
      ["update", "-qq"],
      ["install", "-y", "-qq", "chromium"],
    ]) {
      spawnSync("apt-get", args, {
        stdio: ["ignore", "ignore", "inherit"],
        env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      });
    }
  }
  if (findChromium() === null) {
    console.error(
      "The browser tests need Chromium: install it (Debian: `apt-get install chromium`) so that `chromium`, `chromium-browser` or `google-chrome` is on the PATH, or name it in CHROMIUM_PATH",
    );
    process.exitCode = 1;
  }
}
