/** Devices agree, whatever they push and whatever maintenance runs meanwhile. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import fc from "fast-check";
import type { OperationKind } from "../../../src/contract/sync/operation-limits.ts";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import { applyOperation, type EntityState } from "../../../src/rules/sync/merge.ts";
import { parseOperation } from "../../../src/rules/sync/operation-text.ts";
import { checkStore } from "../../../src/sync/maintenance/check-store.ts";
import { compactLog } from "../../../src/sync/maintenance/compact.ts";
import { openBackup } from "../../../src/backup/format/open-backup.ts";
import { createBackup } from "../../../src/backup/format/write-backup.ts";
import { SYNC_EXAMINER } from "../../../src/sync/maintenance/backup.ts";
import { restoreSyncContents } from "../../../src/sync/maintenance/restore.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { createDevice, viewOf, type Device } from "./device.ts";
import { STORE_KINDS, type StoreKind } from "../../database/on-both-stores.ts";
import { createPlace } from "./on-both-stores.ts";
import { BACKUP_KEY, findBackupKey } from "../../database/backup-sample.ts";

const DEVICES = ["phone", "laptop", "Tablet"];

type Step =
  | { readonly do: "push"; readonly device: number; readonly edits: readonly Edit[] }
  | { readonly do: "pull"; readonly device: number; readonly limit: number }
  | { readonly do: "compact"; readonly batch: number }
  | { readonly do: "backup" }
  | { readonly do: "restore" };

interface Edit {
  readonly kind: OperationKind;
  readonly entity: number;
  readonly fields: readonly string[];
}

const edits: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom<OperationKind>("create", "patch", "patch", "delete", "restore"),
  entity: fc.integer({ min: 0, max: 2 }),
  fields: fc.subarray(["title", "text", "__proto__"], { minLength: 1 }),
});

const device = fc.integer({ min: 0, max: DEVICES.length - 1 });

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("push" as const),
      device,
      edits: fc.array(edits, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("pull" as const),
      device,
      limit: fc.integer({ min: 1, max: 7 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("compact" as const),
      batch: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("backup" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restore" as const) }) },
);

const RUNS: Readonly<Record<StoreKind, number>> = { SQLite: 30, PostgreSQL: 12 };

for (const kind of STORE_KINDS) {
  test(`compaction, backups and restores at any moment leave every device the same (${kind})`, async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 24 }), async (history) => {
        await play(t, kind, history);
      }),
      { numRuns: RUNS[kind], endOnFailure: true },
    );
  });
}

async function play(t: TestContext, kind: StoreKind, history: readonly Step[]): Promise<void> {
  const place = await createPlace(t, kind);
  const store = await place.open();
  const devices = DEVICES.map(() => createDevice(store));
  const all: Operation[] = [];
  const sequences = DEVICES.map(() => 0);
  const backups: string[] = [];
  for (const step of history) {
    switch (step.do) {
      case "push": {
        const operations = step.edits.map((edit) => {
          const sequence = ++(sequences as number[])[step.device]!;
          return toOperation(DEVICES[step.device] ?? "", sequence, edit);
        });
        all.push(...operations);
        await at(devices, step.device).push(operations);
        break;
      }
      case "pull":
        await at(devices, step.device).sync(step.limit);
        break;
      case "compact":
        await compactLog(store.database, step.batch);
        break;
      case "backup": {
        const path = join(place.folder, `${backups.length}.backup`);
        await createBackup(store.database, path, SYNC_EXAMINER, {
          product: "1",
          now: 0,
          instanceKey: null,
          key: BACKUP_KEY,
        });
        backups.push(path);
        break;
      }
      case "restore":
        await restore(store, backups.at(-1));
        break;
    }
  }
  // After a restore, one device pushes again what another one has yet to pull.
  for (const each of [...devices, ...devices]) await each.sync(3);
  const fresh = createDevice(store);
  assert.deepEqual(await fresh.sync(2), []);
  const expected = viewOf(mergeAll(all));
  for (const each of [...devices, fresh]) assert.deepEqual(each.view(), expected);
  assert.equal((await checkStore(store.database)).kind, "sound");
  await store.close();
}

async function restore(
  store: Parameters<typeof restoreSyncContents>[0],
  path: string | undefined,
): Promise<void> {
  if (path === undefined) return;
  const backup = await openBackup(path, SYNC_EXAMINER, findBackupKey);
  try {
    await restoreSyncContents(store, backup.contents);
  } finally {
    await backup.close();
  }
}

function toOperation(deviceId: string, sequence: number, { kind, entity, fields }: Edit) {
  const payload = Object.fromEntries(fields.map((name) => [name, `${deviceId}${sequence}`]));
  return createOperation({ kind, deviceId, sequence, entityId: `note/${entity}`, payload });
}

function mergeAll(operations: readonly Operation[]): Map<string, EntityState> {
  const states = new Map<string, EntityState>();
  for (const operation of operations) {
    const read = parseOperation(JSON.stringify(operation));
    const before = states.get(read.entityId) ?? null;
    states.set(read.entityId, applyOperation(before, read).state);
  }
  return states;
}

function at(devices: readonly Device[], index: number): Device {
  const found = devices[index];
  assert.ok(found);
  return found;
}
