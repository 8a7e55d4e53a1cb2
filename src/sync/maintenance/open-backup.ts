/**
 * Proves a backup by doing what a restore does: everything in it is put into a scratch store, and
 * that store is checked. What is found sound can be restored.
 */
import { randomBytes } from "node:crypto";
import { mkdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { ConstraintError, type Database } from "../../database/database.ts";
import { openSqlite } from "../../database/sqlite.ts";
import { migrateSync } from "../sql/open-sql-store.ts";
import { readHead } from "../sql/sql-operations.ts";
import {
  BackupRefusedError,
  type BackupHeader,
  type BackupManifest,
  type BackupTrailer,
} from "./backup-format.ts";
import type { BackupRow } from "./backup-tables.ts";
import { checkStore } from "./check-store.ts";
import { loadRows } from "./load-rows.ts";
import { readBackup } from "./read-backup.ts";

export interface OpenBackup {
  readonly manifest: BackupManifest;
  /** The contents, as a store of their own. */
  readonly contents: Database;
  /** Removes the scratch store. */
  close(): Promise<void>;
}

/** Throws a BackupRefusedError when the file is not a sound backup. */
export async function openBackup(path: string): Promise<OpenBackup> {
  const folder = await createScratchFolder(path);
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const contents = await openSqlite(join(folder, "contents.db"));
    try {
      const manifest = await loadAndCheck(path, contents);
      const close = async () => {
        await contents.close();
        await remove();
      };
      return { manifest, contents, close };
    } catch (error) {
      await contents.close();
      throw error;
    }
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The manifest of a sound backup. */
export async function verifyBackup(path: string): Promise<BackupManifest> {
  const backup = await openBackup(path);
  await backup.close();
  return backup.manifest;
}

async function loadAndCheck(path: string, contents: Database): Promise<BackupManifest> {
  await migrateSync(contents);
  const { header, trailer } = await load(path, contents);
  const head = await readHead(contents);
  if (head.generation !== trailer.generation || head.headOffset !== trailer.headOffset) {
    throw new BackupRefusedError("Its end names another log than the one that is in it");
  }
  const check = await checkStore(contents);
  if (check.kind === "unsound") throw new BackupRefusedError(`It is not sound: ${check.reason}`);
  const [account] = await contents.query<{ username: string }>(
    "SELECT username FROM identity_accounts",
  );
  const { size } = await stat(path);
  return {
    ...trailer,
    createdAt: header.createdAt,
    product: header.product,
    instanceKey: header.instanceKey,
    entities: check.entities,
    username: account?.username ?? null,
    fileBytes: size,
  };
}

async function load(path: string, contents: Database) {
  try {
    return await contents.transaction(async (tx) => {
      const seen: { header?: BackupHeader; trailer?: BackupTrailer } = {};
      await loadRows(tx, pickRows(path, seen), () => true);
      const { header, trailer } = seen;
      if (header === undefined || trailer === undefined) throw new Error("The backup was not read");
      if (trailer.counts.sync_log !== 1) {
        throw new BackupRefusedError("It has not exactly one log in it");
      }
      return { header, trailer };
    });
  } catch (error) {
    if (!(error instanceof ConstraintError)) throw error;
    throw new BackupRefusedError("It is not sound: two rows of it contradict each other");
  }
}

async function* pickRows(
  path: string,
  seen: { header?: BackupHeader; trailer?: BackupTrailer },
): AsyncGenerator<BackupRow> {
  for await (const part of readBackup(path)) {
    if (part.kind === "row") yield part.row;
    else if (part.kind === "header") seen.header = part.header;
    else seen.trailer = part.trailer;
  }
}

/** Beside the file, where there is room for it; where that cannot be written, among the temporary. */
async function createScratchFolder(path: string): Promise<string> {
  const name = `${basename(path)}.${randomBytes(6).toString("hex")}.scratch`;
  const folder = join(dirname(path), name);
  try {
    await mkdir(folder, { mode: 0o700 });
    return folder;
  } catch {
    const other = join(tmpdir(), name);
    await mkdir(other, { mode: 0o700 });
    return other;
  }
}
