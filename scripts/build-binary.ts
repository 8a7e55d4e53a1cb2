/**
 * Builds `build/trellis`: this Node with the command line inside, as one file that needs no Node. Options
 * of V8 are those of the launcher, the first line of `src/cli/trellis.ts`. The licenses of what is inside
 * are beside it.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFile, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bundleBinary } from "./bundle-binary.ts";
import { gatherLicenses, joinLicenses } from "./bundled-licenses.ts";

const ROOT = join(import.meta.dirname, "..");
const WORK = join(ROOT, ".cache/binary");
const NODE_LICENSE = `Node.js ${process.versions.node}

The program contains Node.js, under the MIT license. Its license, and those of V8, OpenSSL, ICU, SQLite and all
others that it contains: https://github.com/nodejs/node/blob/v${process.versions.node}/LICENSE
`;
const OUTPUT = join(ROOT, "build", process.platform === "win32" ? "trellis.exe" : "trellis");

await mkdir(WORK, { recursive: true });
await mkdir(join(ROOT, "build"), { recursive: true });
const main = join(WORK, "trellis.mjs");
const bundled = await bundleBinary(main);
await writeFile(
  join(ROOT, "build/trellis-licenses.txt"),
  joinLicenses([NODE_LICENSE, await gatherLicenses(ROOT, bundled)]),
);
const configuration = join(WORK, "sea-config.json");
await writeFile(
  configuration,
  JSON.stringify({
    main,
    mainFormat: "module",
    executable: await prepareNode(),
    output: OUTPUT,
    disableExperimentalSEAWarning: true,
    // A third less time to start.
    useCodeCache: true,
    execArgv: await readLauncherOptions(),
    // The words of the command line are Trellis's own, and NODE_OPTIONS is for another program.
    execArgvExtension: "none",
  }),
);
execFileSync(process.execPath, [`--build-sea=${configuration}`], { stdio: "inherit" });
if (process.platform === "darwin") execFileSync("codesign", ["--sign", "-", OUTPUT]);
const { size } = await stat(OUTPUT);
console.log(`${OUTPUT}: ${Math.round(size / 1e6)} MB`);

async function readLauncherOptions(): Promise<string[]> {
  const source = await readFile(join(ROOT, "src/cli/trellis.ts"), "utf8");
  const [, options = ""] = /^#!\/usr\/bin\/env -S node (.*)\n/.exec(source) ?? [];
  return options.split(" ");
}

/** Copies Node without the symbols for debuggers, where `strip` is installed: a fifth of its size. */
async function prepareNode(): Promise<string> {
  const node = join(WORK, "node");
  await copyFile(process.execPath, node);
  if (process.platform === "linux") spawnSync("strip", [node]);
  return node;
}
