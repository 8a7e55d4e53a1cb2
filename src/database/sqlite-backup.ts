import { open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { backup } from "node:sqlite";
import { StorageUnavailableError } from "./database.ts";
import { openConnection } from "./sqlite-connection.ts";
import { toSqliteError } from "./sqlite-errors.ts";

/** Pages per step: small enough that the process goes on answering in between. */
const PAGES_PER_STEP = 512;

/** `target` must not exist yet, so that no good backup is ever lost to a failing one. */
export async function backUpFile(source: string, target: string): Promise<void> {
  await createNew(target);
  try {
    const { handle } = openConnection(source, { isReader: true });
    try {
      // The copy reads from this one view; without it every write of another would start it anew.
      handle.exec("begin");
      handle.prepare("select count(*) from sqlite_schema").get();
      await backup(handle, target, { rate: PAGES_PER_STEP });
    } finally {
      handle.close();
    }
    await sync(target);
    await sync(dirname(target));
  } catch (error) {
    await rm(target, { force: true });
    throw toSqliteError(error);
  }
}

export function checkFile(path: string): string[] {
  const connection = openConnection(path, { isReader: true });
  try {
    const found = connection.all<{ integrity_check: string }>("pragma integrity_check");
    const orphans = connection.all<{ table: string }>("pragma foreign_key_check");
    return [
      ...found.map((row) => row.integrity_check).filter((text) => text !== "ok"),
      ...orphans.map((row) => `a row of ${row.table} refers to one that does not exist`),
    ];
  } finally {
    connection.handle.close();
  }
}

async function createNew(path: string): Promise<void> {
  try {
    await (await open(path, "wx", 0o600)).close();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "EEXIST") {
      throw new Error("The file of the backup exists already: name a new one", { cause: error });
    }
    throw new StorageUnavailableError(`the backup cannot be created (${String(code)})`);
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
