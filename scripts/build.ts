/** Builds `dist/` for publishing: bundled code in few files, and the declarations that its entries reach. */
import { spawnSync } from "node:child_process";
import { chmod, cp, mkdir, readFile, rm } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { bundlePackage } from "./bundle-package.ts";

const ROOT = join(import.meta.dirname, "..");
const DIST = join(ROOT, "dist");
const DECLARATIONS = join(ROOT, ".cache/types");

await rm(DIST, { recursive: true, force: true });
// Each of several checkers checks again what it shares with the others: a third of the CPU time.
const projects = ["cli", "storage-contract", "store-contract"].map(
  (name) => `tsconfig/${name}.json`,
);
const words = ["-b", "--checkers", "1", ...projects];
const { status } = spawnSync("tsc", words, { cwd: ROOT, stdio: "inherit" });
if (status === 0) {
  await bundlePackage(DIST);
  await chmod(join(DIST, "trellis.js"), 0o755);
  await copyDeclarations();
}
process.exitCode = status ?? 1;

/** Copies the declarations of the package's entries and of everything that they import. */
async function copyDeclarations(): Promise<void> {
  const { exports } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as {
    exports: Record<string, string | { readonly types: string }>;
  };
  const pending = Object.values(exports).flatMap((target) =>
    typeof target === "string" ? [] : [target.types.replace("./dist/types/", "")],
  );
  const copied = new Set<string>();
  for (const name of pending) {
    if (copied.has(name)) continue;
    copied.add(name);
    const text = await readFile(join(DECLARATIONS, name), "utf8");
    await mkdir(dirname(join(DIST, "types", name)), { recursive: true });
    await cp(join(DECLARATIONS, name), join(DIST, "types", name));
    for (const [, specifier = ""] of text.matchAll(/(?:from |import\(|import )"(\.[^"]+)\.ts"/g)) {
      pending.push(normalize(join(dirname(name), `${specifier}.d.ts`)));
    }
  }
}
