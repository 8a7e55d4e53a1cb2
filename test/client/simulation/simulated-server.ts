/** The real sync service on a real store, which is killed, compacted, restored, put back and moved. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SyncProfile } from "../../../src/contract/sync/operation-limits.ts";
import type { SyncLimits } from "../../../src/contract/sync/values.ts";
import { createBackup } from "../../../src/backup/format/write-backup.ts";
import { createInstanceKey } from "../../../src/identity/instance-key.ts";
import { openSyncStore, SYNC_STORE } from "../../../src/sync/sql/open-store.ts";
import { restoreStore } from "../../../src/backup/restore-store.ts";
import { createSyncService, type SyncService } from "../../../src/sync/service.ts";
import { createAdministration } from "../../../src/sync/maintenance/administration.ts";
import { encodeCursor } from "../../../src/sync/log/cursor.ts";
import { SYNC_EXAMINER } from "../../../src/sync/maintenance/backup.ts";
import { compactLog } from "../../../src/sync/maintenance/compact.ts";
import { planPurge, purgeTombstones } from "../../../src/sync/maintenance/purge-tombstones.ts";
import type { SqlSyncStore } from "../../../src/sync/sql/open-sql-store.ts";
import { BACKUP_KEY, findBackupKey } from "../../database/backup-sample.ts";
import { addSyncAccount } from "../../sync/add-account.ts";
import { ANNA, REDIRECT_URI } from "../../sync/service/sync-service.ts";
import type { BrokenServer } from "./broken-servers.ts";

export const BASE_URL = "http://localhost:4811";

export interface SimulatedServer {
  isUp(): boolean;
  /** Rejects while the server is down. */
  handle(request: Request): Promise<Response>;
  stop(): Promise<void>;
  /** Ends the process at this moment: the next one finds the files as they are. */
  kill(): Promise<void>;
  start(): Promise<void>;
  compact(): Promise<void>;
  /** Removes every entity that is deleted, and returns their ids. */
  purge(): Promise<readonly string[]>;
  backUp(): Promise<void>;
  /** While the server is down. False when there is no backup yet. */
  restore(): Promise<boolean>;
  copyFolder(): void;
  /** While the server is down. `database` is the file alone, without the high-water mark beside it. */
  rollBack(part: "folder" | "database", isLast?: boolean): boolean;
  /** Into a new, empty store, by a backup; while the server is down. */
  move(): Promise<void>;
  /** Null revokes every device. */
  revoke(deviceId: string | null): Promise<void>;
  /** How many operations fit beside those that are in the log; null for any number. */
  setQuota(operations: number | null): void;
  /** From the next start on. */
  setProfile(profile: SyncProfile): void;
  /** The cursor of the log's head. */
  head(): Promise<string>;
  store(): SqlSyncStore;
  /** What the server wrote to its log, and what it told its operator. */
  readonly lines: readonly string[];
  close(): Promise<void>;
}

export interface SimulatedServerOptions {
  readonly now: () => number;
  readonly profile: SyncProfile;
  readonly limits: Partial<SyncLimits>;
  /** Which of several backups or copies is used. */
  readonly pick: <T>(list: readonly T[]) => T;
  readonly broken: BrokenServer | null;
}

const KEY = createInstanceKey(new Uint8Array(32).fill(9));
const DATABASE = "store.db";

