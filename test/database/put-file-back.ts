/** Copies the database file of a SQLite store, to put it back later. */
import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { StorePlace } from "./on-both-stores.ts";

type FilePlace = Pick<StorePlace<unknown>, "folder" | "store">;

const pathOf = ({ store }: FilePlace) => store.slice("sqlite:".length);

/** While no process has the store open, so that the file is complete. Returns the path of the copy. */
export async function copyDatabaseFile(place: FilePlace, name = "copy.db"): Promise<string> {
  const path = join(place.folder, name);
  await copyFile(pathOf(place), path);
  return path;
}

export async function putDatabaseFileBack(place: FilePlace, copy: string): Promise<void> {
  const path = pathOf(place);
  await Promise.all(["-wal", "-shm"].map((end) => rm(path + end, { force: true })));
  await copyFile(copy, path);
}
