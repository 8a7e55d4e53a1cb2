/**
 * Copies everything that services have in one store to another, of either kind. Generation, offsets,
 * marks and sessions are the same afterwards, so no device notices.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { copyTables } from "./copy/copy-tables.ts";
import { compareTotals, readTotals, type TableTotals } from "./copy/table-totals.ts";
import type { Database } from "../database/database.ts";
import { describeTable, ofPart } from "../database/table-columns.ts";
import { createTables, isMigrated } from "../database/migrate.ts";
import type { OpenDatabase } from "../database/open-database.ts";
import { sqlitePath } from "../database/sqlite-path.ts";
import { readBoundKey } from "../identity/bind-instance-key.ts";
import { nameKey, placeKey, readKey, replaceKey, type KeyPlace } from "../identity/key-place.ts";
import { useAlone } from "../database/lease-store.ts";
import { expectCurrent } from "../database/prepare-upgrade.ts";
import type { StoreDescription } from "./store-description.ts";

export interface StoreCopy {
  /** `sqlite:PATH` or a `postgres://` address. */
  readonly from: string;
  readonly to: string;
  /** The services to copy; those that the source does not have are left out. */
  readonly services: readonly ConfiguredService[];
  readonly dataDir: string;
  /** Called before the target is opened. */
  prepareTarget?(): Promise<void>;
}

type ContentsCopy = Pick<StoreCopy, "services" | "dataDir">;

/** A service; the place of its key is null when the configuration does not have the service. */
export interface ConfiguredService extends StoreDescription {
  readonly key: KeyPlace | null;
  /** Where the target has its key, when that is elsewhere: then it is copied too. */
  readonly targetKey?: KeyPlace;
}

export interface CopyReport {
  readonly services: readonly StoreDescription[];
  readonly tables: TableTotals;
}

/** Nothing was changed; the message says why, and what to do. */
export class CopyRefusedError extends Error {
  override readonly name = "CopyRefusedError";
}

export async function copyStore(copy: StoreCopy): Promise<CopyReport> {
  const { from, to, dataDir } = copy;
  const owners = copy.services.map(({ name }) => name);
  expectSource(from);
  return useAlone(owners, from, async (source) => {
    const services = await listPresent(source, copy);
    for (const service of services) {
      await checkSource(source, service, copy);
      if (await hasContents(source, service)) continue;
      throw new CopyRefusedError(
        `The ${service.name} store at --from is empty: there is nothing to copy`,
      );
    }
    await copy.prepareTarget?.();
    return useAlone(owners, to, async (target) => {
      for (const service of services) await checkTarget(target, service);
      return copyContents(source, target, { services, dataDir });
    });
  });
}

/**
 * Copies a service alone with both databases, or finds that an earlier copy has done so. What the target has else is
 * left as it is.
 */
export async function copyAgain(
  source: OpenDatabase,
  target: OpenDatabase,
  service: ConfiguredService,
  dataDir: string,
): Promise<TableTotals> {
  await checkSource(source, service, { dataDir });
  await createTables(target, service.schema);
  await expectCurrent(service, target);
  if (await hasContents(target, service)) {
    const described = [];
    for (const part of service.tables) described.push(await describeTable(source, part));
    const present = await readTotals(source, described);
    if (compareTotals(present, await readTotals(target, described)).length > 0) {
      throw new CopyRefusedError(
        `The store at --to has other data of the ${service.name} service already, nothing was changed: if --from was served since an earlier copy, begin again with an empty database or folder`,
      );
    }
    return present;
  }
  return (await copyContents(source, target, { services: [service], dataDir })).tables;
}

async function copyContents(
  source: Database,
  target: Database,
  { services, dataDir }: ContentsCopy,
): Promise<CopyReport> {
  for (const service of services) await copyKey(source, target, service);
  const parts = services.flatMap(({ tables }) => tables);
  const tables = await copyTables(source, target, parts);
  for (const service of services) {
    await service.writeMark(target, join(dataDir, service.highWaterFile));
  }
  return { services, tables };
}

/** Opening a file that is not there would make one. */
function expectSource(from: string): void {
  const path = sqlitePath(from);
  if (path === undefined || statSync(path, { throwIfNoEntry: false })?.isFile() === true) return;
  throw new CopyRefusedError(`There is no store at "${path}" to copy: correct --from`);
}

async function listPresent(
  source: Database,
  { services }: StoreCopy,
): Promise<ConfiguredService[]> {
  const present: ConfiguredService[] = [];
  for (const service of services) {
    if (await isMigrated(source, service.name)) present.push(service);
  }
  if (present.length > 0) return present;
  const names = services.map(({ name }) => name).join(" or ");
  throw new CopyRefusedError(`The store at --from has no tables of ${names}: correct --from`);
}

async function checkSource(
  source: OpenDatabase,
  service: ConfiguredService,
  { dataDir }: Pick<StoreCopy, "dataDir">,
): Promise<void> {
  const { name, key } = service;
  if (key === null) {
    throw new CopyRefusedError(
      `The store at --from has data of the ${name} service, but the configuration has no "${name}" section, which names its instance key: add one, or choose what to copy with --service`,
    );
  }
  await expectCurrent(service, source);
  await readBoundKey(source, { realm: name, place: key });
  const path = join(dataDir, service.highWaterFile);
  if (!(await service.isBehind(source, path))) return;
  throw new CopyRefusedError(
    `The ${name} store at --from is behind the high-water mark in "${path}": it is an older copy, or not the store of this configuration. Copy the one that was served last; if this is the one, move that file away and try again`,
  );
}

async function checkTarget(target: Database, service: StoreDescription): Promise<void> {
  await createTables(target, service.schema);
  await expectCurrent(service, target);
  if (!(await hasContents(target, service))) return;
  throw new CopyRefusedError(
    `The store at --to already has data of the ${service.name} service, nothing was changed: name a new file, or an empty database or schema`,
  );
}

/** Before the rows, so that a copy that ends between can be repeated. */
async function copyKey(
  source: Database,
  target: Database,
  { name, key, targetKey }: ConfiguredService,
): Promise<void> {
  const ring = key === null || targetKey === undefined ? null : await readKey(key, source);
  if (ring === null || targetKey === undefined) return;
  await target.transaction(async (tx) => {
    const { secret } = await placeKey(targetKey, tx, ring);
    const known = [ring, ...ring.retired].some((own) => isDeepStrictEqual(own.secret, secret));
    if (!known) {
      throw new CopyRefusedError(
        `The ${nameKey(targetKey)} is not that of the ${name} store at --from, nothing was changed: name another place with --to, or move that key away`,
      );
    }
    // It was rotated since an earlier copy.
    if (!isDeepStrictEqual(secret, ring.secret)) await replaceKey(targetKey, tx, ring);
  });
}

async function hasContents(
  database: Database,
  { contents, tables }: StoreDescription,
): Promise<boolean> {
  for (const { name, where } of tables.filter((table) => contents.includes(table.name))) {
    const rows = await database.query(
      `SELECT 1 AS found FROM ${name} WHERE ${ofPart(where)} LIMIT 1`,
    );
    if (rows.length > 0) return true;
  }
  return false;
}
