/** A device: its stored records, and the processes of the app that run on it. */
import { join } from "node:path";
import {
  createMemorySyncStorage,
  createSyncClient,
  type SyncClient,
  type SyncClientOptions,
  type StorageTransaction,
  type SyncStorage,
} from "../../../src/client/index.ts";
import type { SyncEncryption } from "../../../src/client/sync/client-keys.ts";
import type { KeyStore } from "../../../src/client/sync/encryption.ts";
import { createMemoryKeyStore } from "../../../src/client/encryption/memory-key-store.ts";
import type { SyncProfile } from "../../../src/contract/sync/operation-limits.ts";
import { createSqliteStorage } from "../../../src/client/node/index.ts";
import { isAside, parseStoredOperations } from "../../../src/client/sync/entity-record.ts";
import {
  DEVICE_KEY,
  ENTITY_PREFIX,
  prefixRange,
  readRecord,
  type DeviceRecord,
} from "../../../src/client/sync/records.ts";
import { createSerialize } from "../../../src/client/serialize.ts";
import { REDIRECT_URI } from "../../sync/service/sync-service.ts";
import { createAppProcess, type AppProcess } from "./app-process.ts";
import { openBills, type Bills } from "./bills.ts";
import type { BreakClient, BrokenOptions } from "./break-client.ts";
import type { Dice } from "./dice.ts";
import { createKillableKeyStore, createKillableStorage } from "./killable-storage.ts";
import type { Link, Network } from "./network.ts";
import { createSharedTabs } from "./shared-tabs.ts";
import { BASE_URL } from "./simulated-server.ts";
import { PAIR } from "./task-edits.ts";
import { openTasks, watchPair, watchTasks, type Tasks, type TaskWatch } from "./tasks.ts";
import type { VirtualTime } from "./virtual-time.ts";

export interface RunningApp {
  readonly process: AppProcess;
  readonly client: SyncClient;
  readonly tasks: Tasks;
  readonly watch: TaskWatch;
  /** Of an older or a newer build; null in a run without bills. */
  readonly bills: Bills | null;
}

export interface SimulatedDevice {
  /** The beginning of its device ids. */
  readonly name: string;
  readonly link: Link;
  /** Whether its processes learn of each other's writes. */
  readonly hasTabApis: boolean;
  /** The clock of the device is so much ahead of the server's. */
  clockSkewMs: number;
  apps(): readonly RunningApp[];
  /** Whether two processes ever ran at once. */
  wasShared(): boolean;
  /** Its processes end, and none is opened again. */
  lose(): void;
  isLost(): boolean;
  /** Ids of the operations that are in its storage. */
  readHeld(): Promise<HeldOperations>;
  /** How many run, those that are not ready yet included. */
  processes(): number;
  /** From now on none of its processes is killed, also none that is being opened or comes later. */
  spare(): void;
  isSpared(): boolean;
  /** Starts a process; it is among `apps` when the client is ready, unless it dies before. */
  open(): AppProcess;
  close(app: RunningApp): Promise<void>;
  /** Transactions, and what a sign-in asks first, take no time while the work runs. */
  withoutPauses<T>(work: () => Promise<T>): Promise<T>;
}

export interface HeldOperations {
  readonly deviceId: string | null;
  readonly operationIds: readonly string[];
}

export interface DeviceWorld {
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly network: Network;
  readonly folder: string;
  readonly profile: SyncProfile;
  readonly breakClient: BreakClient | null;
  readonly hasBills: boolean;
  /** Whether transactions stay whole: what a recovery pushes again comes one by one. */
  readonly staysWhole: boolean;
  /** Null for an app without encryption. */
  readonly createEncryption: ((keyStore: KeyStore) => SyncEncryption) | null;
  readonly trace: (line: string) => void;
  readonly fail: (error: string) => void;
}

const MAX_PAUSE_MS = 6;

