/**
 * Private folders for what must not outlive the process that reads it. A folder goes when its work ends and on a
 * signal; what a crash leaves is removed by the next process that makes one of the same name.
 */
import { randomBytes } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { lstat, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { takeLease } from "../../database/lease.ts";

export interface ScratchFolder {
  readonly path: string;
  remove(): Promise<void>;
}

const inUse = new Set<string>();

export async function createScratchFolder(parent: string, name: string): Promise<ScratchFolder> {
  await removeStale(parent, name);
  const path = join(parent, `${name}.${randomBytes(6).toString("hex")}.scratch`);
  // Before the folder exists: a signal at any time removes it.
  startUse(path);
  const lease = await createLeased(path).catch((error: unknown) => {
    endUse(path);
    throw error;
  });
  // Another process took the folder for a stale one before it had its lease.
  if (lease === null || !existsSync(path)) {
    await lease?.release();
    endUse(path);
    return createScratchFolder(parent, name);
  }
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true });
      await lease.release();
      endUse(path);
    },
  };
}

async function createLeased(path: string) {
  await mkdir(path, { mode: 0o700 });
  return leaseFolder(path);
}

function startUse(path: string): void {
  if (inUse.size === 0) watchEnd();
  inUse.add(path);
}

function endUse(path: string): void {
  inUse.delete(path);
  if (inUse.size === 0) unwatchEnd();
}

const LEASED = "scratch";

/** The operating system ends the lease with the process, however that ends. */
function leaseFolder(folder: string) {
  return takeLease(`sqlite:${join(folder, LEASED)}`, LEASED, "exclusive");
}

async function removeStale(parent: string, name: string): Promise<void> {
  const start = `${name}.`;
  for (const entry of await readdir(parent, { withFileTypes: true })) {
    const isScratch =
      entry.isDirectory() &&
      entry.name.startsWith(start) &&
      /^[0-9a-f]{12}\.scratch$/.test(entry.name.slice(start.length));
    if (isScratch) await removeUnused(join(parent, entry.name));
  }
}

async function removeUnused(folder: string): Promise<void> {
  try {
    // A folder of another user could lead elsewhere, and one without the file of its lease is just being made.
    const isOurs = (await lstat(folder)).uid === process.getuid?.();
    if (!isOurs || !existsSync(join(folder, `${LEASED}.lock`))) return;
    const lease = await leaseFolder(folder);
    if (lease === null) return;
    await rm(folder, { recursive: true, force: true });
    await lease.release();
  } catch {
    // Another process removes it, too.
  }
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

function watchEnd(): void {
  process.on("exit", removeAll);
  for (const signal of SIGNALS) process.on(signal, endBy);
}

function unwatchEnd(): void {
  process.off("exit", removeAll);
  for (const signal of SIGNALS) process.off(signal, endBy);
}

function removeAll(): void {
  for (const path of inUse) rmSync(path, { recursive: true, force: true });
}

function endBy(signal: NodeJS.Signals): void {
  // A server has a handler of its own: it ends its work first.
  if (process.listenerCount(signal) > 1) return;
  removeAll();
  unwatchEnd();
  // The shell sees that the signal ended the process.
  process.kill(process.pid, signal);
}
