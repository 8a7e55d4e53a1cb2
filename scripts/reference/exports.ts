/** What an entry of the package exports, in the pages of its reference. */
import { dirname, resolve } from "node:path";
import { listDeclarations, parseModule, type Declaration } from "./declarations.ts";

export interface EntryPage {
  /** `client-sync`; empty for an entry of one page. */
  readonly name: string;
  /** What the page is about. */
  readonly about: string;
  readonly declarations: readonly Declaration[];
}

/** `// Page client-sync: Store data on the device.` begins a page of an entry that is too long for one. */
const PAGE = /^ Page ([\w-]+): (.*)$/;

export async function listPages(file: string): Promise<EntryPage[]> {
  const { comments } = await parseModule(file);
  const starts = comments.flatMap(({ value, start }) => {
    const [, name, about] = PAGE.exec(value) ?? [];
    return name === undefined || about === undefined ? [] : [{ name, about, start }];
  });
  const pages = starts.length > 0 ? starts : [{ name: "", about: "", start: 0 }];
  const named = await listExports(file);
  return pages.map(({ name, about, start }, index) => {
    const end = pages[index + 1]?.start ?? Number.POSITIVE_INFINITY;
    const found = named.filter(({ statement }) => statement >= start && statement < end);
    return { name, about, declarations: found.map(({ declaration }) => declaration) };
  });
}

interface Exported {
  readonly declaration: Declaration;
  /** Where the statement begins that exports it. */
  readonly statement: number;
}

async function listExports(file: string): Promise<Exported[]> {
  const { body } = await parseModule(file);
  const local = await listDeclarations(file);
  const imported = new Map<string, string>();
  const found: Exported[] = [];
  for (const statement of body) {
    if (statement.type === "ImportDeclaration") {
      for (const { local: name } of statement.specifiers)
        imported.set(name.name, statement.source.value);
    }
    if (statement.type === "ExportAllDeclaration") {
      const all = await listExports(resolve(dirname(file), statement.source.value));
      for (const { declaration } of all) {
        const isType = declaration.kind === "interface" || declaration.kind === "type";
        if (isType || statement.exportKind !== "type") {
          found.push({ declaration, statement: statement.start });
        }
      }
    }
    if (statement.type !== "ExportNamedDeclaration") continue;
    const { declaration: declared } = statement;
    const own = declared === null ? undefined : local.get(nameOf(declared));
    if (own !== undefined) found.push({ declaration: own, statement: statement.start });
    for (const { exported } of statement.specifiers) {
      const name = "name" in exported ? exported.name : exported.value;
      const source = statement.source?.value ?? imported.get(name);
      const from = await listExports(resolve(dirname(file), source ?? ""));
      const one = from.find(({ declaration }) => declaration.name === name);
      if (one === undefined) throw new Error(`"${source}" does not seem to export "${name}"`);
      found.push({ declaration: one.declaration, statement: statement.start });
    }
  }
  return [...new Map(found.map((one) => [one.declaration.name, one])).values()];
}

function nameOf(declared: object): string {
  if ("id" in declared) return (declared.id as { readonly name: string } | null)?.name ?? "";
  const { declarations } = declared as {
    readonly declarations: readonly [{ id: { name: string } }];
  };
  return declarations[0].id.name;
}
