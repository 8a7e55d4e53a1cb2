/**
 * Bundles the command line and everything that it reads into one module, for a single executable: no file
 * stands beside it. Threads and migrations become `data:` addresses.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type BuildOptions, type Plugin } from "esbuild";
import { readSqlFiles } from "../src/database/read-sql-files.ts";
import { PRODUCT_VERSION } from "../src/server/product-version.ts";
import { URL_OF_FILE } from "./url-of-file.ts";

const ROOT = join(import.meta.dirname, "..");

const SHARED = {
  absWorkingDir: ROOT,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node26",
  legalComments: "none",
  minify: true,
  // Errors and stack traces name functions and classes.
  keepNames: true,
  // Dependencies that are no modules call it for the modules of Node.
  banner: {
    js: 'const require = process.getBuiltinModule("node:module").createRequire(process.execPath);',
  },
} satisfies BuildOptions;

/** Modules that read files, and what they are in the bundle. */
const REPLACED: Readonly<Record<string, string>> = {
  "src/database/read-sql-files.ts": `
    export async function readSqlFiles({ pathname }) {
      const json = Buffer.from(pathname.slice(pathname.indexOf(",") + 1), "base64").toString();
      return new Map(Object.entries(JSON.parse(json)));
    }`,
  "src/server/product-version.ts": `
    export const PRODUCT_VERSION = ${JSON.stringify(PRODUCT_VERSION)};`,
};

export async function bundleBinary(outfile: string): Promise<void> {
  const entryPoints = ["src/cli/trellis.ts"];
  const { metafile } = await build({
    ...SHARED,
    entryPoints,
    outfile,
    plugins: [embedFiles()],
    metafile: true,
  });
  // One that was renamed would look for files that are not there.
  const missing = Object.keys(REPLACED).filter((path) => !(path in metafile.inputs));
  if (missing.length > 0) throw new Error(`Nothing was replaced for ${missing.join(", ")}`);
}

function embedFiles(): Plugin {
  return {
    name: "embed-files",
    setup({ onLoad }) {
      onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
        const replaced = REPLACED[path.slice(ROOT.length + 1)];
        if (replaced !== undefined) return { contents: replaced, loader: "js" };
        let contents = await readFile(path, "utf8");
        for (const [expression, target = ""] of contents.matchAll(URL_OF_FILE)) {
          const embedded = await embed(new URL(target, pathToFileURL(path)));
          contents = contents.replace(expression, `new URL("${embedded}")`);
        }
        return { contents, loader: "ts" };
      });
    },
  };
}

/** A folder has migrations, and a module is the program of a thread. */
async function embed(url: URL): Promise<string> {
  if (url.href.endsWith("/")) {
    const json = JSON.stringify(Object.fromEntries(await readSqlFiles(url)));
    return toDataAddress("application/json", Buffer.from(json));
  }
  const entryPoints = [fileURLToPath(url)];
  const { outputFiles } = await build({
    ...SHARED,
    entryPoints,
    write: false,
    plugins: [embedFiles()],
  });
  const [program] = outputFiles;
  if (program === undefined) throw new Error(`"${url.pathname}" is no module`);
  return toDataAddress("text/javascript", Buffer.from(program.contents));
}

function toDataAddress(type: string, bytes: Buffer): string {
  return `data:${type};base64,${bytes.toString("base64")}`;
}
