/** The record of the device itself: its id, its clock and the count of its queue. */
import type { RandomBytes } from "../../rules/web-crypto.ts";
import {
  DEVICE_KEY,
  FORMAT,
  NO_LIMIT,
  PAGE_RECORDS,
  prefixRange,
  QUARANTINE_PREFIX,
  readRecord,
  writeRecord,
  type DeviceRecord,
} from "./records.ts";
import { StorageLostError } from "./errors.ts";
import type { SyncSettings } from "./settings.ts";
import type { StorageTransaction } from "./storage.ts";

type DeviceSettings = Pick<SyncSettings, "storage" | "deviceName" | "randomBytes">;

/** The device has its id from the first moment on, so that a second tab makes no other. */
export async function ensureDevice(settings: DeviceSettings): Promise<DeviceRecord> {
  const { storage } = settings;
  const found = await storage.transaction("read", readDevice);
  if (found !== undefined) return found;
  const device = createDevice(settings, 0);
  return storage.transaction("write", async (transaction) => {
    const made = await readDevice(transaction);
    if (made === undefined) writeRecord(transaction, DEVICE_KEY, device);
    return made ?? device;
  });
}

export async function readDevice(
  transaction: StorageTransaction,
): Promise<DeviceRecord | undefined> {
  const device = await readRecord<DeviceRecord>(transaction, DEVICE_KEY);
  if (device === undefined || device.format === FORMAT) return device;
  throw new Error(
    device.format > FORMAT
      ? "Cannot open the storage: a newer version of the app wrote it; update the app"
      : "Cannot open the storage: a client before 0.2.0 wrote it; remove it and sign in again",
  );
}

export async function requireDevice(transaction: StorageTransaction): Promise<DeviceRecord> {
  const device = await readDevice(transaction);
  if (device === undefined)
    throw new StorageLostError("Cannot use the storage: its records are gone");
  return device;
}

/** Removes every record. Returns the number of edits that the server lacks; unless they may go, nothing is removed. */
export function becomeNewDevice(settings: DeviceSettings, discardUnsent: boolean): Promise<number> {
  return settings.storage.transaction("write", async (transaction) => {
    const { writes, pending } = await requireDevice(transaction);
    const quarantine = await transaction.list(prefixRange(QUARANTINE_PREFIX, NO_LIMIT));
    const unsent = discardUnsent ? 0 : pending + quarantine.length;
    if (unsent > 0) return unsent;
    await eraseRecords(transaction);
    writeRecord(transaction, DEVICE_KEY, createDevice(settings, writes + 1));
    return 0;
  });
}

async function eraseRecords(transaction: StorageTransaction): Promise<void> {
  for (;;) {
    const records = await transaction.list({ from: "!", below: "~~", limit: PAGE_RECORDS });
    for (const [key] of records) transaction.delete(key);
    if (records.length < PAGE_RECORDS) return;
  }
}

function createDevice({ deviceName, randomBytes }: DeviceSettings, writes: number): DeviceRecord {
  const deviceId = createDeviceId(deviceName, randomBytes);
  return { format: FORMAT, deviceId, sequence: 0, pending: 0, writes };
}

const MAX_NAME_LENGTH = 40;
/** The alphabet lacks letters that are read as others. */
const ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz0";
const RANDOM_CHARACTERS = 8;

/** Makes a readable, unique id in the grammar: `Ada's phone` becomes `adas-phone-3f9k2m7q`. */
function createDeviceId(deviceName: string, randomBytes: RandomBytes): string {
  const bytes = randomBytes(RANDOM_CHARACTERS);
  const suffix = Array.from(bytes, (byte) => ALPHABET.charAt(byte & 31)).join("");
  return `${toSlug(deviceName) || "device"}-${suffix}`;
}

function toSlug(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\p{M}'’]/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_NAME_LENGTH)
    .replace(/^-+|-+$/g, "");
}
