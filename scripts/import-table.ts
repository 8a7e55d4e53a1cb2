/** Which folder of `src` imports which, in `docs/architecture.md`: what the sources do, not what they may. */
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { GeneratedFile } from "./bundle-web.ts";
import { formatMarkdownTable, replaceBlock } from "./page-blocks.ts";

const ROOT = join(import.meta.dirname, "..");
const PAGE = "docs/architecture.md";
const IMPORT = /\b(?:from|import)\s*\(?\s*"(\.[^"]+\.ts)"/g;

export async function generateImportTable(): Promise<GeneratedFile[]> {
  const importsByFolder = await readImports();
  // A folder stands below those that it imports.
  const order = [...importsByFolder].toSorted(
    ([one, a], [other, b]) => a.size - b.size || (one < other ? -1 : 1),
  );
  const table = formatMarkdownTable([
    ["Folder", "Imports"],
    ...order.map(([folder, imports]) => [
      `\`${folder}\``,
      [...imports]
        .toSorted()
        .map((name) => `\`${name}\``)
        .join(", "),
    ]),
  ]);
  const page = await readFile(join(ROOT, PAGE), "utf8");
  return [{ path: PAGE, content: replaceBlock(page, "imports", table) }];
}

async function readImports(): Promise<Map<string, Set<string>>> {
  const source = join(ROOT, "src");
  const found = new Map<string, Set<string>>();
  for (const name of await readdir(source, { recursive: true })) {
    if (!name.endsWith(".ts") || name.endsWith(".test.ts")) continue;
    const [folder = ""] = name.split(sep);
    const imports = found.get(folder) ?? new Set<string>();
    found.set(folder, imports);
    const text = await readFile(join(source, name), "utf8");
    for (const [, path = ""] of text.matchAll(IMPORT)) {
      const [to = ""] = relative(source, join(source, dirname(name), path)).split(sep);
      if (to !== folder && to !== "..") imports.add(to);
    }
  }
  return found;
}
