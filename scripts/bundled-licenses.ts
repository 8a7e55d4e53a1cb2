/** The licenses of the packages that a bundle has inside: they must go with every copy of it. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENSE_FILE = /^(?:licen[cs]e|notice)(?:\.|-|$)/i;

/** What the scripts in `src/web/generated` have inside, of which a bundle knows only the text. */
const PACKAGES_OF_PAGES = ["minisearch", "preact", "qr", "valibot"];

/** `inputs` are the files of the bundle, relative to `root`. */
export async function gatherLicenses(root: string, inputs: readonly string[]): Promise<string> {
  const folders = new Set([
    ...inputs.map((path) => PACKAGE.exec(path)?.[0] ?? "").filter(Boolean),
    ...PACKAGES_OF_PAGES.map((name) => `node_modules/${name}`),
  ]);
  const texts = [...folders].sort().map((folder) => readLicense(join(root, folder)));
  return joinLicenses(await Promise.all(texts));
}

export function joinLicenses(texts: readonly string[]): string {
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

async function readLicense(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(
    await readFile(join(folder, "package.json"), "utf8"),
  ) as { name: string; version: string; license?: string };
  const files = (await readdir(folder)).filter((file) => LICENSE_FILE.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  const title = `${name} ${version}, license: ${license ?? "see below"}`;
  return [title, ...texts.map((text) => text.trim()), ""].join("\n\n");
}
