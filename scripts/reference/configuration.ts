/** The pages of configuration keys, from the schema that validates them. */
import { createChecker } from "../../src/contract/check.ts";
import { ConfigurationFile } from "../../src/configuration/configuration-schema.ts";
import { variableName } from "../../src/configuration/environment.ts";
import type { GeneratedFile } from "../bundle-web.ts";
import { anchorOf, code, codeBlock, createPage, createTable, sentence } from "./page.ts";

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

/** A service has a page of its own; the first page has all other keys. */
const SERVICES: readonly string[] = ["release", "sync", "events"];
const FOLDER = "configuration";
const SOURCE = "the schema of the configuration";

/** A small configuration of all three services, as the formatter of the project writes it. */
const EXAMPLE = `{
  "dataDir": "./data",
  "trustedProxies": ["127.0.0.1"],
  "release": {
    "baseUrl": "https://releases.example.com",
    "smartDownload": { "url": "https://download.example.com" },
    "websiteDownloadUrl": "https://example.com/download"
  },
  "sync": {
    "baseUrl": "https://sync.example.com",
    "redirectUris": ["com.example.habits://callback"],
    "backup": { "every": "day", "to": "./backups" }
  },
  "events": { "baseUrl": "https://events.example.com" }
}`;

export function listConfigurationKeys(): ConfigurationKey[] {
  return listProperties(ConfigurationFile, [], true);
}

export function generateConfigurationPages(): GeneratedFile[] {
  const problems = createChecker(ConfigurationFile).errors(JSON.parse(EXAMPLE));
  if (problems.length > 0) throw new Error(`The example is wrong: ${JSON.stringify(problems)}`);
  const keys = listConfigurationKeys();
  const serviceOf = ({ key }: ConfigurationKey) => key.split(".")[0] ?? key;
  const describe = (listed: readonly ConfigurationKey[]) =>
    listed.flatMap((key) => describeKey(key, keys));
  const services = SERVICES.map((name) => ({
    name,
    about: sentence(keys.find(({ key }) => key === name)?.schema.description ?? ""),
    own: keys.filter((key) => serviceOf(key) === name && key.key !== name),
  }));
  const others = keys.filter((key) => !SERVICES.includes(serviceOf(key)));
  return [
    createPage(FOLDER, SOURCE, [
      "# Configuration",
      [
        "The configuration is one JSON file, `./trellis.config.json` unless `--config` names another. `trellis init` writes",
        "it. Keys are optional unless they are required here, and a key that is not listed is an error. A service runs when",
        "its section is present; an empty section has every default. Without a file and without variables of a service, all",
        "three run with their defaults. Relative paths begin at the folder of the file. Editors complete the keys with",
        '`"$schema": "./node_modules/trellis/trellis.config.schema.json"`.',
      ].join("\n"),
      [
        "Below a key are its value, its default, and the environment variable that overrides the file. In a variable, a list",
        "is JSON or separated by commas, and an object is JSON. A secret may stand in a file of its own: add `_FILE` to the",
        "name of its variable, and give the path of the file.",
      ].join("\n"),
      codeBlock("json", EXAMPLE),
      createTable(
        ["Section", "What it configures"],
        services.map(({ name, about }) => [`[${name}](${FOLDER}/${name}.md)`, about]),
      ),
      ...describe(others),
    ]),
    ...services.map(({ name, about, own }) =>
      createPage(`${FOLDER}/${name}`, SOURCE, [
        `# Configuration: ${name}`,
        `${about} [Configuration](../configuration.md) says how the file and its variables are read.`,
        ...describe(own),
      ]),
    ),
  ];
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

/** A key of a section is one level below it. */
function describeKey(found: ConfigurationKey, all: readonly ConfigurationKey[]): string[] {
  const { key, schema, isRequired, variable = "" } = found;
  const sections = all.filter(
    (other) => key.startsWith(`${other.key}.`) && !SERVICES.includes(other.key),
  );
  const heading = `${"#".repeat(2 + sections.length)} ${key}`;
  const about = sentence(schema.description ?? "");
  if (schema.properties !== undefined) return [heading, about];
  const shared = key.replace(/^sync\.instances\.NAME\./, "sync.");
  const isShared = shared !== key && all.some((other) => other.key === shared);
  const standard = isRequired
    ? "required"
    : isShared
      ? `by default that of [${shared}](#${anchorOf(shared)})`
      : describeDefault(schema);
  const facts = [
    describeValue(schema),
    standard,
    code(variable),
    schema["x-secret"] === true ? code(`${variable}_FILE`) : "",
  ];
  return [heading, about, facts.filter((fact) => fact !== "").join(" · ")];
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
  return `by default ${code(typeof value === "string" ? value : JSON.stringify(value))}`;
}
