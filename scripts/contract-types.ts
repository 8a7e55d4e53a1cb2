/** Plain types of the contracts' schemas: inferred ones would make every app load TypeBox' types. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as events from "../src/contract/events/schemas.ts";
import * as catalog from "../src/contract/release/catalog.ts";
import * as release from "../src/contract/release/schemas.ts";
import * as site from "../src/contract/release/site.ts";
import * as operation from "../src/contract/sync/operation.ts";
import * as sync from "../src/contract/sync/schemas.ts";

const CONTRACTS = {
  release: { "schemas.ts": release, "catalog.ts": catalog, "site.ts": site },
  sync: { "schemas.ts": sync, "operation.ts": operation },
  events: { "schemas.ts": events },
} as const;

/** The part of JSON Schema that the contracts use. */
interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
}

interface NamedSchema {
  readonly name: string;
  readonly schema: Schema;
  /** Whether the file of the schema exports a type of this name. */
  readonly isExported: boolean;
}

const CONTRACT_FOLDER = join(import.meta.dirname, "../src/contract");
const MAX_WIDTH = 100;

export function generateContractTypes(): Promise<{ path: string; content: string }[]> {
  return Promise.all(
    Object.entries(CONTRACTS).map(async ([service, files]) => {
      const named: NamedSchema[] = [];
      for (const [file, exports] of Object.entries(files)) {
        const source = await readFile(join(CONTRACT_FOLDER, service, file), "utf8");
        named.push(...findNamedSchemas(exports, source));
      }
      return { path: `src/contract/${service}/types.ts`, content: writeTypes(named) };
    }),
  );
}

/** Objects, records and unions; a scalar is written where it is used. */
function findNamedSchemas(exports: object, source: string): NamedSchema[] {
  return Object.entries(exports).flatMap(([name, schema]: [string, unknown]) =>
    /^[A-Z][A-Za-z]*$/.test(name) && isComposite(schema)
      ? [{ name, schema, isExported: source.includes(`export type ${name} =`) }]
      : [],
  );
}

function isComposite(value: unknown): value is Schema {
  if (typeof value !== "object" || value === null) return false;
  return "anyOf" in value || "properties" in value || "patternProperties" in value;
}

function writeTypes(named: readonly NamedSchema[]): string {
  const namesByText = new Map<string, string>();
  for (const { name, schema } of named) {
    const text = JSON.stringify(schema);
    if (!namesByText.has(text)) namesByText.set(text, name);
  }
  const used = new Set(named.filter(({ isExported }) => isExported).map(({ name }) => name));
  const find = (schema: Schema) => {
    const name = namesByText.get(JSON.stringify(schema));
    if (name !== undefined) used.add(name);
    return name;
  };
  const declarations = named.map((type) => ({ ...type, text: writeDeclaration(type, find) }));
  return [
    "// Generated from the schemas by scripts/contract-types.ts; do not edit.",
    ...declarations
      .filter(({ name }) => used.has(name))
      .map(({ isExported, text }) => text.replace("EXPORT ", isExported ? "export " : "")),
    "",
  ]
    .join("\n\n")
    .trimEnd()
    .concat("\n");
}

type FindName = (schema: Schema) => string | undefined;

/** A type alias, because an interface would not be assignable to `Record<string, unknown>`. */
function writeDeclaration({ name, schema }: NamedSchema, find: FindName): string {
  const alternatives = writeAlternatives(schema, "", find);
  return writeComment(schema, "") + writeMember(`EXPORT type ${name} =`, alternatives, "");
}

function writeType(schema: Schema, indent: string, find: FindName): string[] {
  const name = find(schema);
  return name === undefined ? writeAlternatives(schema, indent, find) : [name];
}

function writeAlternatives(schema: Schema, indent: string, find: FindName): string[] {
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value));
  if (schema.anyOf !== undefined)
    return schema.anyOf.flatMap((one) => writeType(one, indent, find));
  if (schema.properties !== undefined) return [writeObject(schema, indent, find)];
  if (schema.patternProperties !== undefined) {
    const [values = {}] = Object.values(schema.patternProperties);
    const inner = `${indent}  `;
    const member = writeMember(`${inner}[name: string]:`, writeType(values, inner, find), inner);
    return [`{\n${member}\n${indent}}`];
  }
  if (schema.items !== undefined) {
    const items = writeType(schema.items, indent, find);
    return [items.length === 1 ? `${items[0]}[]` : `(${items.join(" | ")})[]`];
  }
  const { type = "unknown" } = schema;
  return [type === "integer" ? "number" : type];
}

function writeObject(schema: Schema, indent: string, find: FindName): string {
  const { properties = {}, required = [] } = schema;
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, value]) => {
    const head = `${inner}${name}${required.includes(name) ? "" : "?"}:`;
    return writeComment(value, inner) + writeMember(head, writeType(value, inner, find), inner);
  });
  return members.length === 0 ? "{}" : `{\n${members.join("\n")}\n${indent}}`;
}

/** Writes a member on one line if it fits, else with one alternative on each line. */
function writeMember(head: string, alternatives: readonly string[], indent: string): string {
  const line = `${head} ${alternatives.join(" | ")};`;
  if (alternatives.length === 1 || line.length <= MAX_WIDTH) return line;
  return `${head}\n${alternatives.map((one) => `${indent}  | ${one}`).join("\n")};`;
}

function writeComment({ description }: Schema, indent: string): string {
  return description === undefined ? "" : `${indent}/** ${description} */\n`;
}
