/** Reads what a module declares, with the comments: TypeScript 7 has no API for programs. */
import { readFile } from "node:fs/promises";
import { parseSync, type Comment, type Node, type Statement } from "oxc-parser";
import { readComment, type DocComment } from "./doc-comment.ts";

export interface Member {
  readonly name: string;
  readonly type: string;
  readonly comment: string;
}

export interface Declaration {
  readonly name: string;
  readonly kind: "function" | "class" | "constant" | "interface" | "type";
  /** The declaration as a reader needs it: a function without its body. */
  readonly code: string;
  /** The parameters of a function. */
  readonly parameters: readonly Member[];
  /** The members of an interface. */
  readonly members: readonly Member[];
  readonly comment: DocComment;
}

interface Module {
  readonly text: string;
  readonly body: readonly Statement[];
  readonly comments: readonly Comment[];
}

export async function parseModule(file: string): Promise<Module> {
  const text = await readFile(file, "utf8");
  const { program, comments, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`"${file}" does not parse: ${errors[0]?.message ?? ""}`);
  return { text, body: program.body, comments };
}

/** The exported declarations; overloads, and a schema with its type, are one. */
export async function listDeclarations(file: string): Promise<Map<string, Declaration>> {
  const module = await parseModule(file);
  const found = new Map<string, Declaration>();
  for (const statement of module.body) {
    if (statement.type !== "ExportNamedDeclaration" || statement.declaration === null) continue;
    const one = readDeclaration(module, statement, statement.declaration);
    const earlier = one && found.get(one.name);
    if (one !== undefined && earlier === undefined) found.set(one.name, one);
    // The last signature of overloads is that of the implementation, which callers do not see.
    else if (
      one?.kind === "function" &&
      earlier &&
      (statement.declaration as Node).type === "TSDeclareFunction"
    ) {
      found.set(one.name, { ...earlier, code: `${earlier.code}\n${one.code}` });
    }
  }
  return found;
}

function readDeclaration(
  { text, comments }: Module,
  statement: Statement,
  node: Node,
): Declaration | undefined {
  const comment = readComment(findComment(text, comments, statement.start));
  const code = text.slice(node.start, node.end);
  const empty = { parameters: [], members: [], comment };
  const memberOf = (one: Node & { key?: Node }) => toMember(text, comments, one);
  switch (node.type) {
    case "FunctionDeclaration":
    case "TSDeclareFunction": {
      const end = node.body?.start ?? node.end;
      return {
        ...empty,
        name: node.id?.name ?? "",
        kind: "function",
        code: text
          .slice(node.start, end)
          .replace(/^async /, "")
          .trim(),
        parameters: node.params.map((one) => toParameter(text, one)),
      };
    }
    case "TSInterfaceDeclaration":
      return {
        ...empty,
        name: node.id.name,
        kind: "interface",
        code: text.slice(node.start, node.body.start).trim(),
        members: node.body.body.map(memberOf),
      };
    case "TSTypeAliasDeclaration":
      return { ...empty, name: node.id.name, kind: "type", code };
    case "ClassDeclaration":
      return {
        ...empty,
        name: node.id?.name ?? "",
        kind: "class",
        code: text.slice(node.start, node.body.start).trim(),
        members: node.body.body.filter(({ type }) => type === "PropertyDefinition").map(memberOf),
      };
    case "VariableDeclaration": {
      const [first] = node.declarations;
      if (first?.id.type !== "Identifier") return undefined;
      const typed = Boolean(first.id.typeAnnotation);
      const label = `const ${text.slice(first.id.start, first.id.end)}`;
      return { ...empty, name: first.id.name, kind: "constant", code: typed ? label : code };
    }
    default:
      return undefined;
  }
}

function toParameter(text: string, given: Node): Member {
  const [node, isOptional] =
    given.type === "AssignmentPattern" ? [given.left as Node, true] : [given, false];
  const written =
    "typeAnnotation" in node && node.typeAnnotation ? (node.typeAnnotation as Node) : null;
  const type = written === null ? "" : join(text.slice(written.start + 1, written.end));
  // A parameter that is taken apart has no name of its own.
  const name = node.type === "Identifier" ? node.name : "";
  const optional = isOptional || ("optional" in node && node.optional === true);
  return { name: name + (optional ? "?" : ""), type, comment: "" };
}

function toMember(text: string, comments: readonly Comment[], node: Node & { key?: Node }): Member {
  const { key } = node;
  const optional = "optional" in node && node.optional === true ? "?" : "";
  // A computed key stands in brackets.
  const around = "computed" in node && node.computed ? 1 : 0;
  const end = (key?.end ?? node.start) + around;
  const name = key === undefined ? "" : text.slice(key.start - around, end) + optional;
  const rest = text.slice(end, node.end).replace(/^\??:? ?/, "");
  const comment = readComment(findComment(text, comments, node.start)).text;
  return { name, type: join(rest.replace(/;$/, "")), comment };
}

function findComment(text: string, comments: readonly Comment[], start: number): string {
  const before = comments.findLast(({ end }) => end <= start);
  const isNear = before?.value.startsWith("*") && text.slice(before.end, start).trim() === "";
  return isNear === true ? (before?.value ?? "") : "";
}

function join(type: string): string {
  const plain = type.replaceAll(/\/\*.*?\*\//gs, "").replaceAll(/\s+/g, " ");
  return plain
    .replaceAll(/([(<]) /g, "$1")
    .replaceAll(/,? ([)>](?!=))/g, "$1")
    .trim();
}
