/** Writes the usage of an open instance: at the opening, every minute, and for the last time at the close. */
import type { SyncProfile } from "../contract/sync/operation-limits.ts";
import type { Database } from "../database/database.ts";
import { writeUsageRow } from "./usage-rows.ts";
import { readInstanceUsage, saveUsage, type InstanceUsage } from "./instance-usage.ts";

export interface UsageWriter {
  /** Reads the usage of this moment. */
  read(): Promise<InstanceUsage>;
  /** Writes the usage of this moment, beside the regular writes. */
  refresh(): void;
  /** The last write, before the store is closed. Never rejects: the instance must be closed anyway. */
  close(): Promise<void>;
}

export interface UsageWriterSettings {
  readonly dataDir: string;
  readonly database: Database;
  /** The one that the store was opened with. */
  readonly profile: SyncProfile;
  /** Says what the store uses. */
  countBytes(): Promise<number>;
  /** Writes the offsets that devices have pulled to. */
  flushOffsets(): Promise<void>;
  /** Called with the last usage. */
  onClosed(usage: InstanceUsage): void;
}

/** How often usage is written: a list takes an instance for open when its usage is hardly older. */
export const WRITE_MS = 60_000;

export function createUsageWriter(settings: UsageWriterSettings): UsageWriter {
  const { dataDir, database } = settings;

  async function read(isOpen: boolean): Promise<InstanceUsage> {
    await settings.flushOffsets();
    const usage = await readInstanceUsage(database, isOpen, Date.now(), settings.countBytes);
    return { ...usage, isSealed: settings.profile === "sealed" };
  }

  async function write(isOpen: boolean): Promise<InstanceUsage | null> {
    try {
      const usage = await read(isOpen);
      if (database.dialect === "sqlite") await saveUsage(dataDir, usage);
      else await writeUsageRow(database, usage);
      return usage;
    } catch {
      // A store or a disk that fails is reported elsewhere, and old usage says how old it is.
      return null;
    }
  }

  let writing: Promise<unknown> = write(true);
  const refresh = () => {
    writing = writing.then(() => write(true));
  };
  const timer = setInterval(refresh, WRITE_MS).unref();
  return {
    read: () => read(true),
    refresh,
    async close() {
      clearInterval(timer);
      await writing;
      const usage = await write(false);
      if (usage !== null) settings.onClosed(usage);
    },
  };
}
