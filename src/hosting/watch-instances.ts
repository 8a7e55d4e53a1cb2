/**
 * What metrics show of all instances. Open ones are read at once; of the closed ones the files are read, or
 * the rows in one statement, in the background when there are many, so that a scrape never waits for ten thousand.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { readBackupState } from "../backup/backup-state.ts";
import { withTimeout } from "../database/with-timeout.ts";
import type { WatchedInstance } from "../operate/metrics/device-metrics.ts";
import { loadUsage, type InstanceUsage } from "./instance-usage.ts";
import type { KnownUsage } from "./usage-rows.ts";
import { instanceFolder } from "../configuration/instance.ts";

export interface InstancesWatchSettings {
  readonly dataDir: string;
  list(): readonly {
    readonly name: string;
    readonly settings: { readonly suspended?: boolean };
  }[];
  /** The usage; null when this process does not have the instance open, or its store is away. */
  readOpen(name: string): Promise<InstanceUsage | null> | null;
  /** What a database has of all of them; absent: each has a file. */
  readUsages?(): Promise<Rows>;
  readonly now?: () => number;
}

export interface InstancesWatch {
  read(): Promise<WatchedInstance[]>;
  /** What a closing instance says of itself. */
  note(name: string, usage: InstanceUsage): void;
}

type Rows = ReadonlyMap<string, Pick<KnownUsage, "usage">>;
type Known = Pick<WatchedInstance, "usage" | "backups">;

/** Up to this number of instances, their files are read for each scrape; the files of more, every few minutes. */
const FEW = 200;
const REFRESH_MS = 5 * 60_000;
const FILES_AT_ONCE = 16;
/** One store that hangs must not cost a monitor the values of all: a collector has three seconds. */
const OPEN_MS = 1000;

export function createInstancesWatch(settings: InstancesWatchSettings): InstancesWatch {
  const { dataDir, now = Date.now } = settings;
  let known = new Map<string, Known>();
  let refreshedAt = -Infinity;
  let refreshing: Promise<void> | null = null;
  let reading: Promise<WatchedInstance[]> | null = null;
  const hanging = new Set<string>();

  async function refresh(): Promise<void> {
    const queue = settings.list().map(({ name }) => name);
    const found = new Map<string, Known>();
    // A database that is away has no more to say than an instance that was never opened.
    const rows = (await settings.readUsages?.().catch(() => new Map())) ?? null;
    const lanes = Array.from({ length: FILES_AT_ONCE }, async () => {
      for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
        found.set(name, await load(name, rows));
      }
    });
    await Promise.all(lanes);
    known = found;
    refreshedAt = now();
  }

  async function load(name: string, rows: Rows | null): Promise<Known> {
    const folder = instanceFolder(dataDir, name);
    const [usage, backups] = await Promise.all([
      rows === null ? loadUsage(folder) : (rows.get(name)?.usage ?? null),
      readBackupState(folder, "sync"),
    ]);
    return { usage, backups };
  }

  async function readAll(): Promise<WatchedInstance[]> {
    const listed = settings.list();
    // The difference may have either sign, because a clock may be rolled back.
    if (listed.length <= FEW || Math.abs(now() - refreshedAt) > REFRESH_MS) {
      refreshing ??= refresh().finally(() => (refreshing = null));
    }
    if (listed.length <= FEW || refreshedAt === -Infinity) await refreshing;
    const seen: WatchedInstance[] = [];
    const deadline = performance.now() + OPEN_MS;
    for (const { name, settings: given } of listed) {
      const { usage = null, backups = null } = known.get(name) ?? {};
      const open = await readOpen(name, deadline);
      // Queries of SQLite run in this thread: requests have their turn in between.
      if (open !== null) await nextTurn();
      const isSuspended = given.suspended === true;
      seen.push({ name, isSuspended, backups, usage: open ?? usage });
    }
    return seen;
  }

  /** The usage of an open instance; null when it is not open or not in time: then its file has to do. */
  async function readOpen(name: string, deadline: number): Promise<InstanceUsage | null> {
    const restMs = deadline - performance.now();
    // An instance that hangs since an earlier scrape would only take the time of the others.
    if (restMs <= 0 || hanging.has(name)) return null;
    const asked = settings.readOpen(name);
    if (asked === null) return null;
    hanging.add(name);
    const read = asked.finally(() => hanging.delete(name));
    return withTimeout(read, restMs, null);
  }

  return {
    read: () => (reading ??= readAll().finally(() => (reading = null))),
    note(name, usage) {
      const present = known.get(name);
      if (present !== undefined) known.set(name, { ...present, usage });
    },
  };
}
