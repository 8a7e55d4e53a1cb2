/**
 * The instances that `trellis sync instance add` made: rows of a PostgreSQL database, or a file beside the files of
 * instances. Each change replaces the file as a whole, under a lock, so that commands may run at the same time
 * and a server never reads half of it.
 */
import { mkdir, readFile, rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createChecker } from "../contract/check.ts";
import { replaceFile } from "../database/place-file.ts";
import type { Lease } from "../database/lease-mode.ts";
import { takeLease } from "../database/lease.ts";
import { sqlitePath } from "../database/sqlite-path.ts";
import { changeRegistryRows, readRegistryRows } from "./registry-rows.ts";
import { checkInstances } from "./check-configuration.ts";
import { ConfigurationError } from "./configuration-error.ts";
import type { InstanceRules, InstancesByName } from "./configuration-schema.ts";
import { Instances } from "./sync-section.ts";
import { INSTANCES_FOLDER } from "./instance.ts";

export function registryPath(dataDir: string): string {
  return join(dataDir, INSTANCES_FOLDER, "instances.json");
}

const checker = createChecker(Instances);

/** Null when there is none. Throws a ConfigurationError with everything that is wrong in it. */
export async function readRegistry(
  dataDir: string,
  sync: InstanceRules,
): Promise<InstancesByName | null> {
  const rows = isInDatabase(sync) ? await readRegistryRows(sync.store) : null;
  if (rows !== null) return checkRegistry(rows, dataDir, sync);
  // The next change moves a file to the database, if there is one.
  return readRegistryFile(dataDir, sync);
}

/** Whether the registry is in the database of the instances, so that every machine of a host has it. */
export function isInDatabase({ store }: Pick<InstanceRules, "store">): boolean {
  return sqlitePath(store) === undefined;
}

async function readRegistryFile(
  dataDir: string,
  sync: InstanceRules,
): Promise<InstancesByName | null> {
  const path = registryPath(dataDir);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    throw new ConfigurationError(`"${path}"`, [
      `it cannot be read (${code}): give this user access to the folder \`dataDir\`, or correct it`,
    ]);
  }
  return checkRegistry(parse(text, path), dataDir, sync);
}

/** Changes the registry. The changed instances must be valid too, or nothing is written. */
export async function changeRegistry(
  dataDir: string,
  sync: InstanceRules,
  change: (instances: InstancesByName) => InstancesByName,
): Promise<InstancesByName> {
  const path = registryPath(dataDir);
  if (isInDatabase(sync)) {
    const file = await readRegistryFile(dataDir, sync);
    const changed = await changeRegistryRows(sync.store, (rows) =>
      checkRegistry(change({ ...file, ...(rows as InstancesByName | null) }), dataDir, sync),
    );
    if (file !== null) await rename(path, `${path}.moved`);
    return changed;
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const lock = await lockRegistry(path);
  try {
    const changed = change((await readRegistryFile(dataDir, sync)) ?? {});
    checkRegistry(changed, dataDir, sync);
    await replaceFile(path, `${JSON.stringify(changed, null, 2)}\n`);
    return changed;
  } finally {
    await lock.release();
  }
}

/** Adds instances of another registry, whose settings replace those that are there. */
export async function enterInRegistry(
  dataDir: string,
  sync: InstanceRules,
  instances: InstancesByName,
): Promise<void> {
  const add = (present: InstancesByName | null) =>
    checkRegistry({ ...present, ...instances }, dataDir, sync);
  // The file, if there is one, is that of the store that the instances come from.
  if (isInDatabase(sync)) {
    await changeRegistryRows(sync.store, (rows) => add(rows as InstancesByName | null));
  } else await changeRegistry(dataDir, sync, add);
}

/** The version of the registry, which is another one after every change; null without a file. */
export async function readRegistryVersion(dataDir: string): Promise<string | null> {
  try {
    const { ino, mtimeMs, size } = await stat(registryPath(dataDir));
    return `${ino} ${mtimeMs} ${size}`;
  } catch {
    return null;
  }
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigurationError(`"${path}"`, ["it is not JSON: restore it from a backup"]);
  }
}

/** Throws a ConfigurationError with everything that is wrong in what the file has or would have. */
export function checkRegistry(
  value: unknown,
  dataDir: string,
  sync: InstanceRules,
): InstancesByName {
  const errors = checker.is(value)
    ? checkInstances("instances", value, sync)
    : checker.errors(value).map(({ path: at, problem }) => `${at || "the file"} ${problem}`);
  const place = isInDatabase(sync) ? "the database of `sync.store`" : `"${registryPath(dataDir)}"`;
  if (errors.length > 0) throw new ConfigurationError(place, errors);
  return value as InstancesByName;
}

const LOCK_TIMEOUT_MS = 10_000;
const LOCK_RETRY_MS = 20;

async function lockRegistry(path: string): Promise<Lease> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    const lease = await takeLease(`sqlite:${path}`, "instances", "exclusive");
    if (lease !== null) return lease;
    if (performance.now() > deadline) {
      throw new ConfigurationError(`"${path}"`, [
        "another command changes it for too long: try again when that has finished",
      ]);
    }
    await wait(LOCK_RETRY_MS * (0.5 + Math.random()));
  }
}
