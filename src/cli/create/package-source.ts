/** Finds where an app can install Trellis from: the same file or registry from which this program was installed. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import Type from "typebox";
import { createChecker } from "../../contract/check.ts";
import { PRODUCT_VERSION } from "../../database/product-version.ts";
import { parseJson } from "../../rules/parse-json.ts";
import { PACKAGE_FOLDER } from "../../server/package-folder.ts";
import { CommandError } from "../command.ts";

/** What npm notes about the packages of a folder. */
const Installed = Type.Object({
  packages: Type.Record(
    Type.String(),
    Type.Object({
      version: Type.Optional(Type.String()),
      resolved: Type.Optional(Type.String()),
    }),
  ),
});

/** What the app's `package.json` says of Trellis. */
export async function findPackageSource(given: string | undefined): Promise<string> {
  if (given !== undefined) return fromFile(resolve(given));
  const found = PACKAGE_FOLDER === null ? null : await findIn(resolve(PACKAGE_FOLDER));
  if (found !== null) return found;
  throw new CommandError(
    "This program does not know where npm can install Trellis from: run `npm pack` in a checkout, and name the file with --package",
  );
}

async function findIn(folder: string): Promise<string | null> {
  const modules = dirname(folder);
  if (basename(modules) === "node_modules") {
    const text = await readFile(join(modules, ".package-lock.json"), "utf8").catch(() => "");
    const installed = parseJson(text);
    const found = createChecker(Installed).is(installed)
      ? installed.packages["node_modules/trellis"]
      : undefined;
    if (found?.resolved?.startsWith("file:")) {
      return fromFile(resolve(dirname(modules), found.resolved.slice("file:".length)));
    }
    if (found !== undefined) return `^${PRODUCT_VERSION}`;
  }
  const packed = join(folder, `trellis-${PRODUCT_VERSION}.tgz`);
  return existsSync(packed) ? fromFile(packed) : null;
}

function fromFile(path: string): string {
  if (existsSync(path)) return `file:${path}`;
  throw new CommandError(
    `The app needs the packed file "${path}", which does not exist: name another with --package`,
  );
}
