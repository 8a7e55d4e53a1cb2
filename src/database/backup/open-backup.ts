/**
 * Verifies a backup by restoring it into a scratch store and examining that store. A backup that passes
 * can be restored.
 */
import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createGunzip } from "node:zlib";
import { isObject } from "../../contract/is-object.ts";
import { ConstraintError, type Database } from "../database.ts";
import { openSqlite } from "../sqlite.ts";
import {
  BackupRefusedError,
  describeTables,
  type BackupFormat,
  type BackupHeader,
  type BackupRow,
  type BackupTable,
  type BackupTrailer,
} from "./backup-format.ts";
import { loadRows } from "./table-rows.ts";

export interface OpenBackup<Manifest> {
  readonly manifest: Manifest;
  /** The scratch store. */
  readonly contents: Database;
  /** Removes the scratch store. */
  close(): Promise<void>;
}

/** Header and trailer of a backup that was read to its end. */
export interface BackupStatement<Name extends string> {
  readonly header: BackupHeader;
  readonly trailer: BackupTrailer<Name>;
  readonly fileBytes: number;
}

export interface BackupExaminer<Name extends string, Manifest> {
  readonly format: BackupFormat<Name>;
  /** Creates the tables. */
  migrate(contents: Database): Promise<void>;
  /** Throws a BackupRefusedError when the contents are inconsistent. */
  examine(contents: Database, statement: BackupStatement<Name>): Promise<Manifest>;
}

/** Throws a BackupRefusedError when the file is not a valid backup. */
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
      const ends = await load(path, contents, examiner.format);
      const { size: fileBytes } = await stat(path);
      const manifest = await examiner.examine(contents, { ...ends, fileBytes });
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

/** The manifest of a valid backup. */
export async function verifyBackup<Manifest>(
  path: string,
  examiner: BackupExaminer<string, Manifest>,
): Promise<Manifest> {
  const backup = await openBackup(path, examiner);
  await backup.close();
  return backup.manifest;
}

type Ends<Name extends string> = Omit<BackupStatement<Name>, "fileBytes">;

async function load<Name extends string>(
  path: string,
  contents: Database,
  format: BackupFormat<Name>,
): Promise<Ends<Name>> {
  let ends = null as Ends<Name> | null;
  async function* rows(): AsyncGenerator<BackupRow<Name>> {
    ends = yield* readRows(path, format);
  }
  try {
    await contents.transaction((tx) => loadRows(tx, rows(), () => true));
  } catch (error) {
    if (!(error instanceof ConstraintError)) throw error;
    throw new BackupRefusedError("It is not sound: two rows of it contradict each other");
  }
  if (ends === null) throw new Error("The backup was not read");
  return ends;
}

/** Beside the file, where there is space for it, or in the temporary folder. */
async function createScratchFolder(path: string): Promise<string> {
  const name = `${basename(path)}.${randomBytes(6).toString("hex")}.scratch`;
  const folder = join(dirname(path), name);
  try {
    await mkdir(folder, { mode: 0o700 });
    return folder;
  } catch {
    const temporary = join(tmpdir(), name);
    await mkdir(temporary, { mode: 0o700 });
    return temporary;
  }
}

/** Far above the text of a row with every column at its limit. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Returns header and trailer at the end, when counts and digest match. */
async function* readRows<Name extends string>(
  path: string,
  format: BackupFormat<Name>,
): AsyncGenerator<BackupRow<Name>, Ends<Name>> {
  const hash = createHash("sha256");
  const counts = new Map<string, number>(format.tables.map(({ name }) => [name, 0]));
  const tables = new Map<unknown, BackupTable<Name>>(
    format.tables.map((table) => [table.name, table]),
  );
  let header: BackupHeader | null = null;
  let trailer: BackupTrailer<Name> | null = null;
  for await (const line of readLines(path)) {
    if (trailer !== null) throw new BackupRefusedError("There is something after its end");
    const value = parseLine(line);
    if (header === null) header = parseHeader(value, format);
    else if (Array.isArray(value)) {
      const row = parseRow(value, tables);
      counts.set(row.table.name, (counts.get(row.table.name) ?? 0) + 1);
      yield row;
    } else {
      trailer = parseTrailer(value, format);
      expectCounts(trailer, counts);
      if (hash.copy().digest("hex") !== trailer.sha256) {
        throw new BackupRefusedError("Its digest does not fit: it was damaged or changed");
      }
    }
    hash.update(line).update("\n");
  }
  if (header === null || trailer === null) {
    throw new BackupRefusedError("It is not complete: its end is missing");
  }
  return { header, trailer };
}

