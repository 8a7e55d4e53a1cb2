/**
 * Prunes and compacts every instance once a day, one after another and spread over the day, so that ten
 * thousand instances never do it at once. Several processes share the work by a file in each folder.
 */
import { stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DAY_MS } from "../contract/durations.ts";
import { compactLog } from "../sync/maintenance/compact.ts";
import { instanceFolder } from "../configuration/instance.ts";
import type { OpenInstance } from "./open-instance.ts";

/** The longest pause between two turns: with few instances, a day may end before a turn that comes late. */
const MAX_PAUSE_MS = 10 * 60_000;

export interface MaintainedHost {
  listInstances(): readonly {
    readonly name: string;
    readonly settings: { readonly suspended?: boolean };
  }[];
  use(name: string, work: (instance: OpenInstance) => Promise<void>): Promise<void>;
}

export interface MaintenanceSettings {
  readonly host: MaintainedHost;
  readonly dataDir: string;
  onFailed(instance: string, error: unknown): void;
  readonly now?: () => number;
}

export interface Maintenance {
  /** Maintains the instance whose turn it is; returns its name, or null when none is due. */
  runNext(): Promise<string | null>;
  close(): void;
}

export function startMaintenance(settings: MaintenanceSettings): Maintenance {
  const { host, dataDir, now = Date.now } = settings;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let last = "";

  async function runNext(): Promise<string | null> {
    const name = nextName();
    if (name === null) return null;
    last = name;
    const mark = join(instanceFolder(dataDir, name), "maintained");
    const maintainedAt = await stat(mark).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    );
    // A mark of the future was made by a wrong clock.
    const isFresh = maintainedAt !== null && Math.abs(now() - maintainedAt) < DAY_MS;
    if (isFresh) return null;
    try {
      await host.use(name, (instance) => maintain(instance, now()));
      // What has failed is tried again when all others have had their turn.
      await writeFile(mark, "", { mode: 0o600 });
      await utimes(mark, now() / 1000, now() / 1000);
    } catch (error) {
      settings.onFailed(name, error);
    }
    return name;
  }

  /** Takes the instances in the order of their names, from the beginning again after the last. */
  function nextName(): string | null {
    const names = host
      .listInstances()
      .filter((instance) => instance.settings.suspended !== true)
      .map(({ name }) => name)
      .sort();
    return names.find((name) => name > last) ?? names[0] ?? null;
  }

  function plan(): void {
    const pauseMs = Math.min(MAX_PAUSE_MS, DAY_MS / Math.max(1, host.listInstances().length));
    timer = setTimeout(() => {
      void runNext().finally(() => {
        if (!isClosed) plan();
      });
    }, pauseMs).unref();
  }

  plan();
  return {
    runNext,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

async function maintain({ store }: OpenInstance, at: number): Promise<void> {
  await store.prune(at);
  await compactLog(store.database);
}
