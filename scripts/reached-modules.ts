/** The modules that a module imports, itself or by others: those on demand and those of types alone count. */
import { readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";

const IMPORT = /\b(?:from|import)\s*\(?\s*"(\.[^"]+\.ts)"/g;
const importsByModule = new Map<string, readonly string[]>();

/** The paths are below `root`. */
export async function findReachedModules(root: string, start: string): Promise<Set<string>> {
  const reached = new Set([start]);
  // A set goes on with what is added to it.
  for (const module of reached) {
    for (const imported of await readImports(root, module)) reached.add(imported);
  }
  return reached;
}

async function readImports(root: string, module: string): Promise<readonly string[]> {
  const known = importsByModule.get(module);
  if (known !== undefined) return known;
  const text = await readFile(join(root, module), "utf8").catch(() => "");
  const imports = [...text.matchAll(IMPORT)].map(([, path = ""]) =>
    normalize(join(dirname(module), path)),
  );
  importsByModule.set(module, imports);
  return imports;
}