export async function createSimulatedServer(
  options: SimulatedServerOptions,
): Promise<SimulatedServer> {
  const root = createFolder();
  const lines: string[] = [];
  const backups: string[] = [];
  const copies: string[] = [];
  const { broken } = options;
  let { profile } = options;
  let folders = 0;
  let data = nextFolder();
  let left: number | null = null;
  /** The length of the log when the quota was set. */
  let logged: number | null = null;
  let running: { readonly store: SqlSyncStore; readonly service: SyncService } | null = null;

  function nextFolder(): string {
    const folder = join(root, String(++folders));
    mkdirSync(folder);
    return folder;
  }

  function requireRunning() {
    if (running === null) throw new Error("The server is down");
    return running;
  }

  /** Negative while something fits. */
  async function countOverQuota(store: SqlSyncStore): Promise<number> {
    if (left === null) return -1;
    const length = await countOperations(store);
    logged ??= length;
    return length - logged - left;
  }

  async function start(): Promise<void> {
    const store = await openSyncStore(`sqlite:${join(data, DATABASE)}`, data);
    const service = createSyncService({
      store: broken?.breakStore?.(store) ?? store,
      instanceKey: KEY,
      baseUrl: BASE_URL,
      displayName: "Simulated",
      redirectUris: [REDIRECT_URI],
      profile,
      quota: {
        storage: { maxBytes: 0, usedBytes: () => countOverQuota(store) },
      },
      limits: { authorizePerMinute: 100_000, ...options.limits },
      now: options.now,
      log: (line) => void lines.push(JSON.stringify(line)),
      onNotice: (notice) => {
        const error = "error" in notice ? String(notice.error) : "";
        lines.push(`${JSON.stringify(notice)} ${error}`);
      },
    });
    running = { store, service };
  }

  async function stop(): Promise<void> {
    const { service } = requireRunning();
    running = null;
    await service.close();
  }

  async function writeBackup(): Promise<string> {
    const path = join(root, `backup-${backups.length}`);
    const described = { product: "simulation", now: options.now(), instanceKey: null };
    const store = running?.store ?? (await openSyncStore(`sqlite:${join(data, DATABASE)}`, data));
    await createBackup(store.database, path, SYNC_EXAMINER, { ...described, key: BACKUP_KEY });
    if (running === null) await store.close();
    backups.push(path);
    return path;
  }

  async function restoreInto(folder: string, backup: string): Promise<void> {
    const store = `sqlite:${join(folder, DATABASE)}`;
    const target = { store, dataDir: folder, readKey: () => BACKUP_KEY };
    const decisions = { findKey: findBackupKey, confirm: async () => {} };
    await restoreStore(SYNC_STORE, target, backup, decisions);
  }

  const isUsedUp = async () => (await countOverQuota(requireRunning().store)) >= 0;
  const serve = (request: Request) => requireRunning().service.fetch(request);
  const handle = broken?.breakHandle?.(serve, isUsedUp) ?? serve;

  copyFiles(await templateFolder(), data);
  await start();
  return {
    lines,
    isUp: () => running !== null,
    handle: async (request) => hideProfile(request, await handle(request)),
    stop,
    start,
    async kill() {
      const found = nextFolder();
      copyFiles(data, found);
      await stop();
      data = found;
    },
    compact: async () => void (await compactLog(requireRunning().store.database)),
    async purge() {
      const { store } = requireRunning();
      const plan = await planPurge(store.database, options.now() + 1);
      await purgeTombstones(store, plan);
      return [...plan.tombstones.keys()];
    },
    backUp: async () => void (await writeBackup()),
    async restore() {
      if (backups.length === 0) return false;
      await restoreInto(data, options.pick(backups));
      return true;
    },
    copyFolder() {
      const copy = nextFolder();
      copyFiles(data, copy);
      copies.push(copy);
    },
    rollBack(part, isLast = false) {
      const copy = isLast ? copies.at(-1) : copies.length > 0 ? options.pick(copies) : undefined;
      if (copy === undefined) return false;
      const found = nextFolder();
      copyFiles(copy, found);
      if (part === "database") {
        copyFileSync(join(data, SYNC_STORE.highWaterFile), join(found, SYNC_STORE.highWaterFile));
      }
      data = found;
      return true;
    },
    async move() {
      const backup = await writeBackup();
      data = nextFolder();
      await restoreInto(data, backup);
    },
    async revoke(deviceId) {
      const administration = createAdministration(requireRunning().store, KEY, options.now);
      if (deviceId === null) await administration.revokeAllDevices();
      else await administration.revokeDevice(deviceId);
    },
    setQuota(operations) {
      left = operations;
      logged = null;
    },
    setProfile(next) {
      profile = next;
    },
    async head() {
      const { generation, headOffset, mark } = await requireRunning().store.operations.head();
      return encodeCursor({ generation, offset: headOffset, mark });
    },
    store: () => requireRunning().store,
    async close() {
      if (running !== null) await stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function countOperations({ database }: SqlSyncStore): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    "SELECT count(*) AS count FROM sync_operations",
  );
  return row?.count ?? 0;
}

/**
 * In memory where the system has such a folder: every commit waits for the disk. A run of tests has
 * chosen its own, which it removes.
 */
export function createFolder(): string {
  const base = process.env["TMPDIR"] ?? (existsSync("/dev/shm") ? "/dev/shm" : tmpdir());
  return mkdtempSync(join(base, "trellis-simulation-"));
}

/** What a process that is killed leaves behind; locks and shared memory end with it. */
function copyFiles(from: string, to: string): void {
  for (const name of readdirSync(from)) {
    if (/^store\.db(-wal)?$/.test(name) || name === SYNC_STORE.highWaterFile) {
      copyFileSync(join(from, name), join(to, name));
    }
  }
}

let template: Promise<string> | undefined;

/** A store with an account, made once: migrations and the password's key take longer than a run. */
function templateFolder(): Promise<string> {
  template ??= (async () => {
    const folder = createFolder();
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    const store = await openSyncStore(`sqlite:${join(folder, DATABASE)}`, folder);
    await addSyncAccount(store, KEY, ANNA);
    await store.close();
    return folder;
  })();
  return template;
}

/** An old server does not say its profile, so that a client pushes what it refuses. */
async function hideProfile(request: Request, response: Response): Promise<Response> {
  if (!request.url.endsWith("/v1/capabilities") || response.status !== 200) return response;
  const { sync, ...others } = (await response.json()) as { sync: { profile: string } };
  if (sync.profile === "sealed") return Response.json({ ...others, sync });
  return Response.json({ ...others, sync: { ...sync, profile: undefined } });
}
