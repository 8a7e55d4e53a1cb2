/**
 * Bundles the package with esbuild. TypeBox alone has some 700 modules, and finding them takes longer
 * than anything else that a short command does; so it is bundled too, while other dependencies stay
 * imports.
 */
import { cp, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { gatherLicenses } from "./bundled-licenses.ts";
import { BUILD_MODULE } from "./build-module.ts";
import { rewriteFileUrls } from "./rewrite-file-urls.ts";

const ROOT = join(import.meta.dirname, "..");
const SOURCE = join(ROOT, "src");

/** These entries are for Node, Bun and Deno, and share chunks. */
const SERVER_ENTRIES = {
  trellis: "src/cli/trellis.ts",
  release: "src/release/index.ts",
  sync: "src/sync/index.ts",
  hosting: "src/hosting/index.ts",
  "sync-store-contract": "store-contract/index.ts",
  events: "src/events/index.ts",
  "client-node": "src/client/node/index.ts",
  conformance: "conformance/index.ts",
  "push-worker": "src/sync/log/push-worker.ts",
  "ingest-worker": "src/events/ingest/worker.ts",
  "backup-worker": "src/operate/backups/backup-worker.ts",
};

/** These entries are for browsers as well, so each stands in a file of its own. */
const PORTABLE_ENTRIES = {
  "client-storage-contract": "storage-contract/index.ts",
  react: "src/client/react/index.ts",
  "tanstack-db": "src/client/tanstack-db/index.ts",
};

/** The encryption manages the keys of a sync client with its modules, which must exist once. */
const CLIENT_ENTRIES = {
  client: "src/client/index.ts",
  "client-encryption": "src/client/encryption/index.ts",
};

export async function bundlePackage(folder: string): Promise<void> {
  const { dependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  // An app has one copy of React, which is a peer.
  const external = [...Object.keys(dependencies).filter((name) => name !== "typebox"), "react"];
  const shared = {
    absWorkingDir: ROOT,
    outdir: folder,
    bundle: true,
    format: "esm",
    target: "es2024",
    legalComments: "none",
    metafile: true,
    external,
  } as const;
  const files = new Set<string>();
  const server = await build({
    ...shared,
    entryPoints: SERVER_ENTRIES,
    platform: "node",
    splitting: true,
    plugins: [relocateFiles(files)],
  });
  for (const name of files) await cp(join(SOURCE, name), join(folder, name), { recursive: true });
  const portable = { ...shared, platform: "neutral" } as const;
  const others = [
    await build({ ...portable, entryPoints: PORTABLE_ENTRIES }),
    await build({ ...portable, entryPoints: CLIENT_ENTRIES, splitting: true }),
  ];
  const inputs = [server, ...others].flatMap(({ metafile }) => Object.keys(metafile.inputs));
  await writeFile(join(folder, "licenses.txt"), await gatherLicenses(ROOT, inputs));
}

/**
 * Every bundled file stands directly in the output folder, so `new URL("…", import.meta.url)` of a
 * source file is rewritten: a thread becomes its bundled entry, other files and folders are to be
 * copied and are added to `files`.
 */
function relocateFiles(files: Set<string>): Plugin {
  const entryBySource = new Map(
    Object.entries(SERVER_ENTRIES).map(([name, source]) => [join(ROOT, source), `./${name}.js`]),
  );
  const relocate = (path: string): string => {
    const entry = entryBySource.get(path);
    if (entry !== undefined) return entry;
    // The package's own files stand beside the output folder.
    if (dirname(path) === ROOT) return `../${relative(ROOT, path)}`;
    const name = relative(SOURCE, path);
    files.add(name);
    return path.endsWith("/") ? `./${name}/` : `./${name}`;
  };
  return {
    name: "relocate-files",
    setup({ onLoad }) {
      onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
        const replaced = BUILD_MODULE[relative(ROOT, path)];
        if (replaced !== undefined) return { contents: replaced, loader: "js" };
        const contents = await rewriteFileUrls(
          path,
          (url) => `new URL("${relocate(fileURLToPath(url))}", import.meta.url)`,
        );
        return { contents, loader: "ts" };
      });
    },
  };
}
