/** Reads the lines of a backup, and checks that they are complete and, with its key, authentic. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { isObject } from "../../contract/is-object.ts";
import { decryptAge, type AgeIdentity } from "./age-files.ts";
import {
  createBackupAuthenticator,
  unauthenticated,
  type BackupAuthenticator,
  type FindBackupKey,
} from "./authenticate-backup.ts";
import {
  BackupRefusedError,
  type Authenticity,
  type BackupFormat,
  type BackupHeader,
  type BackupKey,
  type BackupRow,
  type BackupTrailer,
} from "./backup-format.ts";
import { type BackupTable } from "../../database/table-columns.ts";
import { parseHeader } from "./parse-header.ts";
import { splitLines } from "./split-lines.ts";

/** What is known of a backup that was read to its end. */
export interface BackupEnds<Name extends string> {
  readonly header: BackupHeader;
  readonly trailer: BackupTrailer<Name>;
  readonly authenticity: Authenticity;
}

/**
 * Yields the rows of a backup, and returns its ends when counts, digest and HMAC fit. `identities` open
 * an encrypted file, and are null for another.
 */
export async function* readRows<Name extends string>(
  path: string,
  format: BackupFormat<Name>,
  findKey: FindBackupKey,
  identities: readonly AgeIdentity[] | null,
): AsyncGenerator<BackupRow<Name>, BackupEnds<Name>> {
  const hash = createHash("sha256");
  const counts = new Map<string, number>();
  const tables = new Map<unknown, BackupTable<Name>>(
    format.tables.map((table) => [table.name, table]),
  );
  let header: BackupHeader | null = null;
  let trailer: BackupTrailer<Name> | null = null;
  let key: BackupKey | null = null;
  let authenticator: BackupAuthenticator | null = null;
  let authenticity: Authenticity | null = null;
  for await (const line of readLines(path, identities)) {
    if (authenticity !== null) throw new BackupRefusedError("It has data after its end");
    const value = parseLine(line);
    if (header === null) {
      header = parseHeader(value, format);
      for (const name of Object.keys(header.tables)) counts.set(name, 0);
      key = await findKey(header);
      const { authentication } = header;
      authenticator =
        authentication === null ? null : createBackupAuthenticator(authentication, key);
    } else if (trailer !== null && authenticator !== null) {
      authenticity = authenticator.check(line);
    } else if (Array.isArray(value)) {
      const row = parseRow(value, tables);
      counts.set(row.table.name, (counts.get(row.table.name) ?? 0) + 1);
      yield row;
    } else {
      trailer = parseTrailer(value, format);
      expectCounts(trailer, counts);
      if (hash.copy().digest("hex") !== trailer.sha256) {
        throw new BackupRefusedError("Its digest does not fit: it was damaged or changed");
      }
      if (authenticator === null) authenticity = unauthenticated(key);
    }
    if (authenticity !== null) continue;
    hash.update(line).update("\n");
    authenticator?.update(line);
  }
  if (header === null || trailer === null || authenticity === null) {
    throw new BackupRefusedError("It is not complete: its end is missing");
  }
  return { header, trailer, authenticity };
}

async function* readLines(
  path: string,
  identities: readonly AgeIdentity[] | null,
): AsyncGenerator<Buffer> {
  const source = createReadStream(path);
  const packed = identities === null ? source : Readable.from(decryptAge(source, identities));
  const unzipped = packed.pipe(createGunzip());
  packed.once("error", (error) => unzipped.destroy(error));
  try {
    yield* splitLines(unzipped);
  } catch (error) {
    throw toRefusedError(error);
  } finally {
    packed.destroy();
    source.destroy();
  }
}

function toRefusedError(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (code === "Z_DATA_ERROR") {
    return new BackupRefusedError(
      "It is not a backup of Trellis, or it was damaged: it is not valid gzip",
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
    throw new BackupRefusedError("One of its lines is not JSON: it was damaged");
  }
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
  if (!fits) throw new BackupRefusedError("One of its rows fits no table");
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
  if (!fits) throw new BackupRefusedError("Its end lacks required members");
  return trailer as unknown as BackupTrailer<Name>;
}

function expectCounts({ counts }: BackupTrailer, found: ReadonlyMap<string, number>): void {
  for (const [name, count] of found) {
    const expected = (counts as Readonly<Record<string, unknown>>)[name];
    if (expected === count) continue;
    const said = typeof expected === "number" ? `says it has ${expected}` : "does not say how many";
    throw new BackupRefusedError(`It has ${count} rows of ${name} and ${said}`);
  }
}
