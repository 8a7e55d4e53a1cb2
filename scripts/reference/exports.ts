/** What the modules of the package export, read from their text: TypeScript 7 has no API for programs. */
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";

export interface ExportedName {
  readonly name: string;
  /** A type exists for the compiler alone. */
  readonly isType: boolean;
  /** The signature of a function, else the name. */
  readonly label: string;
  /** The names of the members, or what a type without members consists of. */
  readonly members: readonly string[];
  /** The first paragraph of the comment above the declaration. */
  readonly comment: string;
}

const FROM = /^export (type )?(?:\*|\{([^}]*)\}) from "(\.[^"]+)";/gm;
const LOCAL = /^export (type )?\{([^}]*)\};/gm;
const IMPORT = /^import (?:type )?\{([^}]*)\} from "(\.[^"]+)";/gm;
const DECLARATION =
  /^(?:\/\*\*((?:(?!\*\/)[^])*)\*\/\n)?export (?:async )?(function\*?|const|class|interface|type) (\w+)/gm;

const MAX_SHORT_TYPE = 200;

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
  const rest = text.slice(match.index + match[0].length);
  return {
    name,
    isType: kind === "interface" || kind === "type",
    label: kind === "function" ? readSignature(text.slice(match.index), name) : name,
    members: kind === "interface" ? readMembers(rest) : kind === "type" ? describeType(rest) : [],
    comment: readFirstParagraph(comment),
  };
}

/** The body begins at the first line that ends with a brace and is not indented. */
function readSignature(text: string, name: string): string {
  const [, signature = ""] =
    /^export (?:async )?function ([^]*?) \{$(?!\n  readonly )/m.exec(text) ?? [];
  return joinLines(signature) || name;
}

/** The formatter indents members by two spaces, and what belongs to one by more. */
function readMembers(text: string): string[] {
  const [body = ""] = text.split("\n}");
  const [, base] = /^(?:<[^>]*>)? extends ([^{]+) \{/.exec(body) ?? [];
  const names = [...body.matchAll(/^ {2}(?:readonly )?(\w+)(\??)[:(<]/gm)];
  return [
    ...(base === undefined ? [] : [`...${joinLines(base)}`]),
    ...names.map(([, name = "", optional = ""]) => name + optional),
  ];
}

/** A short type is its text; a longer one names its members, or the kinds that it has. */
function describeType(text: string): string[] {
  if (text.startsWith(" = {")) return readMembers(text);
  const [commented = ""] = text.split("\n\n");
  const declaration = commented.replaceAll(/\/\*\*.*?\*\//gs, "");
  const [, type = ""] = /^(?:<[^=]*>)? =([^;{]*);/.exec(declaration) ?? [];
  const short = joinLines(type).replace(/^\| /, "");
  if (short !== "" && short.length <= MAX_SHORT_TYPE) return [short];
  return [...declaration.matchAll(/\bkind: ("[\w-]+")/g)].map(([, kind = ""]) => `kind: ${kind}`);
}

function joinLines(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/([(<]) /g, "$1")
    .replaceAll(/,? ([)>](?!=))/g, "$1")
    .trim();
}

export function readFirstParagraph(comment: string): string {
  const lines = comment.split("\n").map((line) => line.replace(/^ \* ?/, "").trim());
  const [paragraph = ""] = lines.join("\n").trim().split("\n\n");
  return paragraph.replaceAll("\n", " ");
}
