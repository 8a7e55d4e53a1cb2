/** Many personal instances in one process: the host of a request chooses the instance (decision 18). */
import { sqlitePath } from "../database/sqlite-path.ts";
import type { Administration } from "../sync/maintenance/administration.ts";
import { createPushReaders } from "../sync/log/push-reader.ts";
import { listHeld } from "../backup/schedule/make-backup.ts";
import { runBackupInThread } from "../operate/backups/run-in-thread.ts";
import type { InstancesByName } from "../configuration/configuration-schema.ts";
import { startInstanceBackups, type InstanceBackups } from "./back-up-instances.ts";
import type { HostDependencies, HostSettings } from "./host-dependencies.ts";
import { createHostNotices, type HostNotices } from "./host-notice.ts";
import {
  createListedInstances,
  type InstanceState,
  type ListedInstances,
} from "./listed-instances.ts";
import type { InstanceUsage } from "./instance-usage.ts";
import { readUsages } from "./usage-rows.ts";
import { startMaintenance } from "./maintain-instances.ts";
import { openInstance, openInstanceStore, type OpenInstance } from "./open-instance.ts";
import { createFairTurns } from "./admission/fair-turns.ts";
import { createOpenInstances, type OpenInstances } from "./open-instances.ts";
import { createOpeningBudget, OPENING_LIMITS } from "./admission/opening-budget.ts";
import { routeRequests, type RequestRouter } from "./route-requests.ts";
import { createInstancesWatch, type InstancesWatchSettings } from "./watch-instances.ts";
import { BACKUP_TOOLS } from "../operate/backups/backup-tools.ts";

/** How many instances a host has, how many of them are open, and how many are serving a request. */
export interface HostCounts {
  /** All instances that the host serves. */
  readonly instances: number;
  /** Those with a store in memory. */
  readonly open: number;
  /** Those of them that handle a request or stream now. */
  readonly inUse: number;
}

export interface RunningHost extends RequestRouter {
  /** Replaces the instances, and closes those that are gone, suspended or changed. */
  replaceInstances(instances: InstancesByName): Promise<void>;
  listInstances(): InstanceState[];
  /** Opens an instance as a request does. Rejects when there is none of this name. */
  use<T>(name: string, work: (instance: OpenInstance) => Promise<T>): Promise<T>;
  administer<T>(name: string, work: (administration: Administration) => Promise<T>): Promise<T>;
  /** Prunes and compacts the instance whose turn it is; a timer does it, spread over the day. */
  maintainNext(): Promise<string | null>;
  /** Makes the scheduled backups that are due; a timer does it. */
  backUpDue(): Promise<void>;
  /** Rejects when the store of the instance that was used last cannot be written. */
  probeWrite(): Promise<void>;
  counts(): HostCounts;
  endStreams(): void;
  close(): Promise<void>;
}

/** An instance stays open for longer than an app waits to refresh its access token, so the app stays fast. */
const IDLE_MS = 10 * 60_000;
/** SQLite works in this thread; PostgreSQL elsewhere, and its round trips should not add up. */
const TURNS_AT_ONCE = { sqlite: 1, postgres: 8 };

export function startSyncHost(settings: HostSettings): RunningHost {
  const { dataDir, store, maxOpen, observers } = settings;
  const metrics = observers?.metrics;
  const pushReaders = createPushReaders();
  const listed = createListedInstances(settings.instances, settings.resolve);
  const dialect = sqlitePath(store) === undefined ? "postgres" : "sqlite";
  const turns = createFairTurns({ atOnce: TURNS_AT_ONCE[dialect] });
  const notices = createHostNotices(settings.maxOpen, settings.onNotice, metrics?.sync);
  const takeOpening = createOpeningBudget(settings.openingLimits ?? OPENING_LIMITS, Date.now);
  const host = { ...settings, listed, turns, takeOpening, notices, pushReaders };
  const open = createOpenInstances<OpenInstance>({
    maxOpen,
    idleMs: settings.idleMs ?? IDLE_MS,
    now: () => performance.now(),
    open: (name) => openInTurn(name, host, (usage) => watch.note(name, usage)),
    onCloseFailed: (name, error) => notices.notify(name, { kind: "close-failed", error }),
  });
  const use: RunningHost["use"] = async (name, work) => {
    const { value, release } = await open.acquire(name);
    try {
      return await work(value);
    } finally {
      release();
    }
  };
  const maintenance = startMaintenance({
    host: { listInstances: listed.list, use },
    dataDir,
    onFailed: (name, error) => notices.notify(name, { kind: "maintenance-failed", error }),
  });
  const watch = createInstancesWatch({
    dataDir,
    list: listed.list,
    readOpen: readUsageOf(open),
    ...(dialect === "postgres" && { readUsages: () => readUsages(store) }),
  });
  metrics?.shared.watchInstances(watch.read);
  metrics?.sync.watchHost(() => open.counts());
  const backups = settings.hasBackups ? startBackups(listed, notices) : null;
  return {
    ...routeRequests(host, open),
    async replaceInstances(next) {
      const stale = listed.replace(next);
      await Promise.all(
        stale.flatMap((name) => [open.close(name), backups?.pause(name) ?? Promise.resolve()]),
      );
      for (const name of stale) if (listed.find(name) === null) metrics?.sync.forget(name);
    },
    listInstances: listed.list,
    maintainNext: maintenance.runNext,
    backUpDue: async () => backups?.check(),
    use,
    administer: (name, work) => use(name, ({ administration }) => work(administration)),
    async probeWrite() {
      const held = open.hold();
      try {
        await held?.value.store.probeWrite(Date.now());
      } finally {
        held?.release();
      }
    },
    counts: () => ({ instances: listed.list().length, ...open.counts() }),
    endStreams: open.endStreams,
    async close() {
      maintenance.close();
      await backups?.close();
      await open.closeAll();
      await pushReaders.close();
    },
  };
}

async function openInTurn(
  name: string,
  host: HostDependencies,
  onUsage: (usage: InstanceUsage) => void,
): Promise<OpenInstance> {
  const { listed, turns, notices } = host;
  // The instance may be gone since it was asked for, which is no failure of the instance.
  const instance = listed.find(name);
  if (instance === null) throw new Error(`There is no instance "${name}"`);
  const endTurn = await turns.take(name);
  try {
    return await openInstance(instance, host, onUsage);
  } catch (error) {
    notices.notify(name, { kind: "instance-failed", error });
    throw error;
  } finally {
    endTurn?.();
  }
}

function readUsageOf(open: OpenInstances<OpenInstance>): InstancesWatchSettings["readOpen"] {
  return (name) => {
    const held = open.hold(name);
    // While the store is away, the usage that was written last has to do.
    return (
      held &&
      held.value
        .readUsage()
        .catch(() => null)
        .finally(held.release)
    );
  };
}

function startBackups(listed: ListedInstances, { notify }: HostNotices): InstanceBackups {
  return startInstanceBackups({
    listNames: () => listed.list().map(({ name }) => name),
    find: listed.find,
    openStore: (instance) =>
      openInstanceStore(instance, {
        access: "change",
        onNotice: (notice) => notify(instance.name, notice),
      }),
    make: runBackupInThread,
    look: (job) => listHeld(job, BACKUP_TOOLS),
    onNotice: notify,
  });
}
