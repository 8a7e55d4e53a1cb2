/** Where Chromium is installed: named by CHROMIUM_PATH, or found on the PATH. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The shell without a window first: the others also draw a window, which is not needed. */
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];

export function findChromium(): string | null {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = [
    process.env["CHROMIUM_PATH"] ?? "",
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
  ];
  return candidates.find((path) => path !== "" && isExecutable(path)) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
