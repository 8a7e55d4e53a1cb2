/** Reads a backup from the first byte to the last, and believes nothing that is not proven. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import {
  BackupRefusedError,
  describeTables,
  type BackupFormat,
  type BackupHeader,
  type BackupRow,
  type BackupTable,
  type BackupTrailer,
} from "./backup-format.ts";

export type BackupPart<Name extends string> =
  | { readonly kind: "header"; readonly header: BackupHeader }
  | { readonly kind: "row"; readonly row: BackupRow<Name> }
  /** Only after everything before it was found to be as it says. */
  | { readonly kind: "trailer"; readonly trailer: BackupTrailer<Name> };

/** Far above the text of a row with every column at its limit. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

export async function* readBackup<Name extends string>(
  path: string,
  format: BackupFormat<Name>,
): AsyncGenerator<BackupPart<Name>> {
  const hash = createHash("sha256");
  const counts = new Map<string, number>(format.tables.map(({ name }) => [name, 0]));
  const tables = new Map<unknown, BackupTable<Name>>(
    format.tables.map((table) => [table.name, table]),
  );
  let [lines, isEnded] = [0, false];
  for await (const line of readLines(path)) {
    if (isEnded) throw new BackupRefusedError("There is something after its end");
    const value = parseLine(line);
    if (lines++ === 0) yield { kind: "header", header: parseHeader(value, format) };
    else if (Array.isArray(value)) {
      const row = parseRow(value, tables);
      counts.set(row.table.name, (counts.get(row.table.name) ?? 0) + 1);
      yield { kind: "row", row };
    } else {
      const trailer = parseTrailer(value, format);
      expectCounts(trailer, counts);
      if (hash.copy().digest("hex") !== trailer.sha256) {
        throw new BackupRefusedError("Its digest does not fit: it was damaged or changed");
      }
      isEnded = true;
      yield { kind: "trailer", trailer };
    }
    hash.update(line).update("\n");
  }
  if (!isEnded) throw new BackupRefusedError("It is not complete: its end is missing");
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
    throw explain(error);
  } finally {
    source.destroy();
  }
  if (rest.length > 0) throw new BackupRefusedError("It is not complete: its last line is cut off");
}

function explain(error: unknown): unknown {
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

type Members = Readonly<Record<string, unknown>>;

function parseHeader(value: unknown, format: BackupFormat): BackupHeader {
  const header = value as Members | null;
  if (typeof header !== "object" || header?.["format"] !== format.name) {
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
  return header as BackupHeader;
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
  value: unknown,
  format: BackupFormat<Name>,
): BackupTrailer<Name> {
  const trailer = value as Members | null;
  const fits =
    typeof trailer === "object" &&
    trailer !== null &&
    typeof trailer["sha256"] === "string" &&
    typeof trailer["counts"] === "object" &&
    trailer["counts"] !== null &&
    Object.entries(format.facts).every(([name, type]) => isOf(trailer[name], type));
  if (!fits) throw new BackupRefusedError("Its end has not the members that it must have");
  return trailer as BackupTrailer<Name>;
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
