/**
 * What is known of an instance without opening it: a small file in its folder, written by the process that
 * has it open. Ten thousand closed stores need not be opened for a list or for metrics.
 */
import { readStoredBytes } from "../sync/sql/stored-bytes.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isObject } from "../contract/is-object.ts";
import { replaceFile } from "../database/place-file.ts";
import type { Database } from "../database/database.ts";
import { readKeyCheck } from "../identity/bind-instance-key.ts";
import { readDeviceLags } from "../sync/sql/pulled-offsets.ts";
import { type DeviceUse, readDeviceUse } from "../sync/sql/sql-sessions.ts";
import { SYNC_REALM } from "../sync/store.ts";
import { summarizeLags, type DeviceLags } from "../operate/metrics/device-lags.ts";

export interface InstanceUsage extends DeviceUse {
  /** When a server last wrote the usage. */
  readonly writtenAt: number;
  /** Whether a server had the instance open then. */
  readonly isOpen: boolean;
  /** What the store uses: without the free pages of a SQLite file. */
  readonly bytes: number;
  readonly lags: DeviceLags;
  /** By this value the store knows its instance key; null when it has none. */
  readonly keyCheck: string | null;
  /** Whether a server opened the store with the profile `sealed`, and so has checked that it can read nothing. */
  readonly isSealed?: boolean;
}

export async function readInstanceUsage(
  database: Database,
  isOpen: boolean,
  now: number,
  countBytes: () => Promise<number> = () => readStoredBytes(database),
): Promise<InstanceUsage> {
  return {
    writtenAt: now,
    isOpen,
    ...(await readDeviceUse(database, now)),
    bytes: await countBytes(),
    lags: summarizeLags(await readDeviceLags(database, now)),
    keyCheck: await readKeyCheck(database, SYNC_REALM),
  };
}

/** The usage in the file; null when there is no file, or it cannot be used. */
export async function loadUsage(dataDir: string): Promise<InstanceUsage | null> {
  try {
    return parseUsage(await readFile(usagePath(dataDir), "utf8"));
  } catch {
    return null;
  }
}

export function usagePath(dataDir: string): string {
  return join(dataDir, "usage.json");
}

/** Null when the text cannot be used. */
export function parseUsage(text: string): InstanceUsage | null {
  try {
    const usage: unknown = JSON.parse(text);
    return isUsage(usage) ? usage : null;
  } catch {
    return null;
  }
}

/** Replaces the file as a whole, without forcing it to the disk: the next opening writes the usage again. */
export async function saveUsage(dataDir: string, usage: InstanceUsage): Promise<void> {
  await replaceFile(usagePath(dataDir), JSON.stringify(usage), { isDurable: false });
}

function isUsage(value: unknown): value is InstanceUsage {
  return (
    isObject(value) &&
    ["writtenAt", "devices", "bytes"].every((name) => isCount(value[name])) &&
    ["isOpen", "hasAccount"].every((name) => typeof value[name] === "boolean") &&
    (value["lastUsedAt"] === null || isTime(value["lastUsedAt"])) &&
    isLags(value["lags"]) &&
    (value["keyCheck"] === null || typeof value["keyCheck"] === "string")
  );
}

function isLags(value: unknown): value is DeviceLags {
  return (
    isObject(value) &&
    isCount(value["devices"]) &&
    isCount(value["furthest"]) &&
    Array.isArray(value["behind"]) &&
    value["behind"].every(isCount)
  );
}

/** JSON has numbers that are none of these: a damaged file must not fail a whole list. */
function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isTime(value: unknown): boolean {
  return isCount(value) && !Number.isNaN(new Date(value as number).getTime());
}