export function createSimulatedDevice(name: string, world: DeviceWorld): SimulatedDevice {
  const { time, dice, network, trace } = world;
  const memory = dice.chance(65) ? createMemorySyncStorage({ name }) : null;
  const path = join(world.folder, `${name}.db`);
  const hasTabApis = dice.chance(80);
  const live = dice.chance(50);
  const pollSeconds = dice.pick([20, 60, 600]);
  const serialize = createSerialize();
  const keyStore = createMemoryKeyStore();
  const tabs = createSharedTabs((run) => void time.schedule(dice.below(4), run));
  const link: Link = { quality: "good" };
  let apps: RunningApp[] = [];
  let processes = 0;
  const running = new Set<AppProcess>();
  let isSpared = false;
  let isLost = false;
  let wasShared = false;
  let hasPauses = true;
  let pauses = 0;
  let wasKilled = false;

  const pauseSometimes = () => (dice.chance(20) ? pause() : Promise.resolve());

  async function pause(): Promise<void> {
    if (!hasPauses) return;
    pauses++;
    await new Promise<void>((resolve) => void time.schedule(dice.below(MAX_PAUSE_MS), resolve));
    pauses--;
  }

  function openStorage(process: AppProcess): SyncStorage {
    const storage = memory ?? createSqliteStorage(path);
    process.onEnd(() => void (memory === null && storage.close()));
    // The name, not the path: locks and channels are of this device alone.
    return createKillableStorage({
      storage: { ...storage, name },
      process,
      serialize,
      pause: pauseSometimes,
    });
  }

  function clientOptions(process: AppProcess): BrokenOptions {
    const options: SyncClientOptions = {
      baseUrl: BASE_URL,
      redirectUri: REDIRECT_URI,
      storage: openStorage(process),
      deviceName: name,
      profile: world.profile,
      live,
      pollSeconds,
      fetch: network.fetchOf(process, link),
      now: () => time.now() + device.clockSkewMs,
      randomBytes: dice.bytes,
      setTimer: (callback, ms) => time.schedule(ms, () => void (process.isAlive() && callback())),
      tabs: hasTabApis ? tabs.apisOf(process) : null,
      ...(world.createEncryption && {
        encryption: world.createEncryption(createKillableKeyStore(keyStore, process)),
      }),
    };
    const context = { wasKilled, deviceName: name, pause };
    wasKilled = false;
    return world.breakClient?.(options, context) ?? options;
  }

  /** Now an older and now a newer one: a person may go back, too. */
  function openBuild(number: number, client: SyncClient, options: BrokenOptions): Bills {
    const isNew = (Number(name.slice(1)) + number) % 3 > 0;
    const bills = openBills(client, isNew);
    trace(`${name}#${number} is of the ${isNew ? "newer" : "older"} build`);
    if (isNew) options.breakBills?.(bills, client);
    return bills;
  }

  function watchAll(client: SyncClient, tasks: Tasks): TaskWatch {
    const watches = [
      watchTasks(client, tasks),
      ...(world.staysWhole ? [watchPair(client, PAIR)] : []),
    ];
    return { errors: () => watches.flatMap((watch) => watch.errors()) };
  }

  const device: SimulatedDevice = {
    name,
    link,
    hasTabApis,
    clockSkewMs: 0,
    apps: () => apps,
    processes: () => running.size,
    spare() {
      isSpared = true;
      for (const process of running) process.dieAt(Infinity);
    },
    isSpared: () => isSpared,
    wasShared: () => wasShared,
    isLost: () => isLost,
    lose() {
      isLost = true;
      for (const process of running) process.kill();
    },
    async readHeld() {
      const storage = memory ?? createSqliteStorage(path);
      const held = await storage.transaction("read", readHeld);
      await storage.close();
      return held;
    },
    open() {
      const number = ++processes;
      const process = createAppProcess(`${name}#${number}`, () => {
        trace(`${process.name} is killed`);
        wasKilled = true;
      });
      running.add(process);
      wasShared ||= running.size > 1;
      process.onEnd(() => {
        running.delete(process);
        apps = apps.filter((app) => app.process !== process);
      });
      const options = clientOptions(process);
      createSyncClient(options).then(
        (client) => {
          if (!process.isAlive()) return;
          trace(`${process.name} is open as ${client.deviceId}`);
          const tasks = openTasks(client);
          options.breakTasks?.(tasks, client);
          const bills = world.hasBills ? openBuild(number, client, options) : null;
          apps = [...apps, { process, client, tasks, watch: watchAll(client, tasks), bills }];
        },
        (error: unknown) => {
          if (process.isAlive()) world.fail(`${process.name} cannot open: ${String(error)}`);
        },
      );
      return process;
    },
    async close({ process, client }) {
      trace(`${process.name} closes`);
      apps = apps.filter((app) => app.process !== process);
      await process.whileAlive(client.close());
      process.end();
    },
    async withoutPauses(work) {
      hasPauses = false;
      link.isDirect = true;
      await time.runUntil(() => pauses === 0, MAX_PAUSE_MS);
      try {
        return await work();
      } finally {
        hasPauses = true;
        link.isDirect = false;
      }
    },
  };
  return device;
}

async function readHeld(transaction: StorageTransaction): Promise<HeldOperations> {
  const device = await readRecord<DeviceRecord>(transaction, DEVICE_KEY);
  const records = await transaction.list(prefixRange(ENTITY_PREFIX, 10_000));
  const kept = records
    .flatMap(([, text]) => parseStoredOperations(text))
    .filter((one) => !isAside(one));
  return {
    deviceId: device?.deviceId ?? null,
    operationIds: kept.map(({ operation }) => operation.operationId),
  };
}
