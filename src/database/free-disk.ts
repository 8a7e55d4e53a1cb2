/** Whether the disks of a store have space: on a full one a probe's small write may work, and a push does not. */
import { dirname } from "node:path";
import { StorageUnavailableError } from "./database.ts";
import { sqlitePath } from "./sqlite-path.ts";
import { readFreeBytes } from "./disk-space.ts";

/** The largest push by default has 256 KiB, and its rows and indexes take a multiple of it. */
const FULL_BYTES = 1024 ** 2;

/** `store` is the address of a store, or null when its files are in the data folder. */
export async function expectFreeDisk(
  dataDir: string,
  store: string | null,
  readFree = readFreeBytes,
): Promise<void> {
  const file = store === null ? undefined : sqlitePath(store);
  const folders = file === undefined ? [dataDir] : [dataDir, dirname(file)];
  for (const folder of folders) {
    if ((await readFree(folder)) >= FULL_BYTES) continue;
    throw new StorageUnavailableError("the disk is full: less than 1 MiB of it is free");
  }
}
