/**
 * Proves a backup by doing what a restore does: everything in it is put into a scratch store, and
 * that store is examined. What is found sound can be restored.
 */
import { randomBytes } from "node:crypto";
import { mkdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { ConstraintError, type Database } from "../database.ts";
import { openSqlite } from "../sqlite.ts";
import {
  BackupRefusedError,
  type BackupFormat,
  type BackupHeader,
  type BackupRow,
  type BackupTrailer,
} from "./backup-format.ts";
import { loadRows } from "./load-rows.ts";
import { readBackup } from "./read-backup.ts";

export interface OpenBackup<Manifest> {
  readonly manifest: Manifest;
  /** The contents, as a store of their own. */
  readonly contents: Database;
  /** Removes the scratch store. */
  close(): Promise<void>;
}

/** What a backup says of itself, once it is read whole. */
export interface BackupStatement<Name extends string> {
  readonly header: BackupHeader;
  readonly trailer: BackupTrailer<Name>;
  readonly fileBytes: number;
}

export interface BackupExaminer<Name extends string, Manifest> {
  readonly format: BackupFormat<Name>;
  /** Makes the tables. */
  migrate(contents: Database): Promise<void>;
  /** Throws a BackupRefusedError when the contents are not sound. */
  examine(contents: Database, statement: BackupStatement<Name>): Promise<Manifest>;
}

/** Throws a BackupRefusedError when the file is not a sound backup. */
export async function openBackup<Name extends string, Manifest>(
  path: string,
  examiner: BackupExaminer<Name, Manifest>,
): Promise<OpenBackup<Manifest>> {
  const folder = await createScratchFolder(path);
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const contents = await openSqlite(join(folder, "contents.db"));
    try {
      await examiner.migrate(contents);
      const told = await load(path, contents, examiner.format);
      const { size: fileBytes } = await stat(path);
      const manifest = await examiner.examine(contents, { ...told, fileBytes });
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

type Told<Name extends string> = Omit<BackupStatement<Name>, "fileBytes">;

async function load<Name extends string>(
  path: string,
  contents: Database,
  format: BackupFormat<Name>,
): Promise<Told<Name>> {
  try {
    return await contents.transaction(async (tx) => {
      const told: Partial<{ -readonly [Key in keyof Told<Name>]: Told<Name>[Key] }> = {};
      await loadRows(tx, pickRows(path, format, told), () => true);
      const { header, trailer } = told;
      if (header === undefined || trailer === undefined) throw new Error("The backup was not read");
      return { header, trailer };
    });
  } catch (error) {
    if (!(error instanceof ConstraintError)) throw error;
    throw new BackupRefusedError("It is not sound: two rows of it contradict each other");
  }
}

async function* pickRows<Name extends string>(
  path: string,
  format: BackupFormat<Name>,
  told: { header?: BackupHeader; trailer?: BackupTrailer<Name> },
): AsyncGenerator<BackupRow<Name>> {
  for await (const part of readBackup(path, format)) {
    if (part.kind === "row") yield part.row;
    else if (part.kind === "header") told.header = part.header;
    else told.trailer = part.trailer;
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
