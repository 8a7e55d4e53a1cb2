/** The licenses of the packages that a bundle has inside: they must go with every copy of it. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENSE_FILE = /^(?:licen[cs]e|notice)(?:\.|-|$)/i;

const NODE = `Node.js ${process.versions.node}

The program contains Node.js, under the MIT license. Its license, and those of V8, OpenSSL, ICU, SQLite and all
others that it contains: https://github.com/nodejs/node/blob/v${process.versions.node}/LICENSE
`;

/** `inputs` are the files of the bundle, relative to `root`. */
export async function gatherLicenses(root: string, inputs: readonly string[]): Promise<string> {
  const folders = new Set(inputs.map((path) => PACKAGE.exec(path)?.[0] ?? "").filter(Boolean));
  const texts = [...folders].sort().map((folder) => readLicense(join(root, folder)));
  return [NODE, ...(await Promise.all(texts))].join(`\n${"-".repeat(80)}\n\n`);
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