async function* readLines(path: string): AsyncGenerator<Buffer> {
  const source = createReadStream(path);
  const unzipped = source.pipe(createGunzip());
  source.once("error", (error) => unzipped.destroy(error));
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of unzipped as AsyncIterable<Buffer>) {
      let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE)) {
        yield bytes.subarray(0, end);
        bytes = bytes.subarray(end + 1);
      }
      if (bytes.length > MAX_LINE_BYTES) throw new BackupRefusedError("A line of it has no end");
      rest = bytes;
    }
  } catch (error) {
    throw toRefusedError(error);
  } finally {
    source.destroy();
  }
  if (rest.length > 0) throw new BackupRefusedError("It is not complete: its last line is cut off");
}

function toRefusedError(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (code === "Z_DATA_ERROR") {
    return new BackupRefusedError(
      "It is no backup of ours, or it was damaged: it is not sound gzip",
    );
  }
  if (code === "Z_BUF_ERROR") return new BackupRefusedError("It is not complete: it was cut off");
  if (code === "ENOENT") return new BackupRefusedError("There is no such file");
  return code === "" || error instanceof BackupRefusedError
    ? error
    : new BackupRefusedError(`It cannot be read (${code})`);
}

function parseLine(line: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line));
  } catch {
    throw new BackupRefusedError("A line of it is not JSON: it was damaged");
  }
}

function parseHeader(header: unknown, format: BackupFormat): BackupHeader {
  if (!isObject(header) || header["format"] !== format.name) {
    throw new BackupRefusedError(`It is no backup of ${format.owner}`);
  }
  if (header["version"] !== format.version) {
    throw new BackupRefusedError(
      `It has version ${String(header["version"])}, and this program reads version ${format.version}: use the program that wrote it (${String(header["product"])})`,
    );
  }
  if (JSON.stringify(header["tables"]) !== JSON.stringify(describeTables(format))) {
    throw new BackupRefusedError("Its tables are not those of its version");
  }
  return header as unknown as BackupHeader;
}

function parseRow<Name extends string>(
  [name, ...values]: readonly unknown[],
  tables: ReadonlyMap<unknown, BackupTable<Name>>,
): BackupRow<Name> {
  const table = tables.get(name);
  const columns = Object.entries(table?.columns ?? {});
  const fits =
    table !== undefined &&
    values.length === columns.length &&
    columns.every(
      ([column, type], index) =>
        isOf(values[index], type) ||
        (values[index] === null && table.nullable?.includes(column) === true),
    );
  if (!fits) throw new BackupRefusedError("A row of it has a shape that no table has");
  return { table, values: values as (string | number | null)[] };
}

function isOf(value: unknown, type: "text" | "integer"): boolean {
  return type === "text" ? typeof value === "string" : Number.isSafeInteger(value);
}

function parseTrailer<Name extends string>(
  trailer: unknown,
  format: BackupFormat<Name>,
): BackupTrailer<Name> {
  const fits =
    isObject(trailer) &&
    typeof trailer["sha256"] === "string" &&
    isObject(trailer["counts"]) &&
    Object.entries(format.facts).every(([name, type]) => isOf(trailer[name], type));
  if (!fits) throw new BackupRefusedError("Its end has not the members that it must have");
  return trailer as unknown as BackupTrailer<Name>;
}

function expectCounts({ counts }: BackupTrailer, found: ReadonlyMap<string, number>): void {
  for (const [name, count] of found) {
    const expected = (counts as Readonly<Record<string, unknown>>)[name];
    if (expected === count) continue;
    throw new BackupRefusedError(
      `It has ${count} rows of ${name} and says it has ${String(expected)}`,
    );
  }
}
