/** Bundles the example apps into modules of text, so that the package can serve them. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
import { addThemes } from "../src/web/style/themed-style.ts";
import { APP_BROWSERS, toEsbuildTarget } from "./browser-targets.ts";
import { bundle, SHARED, toModule, type GeneratedFile } from "./bundle-web.ts";

const ROOT = join(import.meta.dirname, "..");
const APP = "examples/habits";
const ENTRY = `${APP}/src/main.tsx`;
const BACKGROUND = `${APP}/src/background.ts`;
const NOTES_PAGE = "examples/notes/index.html";
/** The folder of the files whose names have their hash: what is at an address there never changes. */
const ASSETS = "/assets/";

const target = ["es2022", ...toEsbuildTarget(APP_BROWSERS)];

export async function bundleHabits(): Promise<GeneratedFile[]> {
  const { first, textsByAddress } = await bundleScripts();
  const style = addThemes(await bundle(`${APP}/src/style.css`, { target }));
  const page = buildPage(await readSource("index.html"), style, first);
  const webManifest = await readSource("manifest.webmanifest");
  const svg = await readSource("icon.svg");
  const png = await readSource("icon-192.png", "base64");
  const scripts = Object.keys(textsByAddress);
  const digest = createHash("sha256");
  for (const text of [page, webManifest, svg, png, ...scripts]) digest.update(text);
  const worker = await bundle(`${APP}/src/service-worker.ts`, {
    target,
    define: {
      FILES_VERSION: JSON.stringify(digest.digest("hex").slice(0, 16)),
      SCRIPTS: JSON.stringify(scripts),
      ENTRY_SCRIPT: JSON.stringify(first[0]),
    },
  });
  const styleHash = createHash("sha256").update(style).digest("base64");
  return [
    toModule("habits-page", `${APP}/index.html`, page),
    toModule("habits-style-hash", `${APP}/src/style.css`, styleHash),
    toModule("habits-scripts", ENTRY, textsByAddress),
    toModule("habits-web-manifest", `${APP}/manifest.webmanifest`, webManifest),
    toModule("habits-icon-svg", `${APP}/icon.svg`, svg),
    toModule("habits-icon-png", `${APP}/icon-192.png`, png),
    toModule("habits-service-worker", `${APP}/src/service-worker.ts`, worker),
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

interface BuiltScripts {
  /** The addresses of those that the first view needs; the entry comes first. */
  readonly first: readonly string[];
  readonly textsByAddress: Readonly<Record<string, string>>;
}

/** The script of the first view, and those that are imported on demand. */
async function bundleScripts(): Promise<BuiltScripts> {
  const background = await buildScripts(BACKGROUND, []);
  const path = background.outputFiles[0]?.path ?? "";
  const { outputFiles, metafile } = await buildScripts(ENTRY, [findBuilt(toAddress(path))]);
  const texts = [...outputFiles, ...background.outputFiles].map(
    (file) => [toAddress(file.path), file.text] as const,
  );
  return { first: findFirst(metafile), textsByAddress: Object.fromEntries(texts.sort()) };
}

function buildScripts(entry: string, plugins: Plugin[]) {
  return build({
    ...SHARED,
    ...SCRIPT,
    entryPoints: [entry],
    splitting: true,
    outdir: join(ROOT, ASSETS),
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    plugins,
    metafile: true,
    write: false,
  });
}

/**
 * The background is built for itself: esbuild puts everything that two scripts import from one file, such as that
 * of the client, into one script, and the first view would load the clients of the planner and of updates.
 */
function findBuilt(address: string): Plugin {
  return {
    name: "find-built",
    setup({ onResolve }) {
      onResolve({ filter: /\/background\.ts$/ }, () => ({ path: address, external: true }));
    },
  };
}

/** The addresses of the entry, and of the scripts that it imports at once. */
function findFirst({ outputs: named }: Metafile): string[] {
  const outputs = new Map(Object.entries(named).map(([path, each]) => [toAddress(path), each]));
  const entries = [...outputs].filter(([, { entryPoint }]) => entryPoint === ENTRY);
  const first = new Set(entries.map(([path]) => path));
  for (const path of first) {
    for (const { kind, path: imported } of outputs.get(path)?.imports ?? []) {
      if (kind === "import-statement") first.add(toAddress(imported));
    }
  }
  return [...first];
}

const toAddress = (path: string) => `${ASSETS}${path.split("/").at(-1)}`;

/** The style is in the page, which saves a slow line a round trip before it paints. */
function buildPage(source: string, style: string, [entry, ...others]: readonly string[]): string {
  const preloads = others.map((path) => `<link rel="modulepreload" href="${path}" />\n    `);
  const replacements = [
    [/<!--.*?-->\s*/gs, ""],
    ['<link rel="stylesheet" href="/src/style.css" />', `<style>${style}</style>`],
    [
      '<script type="module" src="/src/main.tsx"></script>',
      `${preloads.join("")}<script type="module" src="${entry}"></script>`,
    ],
  ] as const;
  return replacements.reduce((page, [from, to]) => {
    const replaced = page.replace(from, () => to);
    if (replaced === page) throw new Error(`The page of the app has no ${String(from)}`);
    return replaced;
  }, source);
}

function readSource(file: string, encoding: BufferEncoding = "utf8"): Promise<string> {
  return readFile(join(ROOT, APP, file), encoding);
}
