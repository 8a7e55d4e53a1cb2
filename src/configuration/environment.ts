/** Environment variables for every configuration key: `release.baseUrl` is TRELLIS_RELEASE_BASE_URL. */
import { readFile } from "node:fs/promises";
import { findNear } from "../rules/find-near.ts";
import type { Environment } from "./read-environment.ts";
import { ConfigurationFile, type SchemaNode } from "./configuration-schema.ts";

const PREFIX = "TRELLIS_";

interface Leaf {
  readonly path: readonly string[];
  readonly schema: SchemaNode;
}

const LEAVES = new Map(
  listLeaves(ConfigurationFile, []).map((leaf) => [variableName(leaf.path), leaf]),
);

type Settings = Record<string, unknown>;

/** Sets the variables in `settings` and returns an error for each that cannot be read. */
export async function applyEnvironment(settings: Settings, env: Environment): Promise<string[]> {
  const errors: string[] = [];
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || text === undefined) continue;
    const leaf = LEAVES.get(name);
    const secret = leaf === undefined ? secretLeaf(name) : undefined;
    if (leaf !== undefined) assign(settings, leaf.path, parseValue(leaf.schema, text));
    else if (secret !== undefined) {
      try {
        assign(settings, secret.path, (await readFile(text, "utf8")).replace(/\r?\n$/, ""));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        errors.push(`${name} names a file that cannot be read (${code})`);
      }
    } else {
      errors.push(unknownVariable(name));
    }
  }
  return errors;
}

function unknownVariable(name: string): string {
  const known = [...LEAVES.keys()];
  const near = findNear(name, known);
  const hint =
    near === undefined ? `; the known ones are ${known.join(", ")}` : `: did you mean ${near}?`;
  return `${name} is not a known variable${hint}`;
}

export function variableName(path: readonly string[]): string {
  const words = path.map((step) => step.replaceAll(/([a-z])([A-Z])/g, "$1_$2").toUpperCase());
  return PREFIX + words.join("_");
}

function secretLeaf(name: string): Leaf | undefined {
  const leaf = name.endsWith("_FILE") ? LEAVES.get(name.slice(0, -"_FILE".length)) : undefined;
  return leaf?.schema["x-secret"] === true ? leaf : undefined;
}

function listLeaves(schema: SchemaNode, path: readonly string[]): Leaf[] {
  if (schema.properties === undefined) return path[0] === "$schema" ? [] : [{ path, schema }];
  return Object.entries(schema.properties).flatMap(([name, inner]) =>
    listLeaves(inner, [...path, name]),
  );
}

/** A value of the wrong type stays text, so that the schema check reports it. */
function parseValue(schema: SchemaNode, text: string): unknown {
  switch (schema.type) {
    case "integer":
      return /^(0|[1-9]\d*)$/.test(text) ? Number(text) : text;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text;
    case "object":
      return parseJson(text);
    case "array":
      return text.trim().startsWith("[") ? parseJson(text) : splitList(text);
    default:
      return text;
  }
}

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function assign(settings: Settings, path: readonly string[], value: unknown): void {
  let at = settings;
  for (const step of path.slice(0, -1)) {
    const inner = at[step];
    const next = typeof inner === "object" && inner !== null ? (inner as Settings) : {};
    at[step] = next;
    at = next;
  }
  const last = path.at(-1);
  if (last !== undefined) at[last] = value;
}
