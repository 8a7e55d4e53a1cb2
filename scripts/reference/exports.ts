/** What the modules of the package export, read from their text: TypeScript 7 has no API for programs. */
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";

export interface ExportedName {
  readonly name: string;
  /** A type exists for the compiler alone. */
  readonly isType: boolean;
  /** The signature of a function, else the name. */
  readonly label: string;
  /** The first paragraph of the comment above the declaration. */
  readonly comment: string;
}

const FROM = /^export (type )?(?:\*|\{([^}]*)\}) from "(\.[^"]+)";/gm;
const LOCAL = /^export (type )?\{([^}]*)\};/gm;
const IMPORT = /^import (?:type )?\{([^}]*)\} from "(\.[^"]+)";/gm;
const DECLARATION =
  /^(?:\/\*\*((?:(?!\*\/)[^])*)\*\/\n)?export (?:async )?(function\*?|const|class|interface|type) (\w+)/gm;

export async function listExports(file: string): Promise<ExportedName[]> {
  const text = await readFile(file, "utf8");
  const found = [...text.matchAll(DECLARATION)].map((match) => readDeclaration(text, match));
  for (const [, type, names, module = ""] of text.matchAll(FROM)) {
    found.push(...(await pickExports(resolve(dirname(file), module), names, type !== undefined)));
  }
  for (const [, type, names = ""] of text.matchAll(LOCAL)) {
    for (const [, imported = "", module = ""] of text.matchAll(IMPORT)) {
      const both = splitNames(names).filter((name) => splitNames(imported).includes(name));
      const path = resolve(dirname(file), module);
      found.push(...(await pickExports(path, both.join(","), type !== undefined)));
    }
  }
  // A schema and the type of it have one name: the schema is more.
  const types = found.filter(({ isType }) => isType);
  const values = found.filter(({ isType }) => !isType);
  return [...new Map([...types, ...values].map((one) => [one.name, one])).values()];
}

/** Without names: all of them. */
async function pickExports(
  file: string,
  names: string | undefined,
  isTypeOnly: boolean,
): Promise<ExportedName[]> {
  const all = await listExports(file);
  if (names === undefined) return all.filter(({ isType }) => isType || !isTypeOnly);
  return splitNames(names).map((name) => {
    const found = all.find((one) => one.name === name);
    if (found === undefined) throw new Error(`"${file}" does not seem to export "${name}"`);
    return found;
  });
}

function splitNames(list: string): string[] {
  const names = list.split(",").map((name) => name.trim().replace(/^type /, ""));
  return names.filter((name) => name !== "");
}

function readDeclaration(text: string, match: RegExpExecArray): ExportedName {
  const [, comment = "", kind = "", name = ""] = match;
  return {
    name,
    isType: kind === "interface" || kind === "type",
    label: kind === "function" ? readSignature(text.slice(match.index), name) : name,
    comment: readFirstParagraph(comment),
  };
}

/** The body begins at the first line that ends with a brace and is not indented. */
function readSignature(text: string, name: string): string {
  const [, signature = ""] =
    /^export (?:async )?function ([^]*?) \{$(?!\n  readonly )/m.exec(text) ?? [];
  return (
    signature
      .replaceAll(/\s+/g, " ")
      .replaceAll(/([(<]) /g, "$1")
      .replaceAll(/,? ([)>])/g, "$1") || name
  );
}

export function readFirstParagraph(comment: string): string {
  const lines = comment.split("\n").map((line) => line.replace(/^ \* ?/, "").trim());
  const [paragraph = ""] = lines.join("\n").trim().split("\n\n");
  return paragraph.replaceAll("\n", " ");
}
