/** The page of the npm package's exports, from the modules that `package.json` names. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { GeneratedFile } from "../bundle-web.ts";
import { listExports, readFirstParagraph, type ExportedName } from "./exports.ts";
import { code, createPage, createTable } from "./page.ts";

const ROOT = join(import.meta.dirname, "../..");

export async function generateNpmApiPage(): Promise<GeneratedFile> {
  const { exports } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as {
    exports: Readonly<Record<string, string | { readonly types: string }>>;
  };
  const sections = Object.entries(exports).flatMap(([entry, target]) =>
    typeof target === "string" ? [] : [describeModule(entry, target.types)],
  );
  return createPage("npm-api", "the modules that package.json exports", [
    "# npm API",
    [
      "What each entry of the package exports. The package has declarations, so an editor shows members and parameters",
      "with their comments. Everything else in the package is internal and may change in any version.",
    ].join("\n"),
    ...(await Promise.all(sections)).flat(),
  ]);
}

async function describeModule(entry: string, declarations: string): Promise<string[]> {
  const name = declarations.replace("./dist/types/", "").replace(/\.d\.ts$/, ".ts");
  const file = join(ROOT, name);
  const [, comment = ""] = /^\/\*\*([^]*?)\*\//.exec(await readFile(file, "utf8")) ?? [];
  const found = (await listExports(file)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const values = found.filter(({ isType }) => !isType);
  const types = found.filter(({ isType }) => isType);
  return [
    `## trellis${entry.slice(1)}`,
    readFirstParagraph(comment).replace(/^`[^`]*`: (.)/, (_, first: string) => first.toUpperCase()),
    ...createExportTable(["Function or value", "Meaning"], values, (one) => [
      code(one.label),
      one.comment,
    ]),
    ...createExportTable(["Type", "Members", "Meaning"], types, (one) => [
      code(one.label),
      one.members.map(code).join(", "),
      one.comment,
    ]),
  ];
}

function createExportTable(
  head: readonly string[],
  found: readonly ExportedName[],
  toRow: (one: ExportedName) => string[],
): string[] {
  return found.length === 0 ? [] : [createTable(head, found.map(toRow))];
}
