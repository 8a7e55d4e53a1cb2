/** Bundles the command line and its files into one module; threads and migrations become `data:` URLs. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type Plugin } from "esbuild";
import { readSqlFiles } from "../src/database/read-sql-files.ts";
import { PRODUCT_VERSION } from "../src/database/product-version.ts";
import { BUILD_MODULE } from "./build-module.ts";
import { SDK_PACKAGES } from "../src/operate/tracing/sdk.ts";
import { rewriteFileUrls } from "./rewrite-file-urls.ts";

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
  // Dependencies that are no modules call `require` for the modules of Node.
  banner: {
    js: 'const require = process.getBuiltinModule("node:module").createRequire(process.execPath);',
  },
} satisfies BuildOptions;

/** Modules that read files or load packages by their names, and what they are in the bundle. */
const REPLACED: Readonly<Record<string, string>> = {
  "src/database/read-sql-files.ts": `
    export async function readSqlFiles({ pathname }) {
      const json = Buffer.from(pathname.slice(pathname.indexOf(",") + 1), "base64").toString();
      return new Map(Object.entries(JSON.parse(json)));
    }`,
  "src/database/product-version.ts": `
    export const PRODUCT_VERSION = ${JSON.stringify(PRODUCT_VERSION)};`,
  ...BUILD_MODULE,
  "src/server/package-folder.ts": `
    export const PACKAGE_FOLDER = null;`,
  // The packages for traces run only when they are asked for.
  "src/operate/tracing/sdk.ts": `
    export const SDK_PACKAGES = ${JSON.stringify(SDK_PACKAGES)};
    export async function loadSdk() {
      const [api, sdk, resources, exporter] = await Promise.all([
        ${SDK_PACKAGES.map((name) => `import(${JSON.stringify(name)})`).join(", ")},
      ]);
      return { api, sdk, resources, exporter };
    }`,
};

/** Returns the files that are in the bundle. */
export async function bundleBinary(outfile: string): Promise<string[]> {
  const inputs = new Set<string>();
  await bundle({ entryPoints: ["src/cli/trellis.ts"], outfile }, inputs);
  // A module that was renamed would look for files that are not there.
  const missing = Object.keys(REPLACED).filter((path) => !inputs.has(path));
  if (missing.length > 0) throw new Error(`Nothing was replaced for ${missing.join(", ")}`);
  return [...inputs];
}

/** Adds the files that are in the bundle to `inputs`. */
async function bundle(options: BuildOptions, inputs: Set<string>) {
  const plugins = [embedFiles(inputs)];
  const { outputFiles, metafile } = await build({ ...SHARED, ...options, plugins, metafile: true });
  for (const path of Object.keys(metafile.inputs)) inputs.add(path);
  return outputFiles ?? [];
}

function embedFiles(inputs: Set<string>): Plugin {
  return {
    name: "embed-files",
    setup({ onLoad }) {
      onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
        const replaced = REPLACED[path.slice(ROOT.length + 1)];
        if (replaced !== undefined) return { contents: replaced, loader: "js", resolveDir: ROOT };
        const contents = await rewriteFileUrls(
          path,
          async (url) => `new URL("${await embed(url, inputs)}")`,
        );
        return { contents, loader: "ts" };
      });
    },
  };
}

/** A folder has migrations, and a module is the program of a thread. */
async function embed(url: URL, inputs: Set<string>): Promise<string> {
  if (url.href.endsWith("/")) {
    const json = JSON.stringify(Object.fromEntries(await readSqlFiles(url)));
    return toDataAddress("application/json", Buffer.from(json));
  }
  const [program] = await bundle({ entryPoints: [fileURLToPath(url)], write: false }, inputs);
  if (program === undefined) throw new Error(`"${url.pathname}" is no module`);
  return toDataAddress("text/javascript", Buffer.from(program.contents));
}

function toDataAddress(type: string, bytes: Buffer): string {
  return `data:${type};base64,${bytes.toString("base64")}`;
}
