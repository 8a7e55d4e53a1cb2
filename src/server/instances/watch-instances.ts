/**
 * What metrics show of all instances. Open ones are read at once; of the closed ones the files are read, in
 * the background when there are many, so that a scrape never waits for ten thousand of them.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { readBackupState } from "../backup-state.ts";
import type { WatchedInstance } from "../metrics/watched-instance.ts";
import { loadFigures, type InstanceFigures } from "./instance-figures.ts";
import { instanceFolder } from "./instance.ts";

export interface InstancesWatchSettings {
  readonly dataDir: string;
  list(): readonly {
    readonly name: string;
    readonly settings: { readonly suspended?: boolean };
  }[];
  /** Null when this process does not have the instance open. */
  readOpen(name: string): Promise<InstanceFigures | null>;
  readonly now?: () => number;
}

export interface InstancesWatch {
  read(): Promise<WatchedInstance[]>;
  /** What a closing instance says of itself. */
  note(name: string, figures: InstanceFigures): void;
}

type Known = Pick<WatchedInstance, "figures" | "lastBackupAt">;

/** So many are read for each scrape; more than that, every few minutes. */
const FEW = 200;
const REFRESH_MS = 5 * 60_000;
const FILES_AT_ONCE = 16;

export function createInstancesWatch(settings: InstancesWatchSettings): InstancesWatch {
  const { dataDir, now = Date.now } = settings;
  let known = new Map<string, Known>();
  let refreshedAt = -Infinity;
  let refreshing: Promise<void> | null = null;

  async function refresh(): Promise<void> {
    const queue = settings.list().map(({ name }) => name);
    const found = new Map<string, Known>();
    const lanes = Array.from({ length: FILES_AT_ONCE }, async () => {
      for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
        found.set(name, await load(name));
      }
    });
    await Promise.all(lanes);
    known = found;
    refreshedAt = now();
  }

  async function load(name: string): Promise<Known> {
    const folder = instanceFolder(dataDir, name);
    const [figures, { last }] = await Promise.all([
      loadFigures(folder),
      readBackupState(folder, "sync"),
    ]);
    return { figures, lastBackupAt: last === null ? null : Date.parse(last.createdAt) };
  }

  return {
    async read() {
      const listed = settings.list();
      if (listed.length <= FEW || now() - refreshedAt > REFRESH_MS) {
        refreshing ??= refresh().finally(() => (refreshing = null));
      }
      if (listed.length <= FEW || refreshedAt === -Infinity) await refreshing;
      const seen: WatchedInstance[] = [];
      for (const { name, settings: given } of listed) {
        const { figures = null, lastBackupAt = null } = known.get(name) ?? {};
        const open = await settings.readOpen(name);
        // Queries of SQLite run in this thread: requests have their turn in between.
        if (open !== null) await nextTurn();
        const isSuspended = given.suspended === true;
        seen.push({ name, isSuspended, lastBackupAt, figures: open ?? figures });
      }
      return seen;
    },
    note(name, figures) {
      const lastBackupAt = known.get(name)?.lastBackupAt ?? null;
      if (known.has(name)) known.set(name, { figures, lastBackupAt });
    },
  };
}
