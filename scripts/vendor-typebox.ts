/** Gives the compiled files a TypeBox of their own: see decision 14. */
import { cp, glob, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { bundleTypebox } from "./bundle-typebox.ts";

const INSTALLED = join(import.meta.dirname, "../node_modules/typebox");

/** As the compiler writes `import … from`, `export … from`, `import "…"` and `import("…")`. */
const IMPORT = /(?<=\b(?:from|import)\s*\(?\s*")typebox(?:\/[^"]+)?(?=")/g;

/** Wider than that on purpose: what is named in another way would be missed, and is refused. */
const NAME = /(["'`])typebox(?:\/[\w/.-]*)?\1/;

export async function vendorTypebox(dist: string): Promise<void> {
  const vendor = join(dist, "vendor");
  const specifiers = new Set<string>();
  for await (const name of glob("**/*.js", { cwd: dist })) {
    const path = join(dist, name);
    const before = await readFile(path, "utf8");
    const after = before.replaceAll(IMPORT, (specifier) => {
      specifiers.add(specifier);
      // On every system with slashes: it is an address.
      const way = relative(dirname(path), join(vendor, specifier)).replaceAll("\\", "/");
      return way.startsWith(".") ? `${way}.mjs` : `./${way}.mjs`;
    });
    if (NAME.test(after)) throw new Error(`"${path}" would still load the installed TypeBox`);
    if (after !== before) await writeFile(path, after);
  }
  await bundleTypebox([...specifiers], vendor);
  await cp(join(INSTALLED, "license"), join(vendor, "typebox/license"));
}
