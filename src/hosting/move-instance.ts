/** Changes to the files of an instance that no server uses. */
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { replaceFile } from "../database/place-file.ts";
import type { Lease } from "../database/lease-mode.ts";
import { sqlitePath } from "../database/sqlite-path.ts";
import { syncFile, syncFolder } from "../database/sync-path.ts";
import { leaseStore, StoreInUseError } from "../database/lease-store.ts";
import type { Instance } from "../configuration/instance.ts";
import { removeInstanceRows } from "./instance-rows.ts";

const RETRY_MS = 100;

/**
 * Waits until no server and no command uses the store: a server closes an instance that is suspended
 * when its requests have finished. While the lease is held, none can open it again.
 */
export async function leaseUnused(
  { sync: { store } }: Instance,
  timeoutMs: number,
): Promise<Lease> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await leaseStore("sync", store, "exclusive");
    } catch (error) {
      if (!(error instanceof StoreInUseError) || performance.now() > deadline) throw error;
    }
    await wait(RETRY_MS);
  }
}

/** `store` is the store of the server. */
export async function removeInstanceData(
  { sync, dataDir }: Instance,
  store: string,
): Promise<void> {
  if (sqlitePath(store) === undefined) await removeInstanceRows({ sync });
  // A machine that has not opened the rows has no folder.
  if (existsSync(dataDir)) await removeFolder(dataDir);
}

/** The folder is gone at once for every server: none finds a store whose lease is already deleted. */
async function removeFolder(folder: string): Promise<void> {
  const removed = join(dirname(folder), `.${basename(folder)}.removed`);
  await rm(removed, { recursive: true, force: true });
  await rename(folder, removed);
  await rm(removed, { recursive: true });
}

/** Goes with the folder of an instance that is moved, until the registry has its new place. */
const MOVE_FILE = "move.json";

function describeMove(from: Instance, to: Instance): string {
  return `${JSON.stringify({ from: from.dataDir, to: to.dataDir })}\n`;
}

/**
 * Whether a move was interrupted when the folder was in its new place already. No server can open the instance
 * then, so no lease is needed.
 */
export async function isMoveInterrupted(from: Instance, to: Instance): Promise<boolean> {
  // A command that read the old place may have made an empty folder there.
  if (existsSync(from.sync.instanceKeyFile)) return false;
  const text = await readFile(join(to.dataDir, MOVE_FILE), "utf8").catch(() => "");
  return text === describeMove(from, to);
}

/** Gives the rows of an instance another name. What this machine has noted of them goes along. */
export async function renameInstance(
  from: Instance,
  to: Instance,
  enter: () => Promise<void>,
): Promise<void> {
  await enter();
  if (!existsSync(from.dataDir)) return;
  await rm(to.dataDir, { recursive: true, force: true });
  await rename(from.dataDir, to.dataDir);
}

/** Moves the data of an instance, or what is left of it to move, and has `enter` change the registry. */
export async function moveInstance(
  from: Instance,
  to: Instance,
  enter: () => Promise<void>,
): Promise<void> {
  if (!(await isMoveInterrupted(from, to))) {
    await mkdir(dirname(to.dataDir), { recursive: true, mode: 0o700 });
    await replaceFile(join(from.dataDir, MOVE_FILE), describeMove(from, to));
    await moveFolder(from.dataDir, to.dataDir);
  }
  await enter();
  await rm(join(to.dataDir, MOVE_FILE));
}

async function moveFolder(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    // Another disk: the copy is complete and on that disk before it has the name, and the original goes.
    const draft = join(dirname(to), `.${basename(to)}.partial`);
    await rm(draft, { recursive: true, force: true });
    await cp(from, draft, {
      recursive: true,
      // Reading the file of a lease would end the lease.
      filter: (path) => !path.endsWith(".lock"),
    });
    await syncTree(draft);
    await rename(draft, to);
    await syncFolder(dirname(to));
    await removeFolder(from);
  }
}

async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  for (const { parentPath, name } of files) await syncFile(join(parentPath, name));
  const folders = entries.filter((entry) => entry.isDirectory());
  for (const { parentPath, name } of folders) await syncFolder(join(parentPath, name));
  await syncFolder(folder);
}
