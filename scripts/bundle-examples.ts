/** Bundles the example apps into modules of text, so that the package can serve them. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bundle, toModule, type GeneratedFile } from "./bundle-web.ts";

const ROOT = join(import.meta.dirname, "..");
const APP = "examples/habits";
const NOTES_PAGE = "examples/notes/index.html";

/** Browsers with what the sync client needs, and `light-dark()`. */
const target = ["es2022", "chrome123", "firefox124", "safari17.5"];

export async function bundleHabits(): Promise<GeneratedFile[]> {
  const files = [
    ["habits-script", `${APP}/src/main.tsx`, await bundle(`${APP}/src/main.tsx`, SCRIPT)],
    ["habits-style", `${APP}/src/style.css`, await bundle(`${APP}/src/style.css`, { target })],
    await readSource("habits-page", "index.html"),
    await readSource("habits-web-manifest", "manifest.webmanifest"),
    await readSource("habits-icon-svg", "icon.svg"),
    await readSource("habits-icon-png", "icon-192.png", "base64"),
  ] as const;
  const digest = createHash("sha256");
  for (const [, , text] of files) digest.update(text);
  const version = digest.digest("hex").slice(0, 16);
  const worker = `${APP}/src/service-worker.ts`;
  const workerText = await bundle(worker, {
    target,
    define: { FILES_VERSION: JSON.stringify(version) },
  });
  return [
    ...files.map(([name, source, text]) => toModule(name, source, text)),
    toModule("habits-service-worker", worker, workerText),
  ];
}

/** The page as it is written, which is there to be read, and the client that it imports. */
export async function bundleNotes(): Promise<GeneratedFile[]> {
  const client = await bundle("trellis/client", {
    ...SCRIPT,
    entryPoints: [],
    stdin: {
      contents: 'export { createIndexedDbStorage, createSyncClient } from "trellis/client"',
      resolveDir: ROOT,
    },
  });
  return [
    toModule("notes-page", NOTES_PAGE, await readFile(join(ROOT, NOTES_PAGE), "utf8")),
    toModule("notes-client", "src/client/index.ts", client),
  ];
}

const SCRIPT = {
  target,
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
  // The example imports the client as an app does that has installed the package.
  alias: {
    "trellis/client": join(ROOT, "src/client/index.ts"),
    "trellis/client/encryption": join(ROOT, "src/client/encryption/index.ts"),
  },
} as const;

async function readSource(name: string, file: string, encoding: BufferEncoding = "utf8") {
  const source = `${APP}/${file}`;
  return [name, source, await readFile(join(ROOT, source), encoding)] as const;
}
