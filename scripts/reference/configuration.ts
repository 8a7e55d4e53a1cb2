/** The page of configuration keys, from the schema that validates them. */
import { ConfigurationFile } from "../../src/configuration/configuration-schema.ts";
import { variableName } from "../../src/configuration/environment.ts";
import type { GeneratedFile } from "../bundle-web.ts";
import { code, createPage, createTable } from "./page.ts";

/** The part of JSON Schema that the configuration uses. */
interface KeySchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly "x-default"?: string;
  readonly "x-secret"?: boolean;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly items?: KeySchema;
  readonly anyOf?: readonly KeySchema[];
  readonly properties?: Readonly<Record<string, KeySchema>>;
  readonly required?: readonly string[] | undefined;
  readonly patternProperties?: Readonly<Record<string, KeySchema>>;
}

export interface ConfigurationKey {
  /** `sync.instances.NAME.baseUrl` and `events.clients[].id` are keys of a map and of a list. */
  readonly key: string;
  readonly schema: KeySchema;
  readonly isRequired: boolean;
  /** Absent for a section, and for a key of a map or a list. */
  readonly variable?: string;
}

const HEAD = ["Key", "Value", "Default", "Meaning", "Environment variable"];
const SECTIONS: readonly string[] = ["http", "operator", "release", "sync", "events"];

export function listConfigurationKeys(): ConfigurationKey[] {
  return listProperties(ConfigurationFile, [], true);
}

export function generateConfigurationPage(): GeneratedFile {
  const keys = listConfigurationKeys();
  const ofSection = (section: string) => keys.filter(({ key }) => key.startsWith(`${section}.`));
  const known = new Set(keys.map(({ key }) => key));
  const toRows = (listed: readonly ConfigurationKey[]) => listed.map((key) => toRow(key, known));
  const others = keys.filter(
    ({ key }) => !SECTIONS.some((section) => key === section || key.startsWith(`${section}.`)),
  );
  return createPage("configuration", "the schema of the configuration", [
    "# Configuration",
    [
      "The configuration is one JSON file, `./trellis.config.json` unless `--config` names another. `trellis init` writes",
      "it. Keys are optional unless they are required here, and a key that is not listed is an error. A service runs when",
      "its section is present; an empty section has every default. Without a file and without variables of a service, all",
      "three run with their defaults. Relative paths begin at the folder of the file. Editors complete the keys with",
      '`"$schema": "./node_modules/trellis/trellis.config.schema.json"`.',
    ].join("\n"),
    [
      "Environment variables override the file. A list is JSON or separated by commas, an object is JSON. A secret may",
      "stand in a file of its own: add `_FILE` to the name of its variable, and give the path of the file.",
    ].join("\n"),
    createTable(HEAD, toRows(others)),
    ...keys
      .filter(({ key }) => SECTIONS.includes(key))
      .flatMap(({ key, schema }) => [
        `## ${key}`,
        `${schema.description}.`,
        createTable(HEAD, toRows(ofSection(key))),
      ]),
  ]);
}

function listProperties(
  schema: KeySchema,
  path: readonly string[],
  hasVariables: boolean,
): ConfigurationKey[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const at = [...path, name];
    const isLeaf = inner.properties === undefined && name !== "$schema";
    const [ofMap] = Object.values(inner.patternProperties ?? {});
    const found: ConfigurationKey = {
      key: at.join("."),
      schema: inner,
      isRequired: schema.required?.includes(name) === true,
      ...(isLeaf && hasVariables && { variable: variableName(at) }),
    };
    return [
      found,
      ...listProperties(inner, at, hasVariables),
      ...listProperties(ofMap ?? {}, [...at, "NAME"], false),
      ...listProperties(inner.items ?? {}, [...path, `${name}[]`], false),
    ];
  });
}

function toRow(found: ConfigurationKey, known: ReadonlySet<string>): string[] {
  const { key, schema, isRequired, variable = "" } = found;
  const shared = key.replace(/^sync\.instances\.NAME\./, "sync.");
  const isShared = shared !== key && known.has(shared);
  const secret = schema["x-secret"] === true ? `, ${code(`${variable}_FILE`)}` : "";
  return [
    code(key),
    describeValue(schema),
    isRequired ? "required" : isShared ? `that of ${code(shared)}` : describeDefault(schema),
    schema.description ?? "",
    code(variable) + secret,
  ];
}

function describeValue({ type, enum: values, minimum, maximum, maxLength, items }: KeySchema) {
  if (values !== undefined) return values.map(code).join(", ");
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  if (type === "array") return `list of ${items?.type ?? "strings or object"}s`;
  return maxLength === undefined ? (type ?? "") : `${type} of at most ${maxLength} characters`;
}

function describeDefault({ properties, ...schema }: KeySchema): string {
  const value = schema["x-default"] ?? schema.default;
  if (value === undefined || properties !== undefined) return "";
  return code(typeof value === "string" ? value : JSON.stringify(value));
}
