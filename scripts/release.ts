/**
 * `npm run release`: Trellis releases itself with Trellis. Builds the package, the binary and the Debian
 * package, describes and signs them, publishes them in the catalogue, and exports page and feeds.
 *
 * The catalogue is in `--home` (default `release/`), where `trellis init --service release` made it.
 */
import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { PRODUCT_VERSION as VERSION } from "../src/database/product-version.ts";
import { readCatalog } from "../src/release/catalog/read-catalog.ts";
import { openKeyFile } from "../src/release/publishing/key-files.ts";
import { formatFileError } from "../src/rules/release/catalog-file-error.ts";
import { describeBuild, signStatement, type BuiltFile } from "./release/provenance.ts";
import { createSoftwareBill } from "./release/software-bill.ts";

const ROOT = join(import.meta.dirname, "..");
const { values: options } = parseArgs({
  options: {
    home: { type: "string", default: "release" },
    out: { type: "string", default: "build/release" },
    /** The address that the folder `downloads` will have. */
    downloads: { type: "string" },
    /** The build number; the number of commits rises with every release. */
    build: { type: "string" },
    builder: { type: "string", default: findBuilder() },
  },
});
const HOME = resolve(options.home);
const OUT = resolve(options.out);
const FILES = join(OUT, "downloads", VERSION);
const startedOn = new Date();

if (options.downloads === undefined || !URL.canParse(options.downloads)) {
  throw new Error("Give the address of the downloads: --downloads https://downloads.example.com");
}
if (git("status", "--porcelain") !== "") {
  throw new Error(
    "There are changes that no commit has: commit them, so that others can build this",
  );
}
if (!existsSync(join(ROOT, "test/frozen", VERSION))) {
  throw new Error(
    `test/frozen/${VERSION} is missing, with which later builds prove that they open what this version makes: run \`npm run freeze\` and commit it`,
  );
}
const key = await openReleaseKey();
await rm(OUT, { recursive: true, force: true });
await mkdir(FILES, { recursive: true });
await buildFiles();
await writeFile(join(FILES, `trellis-${VERSION}.cdx.json`), createSoftwareBill(ROOT, "trellis"));
const files = await listFiles();
const sums = files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join("");
await writeFile(join(FILES, "SHA256SUMS"), sums);
const statement = describeBuild({
  files,
  version: VERSION,
  gitCommit: git("rev-parse", "HEAD"),
  lockFileSha256: hash("sha256", await readFile(join(ROOT, "package-lock.json"))),
  builderId: options.builder,
  startedOn,
  finishedOn: new Date(),
});
const provenance = `${JSON.stringify(signStatement(statement, key))}\n`;
await writeFile(join(FILES, `trellis-${VERSION}.intoto.jsonl`), provenance);
publish(options.downloads.replace(/\/$/, ""));
console.log(`${OUT}: put downloads/ at ${options.downloads}, and serve site/current`);

function findBuilder(): string {
  const { GITHUB_SERVER_URL, GITHUB_WORKFLOW_REF } = process.env;
  return GITHUB_WORKFLOW_REF === undefined
    ? "urn:trellis:builder:own-machine"
    : `${GITHUB_SERVER_URL}/${GITHUB_WORKFLOW_REF}`;
}

function git(...words: string[]): string {
  return execFileSync("git", words, { cwd: ROOT, encoding: "utf8" }).trim();
}

/** Opened before anything is built: without it nothing can be published. */
async function openReleaseKey() {
  const read = await readCatalog(join(HOME, "catalog"), Date.now());
  if (read.kind === "invalid") throw new Error(read.errors.map(formatFileError).join("\n"));
  const { keys, settings } = read.catalog;
  const passphrase = async () => process.env["TRELLIS_RELEASE_KEY_PASSPHRASE"];
  const opened = await openKeyFile(
    join(HOME, "data/keys"),
    settings.signing.active,
    keys,
    passphrase,
  );
  if (opened.kind === "refused") throw new Error(opened.message);
  return opened;
}

async function buildFiles(): Promise<void> {
  const run = (...words: string[]) =>
    execFileSync("npm", words, { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
  run("pack", "--pack-destination", FILES);
  run("run", "build:deb");
  const built = join(ROOT, "build");
  for (const name of await readdir(built)) {
    if (name.startsWith(`trellis_${VERSION}_`)) await rename(join(built, name), join(FILES, name));
  }
  await copyFile(join(built, "trellis"), join(FILES, binaryName()));
  await copyFile(
    join(built, "trellis-licenses.txt"),
    join(FILES, `trellis-${VERSION}-licenses.txt`),
  );
}

function binaryName(): string {
  return `trellis-${VERSION}-linux-${process.arch}`;
}

async function listFiles(): Promise<BuiltFile[]> {
  const names = (await readdir(FILES)).sort();
  return Promise.all(
    names.map(async (name) => ({
      name,
      sha256: hash("sha256", await readFile(join(FILES, name))),
    })),
  );
}

/** With the commands that other makers use. The package of npm is for no platform of the catalogue. */
function publish(downloads: string): void {
  const trellis = (...words: string[]) =>
    execFileSync(process.execPath, [join(ROOT, "src/cli/trellis.ts"), "release", ...words], {
      cwd: HOME,
      stdio: ["ignore", "inherit", "inherit"],
    });
  const build = options.build ?? git("rev-list", "--count", "HEAD");
  trellis("new", VERSION, "--build", build, "--notes-from", join(ROOT, "CHANGELOG.md"));
  const installable = files.filter(({ name }) => name === binaryName() || name.endsWith(".deb"));
  const paths = installable.map(({ name }) => join(FILES, name));
  trellis("add", VERSION, ...paths, "--url-base", `${downloads}/${VERSION}`, "--yes");
  trellis("publish", VERSION, "--yes", "--no-check-urls");
  trellis("verify");
  trellis("export", join(OUT, "site"), "--site", "Trellis");
}
