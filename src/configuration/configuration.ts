/** The only reader of the configuration file and of the environment. */
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { createChecker } from "../contract/check.ts";
import { locateJsonError } from "../contract/locate-json-error.ts";
import { isObject } from "../contract/is-object.ts";
import { sqlitePath } from "../database/sqlite-path.ts";
import { checkRecipients, checkSettings } from "./check-configuration.ts";
import { ConfigurationError } from "./configuration-error.ts";
import {
  ConfigurationFile,
  DEFAULT_DATA_DIR,
  OperatorSection,
  type BackupConfiguration,
  type Configuration,
  type OperatorConfiguration,
  type SchemaNode,
  type StoreSection,
} from "./configuration-schema.ts";
import { applyEnvironment } from "./environment.ts";
import type { Environment } from "./read-environment.ts";
import { parseS3Address } from "../backup/storage/s3-settings.ts";

export const SERVICES = ["release", "sync", "events"] as const;
export type ServiceName = (typeof SERVICES)[number];

export interface ConfigurationSource {
  readonly path: string;
  /** Whether a missing file is an error. */
  readonly isRequired: boolean;
  readonly env: Environment;
}

const checker = createChecker(ConfigurationFile);

export async function loadConfiguration(source: ConfigurationSource): Promise<Configuration> {
  const path = resolve(source.path);
  const file = await readSettings(path, source.isRequired);
  const settings = file ?? {};
  const name = file === undefined ? "from the environment" : `"${path}"`;
  const errors = await applyEnvironment(settings, source.env);
  // Without a file and without variables of a service, every service runs with its defaults.
  if (file === undefined && SERVICES.every((service) => settings[service] === undefined)) {
    for (const service of SERVICES) settings[service] = {};
  }
  const checked = checkConfiguration(settings, name, errors);
  await expectRecipients(checked, name);
  const filled = resolvePaths(checked, dirname(path));
  return { ...filled, file: file === undefined ? null : path };
}

/** Fills in the defaults. Throws a ConfigurationError with the known errors and all others. */
export function checkConfiguration(
  settings: unknown,
  name: string,
  known: readonly string[] = [],
): Omit<Configuration, "file"> {
  if (!checker.is(settings)) {
    const found = checker.errors(settings);
    throw new ConfigurationError(name, [
      ...known,
      ...found.map(({ path, problem }) => `${path || "the file"} ${problem}`),
    ]);
  }
  const { dataDir = DEFAULT_DATA_DIR } = settings;
  const filled = fillDefaults(ConfigurationFile, settings, dataDir) as Omit<Configuration, "file">;
  const errors = [...known, ...checkSettings(filled)];
  if (errors.length > 0) throw new ConfigurationError(name, errors);
  return filled;
}

/** Throws a ConfigurationError when backups cannot be encrypted to a key that is named. */
export async function expectRecipients(
  settings: Omit<Configuration, "file">,
  name: string,
): Promise<void> {
  const errors = await checkRecipients(settings);
  if (errors.length > 0) throw new ConfigurationError(name, errors);
}

/** Turns the operator's listener on, with its defaults unless the configuration has it. */
export function enableOperator(
  configuration: Configuration,
): Configuration & { readonly operator: OperatorConfiguration } {
  const { dataDir } = configuration;
  const operator = fillDefaults(OperatorSection, {}, dataDir) as OperatorConfiguration;
  return { operator, ...configuration };
}

function fillDefaults(schema: SchemaNode, value: unknown, dataDir: string): unknown {
  const given = value === undefined ? defaultOf(schema, dataDir) : value;
  if (schema.properties === undefined || given === undefined) return given;
  const filled: Record<string, unknown> = { ...(given as Record<string, unknown>) };
  for (const [name, inner] of Object.entries(schema.properties)) {
    const item = fillDefaults(inner, filled[name], dataDir);
    if (item !== undefined) filled[name] = item;
  }
  return filled;
}

function defaultOf(schema: SchemaNode, dataDir: string): unknown {
  const { default: fixed, "x-default": inDataDir } = schema;
  return inDataDir === undefined
    ? structuredClone(fixed)
    : inDataDir.replace("{dataDir}", () => dataDir);
}

async function readSettings(
  path: string,
  isRequired: boolean,
): Promise<Record<string, unknown> | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && !isRequired) return undefined;
    const reason = code === "ENOENT" ? "there is no such file" : `it cannot be read (${code})`;
    throw new ConfigurationError(`"${path}"`, [`${reason}; check --config`]);
  }
  const json = text.replace(/^\uFEFF/, "");
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // The parser's message quotes the file, which may contain a passphrase.
    const { line, column } = locateJsonError(json);
    throw new ConfigurationError(`"${path}"`, [
      `it is not JSON: line ${line}, column ${column} cannot be read`,
    ]);
  }
  if (!isObject(value)) throw new ConfigurationError(`"${path}"`, ["it must be a JSON object"]);
  return { ...value };
}

function resolvePaths<T extends Omit<Configuration, "file">>(settings: T, folder: string): T {
  const { release, sync, events } = settings;
  return {
    ...settings,
    dataDir: resolve(folder, settings.dataDir),
    ...(release !== undefined && {
      release: { ...release, catalog: resolve(folder, release.catalog) },
    }),
    ...(sync !== undefined && {
      sync: {
        ...resolveStorePaths(sync, folder),
        hostKeyFile: resolve(folder, sync.hostKeyFile),
      },
    }),
    ...(events !== undefined && { events: resolveStorePaths(events, folder) }),
  };
}

function resolveStorePaths<T extends StoreSection>(section: T, folder: string): T {
  const path = sqlitePath(section.store);
  const { backup } = section;
  return {
    ...section,
    ...(backup !== undefined && { backup: resolveBackup(backup, folder) }),
    store: path === undefined ? section.store : `sqlite:${resolve(folder, path)}`,
    instanceKeyFile: resolve(folder, section.instanceKeyFile),
  };
}

export function resolveBackup(backup: BackupConfiguration, folder: string): BackupConfiguration {
  const { to } = backup;
  return { ...backup, to: parseS3Address(to) === null ? resolve(folder, to) : to };
}
