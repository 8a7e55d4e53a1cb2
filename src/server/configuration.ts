/** Reads the configuration: the only reader of the settings file and of the environment. */
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { createChecker } from "../contract/check.ts";
import { locateJsonError } from "../contract/locate-json-error.ts";
import { checkSettings } from "./check-settings.ts";
import {
  ConfigurationFile,
  type EventsConfiguration,
  type HttpLimits,
  type ReleaseConfiguration,
  type SyncConfiguration,
} from "./configuration-schema.ts";
import { applyEnvironment } from "./environment.ts";
import { fillDefaults } from "./fill-defaults.ts";

export interface Configuration {
  /** The file it was read from; null when there is none and only defaults and environment count. */
  readonly file: string | null;
  readonly dataDir: string;
  readonly trustedProxies: readonly string[];
  readonly http: HttpLimits;
  /** Absent when the configuration has no such service. */
  readonly release?: ReleaseConfiguration;
  readonly sync?: SyncConfiguration;
  readonly events?: EventsConfiguration;
}

export const SERVICES = ["release", "sync", "events"] as const;
export type ServiceName = (typeof SERVICES)[number];

/** The message lists every fault: the key, what is wrong, what was expected. */
export class ConfigurationError extends Error {
  readonly faults: readonly string[];

  constructor(source: string, faults: readonly string[]) {
    super(
      [`Cannot use the configuration ${source}:`, ...faults.map((fault) => `  ${fault}`)].join(
        "\n",
      ),
    );
    this.name = "ConfigurationError";
    this.faults = faults;
  }
}

export interface ConfigurationSource {
  readonly path: string;
  /** Whether a missing file is an error. */
  readonly isRequired: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const checker = createChecker(ConfigurationFile);

export async function loadConfiguration(source: ConfigurationSource): Promise<Configuration> {
  const path = resolve(source.path);
  const file = await readSettings(path, source.isRequired);
  const settings = file ?? {};
  const name = file === undefined ? "from the environment" : `"${path}"`;
  const faults = await applyEnvironment(settings, source.env);
  // Where nothing names a service, every one has its defaults.
  if (file === undefined && SERVICES.every((service) => settings[service] === undefined)) {
    for (const service of SERVICES) settings[service] = {};
  }
  const filled = checkConfiguration(settings, name, faults);
  return { ...resolvePaths(filled, dirname(path)), file: file === undefined ? null : path };
}

/** The settings with their defaults. Throws a ConfigurationError about these and the known faults. */
export function checkConfiguration(
  settings: unknown,
  name: string,
  known: readonly string[] = [],
): Omit<Configuration, "file"> {
  if (!checker.is(settings)) {
    const found = checker.faults(settings);
    throw new ConfigurationError(name, [
      ...known,
      ...found.map((fault) => `${fault.path || "the file"} ${fault.problem}`),
    ]);
  }
  const filled = fillDefaults(ConfigurationFile, settings) as Omit<Configuration, "file">;
  const faults = [...known, ...checkSettings(filled)];
  if (faults.length > 0) throw new ConfigurationError(name, faults);
  return filled;
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
    // The parser's message quotes the file, and a passphrase may be in it.
    const { line, column } = locateJsonError(json);
    throw new ConfigurationError(`"${path}"`, [
      `it is not JSON: line ${line}, column ${column} cannot be read`,
    ]);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ConfigurationError(`"${path}"`, ["it must be a JSON object"]);
  }
  return value as Record<string, unknown>;
}

function resolvePaths<T extends Omit<Configuration, "file">>(settings: T, folder: string): T {
  const { release, sync, events } = settings;
  return {
    ...settings,
    dataDir: resolve(folder, settings.dataDir),
    ...(release !== undefined && {
      release: { ...release, catalog: resolve(folder, release.catalog) },
    }),
    ...(sync !== undefined && { sync: resolveStorePaths(sync, folder) }),
    ...(events !== undefined && { events: resolveStorePaths(events, folder) }),
  };
}

function resolveStorePaths<T extends { readonly store: string; readonly instanceKeyFile: string }>(
  section: T,
  folder: string,
): T {
  return {
    ...section,
    store: resolveStore(section.store, folder),
    instanceKeyFile: resolve(folder, section.instanceKeyFile),
  };
}

function resolveStore(store: string, folder: string): string {
  const path = /^sqlite:(.*)$/s.exec(store)?.[1];
  return path === undefined ? store : `sqlite:${resolve(folder, path)}`;
}
